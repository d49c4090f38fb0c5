"""What a rewritten program may not do, if it is to be equal: have no meaning where the old one had one.

What an element is computed from says nothing if the program writes past the end of a buffer, if iterations
without an order race, or if memory of the caller is freed. Each of these is a reason why it is unknown
whether a program is equal to another one:

    for i < 10: r[i] = x[i]        for j < 3, i < 4: r[4 * j + i] = x[4 * j + i]        writes r[10]

What depends on arguments or on data in a way that cannot be decided is assumed, and named.
"""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.ir import BlockArgument, Operation

from volcli.facts.differences import UNKNOWN, OutputComparison
from volcli.language.interface import operation_name
from volcli.language.known_loops import is_while
from volcli.language.memory import is_memref
from volcli.model.entry import entry_of
from volcli.model.function import FunctionModel
from volcli.model.memory.buffers import Origin, Root
from volcli.model.memory.checks.access_answers import AccessAnswer, AccessVerdict
from volcli.model.memory.checks.accesses import AccessChecks
from volcli.model.memory.checks.races import Races, RaceVerdict
from volcli.model.stated_effects import effects_of, is_assertion
from volcli.presburger.budget import DEFAULT_OPERATIONS

IN_BOUNDS = "what the program after reads and writes is in bounds"
ENDS = "the loops of the program after end"
ASSERTED = "the assertions of the program after hold"


class Meaning:
    """Whether AFTER has a meaning wherever BEFORE has one. A question may cost so many OPERATIONS of isl."""

    def __init__(self, before: FunctionModel, after: FunctionModel, operations: int | None = None) -> None:
        self._before = before
        self._after = after
        self._operations = operations or DEFAULT_OPERATIONS
        self.assumptions: dict[str, None] = {}

    def doubts(self) -> Iterator[OutputComparison]:
        """Why it may have none; the `assumptions` are complete behind that."""
        because = {
            "bounds": self._out_of_bounds(),
            "races": self._race(),
            "arguments": self._freed(),
            "results": self._other_memory(),
        }
        for name, reason in because.items():
            if reason is not None:
                yield OutputComparison(name, UNKNOWN, f"after: {reason}")
        ops = list(self._after.function.walk())
        if any(is_while(op) for op in ops):
            self.assumptions[ENDS] = None
        if any(map(is_assertion, ops)):
            self.assumptions[ASSERTED] = None

    def _out_of_bounds(self) -> str | None:
        """An access that is out of bounds whatever the arguments are; what depends on them is assumed."""
        outside = self._outside(self._after)
        always = next((each for each in outside if each.always), None)
        if always is not None:
            return f"'{operation_name(always.site.op)}' op {_example(always)}"
        needed = {each.condition for each in outside}
        if needed and (None in needed or not needed <= self._needed_before()):
            self.assumptions[IN_BOUNDS] = None
        return None

    def _outside(self, model: FunctionModel) -> list[AccessAnswer]:
        found = AccessChecks(model.memory, operations=self._operations).all()
        return [each for each in found if each.verdict is not AccessVerdict.IN_BOUNDS]

    def _needed_before(self) -> set[str | None]:
        """The conditions for BEFORE to be in bounds, if both programs name their arguments alike."""
        models = (self._before, self._after)
        old, new = ([m.name_of(a) for a in entry_of(m.function).args] for m in models)
        return {each.condition for each in self._outside(self._before)} if old == new else set()

    def _race(self) -> str | None:
        for answer in Races(self._after.memory, operations=self._operations).all():
            if answer.verdict is not RaceVerdict.FREE:
                verb = "race" if answer.verdict is RaceVerdict.RACE else "may race"
                return f"iterations of '{operation_name(answer.op)}' {verb}"
        return None

    def _freed(self) -> str | None:
        """A buffer of the caller that only the program after frees."""
        if any(self._frees(self._before)):
            return None
        return next((f"'{operation_name(op)}' op frees an argument" for op in self._frees(self._after)), None)

    def _other_memory(self) -> str | None:
        """A result that is memory of the caller, or of another result, in one program only."""
        old, new = _memory_of_results(self._before), _memory_of_results(self._after)
        if len(old) != len(new):
            return None  # results that have become arguments
        pairs = enumerate(zip(old, new, strict=True))
        position = next((k for k, (a, b) in pairs if None not in (a, b) and a != b), None)
        return None if position is None else f"result {position} is other memory than before"

    @staticmethod
    def _frees(model: FunctionModel) -> Iterator[Operation]:
        for op in model.function.walk():
            freed = map(model.memory.buffers.root, effects_of(op).frees)
            if any(root.origin is Origin.ARGUMENT for root in freed):
                yield op


def _memory_of_results(model: FunctionModel) -> list[tuple[str, object] | None]:
    """The memory of each result: an argument's, a global's, or that of the first result that has it."""
    last = entry_of(model.function).last_op
    found: list[tuple[str, object] | None] = []
    roots = [model.memory.buffers.root(v) if is_memref(v) else None for v in (last.operands if last else ())]
    for root in roots:
        match root:
            case Root(origin=Origin.ARGUMENT, value=BlockArgument() as value):
                found.append(("argument", value.index))
            case Root(origin=Origin.GLOBAL):
                found.append(("global", root.symbol))
            case Root(origin=Origin.ALLOCATION):
                found.append(("result", roots.index(root)))
            case _:
                found.append(None)
    return found


def _example(answer: AccessAnswer) -> str:
    if answer.witness is None:
        return "goes out of bounds"
    dimension = answer.witness.dimension
    index = answer.witness.index[dimension]
    return f"goes out of bounds: index {index} in dimension {dimension} of size {answer.witness.size}"
