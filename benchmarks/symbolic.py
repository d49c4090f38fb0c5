"""Systems with symbolic coefficients: constraints before and after simplification, and times.

    python benchmarks/symbolic.py

The figures are those of P. Suriana's thesis; the last row are two levels of tiles of four loops. Counted are
the inequalities after each elimination, from the innermost variable: if all are kept (more than 200 are given
up), and if what is redundant goes. The expressions are those of its table 5.1 and of figure 5-3, with what it
ends with: operations, and cycles by its table 5.2.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1]))

from tests.symbolic.figures import FIGURES, TABLE
from tests.symbolic.systems import atom
from volcli.language.expressions import Atom, Expression, NotAffine, parameter
from volcli.language.instructions import cycles
from volcli.symbolic.context import Context
from volcli.symbolic.cost import cost, instructions
from volcli.symbolic.extrema import simplified
from volcli.symbolic.fourier_motzkin import LinearSystem, combined, eliminate, system
from volcli.symbolic.scanning import scan


def main() -> None:
    """Print both tables."""
    symbolic()


def symbolic() -> None:
    """Print both tables."""
    print("\nSystems of inequalities, after each elimination, and the bounds of all loops")
    print(f"  {'':14} {'bounds':>6} {'ms':>8}   {'if all are kept':36} if not")
    for name, figure in FIGURES.items():
        variables = [atom(each) for each in figure.variables.split()]
        print(_row(name, variables, figure.inequalities, Context(figure.context), figure.guard))
    variables, inequalities, sizes = two_levels(4)
    print(_row("4 loops, twice", variables, inequalities, Context(sizes), ()))
    print("\nExpressions of the thesis: operations and cycles")
    print(f"  {'':20} {'before':>12} {'thesis':>12} {'volcli':>12} {'ms':>8}")
    for name, (before, thesis) in TABLE.items():
        start = time.perf_counter()
        found = simplified(before, Context())
        spent = time.perf_counter() - start
        texts = " ".join(f"{_price(each):>12}" for each in (before, thesis, found))
        print(f"  {name:20} {texts} {spent * 1000:8.1f}")


def _price(expression: Expression) -> str:
    return f"{cost(expression)} ({cycles(instructions(expression))})"


def two_levels(count: int) -> tuple[list[Atom], list[Expression], list[Expression]]:
    """Two levels of tiles of COUNT loops from 0 to n_k, and that no size is below 1."""
    inequalities: list[Expression] = []
    sizes: list[Expression] = []
    for k in range(count):
        i, t, u, n, b, c = (parameter(f"{name}{k}") for name in "itunbc")
        inequalities += [i, n - 1 - i, i - b * t, b * t + b - 1 - i, t - c * u, c * u + c - 1 - t]
        sizes += [b - 1, c - 1, n - 1]
    return [atom(f"{name}{k}") for name in "uti" for k in range(count)], inequalities, sizes


def _row(
    name: str,
    variables: Sequence[Atom],
    inequalities: Sequence[Expression],
    context: Context,
    guard: Sequence[Expression],
) -> str:
    start = time.perf_counter()
    nests = scan(variables, inequalities, context)
    spent = time.perf_counter() - start
    bounds = sum(len(loop.lower) + len(loop.upper) for nest in nests for loop in nest.loops)
    known = context.assuming(*guard)
    raw = " ".join(map(str, without_simplification(variables, inequalities, known)))
    kept = " ".join(map(str, with_simplification(variables, inequalities, known)))
    return f"  {name:14} {bounds:6} {spent * 1000:8.1f}   {raw:36} {kept}"


def without_simplification(
    variables: Sequence[Atom], inequalities: Sequence[Expression], known: Context
) -> list[int | str]:
    """How many inequalities there are after each elimination, if all are kept."""
    found: list[int | str] = []
    given = LinearSystem(tuple(variables), tuple(inequalities), known)
    for position in reversed(range(len(variables))):
        try:
            given = LinearSystem(
                tuple(variables[:position]), tuple(combined(given, variables[position])), known
            )
        except NotAffine:
            return [*found, "> 200"]
        found.append(len(given.inequalities))
    return found


def with_simplification(
    variables: Sequence[Atom], inequalities: Sequence[Expression], known: Context
) -> list[int]:
    """The same with what is redundant left out; conditions on symbols alone are not counted."""
    given = system(variables, inequalities, known)
    found: list[int] = []
    for variable in reversed(variables):
        assert given is not None
        (given,) = eliminate(given, variable)
        found.append(len(given.inequalities))
    return found


if __name__ == "__main__":
    main()
