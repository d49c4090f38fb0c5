"""What is known of the symbols that bounds of loops over tiles speak of.

Beside what their definitions say, that divisors are positive, and that quotients are at least 0, where the
nest runs: of q = ceil((2 - a) / a) with a >= 1 the definition says a * q >= 2 - a, which leaves a * q >= 0 to
a proof over integers. A definition names quotients anew, q' = q: where that is all, they are one symbol here,
so that a * q' and a * q are one product.
"""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.ir import Operation, OpResult

from volcli.language.expressions import Atom, Expression, Parameter, expression_of_atom, substitute, value_of
from volcli.language.reads import Disjunction
from volcli.model.values.products.polynomial_conditions import PolynomialConditions
from volcli.model.values.store.store import BoundsStore
from volcli.rewriting.changes.value_quotients import is_positive, quotients_of
from volcli.rewriting.ground.size_parameters import SizeParameters
from volcli.symbolic.context import Context
from volcli.symbolic.tile_numbers import PointsOfTiles


def known_points(
    root: Operation, bounds: BoundsStore, known: PolynomialConditions, sizes: SizeParameters
) -> PointsOfTiles:
    """What is KNOWN of the symbols where the loop ROOT runs, over SIZES; of choices what is possible."""
    said = (*known.facts, *_positive(root, bounds, known), *_at_least_0(root, bounds, known))
    facts = [*map(sizes.stands_for, said), *sizes.facts]
    possible: list[Disjunction] = []
    for choice in known.choices:
        context = Context(facts)
        every = [tuple(map(sizes.stands_for, case)) for case in choice]
        cases = [case for case in every if not context.assuming(*case).is_empty]
        if len(cases) == 1:
            facts += cases[0]
        else:
            possible.append(tuple(cases))
    names = _further_names(facts)
    choices = (tuple(_renamed(case, names) for case in choice) for choice in possible)
    return PointsOfTiles(tuple(dict.fromkeys(_renamed(facts, names))), tuple(choices))


def _positive(root: Operation, bounds: BoundsStore, known: PolynomialConditions) -> Iterator[Expression]:
    """x - 1 for each symbol x of the choices, as a divisor, that is at least 1 where the loop ROOT runs."""
    atoms = (a for choice in known.choices for case in choice for e in case for a in e.atoms())
    for symbol in dict.fromkeys(atoms):
        if symbol in known.symbols and is_positive(bounds, expression_of_atom(symbol), root):
            yield expression_of_atom(symbol) - 1


def _at_least_0(root: Operation, bounds: BoundsStore, known: PolynomialConditions) -> Iterator[Expression]:
    """q and q * b for each symbol q, a quotient by b, that is at least 0 where the loop ROOT runs."""
    for symbol in known.symbols:
        form = expression_of_atom(symbol)
        for each in quotients_of(form, bounds, root):
            if isinstance(each, OpResult) and bounds.proves(form, ">=", 0, at=root):
                divisor = bounds.definitions.resolve(value_of(each.op.operands[1]))
                yield from (form, form * known.over_symbols(divisor))


def _further_names(facts: list[Expression]) -> dict[Atom, Expression]:
    """Symbols of which FACTS say that they are another one, each with that."""
    said = set(facts)
    found: dict[Atom, Expression] = {}
    for each in facts:
        new = [atom for atom, factor in each.terms if factor == 1 and isinstance(atom, Parameter)]
        for atom in new[:1]:
            other = expression_of_atom(atom) - each
            if -each in said and other.single_atom is not None and atom not in found:
                found[atom] = other
    return found


def _renamed(
    facts: list[Expression] | tuple[Expression, ...], names: dict[Atom, Expression]
) -> tuple[Expression, ...]:
    return tuple(substitute(each, names.get) for each in facts)
