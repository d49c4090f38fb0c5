"""Masks of coordinates in narrow and unsigned integers: where they wrap around, and between which limits."""

from __future__ import annotations

from collections.abc import Callable

import islpy as isl
import pytest

import volcli

TEXT = """func.func @f(%a: tensor<{n}xf32>, %b: tensor<{n}xf32>) -> tensor<{n}xf32> {{
  %i = stablehlo.iota dim = 0 : tensor<{n}x{kind}>
  %k = stablehlo.constant dense<{number}> : tensor<{n}x{kind}>
  %low = stablehlo.constant dense<2> : tensor<{kind}>
  %high = stablehlo.constant dense<{high}> : tensor<{kind}>
  {lines}
  %r = stablehlo.select %m, %a, %b : tensor<{n}xi1>, tensor<{n}xf32>
  return %r : tensor<{n}xf32>
}}"""


def line(name: str, operands: str, kind: str, name_of: str = "%x") -> str:
    return f"{name_of} = stablehlo.{name} {operands} : {kind}"


def compared(by: str, one: str, other: str, kind: str) -> str:
    return f"%m = stablehlo.compare {by}, {one}, {other} : ({kind}, {kind}) -> {kind.rsplit('x', 1)[0]}xi1>"


def clamped(kind: str) -> str:
    scalar = f"tensor<{kind.rsplit('x', 1)[1]}"
    return f"%x = stablehlo.clamp %low, %i, %high : ({scalar}, {kind}, {scalar}) -> {kind}"


WIDE = "tensor<9xui8>"
CASES: dict[str, tuple[int, str, int, int, list[str], Callable[[int], bool]]] = {
    "products wrap around at 256": (
        9, "ui8", 60, 5, [line("multiply", "%i, %k", WIDE), compared("LT", "%x", "%k", WIDE)],
        lambda i: i * 60 % 256 < 60,
    ),
    "a difference has no sign": (
        9, "ui8", 200, 5, [line("subtract", "%i, %k", WIDE), compared("GE", "%x", "%k", WIDE)],
        lambda i: (i - 200) % 256 >= 200,
    ),
    "a large number is equal to itself": (
        9, "ui8", 248, 5,
        [line("add", "%i, %k", WIDE), compared("EQ", "%x", "%y", WIDE)],
        lambda i: (i + 248) % 256 == 255,
    ),
    "what is between limits stays": (
        8, "i32", 0, 5, [clamped("tensor<8xi32>"), compared("EQ", "%x", "%i", "tensor<8xi32>")],
        lambda i: 2 <= i <= 5,
    ),
    "limits without a sign": (
        300, "ui8", 0, 200, [clamped("tensor<300xui8>"), compared("NE", "%x", "%i", "tensor<300xui8>")],
        lambda i: not 2 <= i % 256 <= 200,
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_the_map_is_that_of_the_mask(name: str) -> None:
    n, kind, number, high, lines, is_first = CASES[name]
    if "%y" in lines[-1]:
        lines = [f"%y = stablehlo.constant dense<255> : tensor<{n}x{kind}>", *lines]
    text = TEXT.format(n=n, kind=kind, number=number, high=high, lines="\n  ".join(lines))
    (fact,) = volcli.loads(text).run("element-maps").to_json()["files"][0]["facts"]
    wanted = (f"r[{i}] -> {'a' if is_first(i) else 'b'}[{i}]" for i in range(n))
    assert fact["exact"]
    assert isl.UnionMap(fact["map"]).is_equal(isl.UnionMap("{ " + "; ".join(wanted) + " }"))
