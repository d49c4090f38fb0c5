"""The value of a `dim` operation of any dialect: a size, or one of the sizes."""

from __future__ import annotations

from xdsl.ir import SSAValue

from volcli.language.expressions import Expression, dim_of, maximum, minimum, value_of
from volcli.language.reads import Conjunction, rank_of
from volcli_dialects.cases.numbers.wrapping import number
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
