"""What expressions are made of at last: loops, values, sizes, parameters; and their order in a program."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import count
from weakref import WeakKeyDictionary

from xdsl.ir import Operation, SSAValue


@dataclass(frozen=True)
class LoopIndex:
    """The k-th loop (result dimension, iterator) of the operation that the expression describes."""

    position: int

    def __str__(self) -> str:
        return f"d{self.position}"


@dataclass(frozen=True, eq=False)
class Value:
    """An SSA value of index or integer type, as a number."""

    value: SSAValue

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Value) and self.value is other.value

    def __hash__(self) -> int:
        return id(self.value)

    def __str__(self) -> str:
        return f"%{self.value.name_hint or '?'}"


@dataclass(frozen=True, eq=False)
class Dim:
    """The size of one dimension of a shaped SSA value."""

    value: SSAValue
    dimension: int

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Dim) and self.value is other.value and self.dimension == other.dimension

    def __hash__(self) -> int:
        return hash((id(self.value), self.dimension))

    def __str__(self) -> str:
        return f"dim(%{self.value.name_hint or '?'}, {self.dimension})"


@dataclass(frozen=True)
class Parameter:
    """A symbolic constant of the function, named after the value that defines it."""

    name: str

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True)
class AnyIndex:
    """An index that is not known: every element along this dimension is possible."""

    def __str__(self) -> str:
        return "any"


ANY = AnyIndex()


WHOLE = (LoopIndex, Value, Dim, Parameter)
"""The atoms that are not made of expressions."""

_serials: WeakKeyDictionary[SSAValue, int] = WeakKeyDictionary()
_next_serial = count()


def number_values(root: Operation) -> None:
    """Number all SSA values in ROOT in the order of the text: expressions list their atoms in this order.

    (Not by address: the same program would print `%a + %b` in one process and `%b + %a` in the next.)
    A value that nothing numbered gets the next number when an expression first compares it.
    """
    for op in root.walk():
        for region in op.regions:
            for block in region.blocks:
                for argument in block.args:
                    _serials[argument] = next(_next_serial)
        for result in op.results:
            _serials[result] = next(_next_serial)


def serial(value: SSAValue) -> int:
    """The position of VALUE among the values of its program."""
    known = _serials.get(value)
    if known is None:
        known = _serials[value] = next(_next_serial)
    return known
