"""value-bounds: the bounds of each index value and each dynamic dimension."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from xdsl.ir import BlockArgument, OpResult, SSAValue

from volcli.diagnostics import Diagnostic, Place, UsageError
from volcli.facts.bounds import BoundsFact, Side
from volcli.language.expressions import Expression
from volcli.model.function import FunctionModel
from volcli.model.values.terms.answers import Bound, Bounds
from volcli.model.values.terms.ranges import Interval, is_within
from volcli.model.values.terms.variables import Variable, own, variable_of
from volcli.model.values.trust import in_terms
from volcli.model.values.trust.arithmetic import PRODUCTS
from volcli.model.values.trust.minimal_assumptions import ends_of_type
from volcli.passes.base import Pass, Unit, option
from volcli.passes.selection import named_value, names, where
from volcli.passes.texts import TERM
from volcli.presburger.sets.condition_words import ConditionError, ConditionName
from volcli.presburger.sets.conditions import read_name


@dataclass(frozen=True)
class ValueBounds(Pass):
    """Bound each index value and each dynamic dimension from both sides (EuroLLVM 2024, value bounds).

    A bound is closed. It is a number, and an expression over what the function does not determine: its
    arguments, sizes, loaded values. Inside a loop or a branch it holds whenever the program gets there. What
    is attained is exact; what is not says so, and what has no bound says why. Where no minimum or maximum of
    formulas is attained, a bound has cases: `(%k if %n <= 0 else %n)`.
    What rests on what all calls of a private function pass says so.

    With `in-terms-of`, expressions speak of these values alone, and are the tightest that do: what cannot be
    said so is not expressible, and what it depends on is named.
    """

    name = "value-bounds"
    summary = "the bounds of each index value and each dynamic dimension"
    by_function = True

    of: tuple[str, ...] = option(
        (),
        help="the values, with their %; default: every index value and dynamic dimension; all: integers, too",
    )
    in_terms_of: tuple[str, ...] = option(
        (),
        help="values and sizes for bounds to refer to, such as %a,'dim(%t, 0)'; default: the "
        "undetermined ones",
    )

    def apply(self, unit: Unit) -> None:
        if self.in_terms_of:
            for model in unit.models():
                unit.facts += self._chosen(unit, model)
            return
        for model in unit.models():
            for value, dim in model.bounds.variables(integers=bool(self.of)):
                if names(unit, self.of, value):
                    unit.facts.append(bounds_fact(unit, model, value, dim))

    def _chosen(self, unit: Unit, model: FunctionModel) -> Iterator[BoundsFact]:
        """The bounds in terms of the values chosen, in a function that has these."""
        chosen = variables_named(unit, model, self.in_terms_of)
        if chosen is None:
            return
        for value, dim in model.bounds.variables(integers=bool(self.of)):
            is_chosen = variable_of(value, dim) in chosen
            is_constant = model.bounds.value(value, dim).is_constant
            if names(unit, self.of, value) and (self.of or not (is_chosen or is_constant)):
                yield bounds_in_terms(unit, model, value, dim, chosen)


def bounds_fact(unit: Unit, model: FunctionModel, value: SSAValue, dim: int | None) -> BoundsFact:
    """What VALUE, or the size of its dimension DIM, lies between."""
    model = model.as_called
    of, form = model.occurrences, model.form
    found = model.assuming.bounds(value, dim) if of is None else of.bounds(value, dim)
    if form.computes and PRODUCTS not in found.assumptions and _is_news_of(found, value, dim):
        from volcli.model.machine import assumptions

        def implies(other: FunctionModel) -> bool:
            asked = other.assuming if of is None else replace(of, assuming=other.assuming)
            known = asked.bounds(value, dim)
            return known.never or (not found.never and _is_as_close(other, known, found, value, dim))

        more = assumptions(form, implies)
        found = replace(found, assumptions=tuple(dict.fromkeys((*found.assumptions, *more))))
    return _fact(unit, model, value, dim, found, form)


def _is_news_of(found: Bounds, value: SSAValue, dim: int | None) -> bool:
    """Whether FOUND says more of VALUE than its type does, and than that it is itself."""
    is_itself = found.equal is not None and found.equal.single_atom == variable_of(value, dim)
    return found.never or not is_itself or _numbers(found, value, dim) != (None, None)


def _is_as_close(
    machine: FunctionModel, known: Bounds, found: Bounds, value: SSAValue, dim: int | None
) -> bool:
    """Whether what is KNOWN in the MACHINE implies what was FOUND: numbers, and an equality or bounds."""
    numbers = known.lower.constant, known.upper.constant
    if not is_within(numbers, _numbers(found, value, dim)):
        return False
    if found.equal is not None:
        from volcli.model.machine import is_remainder

        return is_remainder(machine, known.equal or own(variable_of(value, dim)), found.equal)
    sides = zip((known.lower, known.upper), (found.lower, found.upper), strict=True)
    return all(other.expression in (None, side.expression) for side, other in sides)


def _numbers(found: Bounds, value: SSAValue, dim: int | None) -> Interval:
    """The numbers that FOUND says of VALUE beside those of its type."""
    low, high = ends_of_type(value, dim)
    sides = found.lower.constant, found.upper.constant
    return None if sides[0] == low else sides[0], None if sides[1] == high else sides[1]


def bounds_in_terms(
    unit: Unit, model: FunctionModel, value: SSAValue, dim: int | None, chosen: Sequence[Variable]
) -> BoundsFact:
    """What VALUE, or the size of its dimension DIM, lies between, over CHOSEN variables alone."""
    model = model.as_called
    of = model.occurrences
    found = None if of is None else of.bounds_in_terms(value, dim, chosen)
    if found is None:
        found = in_terms.bounds_in_terms(model.assuming, value, dim, chosen)
    fact = _fact(unit, model, value, dim, found)
    texts = model.bounds.texts
    return replace(fact, is_news=True, in_terms_of=tuple(map(texts.of_variable, chosen)))


def _fact(
    unit: Unit,
    model: FunctionModel,
    value: SSAValue,
    dim: int | None,
    found: Bounds,
    form: FunctionModel | None = None,
) -> BoundsFact:
    name, spoken = model.name_of(value), form or model
    sides = [each for each in (found.lower, found.upper) if not (each.exact and each.constant_exact)]
    sides += [found.lower, found.upper]  # that a side is not exact is the better reason
    equal = None if found.equal is None else spoken.bounds.texts.named(found.equal)
    return BoundsFact(
        where(unit, model, value),
        name,
        dim,
        _side(spoken, found.lower),
        _side(spoken, found.upper),
        equal,
        _is_news(value, found, equal, name),
        found.never,
        next((side.because for side in sides if side.because is not None), None),
        found.assumptions,
    )


def variables_named(unit: Unit, model: FunctionModel, texts: Sequence[str]) -> list[Variable] | None:
    """The values and sizes that TEXTS name, as `%a` and `dim(%t, 0)`; None if MODEL's function lacks one.

    Raises UsageError (V009) for what is not a name.
    """
    found: list[Variable] = []
    for line, text in enumerate(texts, 1):
        name = variable_name(text, line)
        value = named_value(unit, model, name)
        if value is None:
            return None
        found.append(variable_of(value, name.dim))
    return found


def variable_name(text: str, line: int) -> ConditionName:
    """The value, or the size, that TEXT, in LINE, names. Raises UsageError (V009) for what is not a name."""
    try:
        return read_name(text)
    except ConditionError as error:
        note = "write %a, or dim(%t, 0) for a size"
        raise UsageError(Diagnostic("V009", error.message, Place(TERM, line, error.at + 1), note)) from None


def _side(model: FunctionModel, bound: Bound) -> Side:
    named = None if bound.expression is None else model.bounds.texts.named(bound.expression)
    exact = bound.constant_exact and (bound.constant is not None or bound.exact)
    return Side(named, bound.constant, exact, bound.exact)


def _is_news(value: SSAValue, bounds: Bounds, equal: Expression | None, own: str) -> bool:
    """Constants, and values of which nothing is known but that they are what they are, are no news."""
    if bounds.never:
        return True
    numbers = bounds.lower.constant, bounds.upper.constant
    if isinstance(value, OpResult) and not value.op.operands and not value.op.regions:
        return numbers[0] != numbers[1]
    if isinstance(value, BlockArgument) and equal is not None:
        return numbers != (None, None) and numbers != (0, None)
    return str(equal) != own or numbers != (None, None)
