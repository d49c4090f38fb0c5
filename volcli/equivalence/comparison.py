"""Whether two versions of a function compute alike: the answer of `volcli.model.sources`, in names."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache

import islpy as isl
from xdsl.ir import Operation, OpResult, SSAValue

from volcli.equivalence.backward.function import FunctionSources
from volcli.equivalence.comparing.comparing import AskedLevel, OutputPairs
from volcli.equivalence.comparing.outputs import Compared, Difference
from volcli.equivalence.comparing.signatures import fits, sizes_needed
from volcli.equivalence.paths.leaves import GlobalMemory, Leaf, LeafKind
from volcli.equivalence.places.defined import Equation
from volcli.equivalence.places.numbers import Numbers, taken_for_integers
from volcli.equivalence.results.bodies import Contributing
from volcli.facts.differences import (
    DIFFERENT,
    EQUAL,
    UNKNOWN,
    DifferenceWitness,
    FunctionComparison,
    OutputComparison,
)
from volcli.facts.levels import BY_SOURCES, Comparing
from volcli.language import questions
from volcli.language.expressions import (
    Atom,
    Expression,
    NotAffine,
    Parameter,
    expression_of_atom,
    loop,
    parameter,
    substitute,
)
from volcli.limits.widths import HALF
from volcli.model.function import FunctionModel
from volcli.model.values.terms.answers import Verdict
from volcli.model.values.terms.variables import is_wide
from volcli.model.values.trust.arithmetic import MOST_ELEMENTS, OVERFLOW, Arithmetic
from volcli.model.values.trust.minimal_assumptions import Assuming
from volcli.model.volumes.knowledge.live import live
from volcli.presburger.limits.budget import DEFAULT_OPERATIONS, BudgetExceeded, budget
from volcli.presburger.sets import build
from volcli.presburger.sets.build import DIM
from volcli.presburger.sets.names import parameters_of_space

_FINITE = "numbers are finite and signs of zeros do not matter"
_WORDS = {Verdict.PROVED: EQUAL, Verdict.REFUTED: DIFFERENT, Verdict.UNKNOWN: UNKNOWN}


def compared(
    before: FunctionModel,
    after: FunctionModel,
    operations: int | None = None,
    *,
    assume_finite: bool = False,
    defined: isl.Set | None = None,
    comparing: Comparing = BY_SOURCES,
    congruent: bool = False,
) -> FunctionComparison:
    """Whether the functions BEFORE and AFTER are equal, as COMPARING says.

    An output may cost at most OPERATIONS of isl.

    With ASSUME_FINITE a product with a structural zero is 0: it may be left out. Only parameters in
    DEFINED count. Of functions that are CONGRUENT all outputs are equal.
    """
    most = operations or DEFAULT_OPERATIONS
    points = [_LivePoints(model, assume_finite=assume_finite) for model in (before, after)]
    old, new = (FunctionSources(model.followed.function, most) for model in (before, after))
    asked = AskedLevel(comparing, (before.name_of, after.name_of), congruent)
    comparison = OutputPairs(old, new, most, (cache(points[0]), cache(points[1])), defined, asked)
    names = _Names(old, before.name_of)
    with taken_for_integers() as integers:
        outputs = tuple(map(names.output, comparison.all()))
    if not outputs or congruent:
        return FunctionComparison(old.name, outputs)
    assumptions = (
        *names.sizes(new),
        *comparison.assumptions,
        *(text for each in points for text in each.assumptions),
    )
    if any(each.verdict != UNKNOWN for each in outputs):
        trust = _Integers(((before, old), (after, new)), comparison, most)
        assumptions = (*assumptions, *([OVERFLOW] if trust.may_overflow(integers) else []))
    needed = tuple(dict.fromkeys(map(names.equation, comparison.needed)))
    return FunctionComparison(old.name, outputs, tuple(dict.fromkeys(assumptions)), needed=needed)


class _Integers:
    """Whether results that are compared as integers may need more than 64 bits in one of two functions.

    `if %n + 1 > %n` always holds of integers, and not in the machine, for %n = 2^63 - 1.
    """

    def __init__(
        self, sides: Sequence[tuple[FunctionModel, FunctionSources]], pairs: OutputPairs, operations: int
    ) -> None:
        self._sides = sides
        self._pairs = pairs
        self._operations = operations

    def may_overflow(self, integers: Iterable[OpResult]) -> bool:
        """Whether one of INTEGERS may need more than 64 bits.

        If none of the first function does, it is defined where it says so of integers; the second one counts
        there alone.
        """
        asked = {each for each in integers if questions.may_overflow.answers(type(each.op))}
        for model, sources in self._sides:
            own = {each for each in asked if model.followed.function.is_ancestor(each.op)}
            doubtful = own & _arithmetic(model).doubtful if own else own
            is_first = model is self._sides[0][0]
            if any(is_first or not self._fits(each, sources) for each in doubtful):
                return True
            asked -= own
        return any(is_wide(each.type) for each in asked)  # in a copy of a function that no model is of

    def _fits(self, result: OpResult, sources: FunctionSources) -> bool:
        """Whether RESULT, a function of parameters alone, has 64 bits where the first function is defined."""
        try:
            number = sources.backward.places.numbers.value(result)
            if not all(isinstance(atom, Parameter) for atom, _ in number.terms):
                return False
            with budget(self._operations):
                defined = self._pairs.context
                sizes = [MOST_ELEMENTS - parameter(p) for p in parameters_of_space(defined) if "_" in p]
                outside = (number - HALF, -number - HALF - 1)
                return all(
                    defined.intersect(build.nonnegative(0, (*sizes, each)).params()).is_empty()
                    for each in outside
                )
        except (NotAffine, BudgetExceeded):
            return False


def _arithmetic(model: FunctionModel) -> Arithmetic:
    if model.followed.function is model.function:
        return model.assuming.arithmetic
    return Assuming(model.followed.function, model.name_of, (), model.operations).arithmetic


class _LivePoints:
    """The loop points of the structured operations of MODEL that contribute, and what that rests on."""

    def __init__(self, model: FunctionModel, *, assume_finite: bool) -> None:
        self.model = model
        self.assumptions: dict[str, None] = {}
        self._assume_finite = assume_finite
        self._numbers = Numbers(model.followed.function)

    def __call__(self, op: Operation) -> Contributing | None:
        """Those of OP, at all points of the loops around; None if all do, or if that is not known."""
        if op.parent is None or self.model.has_control_flow or not questions.definition.answers(type(op)):
            return None
        try:
            with budget(self.model.operations):
                found = live(self.model.flow, op, self._assume_finite)
                if found is None or found.is_everything:
                    return None
                points = self._at_points(found.points, self._numbers.around(op))
        except (NotAffine, BudgetExceeded):
            return None
        self.assumptions.update(dict.fromkeys(found.declared))
        if found.needs:
            self.assumptions[_FINITE] = None
        return Contributing(points, found.keeps)

    def _at_points(self, points: isl.Set, depth: int) -> isl.Set:
        """POINTS after the coordinates of the DEPTH loops around, of which parameters are numbers.

        Other parameters are those that both programs have in common. Raises NotAffine.
        """
        names = list(parameters_of_space(points))
        points = points.insert_dims(DIM.set, 0, depth)
        own = points.dim(DIM.set)
        equations: list[Expression] = []
        for position, name in enumerate(names):
            number = self._numbers.expression(expression_of_atom(self.model.store.origin(name)), depth)
            equations += [loop(own + position) - number, number - loop(own + position)]
        count = len(names)
        points = points.move_dims(DIM.set, own, DIM.param, 0, count)
        return points.intersect(build.nonnegative(own + count, tuple(equations))).project_out(
            DIM.set, own, count
        )


class _Names:
    """The names of the arguments of a function in what is said of it."""

    def __init__(self, function: FunctionSources, name_of: Callable[[SSAValue], str]) -> None:
        self._values = function.arguments
        self._arguments = [name_of(value) for value in self._values]

    def sizes(self, other: FunctionSources) -> Iterator[str]:
        """The sizes that the arguments must have for the OTHER function, whose types name them."""
        for name, one, two in zip(self._arguments, self._values, other.arguments, strict=False):
            if fits(one, two):
                yield from (f"dim({name}, {d}) = {size}" for d, size in sizes_needed(one, two))

    def equation(self, found: Equation) -> str:
        """`dim(%a, 0) = dim(%b, 0)`."""
        left, right = (substitute(side, self._named) for side in found)
        return f"{left} = {right}"

    def _named(self, atom: Atom) -> Expression | None:
        return parameter(self._parameter(atom.name)) if isinstance(atom, Parameter) else None

    def output(self, found: Compared) -> OutputComparison:
        """What was FOUND, in names."""
        kind, _, position = found.name.partition(" ")
        name = f"argument {self._arguments[int(position)]}" if kind == "argument" else found.name
        differs = found.difference if found.verdict is Verdict.REFUTED else None
        witness = None if differs is None else self._witness(differs)
        at = ", ".join(f"{self._parameter(p)} = {number}" for p, number in found.parameters)
        reason = f"{found.reason} for {at}" if at else found.reason
        return OutputComparison(name, _WORDS[found.verdict], reason, witness, level=found.level)

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
            case LeafKind.INPUT, GlobalMemory(symbol):
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
