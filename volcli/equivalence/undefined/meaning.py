"""What a rewritten program may not do, if it is to be equal: have no meaning where the old one had one.

What an element is computed from says nothing if the program writes past the end of a buffer, divides by 0,
uses memory that was freed, or if iterations without an order race. Where AFTER does so for some arguments,
and BEFORE is defined for them, the programs are different:

    for i < n: r[i] = x[0]              v = x[0]; for i < n: r[i] = v           reads x[0] where n = 0

Where that is not decided, it is unknown whether they are equal.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from dataclasses import replace

import islpy as isl
from xdsl.ir import BlockArgument, Operation

from volcli.equivalence.undefined.counters import ends_by_counting
from volcli.equivalence.undefined.definedness import Definedness, NewlyUndefined, NewUndefinedness, quoted
from volcli.equivalence.undefined.lifetimes import FunctionLifetimes, NewEnds
from volcli.facts.differences import DIFFERENT, UNKNOWN, OutputComparison
from volcli.language import questions
from volcli.language.expressions import NotAffine
from volcli.language.interface import operation_name
from volcli.language.memory import is_memref
from volcli.language.programs.known_loops import is_while
from volcli.model.function import FunctionModel
from volcli.model.memory.buffers.buffers import Origin, Root
from volcli.model.memory.checks.answers.access_answers import AccessAnswer
from volcli.model.memory.checks.races.races import Races, RaceVerdict
from volcli.model.structured.counting import WRAPS
from volcli.model.symbols import entry_of
from volcli.model.values.trust.arithmetic import OVERFLOW
from volcli.presburger.limits.budget import DEFAULT_OPERATIONS, BudgetExceeded

ENDS = "the loops of BEFORE terminate"
LEAKS = "memory that only BEFORE frees may leak"


class Meaning:
    """Whether AFTER has a meaning wherever BEFORE has one. A question may cost at most OPERATIONS of isl.

    WITHOUT_TILES makes both functions as they are without loops over tiles, and says what that assumes; None
    if neither has any.
    """

    def __init__(
        self,
        before: FunctionModel,
        after: FunctionModel,
        operations: int | None = None,
        without_tiles: Callable[
            [], tuple[tuple[FunctionModel, FunctionModel], tuple[str, ...]] | None
        ] = lambda: None,
    ) -> None:
        self._without_tiles = without_tiles
        self._before = before
        self._after = after
        self._operations = operations or DEFAULT_OPERATIONS
        self._definedness = [Definedness(each, self._operations) for each in (before, after)]
        self._new = NewUndefinedness(self._definedness[0], self._definedness[1], self._operations)
        self._ends = FunctionLifetimes(before), FunctionLifetimes(after)
        self.assumptions: dict[str, None] = {}

    def doubts(self) -> Iterator[OutputComparison]:
        """Why it may have none, or has none; the `assumptions` are complete after that."""
        yield from self._newly_undefined()
        ends = NewEnds(*self._ends, self._is_freed_as_before, is_reached=self._ends_well)
        yield from ends.found()
        self.assumptions.update(dict.fromkeys(map(self._leak, ends.left(self._is_freed_as_after))))
        because = {
            "races": self._race(),
            "results": self._other_memory(),
            "loops": self._new_loops(),
        }
        for name, reason in because.items():
            if reason is not None:
                is_sure = name == "results" and self._ends_well()
                yield OutputComparison(name, DIFFERENT if is_sure else UNKNOWN, f"after: {reason}")

    def misuse_before(self) -> str | None:
        """What BEFORE does wrong with lifetimes, perhaps: then it is not known where it is defined."""
        before = self._ends[0]
        if not before.misuses:
            return None
        sure = next(filter(before.happens_always, before.misuses), None)
        if sure is not None:
            return f"BEFORE is undefined for all arguments: {before.text(sure)}"
        return f"BEFORE may be undefined: {before.text(before.misuses[0])}"

    def before_is_defined(self) -> isl.Set | None:
        """The arguments for which BEFORE may be defined, lifetimes apart; None if that is not known."""
        try:
            return self._definedness[0].defined_at_most()
        except (NotAffine, BudgetExceeded):
            return None

    def _newly_undefined(self) -> Iterator[OutputComparison]:
        """What is undefined for arguments for which BEFORE is defined: the first, where it is shown."""
        try:
            found = self._found()
        except (NotAffine, BudgetExceeded) as error:
            because = f"it is not known for which arguments the programs are defined: {error}"
            yield OutputComparison("definedness", UNKNOWN, because)
            return
        shown = next((each for each in found if each.at is not None), next(iter(found), None))
        if shown is not None:
            yield self._said(shown)

    def _found(self) -> list[NewlyUndefined]:
        """What is newly undefined; of what is not known, what is so without tiles, and steps that are not.

        Without tiles it is asked first: loops over tiles multiply the pieces of the sets. Where nothing is
        newly undefined without them, the steps of AFTER are left; if it needs anything else, such as a
        divisor that tiles are computed with, all is asked with tiles.
        """
        without = self._without_tiles()
        plain = None if without is None else self._found_in(without[0])
        if without is None or plain is None:
            return list(self._new.found())
        steps = [] if plain else list(self._new.needing())
        if plain or not all(map(_is_step, steps)):
            found = list(self._new.found())
            if not found or any(each.at is not None for each in found):
                return found
            steps = list(filter(_is_step, found))
        self.assumptions.update(dict.fromkeys(without[1]))
        return [*steps, *map(_of_copy, plain)]

    def _found_in(self, pair: tuple[FunctionModel, FunctionModel]) -> list[NewlyUndefined] | None:
        """What is newly undefined in the second of PAIR; None if that is not known."""
        before, after = (Definedness(each, self._operations) for each in pair)
        try:
            return list(NewUndefinedness(before, after, self._operations).found())
        except (NotAffine, BudgetExceeded):
            return None

    def _said(self, found: NewlyUndefined) -> OutputComparison:
        example = self._definedness[1].accesses.example
        because = found.reason
        if example is not None and example.site.op is found.op and example.always:
            because = _example(example)
        reason = f"after: {quoted(found.op)} {because}"
        if found.at is None:
            return OutputComparison("definedness", UNKNOWN, reason)
        at = ", ".join(f"{self._parameter(name)} = {number}" for name, number in found.at)
        reason += f"{f', for {at}' if at else ''}, and BEFORE is defined"
        return OutputComparison("definedness", DIFFERENT, reason)

    def _parameter(self, name: str) -> str:
        """`a0` is the first argument, `a1_0` the first size of the second one."""
        position, _, dimension = name.removeprefix("a").partition("_")
        value = self._before.name_of(entry_of(self._before.function).args[int(position)])
        return f"dim({value}, {dimension})" if dimension else value

    def _ends_well(self) -> bool:
        """Whether some call of BEFORE is defined, whatever the data is."""
        try:
            defined = self._definedness[0].defined_at_least()
            return defined is not None and not defined.is_empty()
        except (NotAffine, BudgetExceeded):
            return False

    def _race(self) -> str | None:
        for answer in Races(self._after.memory, operations=self._operations).all():
            if answer.verdict is not RaceVerdict.FREE:
                verb = "race" if answer.verdict is RaceVerdict.RACE else "may race"
                return f"iterations of '{operation_name(answer.op)}' {verb}"
        return None

    def _new_loops(self) -> str | None:
        """A loop of AFTER that may run for ever where BEFORE ends."""
        loops = [op for op in self._definedness[1].function.walk() if is_while(op)]
        loops = [op for op in loops if not ends_by_counting(op)]
        endless = next(itertools.filterfalse(self._ends_as_before, loops), None)
        if endless is not None:
            return f"'{operation_name(endless)}' op may run for ever"
        if loops:
            self.assumptions[ENDS] = None
        if any(WRAPS in op.attributes for op in self._definedness[1].function.walk()):
            self.assumptions[OVERFLOW] = None
        return None

    def _ends_as_before(self, loop: Operation) -> bool:
        try:
            return self._new.matching.ends_as_before(loop)
        except (NotAffine, BudgetExceeded):
            return False

    def _is_freed_as_before(self, position: int) -> bool:
        try:
            return self._new.matching.frees_as_before(position)
        except (NotAffine, BudgetExceeded):
            return False

    def _is_freed_as_after(self, position: int) -> bool:
        try:
            return self._new.reversed_matching().frees_as_before(position)
        except (NotAffine, BudgetExceeded):
            return False

    def _leak(self, key: int | str | None) -> str:
        """What is assumed of memory of the caller that BEFORE frees, and AFTER does not."""
        if key is None:
            return LEAKS
        name = (
            f"@{key}"
            if isinstance(key, str)
            else self._before.name_of(entry_of(self._before.function).args[key])
        )
        return f"{LEAKS}: {name}"

    def _other_memory(self) -> str | None:
        """A result that is memory of the caller, or of another result, in one program only."""
        old, new = _memory_of_results(self._before), _memory_of_results(self._after)
        if len(old) != len(new):
            return None  # results that have become arguments
        pairs = enumerate(zip(old, new, strict=True))
        position = next((k for k, (a, b) in pairs if None not in (a, b) and a != b), None)
        return None if position is None else f"result {position} is other memory than before"


def _of_copy(found: NewlyUndefined) -> NewlyUndefined:
    """What is FOUND of copies without tiles, in which more runs: nothing of the programs is shown by that.

    for o = 0 to m step b { for i = ... step m { ... } }: where m = 0, the second loop does not run.
    """
    return found if found.at is None else replace(found, at=None, reason=f"{found.reason} without tiles")


def _is_step(found: NewlyUndefined) -> bool:
    """Whether what is FOUND is the step of a loop."""
    return questions.loop.answers(type(found.op))


def _memory_of_results(model: FunctionModel) -> list[tuple[str, object] | None]:
    """The memory of each result: an argument's, a global's, or that of the first result that has it."""
    last = entry_of(model.form.function).last_op
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
