"""The dependence polyhedron of two accesses, step by step: inverse, composition, order, distances.

With the access relations S (source) and T (sink), `T^-1 o S` relates the iterations that go to one element.
The order of execution at a depth is added to it, and the differences of the induction variables are what is
left of it. (MemRef dependence checks in MLIR, "Inverse and Composition" and "checkMemrefAccessDependence".)

    store %m[%i]; load %m[%i - 2], %i = 0 to 9

    srcRel     1 -1  0 = 0 ...       m0 = %i              dstRel     1 -1 -2 = 0 ...       m0 = %i' - 2
    composed  -1  1 -2 = 0 ...       %i' = %i + 2         at depth 1, distances:  1 -2 = 0       d1 = 2
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from volcli.presburger.tableaus.projection import projected, without_redundant_locals
from volcli.presburger.tableaus.tableau import Column, Role, Tableau


@dataclass(frozen=True)
class Step:
    """One step of a composition, and what `srcRel` and `dstRel` are after it."""

    call: str
    says: str
    tableaus: tuple[tuple[str, Tableau], ...]


@dataclass(frozen=True)
class Composition:
    """`sink^-1 o source`, and the steps to it."""

    source: Tableau
    sink: Tableau
    inverse: Tableau
    steps: tuple[Step, ...]
    composed: Tableau


@dataclass(frozen=True)
class AtDepth:
    """The order at a depth, what it leaves of the composition, and the distances."""

    depth: int
    order: Tableau
    dependence: Tableau
    distances: Tableau


def domain_set(relation: Tableau) -> Tableau:
    """The iterations of an access RELATION: the element that they go to becomes local."""
    iterations = relation.as_locals(column.key for column in relation.range)
    return _with_roles(iterations, {Role.DOMAIN: Role.RANGE})


def inverse(relation: Tableau) -> Tableau:
    """RELATION from its range to its domain."""
    swapped = _with_roles(relation, {Role.DOMAIN: Role.RANGE, Role.RANGE: Role.DOMAIN})
    return swapped.over((*swapped.domain, *swapped.range, *swapped.symbols, *swapped.locals))


def compose(source: Tableau, sink: Tableau) -> Composition:
    """The iterations of SINK that go to the same element as those of SOURCE.

    Both relations have the same columns for the element, and no others in common but symbols.
    """
    inverted = inverse(sink)
    steps: list[Step] = []

    def note(call: str, says: str, *tableaus: tuple[str, Tableau]) -> None:
        steps.append(Step(call, says, tableaus))

    before, memory, after = source.domain, source.range, inverted.range
    src = source.over((*before, *memory, *_valueless(after), *source.symbols, *source.locals))
    note(f"srcRel.appendRangeVar({len(after)})", "room for the sink's iterations", ("srcRel", src))
    dst = inverted.over((*_valueless(before), *memory, *after, *inverted.symbols, *inverted.locals))
    note(f"dstRel.insertDomainVar(0, {len(before)})", "room for the source's iterations", ("dstRel", dst))
    symbols = tuple({column.key: column for column in (*src.symbols, *dst.symbols)}.values())
    src, dst = _with(src, symbols=symbols), _with(dst, symbols=symbols)
    note("dstRel.mergeSymbolVars(srcRel)", "the same parameters in both", ("srcRel", src), ("dstRel", dst))
    merged = (*src.locals, *dst.locals)
    src, dst = _with(src, inner=merged), _with(dst, inner=merged)
    note("dstRel.mergeLocalVars(srcRel)", "the same locals in both", ("srcRel", src), ("dstRel", dst))
    first, last = len(before), len(before) + len(memory)
    src = src.as_locals(column.key for column in memory)
    says = "the element becomes local: the range is the sink's iterations"
    note(f"srcRel.convertToLocal(SetDim, {first}, {last})", says, ("srcRel", src))
    dst = dst.as_locals(column.key for column in memory)
    says = "the element becomes local: the domain is the source's iterations"
    note(f"dstRel.convertToLocal(SetDim, {first}, {last})", says, ("dstRel", dst))
    src = src.over((*before, *after, *symbols, *src.locals))
    note("match the domains", "srcRel, its dimensions the induction variables of both", ("srcRel", src))
    dst = dst.over(src.columns)
    note("match the ranges", "dstRel, its dimensions the induction variables of both", ("dstRel", dst))
    src = src.append(dst)
    note("srcRel.append(dstRel)", "the rows of both", ("srcRel", src))
    src = without_redundant_locals(src)
    note("srcRel.removeRedundantLocalVars()", "Gaussian elimination of the locals", ("srcRel", src))
    return Composition(source, sink, inverted, tuple(steps), src)


def at_depth(composed: Tableau, common: int, depth: int) -> AtDepth:
    """The dependence polyhedron at DEPTH of accesses with so many COMMON loops.

    All loops before it are in the same iteration, that of DEPTH in a later one; beyond the common loops, all
    are in the same iteration, and the source must run first.
    """
    pairs = list(zip(composed.domain, composed.range, strict=False))[:common]
    rows = [composed.row({a.key: -1, b.key: 1}) for a, b in pairs[: depth - 1]]
    later = [composed.row({a.key: -1, b.key: 1}, -1) for a, b in pairs[depth - 1 : depth]]
    order = Tableau(composed.columns, tuple(rows), tuple(later))
    dependence = composed.append(order)
    return AtDepth(depth, order, dependence, distances(dependence, common))


def distances(dependence: Tableau, common: int) -> Tableau:
    """The differences of the induction variables of the COMMON loops, sink minus source."""
    columns = tuple(Column(f"d{k + 1}", f"d{k + 1}", Role.RANGE, has_value=False) for k in range(common))
    pairs = list(zip(dependence.domain, dependence.range, strict=False))[:common]
    iterations = [column.key for column in (*dependence.domain, *dependence.range)]
    whole = dependence.as_locals(iterations)
    whole = whole.over((*columns, *whole.symbols, *whole.locals))
    rows = [whole.row({d.key: 1, a.key: 1, b.key: -1}) for d, (a, b) in zip(columns, pairs, strict=True)]
    return projected(whole.with_rows(rows), iterations)


# -- columns -------------------------------------------------------------------------------------------


def _valueless(columns: Sequence[Column]) -> tuple[Column, ...]:
    """COLUMNS that were just inserted: their values are not set yet."""
    return tuple(replace(column, has_value=False) for column in columns)


def _with(
    tableau: Tableau, symbols: Sequence[Column] | None = None, inner: Sequence[Column] | None = None
) -> Tableau:
    """TABLEAU with other symbols, or with other locals."""
    return tableau.over(
        (
            *tableau.of_role(Role.DOMAIN, Role.RANGE),
            *(tableau.symbols if symbols is None else symbols),
            *(tableau.locals if inner is None else inner),
        )
    )


def _with_roles(tableau: Tableau, roles: dict[Role, Role]) -> Tableau:
    return replace(
        tableau,
        columns=tuple(replace(c, role=roles.get(c.role, c.role)) for c in tableau.columns),
    )
