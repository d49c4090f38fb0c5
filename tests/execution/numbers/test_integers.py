"""Every operation on integers, on all numbers of few bits, against another statement of what it means."""

from __future__ import annotations

import itertools
import random

import pytest

from tests.oracles.arith.execute import (
    BINARY,
    CASTS,
    EXTENDED,
    FLAGS,
    POISON,
    Number,
    Step,
    Undefined,
    all_numbers,
    perform,
)
from tests.oracles.arith.programs import INDEX_NAMES
from tests.oracles.interpreter.arithmetic import PREDICATES
from tests.shared.running import Code
from volcli.execution.numbers import values
from volcli.execution.outcomes import Undefined as Stopped

WIDTHS = (1, 4, pytest.param(8, marks=pytest.mark.slow))
SAMPLES = 300


def _operands(*widths: int) -> list[tuple[Number, ...]]:
    """All numbers of few bits, a sample of more, and poison in the place of each."""
    found: list[tuple[Number, ...]] = list(itertools.product(*map(all_numbers, widths)))
    if len(found) > SAMPLES:
        corners = [(min(n), -1, 0, 1, max(n)) for n in map(all_numbers, widths)]
        found = [*itertools.product(*corners), *random.Random(1).sample(found, SAMPLES)]
    for position in range(len(widths)):
        some = [
            (*each[:position], POISON, *each[position + 1 :]) for each in found[:: max(1, len(found) // 9)]
        ]
        found += some
    return found


def _expected(step: Step, operands: tuple[Number, ...]) -> tuple[Number, ...] | None:
    try:
        return perform(step, operands)
    except Undefined:
        return None


def _found(code: Code, operands: tuple[Number, ...]) -> tuple[Number, ...] | None:
    given = [values.POISON if each == POISON else each for each in operands]
    try:
        return tuple(POISON if each is values.POISON else each for each in code(*given))
    except Stopped:
        return None


def _agree(text: str, step: Step, *widths: int) -> None:
    code = Code(text)
    for operands in _operands(*widths):
        assert _found(code, operands) == _expected(step, operands), (text, operands)


@pytest.mark.sample(12)
@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", BINARY)
def test_binary(name: str, width: int) -> None:
    for flags in FLAGS.get(name, ((),)):
        if flags == ("exact",):
            shown = " exact"
        else:
            shown = f" overflow<{', '.join(flags)}>" if flags else ""
        operands = f" %a, %b{shown}"
        text = (
            f"func.func @f(%a: i{width}, %b: i{width}) -> i{width} {{\n"
            f"  %r = arith.{name}{operands} : i{width}\n  return %r : i{width}\n}}"
        )
        _agree(text, Step(("r",), name, ("a", "b"), width, width, flags), width, width)


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", EXTENDED)
def test_extended(name: str, width: int) -> None:
    other = 1 if name == "addui_extended" else width
    kinds = f"i{width}, i1" if name == "addui_extended" else f"i{width}"
    text = (
        f"func.func @f(%a: i{width}, %b: i{width}) -> (i{width}, i{other}) {{\n"
        f"  %r, %s = arith.{name} %a, %b : {kinds}\n  return %r, %s : i{width}, i{other}\n}}"
    )
    _agree(text, Step(("r", "s"), name, ("a", "b"), width, width), width, width)


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("predicate", PREDICATES)
def test_comparisons(predicate: str, width: int) -> None:
    text = (
        f"func.func @f(%a: i{width}, %b: i{width}) -> i1 {{\n"
        f"  %r = arith.cmpi {predicate}, %a, %b : i{width}\n  return %r : i1\n}}"
    )
    _agree(text, Step(("r",), "cmpi", ("a", "b"), width, 1, predicate=predicate), width, width)


@pytest.mark.parametrize("name", CASTS)
def test_casts(name: str) -> None:
    for source, target in ((1, 8), (4, 8), (8, 4), (8, 1), (4, 0), (8, 0), (0, 8)):
        is_index = "index" in name
        if is_index != (0 in (source, target)) or (not is_index and (source < target) == (name == "trunci")):
            continue
        kinds = [f"i{width}" if width else "index" for width in (source, target)]
        for flags in FLAGS.get(name, ((),)):
            shown = f" overflow<{', '.join(flags)}>" if flags else ""
            text = (
                f"func.func @f(%a: {kinds[0]}) -> {kinds[1]} {{\n"
                f"  %r = arith.{name} %a{shown} : {kinds[0]} to {kinds[1]}\n  return %r : {kinds[1]}\n}}"
            )
            _agree(text, Step(("r",), name, ("a",), source or 64, target, flags), source or 8)


@pytest.mark.parametrize("name", INDEX_NAMES)
def test_index(name: str) -> None:
    text = (
        f"func.func @f(%a: index, %b: index) -> index {{\n"
        f"  %r = index.{INDEX_NAMES[name]} %a, %b\n  return %r : index\n}}"
    )
    code, step = Code(text), Step(("r",), name, ("a", "b"), 0, 0, dialect="index")
    corners = (-(2**63), -(2**63) + 1, -65, -64, -3, -1, 0, 1, 2, 63, 64, 2**63 - 1)
    for operands in itertools.product(corners, repeat=2):
        assert _found(code, operands) == _expected(step, operands), (name, operands)


def test_a_selection_does_not_see_the_other_value() -> None:
    code = Code(
        "func.func @f(%c: i1, %a: i8, %b: i8) -> i8 {\n  %r = arith.select %c, %a, %b : i8\n  return %r : i8\n}"
    )
    assert code(1, 5, values.POISON) == (5,)
    assert code(0, values.POISON, 7) == (7,)
    assert code(values.POISON, 5, 7)[0] is values.POISON
