"""The ub dialect: values that are poison, as passes leave them where nothing is read."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import ub
from xdsl.dialects.builtin import ShapedType
from xdsl.ir import Dialect

from volcli.execution.numbers.values import POISON
from volcli.execution.outcomes import Unsupported
from volcli.execution.table import Perform, executions
from volcli.language.questions import element_reads
from volcli.language.reads import ElementReads
from volcli_dialects.cases.dialects import dialect_of


def dialect() -> Dialect:
    """xDSL's ub dialect."""
    return dialect_of(ub.UB, [])


@element_reads.case(ub.PoisonOp)
def nothing_read(op: ub.PoisonOp) -> Sequence[ElementReads]:
    """The elements are undefined: they depend on nothing."""
    return [ElementReads(())]


@executions.case(ub.PoisonOp)
def poison(op: ub.PoisonOp) -> Perform:
    """A number that is poison."""
    if isinstance(op.result.type, ShapedType):
        raise Unsupported(op, "poison of several elements is not executed")
    return lambda machine: POISON
