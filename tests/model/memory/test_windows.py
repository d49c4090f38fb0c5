"""Views that count from the beginning of a buffer, against an enumeration of what they show."""

from __future__ import annotations

import random
from itertools import product
from math import prod

import pytest

import volcli
from volcli.model.memory.checks.accesses.accesses import AccessChecks
from volcli.model.memory.checks.answers.access_answers import AccessAnswer, AccessVerdict

INSIDE, OUTSIDE, UNKNOWN = AccessVerdict.IN_BOUNDS, AccessVerdict.OUT_OF_BOUNDS, AccessVerdict.UNKNOWN


def shown(body: str, arguments: str) -> list[AccessAnswer]:
    text = f"func.func @f({arguments}) {{\n%c0 = arith.constant 0 : index\n{body}\nreturn }}"
    return AccessChecks(volcli.load(text).units[0].models()[0].memory).all()


@pytest.mark.sample(4)
@pytest.mark.parametrize("seed", range(40))
def test_what_a_reinterpretation_shows(seed: int) -> None:
    chance = random.Random(seed)
    base = [chance.randint(1, 5) for _ in range(chance.randint(1, 3))]
    sizes = [chance.randint(0, 4) for _ in range(chance.randint(0, 2))]
    strides = [chance.choice([0, 1, 1, 2, 5, -1]) for _ in sizes]
    offset = chance.choice([0, 1, 4, prod(base) - 1])
    kind = f"memref<{'x'.join(map(str, base))}xf32>"
    shape = "".join(f"{size}x" for size in sizes)
    result = f"memref<{shape}f32, strided<[{', '.join(map(str, strides))}], offset: {offset}>>"
    text = f"%v = memref.reinterpret_cast %m to offset: [{offset}], sizes: {sizes}, strides: {strides} : {kind} to {result}"
    places = [
        offset + sum(i * stride for i, stride in zip(index, strides, strict=True))
        for index in product(*map(range, sizes))
    ]
    outside = [place for place in places if not 0 <= place < prod(base)]
    found = shown(text, f"%m: {kind}")
    if not found:
        assert offset == 0
        assert not sizes
        return
    (answer,) = found
    assert answer.verdict is (OUTSIDE if outside else INSIDE)
    assert (answer.failing, answer.total) == (len(outside), len(places))
    if outside:
        assert answer.always
        assert answer.witness is not None
        assert answer.witness.index[0] in outside


@pytest.mark.parametrize(
    ("shift", "count", "width", "verdict"),
    [(0, 4, 32, INSIDE), (0, 5, 32, OUTSIDE), (1, 4, 32, OUTSIDE), (12, 1, 32, INSIDE), (15, 1, 8, INSIDE),
     (15, 1, 16, OUTSIDE), (16, 0, 64, INSIDE)],
)  # fmt: skip
def test_what_a_view_of_bytes_shows(shift: int, count: int, width: int, verdict: AccessVerdict) -> None:
    text = f"""%s = arith.constant {shift} : index
      %v = memref.view %m[%s][] : memref<16xi8> to memref<{count}xi{width}>"""
    (answer,) = shown(text, "%m: memref<16xi8>")
    assert answer.verdict is verdict


REINTERPRETED = "memref.reinterpret_cast %m to offset: [{}], sizes: [{}], strides: [1] : {} to memref<{}xf32, strided<[1], offset: ?>>"


@pytest.mark.parametrize(
    ("kind", "offset", "size", "verdict", "always"),
    [("memref<9xf32>", "%n", "3", OUTSIDE, False), ("memref<?xf32>", "0", "4", OUTSIDE, False),
     ("memref<9xf32>", "8", "2", OUTSIDE, True), ("memref<?x?xf32>", "0", "4", UNKNOWN, False),
     ("memref<?x4xf32>", "%n", "4", OUTSIDE, False)],
)  # fmt: skip
def test_sizes_that_are_arguments(
    kind: str, offset: str, size: str, verdict: AccessVerdict, *, always: bool
) -> None:
    (answer,) = shown("%v = " + REINTERPRETED.format(offset, size, kind, size), f"%m: {kind}, %n: index")
    assert (answer.verdict, answer.always) == (verdict, always)
    assert verdict is not UNKNOWN or answer.because


@pytest.mark.parametrize("kind", ["memref<*xf32>", "memref<9xf32, strided<[1], offset: ?>>", "memref<f32>"])
def test_of_a_buffer_of_any_size_nothing_is_said(kind: str) -> None:
    assert shown("%v = " + REINTERPRETED.format(7, 90, kind, 90), f"%m: {kind}") == []


def test_the_buffer_behind_counts_and_not_the_view() -> None:
    """A row of a buffer is reinterpreted as the next one: inside of the buffer, if beyond the row."""
    row = "memref<1x4xf32, strided<[4, 1]>>"
    text = f"""%r = memref.subview %m[0, 0] [1, 4] [1, 1] : memref<3x4xf32> to {row}
      %v = {REINTERPRETED.replace("%m", "%r").format(4, 4, row, 4)}
      %w = {REINTERPRETED.replace("%m", "%v").format(9, 4, "memref<4xf32, strided<[1], offset: ?>>", 4)}"""
    *_, inside, outside = shown(text, "%m: memref<3x4xf32>")
    assert (inside.verdict, outside.verdict) == (INSIDE, OUTSIDE)


def test_the_finding_names_the_buffer() -> None:
    text = "%v = " + REINTERPRETED.format(2, 4, "memref<5xf32>", 4)
    report = volcli.loads(f"func.func @f(%m: memref<5xf32>) {{ {text} return }}").run("check-accesses")
    (finding,) = report.diagnostics
    assert finding.code == "V203"
    assert "the buffer of %m at [d0 + 2] out of bounds: index 5 in dimension 0 of size 5" in finding.message
