"""What values are: bounds, sizes, and claims."""

# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# Values are numbers of any type, and arrays of any dtype.

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from xdsl.dialects.builtin import IndexType, IntegerType
from xdsl.ir import BlockArgument, Operation, SSAValue

from volcli.api.confirming.runs import Judge, Observed, SampledRun
from volcli.execution.tensors.structured import shape_of
from volcli.facts.allocations import AllocationFact
from volcli.facts.bounds import BoundsFact, Side
from volcli.facts.comparisons import ClaimFact
from volcli.facts.fact import Fact
from volcli.facts.shapes import ShapeFact
from volcli.language.expressions import Expression, constant, renamed
from volcli.language.programs.blocks import blocks_around, home
from volcli.model.function import FunctionModel
from volcli.model.values.terms.answers import Verdict
from volcli.passes.base import Unit
from volcli.passes.selection import named_values
from volcli.presburger.sets.conditions import ParsedCondition, read


def value_at(unit: Unit, function: Operation, fact: Fact, name: str) -> SSAValue | None:
    """The value NAME that FACT is about; None if several with its name are at its place."""
    found: list[SSAValue] = []
    for value in unit.parsed.names.find_all(function, name):
        owner = value.block.parent_op() if isinstance(value, BlockArgument) else value.owner
        if isinstance(owner, Operation) and unit.parsed.written_at(owner) == fact.place:
            found.append(value)
    return found[0] if len(found) == 1 else None


class _OfValues(Judge):
    """Facts about one value."""

    def __init__(self, unit: Unit, model: FunctionModel, facts: Iterable[Fact]) -> None:
        self._facts = [
            (fact, value)
            for fact in facts
            if isinstance(fact, BoundsFact | ShapeFact | AllocationFact)
            and (value := value_at(unit, model.function, fact, fact.value)) is not None
        ]


class BoundsJudge(_OfValues):
    """A value, or the size of a dimension, is within its bounds whenever it is computed."""

    def observed(self, run: SampledRun) -> Iterator[Observed]:
        for fact, value in self._facts:
            if isinstance(fact, BoundsFact) and run.fulfils(fact.assumptions):
                for number in _numbers(fact, value, run):
                    yield Observed(fact, f"it is {number}" if _is_outside(fact, number, run) else None)


def _numbers(fact: BoundsFact, value: SSAValue, run: SampledRun) -> Iterator[int]:
    """What FACT is about, each time that VALUE was computed."""
    if fact.dim is None and not isinstance(value.type, IndexType | IntegerType):
        return
    if _is_truth(value):
        return
    for each in run.seen(value):
        sizes = shape_of(each)
        number = each if fact.dim is None else sizes[fact.dim] if fact.dim < len(sizes) else None
        if type(number) is int:
            yield number


def _is_truth(value: SSAValue) -> bool:
    """Whether VALUE is one bit, which is a number in two ways."""
    return isinstance(value.type, IntegerType) and value.type.bitwidth == 1


def _is_outside(fact: BoundsFact, number: int, run: SampledRun) -> bool:
    low, high = (_side(side, run) for side in (fact.lower, fact.upper))
    equal = [] if fact.equal is None else _known(fact.equal, run)
    is_in = all(number >= each for each in (*low, *equal)) and all(number <= each for each in (*high, *equal))
    return fact.never or not is_in


def _side(side: Side, run: SampledRun) -> list[int]:
    """What SIDE is in RUN: its number, and its expression if that is known there."""
    found = [] if side.constant is None else [side.constant]
    return found + ([] if side.expression is None else _known(side.expression, run))


def _known(expression: Expression, run: SampledRun) -> list[int]:
    known = {**run.parameters, **run.numbers}
    found = renamed(expression, {name: constant(number) for name, number in known.items()})
    return [found.constant] if found.is_constant else []


class SizesJudge(_OfValues):
    """A value has the sizes that are stated, and an allocation not more elements."""

    symbolic = None

    def observed(self, run: SampledRun) -> Iterator[Observed]:
        for fact, value in self._facts:
            if isinstance(fact, BoundsFact) or not run.fulfils(fact.assumptions):
                continue
            for shape in {shape_of(each) for each in run.seen(value)}:
                wrong = _wrong_sizes(fact, shape, run)
                if wrong is not None:
                    yield Observed(fact, f"its sizes are {list(shape)}" if wrong else None)


def _wrong_sizes(fact: ShapeFact | AllocationFact, shape: Sequence[int], run: SampledRun) -> bool | None:
    """Whether SHAPE is another one than FACT states; None if that is not known."""
    if isinstance(fact, AllocationFact):
        count = 1
        for size in shape:
            count *= size
        return None if fact.elements is None else count > fact.elements
    stated = [
        (known[0], size) for each, size in zip(fact.sizes, shape, strict=True) if (known := _known(each, run))
    ]
    return any(known != size for known, size in stated) if stated else None


class ClaimsJudge(Judge):
    """A claim that is proved holds whenever all of its values are there, one that is never true does not."""

    def __init__(self, unit: Unit, model: FunctionModel, facts: Iterable[Fact]) -> None:
        self._claims: list[tuple[ClaimFact, ParsedCondition, list[SSAValue], SSAValue]] = []
        for fact in facts:
            if isinstance(fact, ClaimFact) and fact.found.verdict is not Verdict.UNKNOWN:
                condition = read(fact.claim)
                called = [named_values(unit, model, name) for name in condition.names]
                values = [value for each in called for value in each]
                if called and all(len(each) == 1 for each in called) and not any(map(_is_truth, values)):
                    last = max(values, key=model.bounds.definitions.position)
                    around = set(blocks_around(home(last)))
                    if around.issuperset(map(home, values)):
                        self._claims.append((fact, condition, values, last))

    def observed(self, run: SampledRun) -> Iterator[Observed]:
        for fact, condition, values, last in self._claims:
            if not run.fulfils(fact.found.assumptions):
                continue
            required = fact.precondition
            is_needed = fact.found.verdict is Verdict.PROVED or (
                required is not None and fact.found.precondition != "true" and run.holds(required) is True
            )
            terms = [(value, name.dim) for value, name in zip(values, condition.names, strict=True)]
            for numbers in run.recorder.together(terms, last):
                yield from self._judged(fact, condition, numbers, is_needed=is_needed)

    @staticmethod
    def _judged(
        fact: ClaimFact, condition: ParsedCondition, numbers: Sequence[int], *, is_needed: bool
    ) -> Iterator[Observed]:
        holds = condition.holds_at(numbers)
        pairs = zip(condition.names, numbers, strict=True)
        text = ", ".join(f"{name} = {number}" for name, number in pairs)
        is_proved = fact.found.verdict is Verdict.PROVED
        if (is_needed and not holds) or (fact.found.never and (is_proved or holds)):
            yield Observed(fact, f"{text}")
        elif is_needed or fact.found.never or (not is_proved and not holds):
            yield Observed(fact)
