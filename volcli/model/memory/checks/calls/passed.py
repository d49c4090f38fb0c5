"""What all calls of a private function pass to it: between which numbers, and how far from each other.

    func.func private @row(%m: memref<?xf32>, %n: index) { ... }
    affine.for %i = 1 to 9 { call @row(%a, %i) }       call @row(%b, %c20)            1 <= %n <= 20

    affine.for %i = 0 to %k { call @element(%m, %i, %k) }                             %i <= %k - 1

Let e_c be what the call c passes for an argument x, or for the size of one, f_c what it passes for y, and R_c
the executions of its function that get to c. Then

    x lies between the least and the greatest of all e_c,  y - x between those of all f_c - e_c,  in R_c

where each call is looked at with what is passed to the function that it is in. That ends: of a function that
the called one calls itself, in turn, any arguments are taken for possible. A call of the function in itself
that passes an argument on as it is adds no number: by induction over the depth of the recursion it is one
that was passed from outside. So does one that keeps to the range of what is passed from outside, where it is
given what does:

    func.func private @up(%n: index) { if %n < 12 { call @up(%n + 1) } }    call @up(%c3)    3 <= %n <= 12

These are more than what is passed: three numbers that are independent here may be related. What is exact
under them is so as it is under assumptions. Nothing rests on what is assumed, or asserted, of callers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from itertools import permutations

from xdsl.dialects.builtin import DYNAMIC_INDEX, IndexType, IntegerType, ShapedType
from xdsl.ir import BlockArgument, Operation, SSAValue

from volcli.language.expressions import Atom, Dim, Expression, Value, dim_of, substitute, value_of
from volcli.limits import memory as limits
from volcli.model.memory.checks.calls.callers import Call, Callers
from volcli.model.symbols import entry_of, passed, reached_from, symbol_of
from volcli.model.values.store.store import BoundsStore
from volcli.model.values.terms.answers import Verdict
from volcli.model.values.terms.assumptions import Assumption
from volcli.model.values.terms.ranges import Interval, hull
from volcli.model.values.terms.variables import natural_range, width_of
from volcli.model.values.trust.minimal_assumptions import Assuming
from volcli.presburger.limits.budget import DEFAULT_OPERATIONS


class Passed:
    """What is passed to the functions that CALLERS knows the calls of; NAME_OF gives the texts of values."""

    def __init__(
        self, callers: Callers, name_of: Callable[[SSAValue], str], operations: int = DEFAULT_OPERATIONS
    ) -> None:
        self._callers = callers
        self._name_of = name_of
        self._operations = operations
        self._known: dict[Operation, tuple[Assumption, ...]] = {}
        self._asked: dict[tuple[Operation, bool], Assuming] = {}

    def to(self, function: Operation) -> tuple[Assumption, ...]:
        """What holds of the arguments of FUNCTION in each call; nothing if not all calls are known."""
        pending = [function]
        while pending:
            last = pending[-1]
            missing = (
                [] if last in self._known else [c for c in self._callers_of(last) if c not in self._known]
            )
            if missing:
                pending += missing
            else:
                if last not in self._known:
                    self._known[last] = tuple(self._found(last))
                pending.pop()
        return self._known[function]

    def _calls(self, function: Operation) -> Sequence[Call]:
        """All calls of FUNCTION; none if they are not known, or many, or it is given no number."""
        if not 0 < len(_numbers(function)) <= limits.PASSED_NUMBERS:
            return ()
        calls = self._callers.calls(function) or ()
        return calls if len(calls) <= limits.PASSING_CALLS else ()

    def _callers_of(self, function: Operation) -> list[Operation]:
        """The functions that call FUNCTION, of which it matters what is passed to them: no recursion."""
        calls = self._calls(function)
        called = reached_from(function) if calls else ()
        return [call.caller for call in calls if call.caller not in called]

    def _found(self, function: Operation) -> Iterator[Assumption]:
        outside = set(self._callers_of(function))
        with ExitStack() as ignoring:
            reached: list[tuple[Call, BoundsStore]] = []
            for call in self._calls(function):
                asked = self._asking(call.caller, as_called=call.caller in outside)
                given = self._known[call.caller] if call.caller in outside else ()
                asserted = asked.names.difference(each.text for each in given)
                ignoring.enter_context(asked.store.places.ignoring(asserted))
                if not asked.store.queries.reached((call.op,)).never:
                    reached.append((call, asked.store))
            ranges = self._ranges(function, reached)
            yield from self._facts(function, ranges, reached)

    def _ranges(
        self, function: Operation, calls: Sequence[tuple[Call, BoundsStore]]
    ) -> dict[Expression, Interval]:
        """What the numbers of FUNCTION lie between in CALLS, by induction where it calls itself.

        Of what is passed from outside each end is taken that all calls in the function keep to, where it is
        given such numbers; of the others the end of what is passed for any arguments.
        """
        numbers = _numbers(function)
        found = {number: self._range(number, calls) for number in numbers}
        inner = [call for call, _ in calls if call.caller is function]
        outside = [(call, store) for call, store in calls if call.caller is not function]
        if not inner or not outside:
            return found
        tried = {n: _first_known(self._range(n, outside), found[n]) for n in numbers}
        while tried != found:
            given = tuple(self._as_ranges(function, tried))
            asked = Assuming(function, self._name_of, given, self._operations)
            asserted = asked.names.difference(each.text for each in given)
            with asked.store.places.ignoring(asserted):
                passed_on = {n: self._range(n, [(call, asked.store) for call in inner]) for n in numbers}
            kept = {
                n: _kept(tried[n], passed_on[n], found[n], any(passed(n, call.op) != n for call in inner))
                for n in numbers
            }
            if kept == tried:
                break
            tried = kept
        return tried

    def _as_ranges(self, function: Operation, ranges: Mapping[Expression, Interval]) -> Iterator[Assumption]:
        """RANGES of the numbers of FUNCTION as assumptions."""
        where = f"for the calls of @{symbol_of(function)} in this file"
        for number, (low, high) in ranges.items():
            facts = [] if low is None else [number - low]
            facts += [] if high is None else [high - number]
            if facts:
                yield Assumption(f"{_range_text(self._text(number), low, high)} {where}", (tuple(facts),))

    def _facts(
        self,
        function: Operation,
        ranges: Mapping[Expression, Interval],
        calls: Sequence[tuple[Call, BoundsStore]],
    ) -> Iterator[Assumption]:
        several = [number for number, (low, high) in ranges.items() if low is None or low != high]
        where = f"for the calls of @{symbol_of(function)} in this file"
        equal = dict(self._equal(several, calls))
        for second, first in equal.items():
            difference = second - first
            text = f"{self._text(second)} = {self._text(first)} {where}"
            yield Assumption(text, ((difference, -difference),))
        different = [number for number in several if number not in equal]
        for less, more in permutations(different[: limits.COMPARED_ARGUMENTS], 2):
            least = _least_difference(less, more, calls)
            if least is not None and not _is_implied(least, ranges[less], ranges[more]):
                left, right = _sum_text(self._text(less), least), _sum_text(self._text(more), -least)
                yield Assumption(f"{left} <= {right} {where}", ((more - less - least,),))
        yield from self._as_ranges(function, ranges)

    @staticmethod
    def _range(number: Expression, calls: Sequence[tuple[Call, BoundsStore]]) -> Interval:
        """What NUMBER lies between in all CALLS, as far as its type does not say it."""
        given = [
            store.numeric.of(store.definitions.resolve(each), call.op)
            for call, store in calls
            if (each := passed(number, call.op)) != number
        ]
        low, high = hull([(each.lower, each.upper) for each in given]) if given else (None, None)
        variable = number.single_atom
        assert isinstance(variable, Value | Dim)
        least, greatest = natural_range(variable)
        is_lower = low is not None and (least is None or low > least or low == high)
        is_upper = high is not None and (greatest is None or high < greatest or low == high)
        return low if is_lower else None, high if is_upper else None

    @staticmethod
    def _equal(
        numbers: Sequence[Expression], calls: Sequence[tuple[Call, BoundsStore]]
    ) -> Iterator[tuple[Expression, Expression]]:
        """Which of NUMBERS are equal in all CALLS to one before them: with the first one that they equal."""
        first: list[Expression] = []
        for number in numbers if calls else ():
            equal = next((each for each in first if _are_equal(each, number, calls)), None)
            if equal is None:
                first.append(number)
            else:
                yield number, equal

    def _asking(self, caller: Operation, *, as_called: bool) -> Assuming:
        """The bounds of CALLER, with what is passed to it where it is to be looked at AS_CALLED."""
        key = caller, as_called
        if key not in self._asked:
            given = self._known[caller] if as_called else ()
            self._asked[key] = Assuming(caller, self._name_of, given, self._operations)
        return self._asked[key]

    def _text(self, number: Expression) -> str:
        match number.single_atom:
            case Dim(value, dimension):
                return f"dim({self._name_of(value)}, {dimension})"
            case Value(value):
                return self._name_of(value)
            case _:
                raise AssertionError("an argument is a value, or the size of one")


def _numbers(function: Operation) -> list[Expression]:
    """The arguments of FUNCTION that are numbers, and the sizes of the others that are not in their types."""
    found: list[Expression] = []
    for value in entry_of(function).args:
        kind = value.type
        if isinstance(kind, IndexType) or (isinstance(kind, IntegerType) and width_of(kind) > 1):
            found.append(value_of(value))
        elif isinstance(kind, ShapedType):
            shape = enumerate(kind.get_shape())
            found += [dim_of(value, position) for position, size in shape if size == DYNAMIC_INDEX]
    return found


def _first_known(first: Interval, second: Interval) -> Interval:
    """The ends of FIRST, and those of SECOND where it has none."""
    (low, high), (other_low, other_high) = first, second
    return other_low if low is None else low, other_high if high is None else high


def _kept(tried: Interval, passed_on: Interval, plain: Interval, is_changed: bool) -> Interval:
    """The ends of TRIED that what is PASSED ON keeps to, if it IS CHANGED on the way; else those of PLAIN."""
    if not is_changed:
        return tried
    (low, high), (least, greatest) = tried, passed_on
    is_low = low is None or (least is not None and least >= low)
    is_high = high is None or (greatest is not None and greatest <= high)
    return low if is_low else plain[0], high if is_high else plain[1]


def _are_equal(first: Expression, second: Expression, calls: Sequence[tuple[Call, BoundsStore]]) -> bool:
    """Whether each of CALLS passes equal numbers for FIRST and SECOND, or passes both on as they are."""
    for call, store in calls:
        one, other = (passed(number, call.op) for number in (first, second))
        if (one, other) == (first, second):
            continue
        difference = store.definitions.resolve(one) - store.definitions.resolve(other)
        if store.comparisons.to_zero(difference, "==", call.op).verdict is not Verdict.PROVED:
            return False
    return True


def _least_difference(
    less: Expression, more: Expression, calls: Sequence[tuple[Call, BoundsStore]]
) -> int | None:
    """The least number by which MORE is more than LESS in all CALLS that do not pass both on as they are."""
    found: list[int] = []
    for call, store in calls:
        one, other = (passed(number, call.op) for number in (less, more))
        if (one, other) == (less, more):
            continue
        difference = store.definitions.resolve(other) - store.definitions.resolve(one)
        least = store.numeric.of(difference, call.op)
        if least.lower is None and not least.never:
            return None
        found += [] if least.lower is None else [least.lower]
    return min(found, default=None)


def _is_implied(least: int, less: Interval, more: Interval) -> bool:
    """Whether numbers in the ranges LESS and MORE differ by LEAST, or by more."""
    high, low = less[1], more[0]
    return high is not None and low is not None and low - high >= least


def _sum_text(name: str, number: int) -> str:
    """`%n`, or `%n + 1` for a positive NUMBER."""
    return f"{name} + {number}" if number > 0 else name


def _range_text(name: str, low: int | None, high: int | None) -> str:
    """`%n = 4`, `1 <= %n <= 9`, `%n <= 9`"""
    if low is not None and low == high:
        return f"{name} = {low}"
    return f"{'' if low is None else f'{low} <= '}{name}{'' if high is None else f' <= {high}'}"


def for_arguments_of(function: Operation, assumption: Assumption) -> Assumption:
    """ASSUMPTION, of the arguments of a function, as one of those of FUNCTION, a copy of it."""
    args = entry_of(function).args

    def own(atom: Atom) -> Expression | None:
        match atom:
            case Value(BlockArgument(index=position)):
                return value_of(args[position])
            case Dim(BlockArgument(index=position), dimension):
                return dim_of(args[position], dimension)
            case _:
                return None

    condition = tuple(tuple(substitute(each, own) for each in part) for part in assumption.condition)
    return Assumption(assumption.text, condition)
