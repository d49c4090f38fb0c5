"""The ub dialect: values that are poison, as passes leave them where nothing is read."""

from __future__ import annotations

from xdsl.dialects import ub
from xdsl.dialects.builtin import ShapedType
from xdsl.ir import Dialect

from volcli.execution.memory.machine import Machine
from volcli.execution.numbers.values import POISON, PoisonValue
from volcli.execution.outcomes import Defect, Undefined, Unsupported
from volcli.execution.table import Perform, executions, performs
from volcli.language.expressions import constant
from volcli.language.questions import element_reads, requires
from volcli.language.reads import ElementReads
from volcli_dialects.cases.dialects import dialect_of


def dialect() -> Dialect:
    """xDSL's ub dialect."""
    return dialect_of(ub.UB, [])


@executions.case(ub.PoisonOp)
def poison(op: ub.PoisonOp) -> Perform:
    """A number that is poison."""
    if isinstance(op.result.type, ShapedType):
        raise Unsupported(op, "poison of several elements is not executed")

    def perform(_: Machine) -> PoisonValue:
        return POISON

    return perform


@performs(ub.UnreachableOp)
def unreachable(op: ub.UnreachableOp, _: Machine) -> None:
    """Undefined, wherever it is executed."""
    raise Undefined(op, Defect.CONTRACT, "it must not be reached")


# The elements are undefined: they depend on nothing.
element_reads.case(ub.PoisonOp)(lambda op: [ElementReads(())])
requires.case(ub.UnreachableOp)(lambda op: [((constant(-1),),)])  # What nothing fulfils.
