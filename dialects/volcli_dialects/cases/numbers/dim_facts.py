"""The value of a `dim` operation of any dialect: a size, or one of the sizes."""

from __future__ import annotations

from xdsl.dialects.builtin import ShapedType
from xdsl.ir import Operation, SSAValue

from volcli.language.expressions import Expression, constant, dim_of, maximum, minimum, value_of
from volcli.language.questions import index_value, requires, value_facts
from volcli.language.reads import Conjunction, rank_of
from volcli_dialects.cases.numbers.wrapping import number
from volcli_dialects.cases.requirements import is_dimension
from volcli_dialects.cases.sizes import dims


def dim_value(source: SSAValue, index: SSAValue) -> Expression | None:
    """The size of SOURCE's dimension INDEX, if that is a constant of the program."""
    known = number(index)
    if not known.is_constant or not 0 <= known.constant < rank_of(source):
        return None
    return dim_of(source, known.constant)


def dim_facts(result: SSAValue, source: SSAValue) -> Conjunction:
    """RESULT is the size of some dimension of SOURCE: it is between the least and the greatest of them."""
    value, sizes = value_of(result), dims(source)
    if not sizes:
        return (value,)
    return value, value - minimum(*sizes), maximum(*sizes) - value


def register_dims(dim: type[Operation], rank: type[Operation]) -> None:
    """DIM is a size of its first operand, whose dimension is below the rank; RANK how many there are."""
    index_value.case(dim)(lambda op: dim_value(*op.operands))
    value_facts.case(dim)(lambda op: [dim_facts(op.results[0], op.operands[0])])
    requires.case(dim)(lambda op: is_dimension(*op.operands))
    index_value.case(rank)(lambda op: _rank(op.operands[0]))
    value_facts.case(rank)(lambda op: [(value_of(op.results[0]),)])  # Not negative.


def _rank(value: SSAValue) -> Expression | None:
    return constant(rank_of(value)) if isinstance(value.type, ShapedType) else None
