"""The test dialect of MLIR, as far as tests of bounds need it: a value between two numbers."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import test
from xdsl.dialects.builtin import IndexType, IntegerAttr
from xdsl.ir import Dialect
from xdsl.irdl import IRDLOperation, ParsePropInAttrDict, prop_def, result_def

from volcli.language.expressions import value_of
from volcli.language.questions import value_facts, varies
from volcli.language.reads import Conjunction
from volcli_dialects.syntax.redeclared import operation


@operation("test.value_with_bounds", "attr-dict")
class ValueWithBoundsOp(IRDLOperation):
    """`%r = test.value_with_bounds {max = 5 : index, min = 0 : index}`: some index in that range, closed."""

    max = prop_def(IntegerAttr[IndexType])
    min = prop_def(IntegerAttr[IndexType])
    result = result_def(IndexType)

    irdl_options = (ParsePropInAttrDict(),)


def dialect() -> Dialect:
    """xDSL's test dialect, and this operation."""
    return Dialect("test", [*test.Test.operations, ValueWithBoundsOp], [*test.Test.attributes])


@value_facts.case(ValueWithBoundsOp)
def value_with_bounds(op: ValueWithBoundsOp) -> Sequence[Conjunction]:
    """`min <= x <= max`."""
    x = value_of(op.result)
    return [(x - op.min.value.data, -x + op.max.value.data)]


varies.case(ValueWithBoundsOp)(lambda op: op)  # Each operation gives a number of its own.
