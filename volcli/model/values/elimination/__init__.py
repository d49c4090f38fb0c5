"""Definitions as integer sets over few variables: all other variables are projected out.

Guarantees: a projection that is called exact gains no integer point and loses none; the others say why they
are not.

Over 300 lines: `recurrences.py` (one class, `Recurrences`, for counted loops and for others).

Imports: `language`, `model.values.definitions`, `model.values.terms`, `presburger`.
"""
