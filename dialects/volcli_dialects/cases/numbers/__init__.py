"""Scalar integer arithmetic that dialects share: modular arithmetic, quotients, constants.

Guarantees: each statement holds for every operand for which the operation is defined.
"""
