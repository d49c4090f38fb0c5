"""The gate: findings about many files, by the rules of a policy.

A unit of work is one file with what the policy says of it; what comes back is plain data, the same in any
process (`work.py`). `run.py` alone decides where and in which order work is done. A rule (`rules/`) is a
function from what was analysed of a file to its findings.
"""
