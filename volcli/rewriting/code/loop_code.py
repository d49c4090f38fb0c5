"""Loops of scf as operations."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import DenseArrayBase, i32
from xdsl.ir import Attribute, Operation, Region, SSAValue

from volcli.rewriting.ground.builder import Builder

FOR, PARALLEL = "scf.for", "scf.parallel"


def loop_operation(
    builder: Builder,
    inside: Builder,
    kind: str,
    operands: Sequence[SSAValue],
    body: Region,
    yielded: Sequence[SSAValue] = (),
) -> Operation:
    """A loop of this KIND (scf.for, scf.parallel) from, to, and with the step of OPERANDS, around BODY.

    INSIDE builds at the end of the body, which has none yet. The other operands of an scf.for are what it
    carries first, and what is YIELDED is what it carries next.
    """
    if kind == FOR:
        inside.operation("scf.yield", yielded)
        return builder.operation(kind, operands, results=[each.type for each in yielded], regions=[body])
    inside.operation("scf.reduce", [])
    segments: dict[str, Attribute] = {"operandSegmentSizes": DenseArrayBase.from_list(i32, [1, 1, 1, 0])}
    return builder.operation(kind, operands, properties=segments, regions=[body])
