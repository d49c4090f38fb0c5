"""Bounds of index values and of sizes: computed, compared, exact on both sides (EuroLLVM 2024, value bounds).

`definitions` says what each variable is (`cases` by its kind, `recurrences` if it goes around a loop: one
iteration as a relation in `transitions`, any number in `closure`), `elimination` relates few of them to each
other, `places` knows what holds where, `queries` puts these together, `store` answers questions. `forms`,
`equalities` and `resolution` give sizes as expressions: shapes, maps and regions are written in these.
"""
