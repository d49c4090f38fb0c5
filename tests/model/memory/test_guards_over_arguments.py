"""Accesses behind conditions on arguments that no index is computed from: what is known of these holds there."""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import product

import pytest

import volcli
from volcli.facts.access import AccessFact

Numbers = dict[str, int]
RELATIONS: dict[str, Callable[[int, int], bool]] = {
    "sge": lambda one, other: one >= other,
    "slt": lambda one, other: one < other,
    "eq": lambda one, other: one == other,
}
KNOWN = {"low": range(4), "size": range(10), "small": range(-2, 2)}
"""By an assumption, as the size of a tensor that nothing accesses, and by a type, i2."""
NAMES = {"a": "%a", "low": "%low", "size": "dim(%t, 0)", "small": "%s"}


def drawn(seed: int) -> tuple[str, list[tuple[str, str, str, int]], int]:
    """A function that stores at %a + c behind some conditions `one <relation> other + c`."""
    chance = random.Random(seed)
    guards = [("a", chance.choice(("sge", "sge", "slt")), chance.choice(list(KNOWN)), chance.randint(-1, 2))]
    if chance.random() < 0.8:
        guards.append(("a", "slt", chance.choice(("low", "small")), chance.randint(0, 4)))
    if chance.random() < 0.4:
        guards.append(
            (chance.choice(list(KNOWN)), chance.choice(list(RELATIONS)), "small", chance.randint(-2, 1))
        )
    chance.shuffle(guards)
    shift = chance.randint(0, 2)
    lines = ["%c0 = arith.constant 0 : index", "%size = tensor.dim %t, %c0 : tensor<?xf32>"]
    lines.append("%small = arith.index_cast %s : i2 to index")
    for number, (one, relation, other, more) in enumerate(guards):
        lines.append(f"%k{number} = arith.constant {more} : index")
        lines.append(f"%r{number} = arith.addi %{other}, %k{number} : index")
        lines.append(f"%g{number} = arith.cmpi {relation}, %{one}, %r{number} : index")
        lines.append(f"scf.if %g{number} {{")
    lines += [f"affine.store %x, %m[symbol(%a) + {shift}] : memref<6xf32>", *("}" for _ in guards)]
    head = "func.func @f(%a: index, %low: index, %s: i2, %t: tensor<?xf32>, %m: memref<6xf32>, %x: f32) {"
    return "\n".join([head, *lines, "return", "}"]), guards, shift


def runs(guards: list[tuple[str, str, str, int]], at: Numbers) -> bool:
    """Whether the arguments are possible, and pass all of GUARDS."""
    is_possible = all(at[name] in numbers for name, numbers in KNOWN.items() if name != "size")
    passes = (RELATIONS[relation](at[one], at[other] + more) for one, relation, other, more in guards)
    return is_possible and at["size"] >= 0 and all(passes)


@pytest.mark.slow
@pytest.mark.parametrize("start", range(0, 80, 20))
def test_what_is_known_of_arguments_holds_behind_conditions(start: int) -> None:
    verdicts: list[str] = []
    for seed in range(start, start + 20):
        text, guards, shift = drawn(seed)
        program = volcli.loads(text, assume=["%low >= 0 and %low <= 3"])
        (fact,) = (fact for fact in program.run("check-accesses").facts if isinstance(fact, AccessFact))
        verdicts.append(fact.verdict)
        executed = [
            at
            for numbers in product(range(-12, 13), *KNOWN.values())
            if runs(guards, at := dict(zip(("a", *KNOWN), numbers, strict=True)))
        ]
        outside = [at for at in executed if not 0 <= at["a"] + shift < 6]
        assert (fact.verdict == "out-of-bounds") == bool(outside), f"{outside[:1]}\n{text}"
        if fact.witness is not None:
            said = {name: fact.witness.parameters.get(text, 0) for name, text in NAMES.items()}
            free = [name for name, text in NAMES.items() if text not in fact.witness.parameters]
            others = [dict(zip(free, numbers, strict=True)) for numbers in product(*(KNOWN[n] for n in free))]
            assert any(runs(guards, {**said, **each}) for each in others), f"{said}\n{text}"
            assert fact.witness.index == (said["a"] + shift,)
    assert {"in-bounds", "out-of-bounds"} <= {*verdicts}
