"""Definitions as integer sets over few variables: all other variables are projected out.

Guarantees: a projection that is called exact gains no integer point and loses none; the others say why they
are not.

Imports: `language`, `model.values.definitions`, `model.values.terms`, `presburger`.
"""
