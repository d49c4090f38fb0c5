"""Indices that the bounds of loops keep inside: the same as by integer sets, and as counting iterations."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

import volcli
from volcli.model.memory.checks.accesses.accesses import AccessChecks
from volcli.model.memory.checks.answers.access_answers import AccessAnswer, AccessVerdict
from volcli.model.memory.checks.plain.within_loops import WithinLoops

TILES = """affine.for %t = 0 to %n step 4 {
  affine.for %i = affine_map<(d0) -> (d0)>(%t) to min affine_map<(d0)[s0] -> (d0 + 4, s0)>(%t)[%n] {
    %x = affine.load %a[%i] : memref<?xf32>
  }
}"""
INSIDE = {
    "one loop": "affine.for %i = 0 to %n { %x = affine.load %a[%i] : memref<?xf32> }",
    "backwards": "affine.for %i = 0 to %n { %x = affine.load %a[-%i + symbol(%n) - 1] : memref<?xf32> }",
    "a triangle": (
        "affine.for %i = 0 to %n { affine.for %j = affine_map<(d0) -> (d0)>(%i) to %n"
        " { %x = affine.load %a[%j - %i] : memref<?xf32> } }"
    ),
    "tiles": TILES,
    "whole tiles": (
        "affine.for %k = 0 to %n { affine.for %t = 0 to 32 step 8 {"
        " affine.for %i = affine_map<(d0) -> (d0)>(%t) to affine_map<(d0) -> (d0 + 8)>(%t)"
        " { %x = affine.load %wide[%k, %i] : memref<?x32xf32> } } }"
    ),
    "a point": "affine.for %i = 0 to %n { %c = arith.constant 0 : index %x = affine.load %b[%i, %c] : memref<?x3xf32> }",
}
OUTSIDE = {
    "tiles beyond": INSIDE["whole tiles"].replace("0 to 32", "0 to 33"),
    "one too far": "affine.for %i = 0 to %n { %x = affine.load %a[%i + 1] : memref<?xf32> }",
    "one too early": "affine.for %i = -1 to %n { %x = affine.load %a[%i] : memref<?xf32> }",
    "twice": "affine.for %i = 0 to %n { %x = affine.load %a[2 * %i] : memref<?xf32> }",
    "rounded up": TILES.replace(
        "min affine_map<(d0)[s0] -> (d0 + 4, s0)>(%t)[%n]", "affine_map<(d0) -> (d0 + 4)>(%t)"
    ),
}


def answer(body: str) -> AccessAnswer:
    """What is said of the one access to a buffer of %n elements, or of %n rows."""
    text = f"""func.func @f(%n: index) {{
      %a = memref.alloc(%n) : memref<?xf32>
      %b = memref.alloc(%n) : memref<?x3xf32>
      %wide = memref.alloc(%n) : memref<?x32xf32>
      {body}
      return
    }}"""
    (model,) = volcli.loads(text).units[0].models()
    (found,) = AccessChecks(model.memory).all()
    return found


@pytest.mark.sample(5)
@pytest.mark.parametrize("name", INSIDE)
def test_inside_without_sets(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """They are proved without sets, and the sets say the same."""
    with monkeypatch.context() as without:
        without.setattr(AccessChecks, "of", lambda *_: pytest.fail("by sets"))
        found = answer(INSIDE[name])
    monkeypatch.setattr(WithinLoops, "are_inside", lambda *_: False)
    whole = answer(INSIDE[name])
    assert found.verdict is AccessVerdict.IN_BOUNDS
    for field in ("verdict", "always", "condition", "failing", "total", "because", "assumptions", "outside"):
        assert getattr(found, field) == getattr(whole, field), field


@pytest.mark.parametrize("name", OUTSIDE)
def test_outside(name: str) -> None:
    """What leaves its buffer is not inside."""
    assert answer(OUTSIDE[name]).verdict is AccessVerdict.OUT_OF_BOUNDS


def test_nothing_runs() -> None:
    """Where no iteration runs for any arguments, their number is known: 0."""
    loop = "affine.for %i = 0 to %n { %x = affine.load %a[%i] : memref<?xf32> }"
    found = answer(f"affine.if affine_set<()[s0] : (-s0 - 1 >= 0)>()[%n] {{ {loop} }}")
    assert (found.verdict, found.failing, found.total) == (AccessVerdict.IN_BOUNDS, 0, 0)


Nest = list[tuple[int, int, int, int]]
"""For each loop: constants of its lower and upper bound, and the coefficients in these of what is around."""


def random_nest(numbers: random.Random) -> Nest:
    return [
        (numbers.randint(-1, 1), numbers.randint(-1, 1), numbers.choice([0, 0, 1]), numbers.choice([0, 1, 1]))
        for _ in range(numbers.randint(1, 3))
    ]


def program(nest: Nest, index: list[int], shift: int) -> str:
    """The loops `for i_k = c_k * i_(k-1) + l_k to d_k * n + (1 - d_k) * i_(k-1) + u_k`, and a load in them."""
    body = " + ".join(f"{c} * %i{k}" for k, c in enumerate(index) if c) or "0"
    body = f"%x = affine.load %a[{body} + {shift}] : memref<?xf32>"
    for k, (low, high, inner, size) in reversed([*enumerate(nest)]):
        around = f"%i{k - 1}" if k else "%zero"
        lower = f"affine_map<(d0) -> ({inner} * d0 + {low})>({around})"
        upper = f"affine_map<(d0)[s0] -> ({size} * s0 + {1 - size} * d0 + {high})>({around})[%n]"
        body = f"affine.for %i{k} = {lower} to {upper} {{ {body} }}"
    return f"%zero = arith.constant 0 : index\n{body}"


def indices(nest: Nest, index: list[int], shift: int, n: int) -> Iterator[int]:
    """The elements that the load goes to for a number n."""

    def run(k: int, values: list[int]) -> Iterator[int]:
        if k == len(nest):
            yield sum(c * i for c, i in zip(index, values, strict=True)) + shift
            return
        low, high, inner, size = nest[k]
        around = values[-1] if values else 0
        for i in range(inner * around + low, size * n + (1 - size) * around + high):
            yield from run(k + 1, [*values, i])

    return run(0, [])


@pytest.mark.sample(4)
@pytest.mark.parametrize("seed", range(60))
def test_as_counting(seed: int) -> None:
    """What is in bounds is so for each n; what is not has an n for which it is not."""
    numbers = random.Random(seed)
    nest = random_nest(numbers)
    index = [numbers.choice([0, 0, 1, 1, -1]) for _ in nest]
    shift = numbers.randint(-1, 1)
    found = answer(program(nest, index, shift))
    is_inside = all(0 <= e < n for n in range(9) for e in indices(nest, index, shift, n))
    assert (found.verdict is AccessVerdict.IN_BOUNDS) == is_inside
