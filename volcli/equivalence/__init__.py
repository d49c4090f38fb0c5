"""Whether two functions compute the same: from which elements, by which operations, with which undefined
behaviour.

Guarantees: "equal" is proved for all arguments; "different" comes with a reason that some execution shows;
everything else is unknown.

Imports: `equivalence.backward`, `equivalence.comparing`, `equivalence.paths`, `equivalence.places`,
`equivalence.results`, `facts`, `language`, `model`, `presburger`.
"""
