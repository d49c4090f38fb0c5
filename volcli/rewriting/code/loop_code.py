"""Loops of scf as operations."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import DenseArrayBase, i32
from xdsl.ir import Attribute, Operation, Region, SSAValue

from volcli.rewriting.ground.builder import Builder

FOR, PARALLEL = "scf.for", "scf.parallel"


def loop_operation(
    builder: Builder, inside: Builder, kind: str, operands: Sequence[SSAValue], body: Region
) -> Operation:
    """A loop of this KIND (scf.for, scf.parallel) from, to, and with the step of OPERANDS, around BODY.

    INSIDE builds at the end of the body, which has none yet.
    """
    if kind == FOR:
        inside.operation("scf.yield", [])
        return builder.operation(kind, operands, regions=[body])
    inside.operation("scf.reduce", [])
    segments: dict[str, Attribute] = {"operandSegmentSizes": DenseArrayBase.from_list(i32, [1, 1, 1, 0])}
    return builder.operation(kind, operands, properties=segments, regions=[body])
