"""The gate: findings about many files, by the rules of a policy.

A unit of work is one file with what the policy says of it; what comes back is plain data, the same in any
process (`work`). `run` alone decides where and in which order work is done. A rule (`rules`) is a function
from what was analysed of a file to its findings (`findings`); `records` compare them with those of an earlier
run.

Guarantees: what was not read or analysed is in the report; findings do not depend on workers, order or cache.

Imports: `diagnostics`, `frontend`, `gate.findings`, `gate.policy`, `gate.records`, `gate.work`, `runtime`.
"""
