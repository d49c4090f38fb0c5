"""Which arguments a function may have: those that fulfil what its text and the user assume of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from xdsl.dialects.builtin import IndexType
from xdsl.ir import Operation

from volcli.execution.runs.inputs import Inputs
from volcli.gate.findings.analysed import Analysed
from volcli.language.expressions import Atom, Dim, Expression, Value, constant, substitute
from volcli.language.reads import Conjunction
from volcli.model.values.terms.assumptions import given, stated


def possible(function: Operation, analysed: Analysed) -> Callable[[Inputs], bool]:
    """Whether FUNCTION may be given some inputs; those of which a number that counts is random may not.

    Example: with `%n >= 4`, inputs with %n = 3 show nothing, whatever happens in that execution.
    """
    names = analysed.unit.parsed.names
    assumed = (*stated(function, names.of), *given(function, names.of, analysed.unit.assume))
    conditions = [each.condition for each in assumed]

    def fulfil(inputs: Inputs) -> bool:
        def number(atom: Atom) -> Expression | None:
            found = None
            if isinstance(atom, Value):
                is_index = isinstance(atom.value.type, IndexType)
                found = inputs.numbers.get(names.of(atom.value)[1:], inputs.size if is_index else None)
            elif isinstance(atom, Dim):
                found = inputs.sizes.get((names.of(atom.value)[1:], atom.dimension), inputs.size)
            return constant(found) if isinstance(found, int) else None

        return all(_holds(condition, number) for condition in conditions)

    return fulfil


def _holds(condition: Iterable[Conjunction], number: Callable[[Atom], Expression | None]) -> bool:
    """Whether CONDITION, a disjunction, certainly holds for what NUMBER says of its atoms."""
    return any(
        all(e.is_constant and e.constant >= 0 for e in (substitute(each, number) for each in conjunction))
        for conjunction in condition
    )
