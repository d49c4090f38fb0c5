"""The names that the user gave to SSA values, numbers included."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from xdsl.ir import BlockArgument, Operation, OpResult, SSAValue


class Name(NamedTuple):
    """One name in the text: `%base`, or `%base#number`, one of the `size` values of `%base:size`."""

    base: str
    number: int = 0
    size: int = 1

    def __str__(self) -> str:
        return f"%{self.base}" if self.size == 1 else f"%{self.base}#{self.number}"


def values_of(root: Operation) -> Iterator[SSAValue]:
    """Every value defined in an operation's regions, and its own results, in the order of the text."""
    for op in root.walk():
        yield from op.results
        for region in op.regions:
            for block in region.blocks:
                yield from block.args


class Names:
    """What each value is called in the text.

    >>> from xdsl.dialects.test import TestOp
    >>> from xdsl.dialects.builtin import i32
    >>> op, names = TestOp(result_types=[i32, i32]), Names()
    >>> names.record("42", op.results)
    >>> names.of(op.results[1])
    '%42#1'
    """

    def __init__(self) -> None:
        self._names: dict[SSAValue, Name] = {}
        self._passed_on: dict[SSAValue, int] = {}
        self._shared: dict[SSAValue, list[Name]] = {}

    def record(self, base: str, values: Sequence[SSAValue]) -> None:
        """Note that `%base` (or `%base:n`) defines these values; `base` has no `%`."""
        size = len(values)
        for number, value in enumerate(values):
            self._names[value] = Name(base, number, size)

    def get(self, value: SSAValue) -> Name | None:
        """The recorded name of a value; None for a value that the text does not name."""
        return self._names.get(value)

    def of_arguments(self, function: Operation) -> list[str]:
        """What the arguments of FUNCTION are called, without `%`; of one without a body, none."""
        blocks = function.regions[0].blocks
        return [self.of(each).removeprefix("%") for each in (blocks[0].args if blocks else ())]

    def transfer(self, old: SSAValue, new: SSAValue) -> None:
        """Let a value that a pass made take over the name of the value that it replaces."""
        if (name := self._names.pop(old, None)) is not None:
            self._names[new] = name

    def copy(self, originals: Mapping[SSAValue, SSAValue]) -> None:
        """Call values as what they are copies of."""
        for value, original in originals.items():
            if (name := self._names.get(original)) is not None:
                self._names[value] = name

    def passed_on(self, op: Operation, line: int) -> None:
        """What OP, which no text has, gives and its blocks get has to do with a branch in LINE."""
        arguments = (arg for region in op.regions for block in region.blocks for arg in block.args)
        self._passed_on |= dict.fromkeys((*op.results, *arguments), line)

    def is_passed_on(self, value: SSAValue) -> bool:
        """Whether VALUE is one that no text has, and has to do with a branch."""
        return value in self._passed_on

    def share(self, originals: Mapping[SSAValue, Sequence[SSAValue]]) -> None:
        """Each of these values is one of its ORIGINALS at a time: it is called as all that have names."""
        for value, each in originals.items():
            self._shared[value] = [name for one in each if (name := self._names.get(one)) is not None]

    def adopt(self, other: Names) -> None:
        """Take over the names of the values of another text."""
        self._names |= other._names

    def of(self, value: SSAValue) -> str:
        """The text the user wrote for a value, with its `%`: `%act0`, `%0`, `%r#1`.

        A value that the text does not name is described instead: by its hint or by the operation it comes
        from.
        """
        if (name := self._names.get(value)) is not None:
            return str(name)
        if value.name_hint is not None:
            return f"%{value.name_hint}"
        if names := self._shared.get(value):
            return " or ".join(map(str, names))
        if value in self._passed_on:
            return f"the branch in line {self._passed_on[value]}"
        if isinstance(value, OpResult):
            return f"<result {value.index} of {value.op.name}>"
        if isinstance(value, BlockArgument) and (around := value.block.parent_op()) is not None:
            return f"<argument {value.index} of a block of {around.name}>"
        return "<a value without a name>"

    def find(self, function: Operation, text: str) -> SSAValue | None:
        """The value called `text` inside a function, or None; of several, the first in the text.

        `%r` finds `%r#0`, as it does in MLIR's syntax.
        """
        return next(self._called(function, text), None)

    def find_all(self, function: Operation, text: str) -> list[SSAValue]:
        """The values called `text` inside a function: regions beside each other may use one name twice."""
        return list(self._called(function, text))

    def is_called(self, value: SSAValue, text: str) -> bool:
        """Whether a value is called `text`, as `find` reads it."""
        base, _, number = text.removeprefix("%").partition("#")
        name = self._names.get(value)
        is_number = not number or number.isdecimal()
        return name is not None and is_number and (name.base, name.number) == (base, int(number or 0))

    def _called(self, function: Operation, text: str) -> Iterator[SSAValue]:
        return (value for value in values_of(function) if self.is_called(value, text))
