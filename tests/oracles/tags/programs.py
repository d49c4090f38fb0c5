"""A program: its text, and what it computes for the arguments."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from tests.oracles.tags.cells import TYPES, Index, Tag, type_of
from tests.shared.recorded import Recorded
from volcli.execution.numbers.terms import FloatTerm
from volcli.execution.numbers.values import Tensor

Data = Mapping[str, Mapping[Index, int]]
Values = Mapping[str, npt.NDArray[Any]]
DTYPES: Mapping[str, Any] = {"f": np.float32, "i": np.int32, "b": np.bool_, "q": np.int32}


@dataclass
class Program:
    """Arguments and steps; `shapes` are the kinds and shapes of all values, `constants` the numbers of some.

    A constant of several numbers is an argument where the program is executed, and a quantised tensor has the
    numbers that are meant there.
    """

    arguments: list[str] = field(default_factory=list[str])
    lines: list[str] = field(default_factory=list[str])
    executed: list[str] = field(default_factory=list[str])
    steps: list[str] = field(default_factory=list[str])
    shapes: dict[str, tuple[str, tuple[int, ...]]] = field(
        default_factory=dict[str, "tuple[str, tuple[int, ...]]"]
    )
    constants: dict[str, Mapping[Index, int]] = field(default_factory=dict[str, Mapping[Index, int]])
    windows: set[str] = field(default_factory=set[str])

    def argument(self, kind: str, shape: Sequence[int]) -> str:
        """A new argument."""
        name = f"a{len(self.arguments)}"
        self.arguments.append(name)
        self.shapes[name] = kind, tuple(shape)
        return name

    def add(self, text: str, kind: str, shape: Sequence[int], executed: str | None = None) -> str:
        """A new value, which TEXT computes: `{r}` is its name, `{t}` its type; EXECUTED, where it is executed."""
        name = f"v{len(self.steps)}"
        self.steps.append(name)
        if "convolution" in text:
            self.windows.add(name)
        self.shapes[name] = kind, tuple(shape)
        for lines, each in ((self.lines, text), (self.executed, text if executed is None else executed)):
            lines += each.replace("{r}", f"%{name}").replace("{t}", type_of(kind, shape)).split("\n")
        return name

    def type(self, name: str) -> str:
        """The type of a value."""
        return type_of(*self.shapes[name])

    def text(self) -> str:
        """The function, which returns the last value."""
        return self._text(self.arguments, self.lines)

    def _text(self, names: Sequence[str], lines: Sequence[str]) -> str:
        arguments = ", ".join(f"%{name}: {self.type(name)}" for name in names)
        last = self.steps[-1]
        body = "\n".join(f"  {line}" for line in lines)
        kind = self.type(last)
        return f"func.func @f({arguments}) -> {kind} {{\n{body}\n  return %{last} : {kind}\n}}\n"

    @cached_property
    def _recorded(self) -> Recorded:
        text = self._text([*self.arguments, *self.constants], self.executed)
        return Recorded(text.replace(TYPES["q"], TYPES["i"]))

    def _run(self, given: Values) -> Values:
        run = self._recorded.run({name: Tensor(array) for name, array in given.items()})
        assert run.stopped is None, run.stopped
        names = self._recorded.parsed.names
        found = {names.of(value)[1:]: seen[-1] for value, seen in run.seen.items()}
        return {name: found[name].data for name in self.steps}

    def run(self, data: Data) -> Values:
        """All values for the arguments DATA."""
        return self._run({name: self._array(name, of) for name, of in {**data, **self.constants}.items()})

    def _array(self, name: str, numbers: Mapping[Index, int]) -> npt.NDArray[Any]:
        kind, shape = self.shapes[name]
        found = np.zeros(shape, DTYPES[kind])
        for index, number in numbers.items():
            found[index] = number
        return found

    def tags(self) -> Mapping[str, Mapping[Index, frozenset[Tag]]]:
        """Of each element of each value, the elements that it is computed from.

        A truth that is known says what a selection reads; one of a constant of several numbers is not.
        """
        given: dict[str, npt.NDArray[Any]] = {}
        for name in (*self.arguments, *self.constants):
            array = given[name] = np.empty(self.shapes[name][1], object)
            for index in np.ndindex(*array.shape):
                array[index] = self._recorded.terms.element(name, index)
        known: dict[Any, frozenset[Tag]] = {}
        return {
            name: {
                index: _leaves(array[index], known, name in self.windows)
                for index in np.ndindex(*array.shape)
            }
            for name, array in self._run(given).items()
        }


def _leaves(term: Any, known: dict[Any, frozenset[Tag]], in_window: bool) -> frozenset[Tag]:
    """The elements in TERM; a product with the padding, IN A WINDOW, is taken for 0 (0.0: constants are -0.0)."""
    if not isinstance(term, FloatTerm):
        return frozenset()
    if term not in known:
        own = {(term.key[1], term.key[2])} if term.name == "element" else set[Tag]()
        is_padding = in_window and term.name == "mulf" and any(map(_is_zero, term.operands))
        operands = () if is_padding else term.operands
        known[term] = frozenset(own).union(*(_leaves(each, known, in_window) for each in operands))
    return known[term]


def _is_zero(term: FloatTerm) -> bool:
    return term.name == "number" and str(term.key[1]) == "0.0"
