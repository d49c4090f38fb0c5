"""Whether two versions of a function compute alike: the answer of `volcli.model.sources`, in names."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from xdsl.ir import Operation, SSAValue

from volcli.facts.differences import (
    DIFFERENT,
    EQUAL,
    UNKNOWN,
    DifferenceWitness,
    FunctionComparison,
    OutputComparison,
)
from volcli.model.sources.comparing import Compared, Difference, OutputPairs
from volcli.model.sources.function import FunctionSources
from volcli.model.sources.leaves import Leaf, LeafKind
from volcli.model.values.answers import Verdict
from volcli.presburger.budget import DEFAULT_OPERATIONS

_WORDS = {Verdict.PROVED: EQUAL, Verdict.REFUTED: DIFFERENT, Verdict.UNKNOWN: UNKNOWN}


@dataclass(frozen=True, eq=False)
class Version:
    """A function, and what its values are called."""

    function: Operation
    name_of: Callable[[SSAValue], str]


def compared(before: Version, after: Version, operations: int | None = None) -> FunctionComparison:
    """Whether BEFORE and AFTER compute alike. An output may cost so many OPERATIONS of isl."""
    most = operations or DEFAULT_OPERATIONS
    old, new = (FunctionSources(each.function, most) for each in (before, after))
    found = OutputPairs(old, new, most)
    names = _Names(old, before.name_of)
    outputs = tuple(map(names.output, found.all()))
    return FunctionComparison(old.name, outputs, found.assumptions if outputs else ())


class _Names:
    """The names of the arguments of a function in what is said of it."""

    def __init__(self, function: FunctionSources, name_of: Callable[[SSAValue], str]) -> None:
        self._arguments = [name_of(value) for value in function.arguments]

    def output(self, found: Compared) -> OutputComparison:
        """What was FOUND, in names."""
        kind, _, position = found.name.partition(" ")
        name = f"argument {self._arguments[int(position)]}" if kind == "argument" else found.name
        witness = None if found.difference is None else self._witness(found.difference)
        return OutputComparison(name, _WORDS[found.verdict], found.reason, witness)

    def _witness(self, found: Difference) -> DifferenceWitness:
        parameters = {self._parameter(name): number for name, number in found.parameters}
        return DifferenceWitness(
            found.element, self._source(found.leaf, found.source), found.side, parameters
        )

    def _source(self, leaf: Leaf, element: tuple[int, ...]) -> str:
        index = f"[{', '.join(map(str, element))}]" if element else ""
        match leaf.kind, leaf.what:
            case LeafKind.INPUT, int(position):
                return (
                    f"{self._arguments[position]}{index}" if position < len(self._arguments) else "an output"
                )
            case LeafKind.INPUT, symbol:
                return f"@{symbol}{index}"
            case LeafKind.NUMBER, _:
                return f"the number {element[0]}"
            case LeafKind.UNDEFINED, _:
                return "nothing"
            case _, str(number):
                return f"the number {number}"
            case _:
                return f"element {list(element)} of a constant"

    def _parameter(self, name: str) -> str:
        """`a0` is the first argument, `a1_0` the first size of the second one."""
        argument, _, dimension = name.removeprefix("a").partition("_")
        value = self._arguments[int(argument)]
        return f"dim({value}, {dimension})" if dimension else value
