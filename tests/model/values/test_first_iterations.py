"""Bounds in loops whose steps are values: which of them are attained, against enumeration."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import pytest

import volcli
from tests.shared.numbers import value
from volcli.language.expressions import Atom, Value
from volcli.model.values.terms.answers import Bounds

SIZES = ("%n", "%s", "%t")
NEST = """
func.func @f(%n: index, %s: index, %t: index) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  {outer} {{
    %rest = arith.subi %n, %i : index
    %rows = arith.minsi %rest, %s : index
    scf.for %j = {low} to {high} step %t {{
      {guard}
        %x = arith.{op} {left}, {right} : index
      {end}
    }}
  }}
  return
}}
"""
OUTER = {
    "for": "scf.for %i = %c0 to %n step %s",
    "from 3": "scf.for %i = %c3 to %n step %s",
    "forall": "scf.forall (%i) = (0) to (%n) step (%s)",
    "parallel": "scf.parallel (%i) = (%c0) to (%n) step (%s)",
}
GUARDS = {
    "": "",
    "first": "%is = arith.cmpi eq, %i, %c0 : index",
    "later": "%is = arith.cmpi sgt, %j, %c0 : index",
}


def text(outer: str, low: str, high: str, guard: str, op: str, left: str, right: str) -> str:
    opening = f"{GUARDS[guard]}\nscf.if %is {{" if guard else ""
    return NEST.format(
        outer=OUTER[outer],
        low=low,
        high=high,
        guard=opening,
        end="}" if guard else "",
        op=op,
        left=left,
        right=right,
    )


def bounds_of_x(program: str) -> Bounds:
    (unit,) = volcli.loads(program).units
    (model,) = unit.models()
    (x,) = (r for op in model.function.walk() for r in op.results if r.name_hint == "x")
    return model.assuming.bounds(x)


def values_of_x(numbers: dict[str, int], choice: tuple[str, ...]) -> Iterator[int]:
    """The values that %x has in the run with these numbers."""
    outer, low, high, guard, op, left, right = choice
    n, s, t = (numbers[name] for name in SIZES)
    if s < 1 or t < 1:
        return
    for i in range(3 if outer == "from 3" else 0, n, s):
        names = numbers | {"%i": i, "%c0": 0, "%c1": 1, "%c3": 3, "%rows": min(n - i, s), "%rest": n - i}
        for j in range(names[low], names[high], t):
            names["%j"] = j
            if guard == "" or (guard == "first" and i == 0) or (guard == "later" and j > 0):
                a, b = names[left], names[right]
                yield {"addi": a + b, "subi": a - b, "minsi": min(a, b)}[op]


CHOICES = [
    *product(OUTER, ("%c0",), ("%rows",), ("",), ("subi",), ("%rows",), ("%j",)),
    *product(
        ("for",),
        ("%c0", "%i"),
        ("%rows", "%n", "%i"),
        GUARDS,
        ("minsi", "subi"),
        ("%rest", "%t"),
        ("%j", "%i"),
    ),
]


@pytest.mark.sample(2)
@pytest.mark.parametrize("choice", CHOICES[::4], ids="-".join)
def test_bounds_that_are_said_to_be_attained_are(choice: tuple[str, ...]) -> None:
    found = bounds_of_x(text(*choice))
    everything: set[int] = set()
    for vector in product(range(-1, 8), range(4), range(4)):
        numbers = dict(zip(SIZES, vector, strict=True))
        values = set(values_of_x(numbers, choice))
        everything |= values
        if not values:
            continue
        for side, attained in ((found.lower, min(values)), (found.upper, max(values))):
            if side.expression is None:
                continue
            known: dict[Atom, int] = {
                atom: numbers[f"%{atom.value.name_hint}"]
                for atom in side.expression.atoms()
                if isinstance(atom, Value)
            }
            bound = value(side.expression, known)
            assert bound <= attained if side is found.lower else bound >= attained
            assert bound == attained or not side.exact
    if everything and found.lower.constant_exact and found.lower.constant is not None:
        assert found.lower.constant == min(everything)


@pytest.mark.sample(1)
@pytest.mark.parametrize("outer", [each for each in OUTER if each != "from 3"])
def test_tiles_have_the_least_of_the_step_and_the_size(outer: str) -> None:
    """`min(%t, %rows)` at %j = 0, and that is `min(%n, %s, %t)` at %i = 0."""
    found = bounds_of_x(text(outer, "%c0", "%rows", "", "minsi", "%rows", "%t"))
    assert found.upper.exact
    assert str(found.upper.expression) == "min(%n, %s, %t)"
    assert (found.lower.constant, found.lower.constant_exact) == (1, True)
    assert (found.upper.constant, found.upper.constant_exact) == (None, True)
