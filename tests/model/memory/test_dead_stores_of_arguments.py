"""A dead store to an argument is one whichever arguments are the same memory: by enumeration of both."""

from __future__ import annotations

import random

import pytest

import volcli

SIZE = 3
Step = tuple[str, str, int]
"""What is done ("store" or "load"), with which argument, at which index."""


def drawn(chance: random.Random) -> list[Step]:
    kinds = ["store"] * 3 + ["load"] * chance.choice([0, 1, 3])
    return [
        (chance.choice(kinds), chance.choice("bo"), chance.randrange(SIZE))
        for _ in range(chance.randint(2, 7))
    ]


def written(steps: list[Step]) -> str:
    lines = [
        f"  affine.store %x, %{m}[{k}] : memref<{SIZE}xf32>"
        if kind == "store"
        else f"  %v{number} = affine.load %{m}[{k}] : memref<{SIZE}xf32>"
        for number, (kind, m, k) in enumerate(steps)
    ]
    head = f"func.func @f(%x: f32, %b: memref<{SIZE}xf32>, %o: memref<{SIZE}xf32>) {{"
    return "\n".join([head, *lines, "  return", "}"])


def dead(steps: list[Step], shift: int | None) -> set[int]:
    """The stores that nothing reads, if %o[k] is %b[k + shift] (None: they have nothing in common)."""

    def cell(step: Step) -> tuple[str, int]:
        _, memref, index = step
        return ("b", index + shift) if memref == "o" and shift is not None else (memref, index)

    found: set[int] = set()
    for number, step in enumerate(steps):
        later = (each for each in steps[number + 1 :] if cell(each) == cell(step))
        if step[0] == "store" and next(later, ("load",))[0] == "store":
            found.add(number)
    return found


@pytest.mark.parametrize("seed", range(4))
def test_what_is_found_is_dead_however_arguments_overlap(seed: int) -> None:
    chance = random.Random(seed)
    count = 0
    for _ in range(25):
        steps = drawn(chance)
        program = volcli.loads(written(steps)).run("memory-flow")
        found = {said.place.line - 2 for said in program.diagnostics if said.code == "V206" and said.place}
        always = set.intersection(*(dead(steps, shift) for shift in (None, *range(1 - SIZE, SIZE))))
        assert found <= always
        if all(kind == "store" for kind, _, _ in steps):
            assert found == always
        count += len(found)
    assert count
