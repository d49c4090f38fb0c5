"""Operations inside of loops that take the variables of affine loops only: what becomes of them elsewhere.

An affine.apply is arith, an affine.if is an scf.if with the same condition, an affine.for an scf.for with the
same bounds; other regions are refused.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from xdsl.ir import Operation

from volcli.language import questions
from volcli.language.expressions import NotAffine
from volcli.language.interface import operation_name
from volcli.language.programs.known_loops import counted_loop
from volcli.language.reads import Conjunction


def check_inside(operations: Sequence[Operation]) -> None:
    """Raise NotAffine if OPERATIONS hold something that takes the variables of affine loops only."""
    for op in (inner for each in operations for inner in each.walk()):
        if op.regions and operation_name(op).startswith("affine.") and not _is_plain_elsewhere(op):
            raise NotAffine(f"'{operation_name(op)}' inside takes the variables of affine loops only")
    for op in index_uses(operations):
        if questions.value_of_result(op.results[0]) is None:
            raise NotAffine(f"what '{operation_name(op)}' computes is not understood")


def _is_plain_elsewhere(op: Operation) -> bool:
    """Whether OP is a branch or a loop that scf has, too."""
    return branch_condition(op) is not None or (
        operation_name(op) == "affine.for" and counted_loop(op) is not None
    )


def regions_in(operations: Sequence[Operation]) -> Iterator[Operation]:
    """Branches and loops of affine among OPERATIONS, and in what is inside."""
    for op in (inner for each in operations for inner in each.walk()):
        if op.regions and operation_name(op).startswith("affine."):
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
