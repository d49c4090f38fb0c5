"""Terms: atoms, constants and operations on them, each made once, so that equal ones are one object.

    arith.addi %x, (arith.muli %y, %c2)        addi(x, muli(y, 2)), of width 32

An integer has its width as `kind`, and a float the name of its format. Numbers of index have 64 bits.
"""

from __future__ import annotations

import math
from collections.abc import Container, Hashable, Iterator, Sequence
from dataclasses import dataclass
from typing import cast

from xdsl.dialects.builtin import BFloat16Type, Float16Type, Float32Type, Float64Type, IndexType, IntegerType
from xdsl.ir import Attribute

from volcli.language.reads import element_type
from volcli.limits.widths import ALL_BITS

Kind = int | str
ATOM, NUMBER = "atom", "number"


@dataclass(frozen=True, eq=False)
class Operator:
    """What a term does: the `name` of an operation, what decides its value (`stated`), and its `flags`.

    Flags restrict for which operands it is defined, or allow for other values: `nsw`, `exact`, `nnan`.
    """

    name: str
    stated: Hashable = None
    flags: frozenset[str] = frozenset()

    @property
    def key(self) -> Hashable:
        return self.name, self.stated, self.flags


@dataclass(frozen=True, eq=False)
class ScalarTerm:
    """An `operator` on `operands`; `serial` numbers the terms in the order in which they were made."""

    operator: Operator
    kind: Kind
    operands: tuple[ScalarTerm, ...]
    serial: int

    @property
    def name(self) -> str:
        return self.operator.name

    @property
    def number(self) -> int | float | None:
        """The number that it is, if it is a constant."""
        return cast("tuple[str, int | float]", self.operator.stated)[1] if self.name == NUMBER else None


class ScalarTerms:
    """All terms of a comparison."""

    def __init__(self) -> None:
        self._known: dict[Hashable, ScalarTerm] = {}

    def of(self, operator: Operator, kind: Kind, operands: Sequence[ScalarTerm] = ()) -> ScalarTerm:
        """The term of OPERATOR."""
        key = operator.key, kind, tuple(each.serial for each in operands)
        if key not in self._known:
            self._known[key] = ScalarTerm(operator, kind, tuple(operands), len(self._known))
        return self._known[key]

    def atom(self, number: int, kind: Kind) -> ScalarTerm:
        """The atom of a NUMBER: any number of its KIND, the same one wherever it stands."""
        return self.of(Operator(ATOM, number), kind)

    def constant(self, number: float, kind: Kind) -> ScalarTerm:
        """NUMBER, of KIND: an integer modulo 2^w, and a float by its bits; all NaN are one."""
        if isinstance(kind, int):
            number = int(number) % 2**kind
            return self.of(Operator(NUMBER, ("", number)), kind)
        number = math.nan if number != number else float(number)
        return self.of(Operator(NUMBER, (repr(number), number)), kind)


def operands_first(term: ScalarTerm, known: Container[int]) -> Iterator[ScalarTerm]:
    """TERM and what it is made from, each after its operands, but for those whose serials are KNOWN.

    Who asks adds what it gets to KNOWN.

    >>> terms, known = ScalarTerms(), set()
    >>> one = terms.constant(1, 8)
    >>> for each in operands_first(terms.of(Operator("addi"), 8, [one, one]), known):
    ...     known.add(each.serial)
    ...     print(each.name)
    number
    addi
    """
    pending = [term]
    while pending:
        each = pending[-1]
        missing = [operand for operand in each.operands if operand.serial not in known]
        if missing:
            pending += missing
            continue
        pending.pop()
        if each.serial not in known:
            yield each


def kind_of(attribute: Attribute) -> Kind | None:
    """The kind of scalars of a type; None of other ones."""
    match element_type(attribute):
        case IndexType():
            return ALL_BITS.bit_length() - 1
        case IntegerType() as integer:
            return integer.width.data
        case BFloat16Type() | Float16Type() | Float32Type() | Float64Type() as number:
            return number.name
        case _:  # formats of few bits have no -0, or no infinity
            return None


def signed(number: int, width: int) -> int:
    """NUMBER, of WIDTH bits, in two's complement."""
    return number - 2**width if number >> (width - 1) else number
