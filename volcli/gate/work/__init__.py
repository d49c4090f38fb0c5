"""Units of work: what is analysed together, where, kept for the next run.

Guarantees: the outcome does not depend on the number of workers, their order, or what the cache holds.

Imports: `api`, `diagnostics`, `frontend`, `gate.findings`, `gate.fixes`, `gate.records`, `gate.rules`,
`language`, `loading`, `passes`, `runtime`.
"""
