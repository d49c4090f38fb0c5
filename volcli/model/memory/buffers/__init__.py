"""Which memory a value refers to: views, layouts, spaces and effects, without iterations.

Guarantees: two roots are called distinct only if no execution makes them share an element; unknown effects
reach whatever has escaped.

Imports: `language`, `model.stated_effects`, `model.symbols`, `model.values`, `presburger`.
"""
