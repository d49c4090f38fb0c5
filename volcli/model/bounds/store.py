"""The bounds of one function's index values and sizes: all queries share what is known of the variables."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass

import islpy as isl
from xdsl.dialects.builtin import ShapedType
from xdsl.ir import Block, BlockArgument, Operation, OpResult, SSAValue

from volcli import questions
from volcli.expressions import (
    Atom,
    Dim,
    Expression,
    NotAffine,
    Value,
    constant,
    dim_of,
    parameter,
    substitute,
    value_of,
)
from volcli.loops import Induction, While
from volcli.model.bounds.answers import Bound, Bounds, Comparison, ConstantBounds, Verdict
from volcli.model.bounds.definitions import Alternative, Definition, Definitions, LoopOf, Variable, unknown
from volcli.model.bounds.elimination import (
    NOTHING,
    Elimination,
    Kept,
    Known,
    always,
    intersection,
)
from volcli.model.bounds.recurrences import Recurrences
from volcli.model.bounds.tightness import Tightness
from volcli.model.simplify import simplified
from volcli.presburger.budget import DEFAULT_OPERATIONS, BudgetExceeded, budget
from volcli.presburger.build import DIM
from volcli.presburger.read_back import extremum, has_bound
from volcli.reads import Disjunction

_QUERY = "q"
_MOST_GUARDS = 24
_MOST_KEPT = 12
_LONGEST = 2000
"""A closed form of more characters than this is not worth reading."""


@dataclass(frozen=True)
class Factor:
    """Something that holds at a place: a condition, or that an induction variable is inside its loop."""

    condition: Disjunction
    variables: tuple[Variable, ...]
    name: str | None = None


class BoundsStore:
    """What is known of the index values and sizes of one function.

    `name_of` gives the text of an SSA value, with its %. What a variable is where it `stops` is not looked
    at (a bound in terms of certain values: those are the leaves then). A store `like` another one of the same
    function shares its numbers of values. A place is an operation or a value:
    what is said of it holds whenever the program gets there.
    """

    def __init__(
        self,
        function: Operation,
        name_of: Callable[[SSAValue], str],
        *,
        operations: int = DEFAULT_OPERATIONS,
        stops: Callable[[Variable], bool] = lambda _: False,
        like: BoundsStore | None = None,
    ) -> None:
        self.function = function
        self.name_of = name_of
        self._operations = operations
        numbers = None if like is None else like.definitions.numbers
        self.definitions = Definitions(function, name_of, self._recurrence, stops, numbers)
        self.elimination = Elimination(self.definitions)
        self._recurrences = Recurrences(self.elimination)
        self._tightness = Tightness(self.definitions)
        self._unbounded: dict[Variable, str | None] = {}
        self._closed: dict[tuple[Hashable, Variable], Expression | None] = {}
        self._guards: dict[Block, tuple[Factor, ...]] = {}
        self._asserted: dict[Block, list[tuple[int, Factor]]] | None = None

    def _recurrence(self, variable: Variable, part: LoopOf) -> Definition:
        return self._recurrences.define(variable, part)

    # -- what may be spoken of -------------------------------------------------------------------------

    def leaves(self) -> Kept:
        """What nothing determines: arguments, loaded values, results of unknown operations."""
        return Kept("leaves", self._is_leaf)

    def _is_leaf(self, variable: Variable) -> bool:
        return self.definitions.definition(variable).is_leaf and not self._is_truth(variable)

    @staticmethod
    def _is_truth(variable: Variable) -> bool:
        from xdsl.dialects.builtin import i1

        return variable.value.type == i1

    def arguments(self) -> Kept:
        """The function's arguments and their sizes."""
        entry = self.function.regions[0].blocks[0]
        return Kept(
            "arguments",
            lambda v: isinstance(v.value, BlockArgument) and v.value.block is entry,
        )

    @staticmethod
    def these(variables: Iterable[Variable]) -> Kept:
        """Just these VARIABLES."""
        chosen = frozenset(variables)
        return Kept(chosen, chosen.__contains__)

    # -- bounds ----------------------------------------------------------------------------------------

    def value(self, value: SSAValue, dim: int | None = None) -> Expression:
        """The number VALUE, or the size of its dimension DIM, over variables."""
        return self.definitions.resolve(value_of(value) if dim is None else dim_of(value, dim))

    def constant_bounds(
        self, value: SSAValue, dim: int | None = None, *, at: Operation | None = None
    ) -> ConstantBounds:
        """The least and the greatest number that VALUE, or its size DIM, can be when its place is reached."""
        return self.constant_bounds_of(self.value(value, dim), self._place(value, at))

    def constant_bounds_of(self, expression: Expression, place: Place) -> ConstantBounds:
        """The same for an EXPRESSION over variables."""
        guards = self._relevant(expression, place)
        if not guards and self._tightness.of(expression):
            low, high = self._tightness.range(expression)
            return ConstantBounds(low, high, because=self._why_unbounded(expression, low, high))
        try:
            known = self._points(expression, guards, NOTHING)
        except BudgetExceeded as error:
            low, high = self._tightness.range(expression)
            return ConstantBounds(low, high, exact=False, because=f"budget: {error}")
        if known.points.is_empty():
            return ConstantBounds(None, None, exact=known.exact, never=True, because="never executed")
        low = known.points.dim_min_val(0)
        high = known.points.dim_max_val(0)
        lower = low.to_python() if low.is_int() else None
        upper = high.to_python() if high.is_int() else None
        because = known.because or self._why_unbounded(expression, lower, upper)
        return ConstantBounds(lower, upper, known.exact, because)

    def _why_unbounded(self, expression: Expression, low: int | None, high: int | None) -> str | None:
        """Which variable has no bounds, so that EXPRESSION has none."""
        if low is not None and high is not None:
            return None
        for variable in self.elimination.all_variables([expression]):
            because = self._why_variable(variable)
            if because is not None:
                return because
        return None

    def _why_variable(self, variable: Variable) -> str | None:
        if variable not in self._unbounded:
            self._unbounded[variable] = None
            definition = self.definitions.definition(variable)
            if definition.is_leaf:
                is_open = None in self.definitions.range(variable)
                self._unbounded[variable] = definition.because if is_open else None
            else:
                inner = (self._why_variable(reference) for reference in definition.references)
                self._unbounded[variable] = next((because for because in inner if because), None)
        return self._unbounded[variable]

    def bounds(
        self,
        value: SSAValue,
        dim: int | None = None,
        *,
        kept: Kept | None = None,
        at: Operation | None = None,
    ) -> Bounds:
        """Both sides of VALUE, or of its size DIM, in terms of what is KEPT (else: the leaves)."""
        return self.bounds_of(self.value(value, dim), self._place(value, at), kept or self.leaves())

    def bounds_of(self, expression: Expression, place: Place, kept: Kept) -> Bounds:
        """The same for an EXPRESSION over variables."""
        numbers = self.constant_bounds_of(expression, place)
        if numbers.never:
            nothing = Bound(exact=numbers.exact, because=numbers.because)
            return Bounds(nothing, nothing, never=True)
        if numbers.lower is not None and numbers.lower == numbers.upper:
            equal = constant(numbers.lower)
            return Bounds(self._side(equal, numbers, 0), self._side(equal, numbers, 1), equal)
        equal = self.closed_form(expression, kept)
        if equal is not None:
            return Bounds(self._side(equal, numbers, 0), self._side(equal, numbers, 1), equal)
        return self._symbolic(expression, place, kept, numbers)

    @staticmethod
    def _side(
        expression: Expression | None, numbers: ConstantBounds, side: int, *, exact: bool = True
    ) -> Bound:
        number = (numbers.lower, numbers.upper)[side]
        return Bound(expression, number, exact, numbers.exact, numbers.because)

    def _symbolic(self, expression: Expression, place: Place, kept: Kept, numbers: ConstantBounds) -> Bounds:
        if self._is_too_wide(expression, kept):
            because = f"it depends on more than {_MOST_KEPT} variables"
            return _without_expressions(numbers, because)
        try:
            known = self._points(expression, self._relevant(expression, place), kept)
            with budget(self._operations):
                found = [self._read_back(known, lower=lower) for lower in (True, False)]
        except BudgetExceeded as error:
            sides = [
                Bound(None, n, False, numbers.exact, f"budget: {error}")
                for n in (numbers.lower, numbers.upper)
            ]
            return Bounds(sides[0], sides[1])
        sides = [
            self._side(bound[0], numbers, side, exact=bound[1] and known.exact)
            for side, bound in enumerate(found)
        ]
        lower, upper = found[0][0], found[1][0]
        equal = lower if lower is not None and lower == upper and known.exact else None
        return Bounds(sides[0], sides[1], equal)

    def _read_back(self, known: Known, *, lower: bool) -> tuple[Expression | None, bool]:
        found = extremum(known.points, lower=lower)
        if found is None:
            return None, not has_bound(known.points, lower=lower)
        possible = known.points.params()
        return self.elimination.unnamed(simplified(found.expression, possible)), found.exact

    def closed_form(self, expression: Expression, kept: Kept) -> Expression | None:
        """EXPRESSION over what is KEPT only, if the definitions determine it as one expression."""
        replaced: dict[Atom, Expression] = {}
        for variable in self.elimination.all_variables([expression]):
            if kept.contains(variable):
                continue
            form = self._closed_variable(variable, kept)
            if form is None:
                return None
            replaced[variable] = form
        return substitute(expression, replaced.get) if replaced else expression

    def _closed_variable(self, variable: Variable, kept: Kept) -> Expression | None:
        key = kept.key, variable
        if key not in self._closed:
            inner = self.definitions.definition(variable).expression
            form = None if inner is None else self.closed_form(inner, kept)
            self._closed[key] = None if form is None or len(str(form)) > _LONGEST else form
        return self._closed[key]

    def _is_too_wide(self, expression: Expression, kept: Kept) -> bool:
        """Whether a bound of EXPRESSION could speak of more variables than anyone wants to read."""
        mask = 0
        for variable in self.elimination.all_variables([expression]):
            mask |= self.elimination.kept_mask(variable, kept)
        return mask.bit_count() > _MOST_KEPT

    # -- the set of a query ----------------------------------------------------------------------------

    def _points(self, expression: Expression, guards: Sequence[Factor], kept: Kept) -> Known:
        """`{ [x] : x = expression }` at a place where GUARDS hold, over what is KEPT."""
        with budget(self._operations):
            known = always()
            variables = dict.fromkeys(self.elimination.all_variables([expression]))
            for factor in guards:
                condition = self.elimination.union([Alternative((), c) for c in factor.condition])
                known = intersection(known, condition)
                variables.update(dict.fromkeys(factor.variables))
            if expression.single_atom is not None and not guards and not kept.contains(next(iter(variables))):
                variable = next(iter(variables))
                alone = self.elimination.joint(frozenset((variable,)), kept)
                return Known(
                    _dimension(alone.points, self.elimination.name(variable)), alone.exact, alone.because
                )
            named = parameter(_QUERY) - self.elimination.named(expression)
            known = intersection(known, self.elimination.conjunction((named,), ()))
            known = self.elimination.onto(kept, known, variables)
            return Known(_dimension(known.points, _QUERY), known.exact, known.because)

    # -- comparisons -----------------------------------------------------------------------------------

    def compare(
        self, left: SSAValue | Expression | int, relation: str, right: SSAValue | Expression | int,
        *, at: Operation | None = None,
    ) -> Comparison:  # fmt: skip
        """Whether `left RELATION right` holds in all executions that reach the place."""
        difference = self._number(left) - self._number(right)
        place = at if at is not None else self._later(left, right)
        return self.compare_to_zero(difference, relation, place)

    def _number(self, side: SSAValue | Expression | int) -> Expression:
        if isinstance(side, int):
            return constant(side)
        return self.value(side) if isinstance(side, SSAValue) else self.definitions.resolve(side)

    def _later(self, *sides: SSAValue | Expression | int) -> Place:
        values = [side for side in sides if isinstance(side, SSAValue)]
        if not values:
            return None
        return max(values, key=self.definitions.position)

    def compare_to_zero(self, difference: Expression, relation: str, place: Place) -> Comparison:
        """Whether `difference RELATION 0` holds in all executions that reach PLACE."""
        numbers = self.constant_bounds_of(difference, place)
        if numbers.never:
            return Comparison(Verdict.PROVED, never=True, because="never executed")
        holds, fails = _decided(numbers.lower, numbers.upper, relation)
        if holds:
            return Comparison(Verdict.PROVED)
        if fails:
            return Comparison(Verdict.REFUTED, never=True)
        return self._decide(difference, relation, place)

    def _decide(self, difference: Expression, relation: str, place: Place) -> Comparison:
        """By the set of the difference: it may have gaps."""
        try:
            known = self._points(difference, self._relevant(difference, place), NOTHING)
            with budget(self._operations):
                violating = known.points.intersect(_where(relation, negated=True))
                satisfying = known.points.intersect(_where(relation, negated=False))
                if violating.is_empty():
                    return Comparison(Verdict.PROVED)
                never = satisfying.is_empty()
                if not known.exact and not never:
                    return Comparison(Verdict.UNKNOWN, because=known.because)
        except BudgetExceeded as error:
            return Comparison(Verdict.UNKNOWN, because=f"budget: {error}")
        return self._refuted(difference, relation, place, never=never)

    def _refuted(self, difference: Expression, relation: str, place: Place, *, never: bool) -> Comparison:
        """A counterexample, in values of the leaves, and when there is none."""
        try:
            known = self._points(difference, self._relevant(difference, place), self.leaves())
            with budget(self._operations):
                violating = known.points.intersect(_where(relation, negated=True)).params()
                possible = known.points.params()
                point = violating.sample_point()
                witness = self._witness(point)
                holds = possible.subtract(violating).gist(possible).coalesce()
                precondition = None if holds.is_empty() else self._text(holds)
        except BudgetExceeded as error:
            return Comparison(Verdict.REFUTED, never, because=f"budget: {error}")
        return Comparison(Verdict.REFUTED, never, witness, precondition, known.because)

    def _witness(self, point: isl.Point) -> dict[str, int]:
        result: dict[str, int] = {}
        if point.is_void():
            return result
        space = point.get_space()
        for position in range(space.dim(DIM.param)):
            name = space.get_dim_name(DIM.param, position)
            assert name is not None
            number = point.get_coordinate_val(DIM.param, position).to_python()
            result[self.text_of(self.elimination.variable(name))] = number
        return result

    def text_of(self, variable: Variable) -> str:
        """A variable as people write it: `%n`, or `dim(%t, 0)`."""
        name = self.name_of(variable.value)
        return f"dim({name}, {variable.dimension})" if isinstance(variable, Dim) else name

    def text(self, expression: Expression) -> str:
        """An expression over variables as people write it: `min(%n - 1, dim(%t, 0))`."""

        def leaf(atom: Atom) -> Expression | None:
            return parameter(self.text_of(atom)) if isinstance(atom, Value | Dim) else None

        return str(substitute(expression, leaf))

    def _text(self, points: isl.Set) -> str:
        from volcli.presburger.names import identifier

        for position in range(points.dim(DIM.param)):
            name = points.get_dim_name(DIM.param, position)
            assert name is not None
            text = identifier(self.text_of(self.elimination.variable(name)))
            if points.find_dim_by_name(DIM.param, text) < 0:
                points = points.set_dim_name(DIM.param, position, text)
        return str(points.drop_unused_params())

    # -- places and guards -----------------------------------------------------------------------------

    @staticmethod
    def _place(value: SSAValue, at: Operation | None) -> Place:
        return at if at is not None else value

    def _relevant(self, expression: Expression, place: Place) -> list[Factor]:
        """What holds at PLACE, as far as it has to do with EXPRESSION."""
        factors = self._holding(place)
        if not factors:
            return []
        mask = self.definitions.mask(self.elimination.all_variables([expression]))
        chosen: list[Factor] = []
        remaining = [(f, self.definitions.mask(f.variables)) for f in factors]
        grown = True
        while grown and len(chosen) < _MOST_GUARDS:
            grown = False
            for pair in list(remaining):
                if pair[1] & mask and len(chosen) < _MOST_GUARDS:
                    # An induction variable that is in the slice brings its loop along.
                    if pair[0].condition != ((),) or pair[1] & ~mask:
                        chosen.append(pair[0])
                        mask |= pair[1]
                        grown = True
                    remaining.remove(pair)
        return chosen

    def _holding(self, place: Place) -> list[Factor]:
        """Everything that holds at PLACE: from the loops and branches around it, and from what ran before."""
        factors: list[Factor] = []
        block, before = self._block_and_time(place)
        while block is not None:
            factors.extend(self._of_block(block))
            factors.extend(f for time, f in self._assertions().get(block, ()) if time < before)
            parent = block.parent_op()
            if parent is None or parent is self.function:
                break
            block = parent.parent
        return factors

    def _block_and_time(self, place: Place) -> tuple[Block | None, int]:
        match place:
            case None:
                return None, -1
            case Operation():
                return place.parent, self.definitions.place(place)
            case BlockArgument():
                return place.block, self.definitions.position(place)
            case OpResult():
                return place.op.parent, self.definitions.position(place)
            case _:
                return None, -1

    def _of_block(self, block: Block) -> tuple[Factor, ...]:
        known = self._guards.get(block)
        if known is None:
            known = self._guards[block] = tuple(self._guards_of(block))
        return known

    def _guards_of(self, block: Block) -> Iterator[Factor]:
        op, region = block.parent_op(), block.parent
        if op is None or op is self.function:
            return
        try:
            loop = questions.loop(op)
            if loop is not None and not isinstance(loop, While):
                for induction in loop.inductions:
                    yield self._inside(induction)
            for guard in questions.guards(op) or ():
                if guard.region is region:
                    yield self._factor(guard.condition)
        except NotAffine:
            return

    def _inside(self, induction: Induction) -> Factor:
        variables = self.elimination.all_variables([self.value(induction.variable)])
        return Factor(((),), tuple(variables))

    def _factor(self, condition: Disjunction, name: str | None = None) -> Factor:
        resolved = tuple(tuple(self.definitions.resolve(e) for e in c) for c in condition)
        variables = self.elimination.all_variables([e for c in resolved for e in c])
        return Factor(resolved, tuple(variables), name)

    def _assertions(self) -> dict[Block, list[tuple[int, Factor]]]:
        if self._asserted is None:
            self._asserted = {}
            for op in self.function.walk():
                if op.parent is None or not questions.assumptions.answers(type(op)):
                    continue
                try:
                    stated = questions.assumptions(op) or ()
                    factors = [(self.definitions.place(op), self._factor(c)) for c in stated]
                except NotAffine:
                    continue
                self._asserted.setdefault(op.parent, []).extend(factors)
        return self._asserted

    # -- everything ------------------------------------------------------------------------------------

    def variables(self) -> Iterator[tuple[SSAValue, int | None]]:
        """All index values and all dynamic dimensions of the function, in the order of the text."""
        from xdsl.dialects.builtin import DYNAMIC_INDEX, IndexType

        for value in self._values():
            if isinstance(value.type, IndexType):
                yield value, None
            elif isinstance(value.type, ShapedType):
                for position, size in enumerate(value.type.get_shape()):
                    if size == DYNAMIC_INDEX:
                        yield value, position

    def _values(self) -> Iterator[SSAValue]:
        for op in self.function.walk():
            if op is not self.function:
                yield from op.results
            for region in op.regions:
                for block in region.blocks:
                    yield from block.args


Place = Operation | SSAValue | None


def _without_expressions(numbers: ConstantBounds, because: str) -> Bounds:
    lower, upper = (Bound(None, n, False, numbers.exact, because) for n in (numbers.lower, numbers.upper))
    return Bounds(lower, upper)


def _dimension(points: isl.Set, name: str) -> isl.Set:
    """The parameter NAME as the only dimension of a set."""
    position = points.find_dim_by_name(DIM.param, name)
    result = isl.Set.from_params(points)
    if position < 0:
        return result.add_dims(DIM.set, 1)
    return result.move_dims(DIM.set, 0, DIM.param, position, 1)


def _decided(low: int | None, high: int | None, relation: str) -> tuple[bool, bool]:
    """Whether all numbers from LOW to HIGH satisfy RELATION to 0, and whether none does."""
    negative, positive = high is not None and high < 0, low is not None and low > 0
    not_positive, not_negative = high is not None and high <= 0, low is not None and low >= 0
    zero = low == high == 0
    table = {
        "==": (zero, negative or positive),
        "!=": (negative or positive, zero),
        "<": (negative, not_negative),
        "<=": (not_positive, positive),
        ">": (positive, not_positive),
        ">=": (not_negative, negative),
    }
    return table[relation]


_OPPOSITE = {"==": "!=", "!=": "==", "<": ">=", "<=": ">", ">": "<=", ">=": "<"}


def _where(relation: str, *, negated: bool) -> isl.Set:
    relation = _OPPOSITE[relation] if negated else relation
    return isl.Set(f"{{ [x] : x {relation.replace('==', '=')} 0 }}")


__all__ = ["BoundsStore", "Factor", "Place", "unknown"]
