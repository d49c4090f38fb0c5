"""Operations inside of loops that take the variables of affine loops only: what becomes of them elsewhere.

An affine.apply is arith, an affine.if is an scf.if with the same condition; other regions are refused.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from xdsl.ir import Operation

from volcli.language import questions
from volcli.language.expressions import NotAffine
from volcli.language.interface import operation_name
from volcli.language.reads import Conjunction


def check_inside(operations: Sequence[Operation]) -> None:
    """Raise NotAffine if OPERATIONS hold something that takes the variables of affine loops only."""
    for op in (inner for each in operations for inner in each.walk()):
        if op.regions and operation_name(op).startswith("affine.") and branch_condition(op) is None:
            raise NotAffine(f"'{operation_name(op)}' inside takes the variables of affine loops only")
    for op in index_uses(operations):
        if questions.value_of_result(op.results[0]) is None:
            raise NotAffine(f"what '{operation_name(op)}' computes is not understood")


def branches_in(operations: Sequence[Operation]) -> Iterator[Operation]:
    """The branches among OPERATIONS, and in what is inside, that take the variables of affine loops only."""
    for op in (inner for each in operations for inner in each.walk()):
        if operation_name(op) == "affine.if":
            yield op


def branch_condition(op: Operation) -> Conjunction | None:
    """What is >= 0 where the first region of OP, an affine.if, runs; None of other operations."""
    guards = questions.guards(op) if operation_name(op) == "affine.if" else None
    return guards[0].condition[0] if guards else None


def index_uses(operations: Sequence[Operation]) -> Iterator[Operation]:
    """Those of OPERATIONS, and of what is inside, that compute an index by an affine map."""
    for op in (inner for each in operations for inner in each.walk()):
        if operation_name(op) in ("affine.apply", "affine.min", "affine.max"):
            yield op
