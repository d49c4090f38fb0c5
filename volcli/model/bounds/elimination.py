"""Elimination: what the definitions say of some variables once all the others are projected out.

Definitions form a graph. To relate a value to the variables that are *kept*, the engine goes backwards from
it: it conjoins the definition of the latest variable, and projects that variable out, for nothing else
refers to it any more. A variable whose slice shares nothing with the slices of the others (but what is kept)
can be replaced at once by what is known of it alone, and that is computed once for all queries. So a chain
of n definitions costs n steps for all n queries together (MLIR builds a new constraint set for each query).

Projections are exact: isl's sets hold integers, and quantified ones where that is needed. What is not exact
(a product of two unknowns, a step that is not constant, too many alternatives) says so.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product as cartesian

import islpy as isl

from volcli.expressions import (
    Atom,
    Dim,
    Expression,
    Parameter,
    Product,
    Value,
    constant,
    parameter,
    substitute,
)
from volcli.model.bounds.definitions import Alternative, Definitions, Variable, variables_of
from volcli.model.bounds.ranges import range_of
from volcli.presburger import build

_MOST_PIECES = 48
"""A union of more basic sets than this is replaced by its simple hull."""
_MOST_FACTORS = 8
"""A product is split into cases if one factor has at most so many possible values."""


@dataclass(frozen=True)
class Kept:
    """The variables that an answer may speak of; `key` tells two of them apart."""

    key: Hashable
    contains: Callable[[Variable], bool] = field(compare=False)


NOTHING = Kept("nothing", lambda _: False)


@dataclass(frozen=True, eq=False)
class Known:
    """What is known of variables: they lie in `points`, a set over their names; all of it, if exact."""

    points: isl.Set
    exact: bool = True
    because: str | None = None


class Elimination:
    """The definitions of one function as integer sets, and what they say of few variables."""

    def __init__(self, definitions: Definitions) -> None:
        self.definitions = definitions
        self._names: dict[Variable, str] = {}
        self._variables: dict[str, Variable] = {}
        self._defined: dict[Variable, Known] = {}
        self._joint: dict[tuple[Hashable, frozenset[Variable]], Known] = {}
        self._masks: dict[tuple[Hashable, Variable], int] = {}
        self._kept_masks: dict[tuple[Hashable, Variable], int] = {}

    # -- names -----------------------------------------------------------------------------------------

    def name(self, variable: Variable) -> str:
        """The name of VARIABLE as a parameter of sets."""
        known = self._names.get(variable)
        if known is None:
            known = self._names[variable] = f"v{len(self._names)}"
            self._variables[known] = variable
        return known

    def variable(self, name: str) -> Variable:
        """The variable that has NAME in sets."""
        return self._variables[name]

    def variables_of(self, points: isl.Set) -> list[Variable]:
        """The variables that POINTS speaks of."""
        names = (points.get_dim_name(build.DIM.param, p) for p in range(points.dim(build.DIM.param)))
        return [self._variables[name] for name in names if name is not None]

    def named(self, expression: Expression) -> Expression:
        """EXPRESSION over parameters that stand for its variables."""

        def leaf(atom: Atom) -> Expression | None:
            return parameter(self.name(atom)) if isinstance(atom, Value | Dim) else None

        return substitute(expression, leaf)

    def unnamed(self, expression: Expression) -> Expression:
        """EXPRESSION over variables, from one over their names."""

        def leaf(atom: Atom) -> Expression | None:
            if not isinstance(atom, Parameter):
                return None
            return Expression(((self._variables[atom.name], 1),), 0)

        return substitute(expression, leaf)

    # -- sets ------------------------------------------------------------------------------------------

    def conjunction(self, zero: Iterable[Expression], nonnegative: Iterable[Expression]) -> Known:
        """The variables at which expressions are 0, and others at least 0."""
        both = [(e, True) for e in zero] + [(e, False) for e in nonnegative]
        result: Known | None = None
        for expression, is_zero in both:
            factor = self._constraint(expression, is_zero=is_zero)
            result = factor if result is None else intersection(result, factor)
        return Known(isl.Set.universe(build.space((), 0)).params()) if result is None else result

    def union(self, alternatives: Sequence[Alternative]) -> Known:
        """The variables at which one of ALTERNATIVES holds."""
        parts = [self.conjunction(a.zero, a.nonnegative) for a in alternatives]
        if not parts:
            return Known(isl.Set.empty(build.space((), 0)).params())
        points = parts[0].points
        for part in parts[1:]:
            points = points.union(part.points)
        inexact = next((part for part in parts if not part.exact), None)
        return Known(points, inexact is None, inexact.because if inexact is not None else None)

    def _constraint(self, expression: Expression, *, is_zero: bool) -> Known:
        parts = list(self._without_products(expression))
        points: isl.Set | None = None
        exact, because = True, None
        for conditions, rest, helpers, why in parts:
            named = self.named(rest)
            over = build.space(build.parameters_of((named,)), 0)
            form = build.affine(named, over)
            part = (form.zero_set() if is_zero else form.nonneg_set()).params()
            if conditions or helpers:
                part = part.intersect(self.conjunction(conditions, helpers).points)
                part = self._without_helpers(part)
            if why is not None:
                exact, because = False, why
            points = part if points is None else points.union(part)
        assert points is not None
        return Known(points, exact, because)

    # -- products --------------------------------------------------------------------------------------

    def _without_products(
        self, expression: Expression
    ) -> Iterator[tuple[list[Expression], Expression, list[Expression], str | None]]:
        """EXPRESSION without products of variables, in cases: (what is zero, the rest, facts, why inexact).

        A product of which one factor has few values is linear for each of them. Any other is a variable of
        its own, of which the products of the factors' distances to their bounds are known not to be
        negative: `(a - min a) * (b - min b) >= 0`, and so on (McCormick).
        """
        products = list(dict.fromkeys(a for a in expression.atoms() if isinstance(a, Product)))
        if not products:
            yield [], expression, [], None
            return
        cases = [list(self._cases(p)) for p in products]
        for choice in cartesian(*cases):
            values = dict(zip(products, (value for _, value, _, _ in choice), strict=True))
            rest = substitute(expression, _replacing(values))
            why = next((why for *_, why in choice if why is not None), None)
            conditions = [c for zero, _, _, _ in choice for c in zero]
            yield conditions, rest, [f for _, _, facts, _ in choice for f in facts], why

    def _cases(
        self, product: Product
    ) -> Iterator[tuple[list[Expression], Expression, list[Expression], str | None]]:
        left, right = product.left, product.right
        for few, other in ((left, right), (right, left)):
            low, high = range_of(few, self.definitions.range)
            if low is not None and high is not None and high - low < _MOST_FACTORS:
                for value in range(low, high + 1):
                    yield [few - value], other * value, [], None
                return
        helper = parameter(f"p{len(self._names)}_{abs(hash(product)) % 10**6}")
        yield [], helper, self._envelope(product, helper), f"{product} is a product of two unknowns"

    def _envelope(self, product: Product, helper: Expression) -> list[Expression]:
        low, high = range_of(Expression(((product, 1),), 0), self.definitions.range)
        facts = [helper - low] if low is not None else []
        facts += [high - helper] if high is not None else []
        for a_end, a_sign in _ends(range_of(product.left, self.definitions.range)):
            for b_end, b_sign in _ends(range_of(product.right, self.definitions.range)):
                # sign * (a - a_end) * (b - b_end) >= 0, with a * b = helper
                expanded = helper - product.left * b_end - product.right * a_end + a_end * b_end
                facts.append(expanded * (a_sign * b_sign))
        return facts

    @staticmethod
    def _without_helpers(points: isl.Set) -> isl.Set:
        for position in reversed(range(points.dim(build.DIM.param))):
            name = points.get_dim_name(build.DIM.param, position)
            if name is not None and name.startswith("p"):
                points = points.project_out(build.DIM.param, position, 1)
        return points

    # -- definitions -----------------------------------------------------------------------------------

    def defined(self, variable: Variable) -> Known:
        """What the definition of VARIABLE says of it and of the variables that it refers to."""
        known = self._defined.get(variable)
        if known is None:
            definition = self.definitions.definition(variable)
            if definition.points is not None:
                known = Known(definition.points(), definition.exact, definition.because)
            else:
                known = self.union(definition.alternatives)
                if not definition.exact:
                    known = Known(known.points, False, definition.because)
            if not self.definitions.is_open(variable):
                self._defined[variable] = known
        return known

    def mask(self, variable: Variable, kept: Kept) -> int:
        """One bit for each variable in the slice of VARIABLE that is not kept, and not behind one that is."""
        key = kept.key, variable
        known = self._masks.get(key)
        if known is None:
            known = 0
            if not kept.contains(variable):
                known = self.definitions.bit(variable)
                for reference in self.definitions.definition(variable).references:
                    known |= self.mask(reference, kept)
            self._masks[key] = known
        return known

    def kept_mask(self, variable: Variable, kept: Kept) -> int:
        """One bit for each variable that is kept and that VARIABLE depends on."""
        key = kept.key, variable
        known = self._kept_masks.get(key)
        if known is None:
            known = 0
            if kept.contains(variable):
                known = self.definitions.bit(variable)
            else:
                for reference in self.definitions.definition(variable).references:
                    known |= self.kept_mask(reference, kept)
            self._kept_masks[key] = known
        return known

    def joint(self, variables: frozenset[Variable], kept: Kept) -> Known:
        """What is known of VARIABLES together, in terms of what is KEPT; computed once."""
        key = kept.key, variables
        known = self._joint.get(key)
        if known is None:
            last = max(variables, key=self.definitions.order)
            others = dict.fromkeys(v for v in variables if v != last)
            others.update(dict.fromkeys(self.definitions.definition(last).references))
            known = self._meet(self.defined(last), others, variables, kept)
            known = self._joint[key] = simple(known)
        return known

    def onto(self, kept: Kept, known: Known, variables: Iterable[Variable]) -> Known:
        """KNOWN, about VARIABLES and others, with all that the definitions say of VARIABLES.

        Of these only what is KEPT remains; what KNOWN says of others, too.
        """
        return self._meet(known, dict.fromkeys(variables), frozenset(), kept)

    def _meet(
        self, known: Known, variables: Iterable[Variable], remaining: frozenset[Variable], kept: Kept
    ) -> Known:
        """KNOWN with what is known of VARIABLES, of which those in REMAINING and what is KEPT remain."""
        met: list[Variable] = []
        for component in self._components(variables, kept, met):
            known = intersection(known, self.joint(component, kept))
            for variable in component - remaining:
                known = self._project(known, variable)
        return self._with_facts(known, met)

    def _components(
        self, variables: Iterable[Variable], kept: Kept, met: list[Variable]
    ) -> list[frozenset[Variable]]:
        """VARIABLES in groups whose slices share nothing; those that are KEPT are put into MET."""
        groups: list[tuple[int, frozenset[Variable]]] = []
        for variable in variables:
            mask = self.mask(variable, kept)
            if not mask:
                met.append(variable)
                continue
            apart: list[tuple[int, frozenset[Variable]]] = []
            group = frozenset((variable,))
            for other, members in groups:
                if other & mask:
                    mask, group = mask | other, group | members
                else:
                    apart.append((other, members))
            groups = [*apart, (mask, group)]
        return [members for _, members in groups]

    def _with_facts(self, known: Known, kept: Iterable[Variable]) -> Known:
        """KNOWN with what is known of leaves that are kept: that sizes are not negative, for example."""
        for variable in kept:
            definition = self.definitions.definition(variable)
            if definition.is_leaf and definition.alternatives != _NO_FACTS and not definition.references:
                known = intersection(known, self.defined(variable))
        return known

    def _project(self, known: Known, variable: Variable) -> Known:
        position = known.points.find_dim_by_name(build.DIM.param, self.name(variable))
        if position < 0:
            return known
        points = known.points.project_out(build.DIM.param, position, 1)
        return simple(Known(points, known.exact, known.because))

    def all_variables(self, expressions: Iterable[Expression]) -> list[Variable]:
        """The variables in EXPRESSIONS, each once."""
        return list(dict.fromkeys(v for e in expressions for v in variables_of(e)))


def _replacing(values: Mapping[Product, Expression]) -> Callable[[Atom], Expression | None]:
    return lambda atom: values.get(atom) if isinstance(atom, Product) else None


_NO_FACTS = (Alternative(),)


def intersection(left: Known, right: Known) -> Known:
    """What LEFT and RIGHT say together."""
    because = left.because if left.because is not None else right.because
    return Known(left.points.intersect(right.points), left.exact and right.exact, because)


def simple(known: Known) -> Known:
    """KNOWN in few pieces; in one that holds them all, if they are too many."""
    points = known.points
    if points.n_basic_set() > 1:
        points = points.coalesce()
        if points.n_basic_set() > _MOST_PIECES:
            hull = isl.Set.from_basic_set(points.simple_hull())
            return Known(hull, False, f"more than {_MOST_PIECES} alternatives")
    return Known(points, known.exact, known.because)


def _ends(ends: tuple[int | None, int | None]) -> list[tuple[int, int]]:
    low, high = ends
    return [(end, sign) for end, sign in ((low, 1), (high, -1)) if end is not None]


def always() -> Known:
    """Nothing is known."""
    return Known(isl.Set.universe(build.space((), 0)).params())


def is_constant(expression: Expression, value: int) -> bool:
    """Whether EXPRESSION is the number VALUE."""
    return expression == constant(value)
