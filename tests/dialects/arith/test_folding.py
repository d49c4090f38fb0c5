"""Integers and truths that are made of constant floats are what an execution gives."""

from __future__ import annotations

from itertools import product

import pytest

from tests.model.volumes.test_contents import function, is_map, maps
from tests.shared.running import Code

NUMBERS = ("2.75", "-2.75", "0.0", "-0.0", "1.0e30", "0x7F800000", "0x7FC00000", "1.4e-45", "127.9")
PREDICATES = [
    "false",
    "oeq",
    "ogt",
    "oge",
    "olt",
    "ole",
    "one",
    "ord",
    "ueq",
    "ugt",
    "uge",
    "ult",
    "ule",
    "une",
    "uno",
    "true",
]


def stored_at(lines: str, index: str) -> str:
    """A function that stores %x at INDEX, which LINES compute."""
    return function(
        "%m: memref<128xf32>, %x: f32",
        f"{lines}\n%k = arith.index_cast {index} to index\nmemref.store %x, %m[%k] : memref<128xf32>",
    )


@pytest.mark.parametrize("text", NUMBERS)
@pytest.mark.parametrize("cast", ["fptosi", "fptoui", "bitcast"])
def test_a_cast_is_what_is_executed(text: str, cast: str) -> None:
    """What is too large is poison, and the bits of NaN are left open: nothing is known of either."""
    kind = "i32" if cast == "bitcast" else "i8"
    lines = f"%c = arith.constant {text} : f32\n%r = arith.{cast} %c : f32 to {kind}"
    (number,) = Code(f"func.func @f() -> {kind} {{\n{lines}\nreturn %r : {kind}\n}}")()
    fact = maps(stored_at(lines, f"%r : {kind}"))["%m"]
    at = f"{number}" if isinstance(number, int) and 0 <= number < 128 else "no element"
    if at != "no element" and text != "0x7FC00000":
        assert is_map(fact, f"{{ m[{at}] -> x[]; m[i] -> m[i] : 0 <= i < 128 and i != {at} }}"), fact.map


@pytest.mark.parametrize("predicate", PREDICATES)
def test_a_comparison_is_what_is_executed(predicate: str) -> None:
    """A store for each pair of numbers, where the comparison holds."""
    numbers = ("1.5", "-0.0", "0.0", "0x7FC00000", "0x7F800000")
    compared, stores, names = list[str](), list[str](), list[str]()
    for k, (a, b) in enumerate(product(numbers, repeat=2)):
        names.append(f"%r{k}")
        compared.append(f"%a{k} = arith.constant {a} : f32\n%b{k} = arith.constant {b} : f32")
        compared.append(f"%r{k} = arith.cmpf {predicate}, %a{k}, %b{k} : f32")
        stores.append(f"%k{k} = arith.constant {k} : index")
        stores.append(f"scf.if %r{k} {{ memref.store %x, %m[%k{k}] : memref<25xf32> }}")
    kinds, lines = ", ".join(["i1"] * 25), "\n".join(compared)
    truths = Code(f"func.func @f() -> ({kinds}) {{\n{lines}\nreturn {', '.join(names)} : {kinds}\n}}")()
    fact = maps(function("%m: memref<25xf32>, %x: f32", "\n".join([lines, *stores])))["%m"]
    each = (f"m[{k}] -> {'x[]' if truth else f'm[{k}]'}" for k, truth in enumerate(truths))
    assert is_map(fact, f"{{ {'; '.join(each)} }}"), fact.map


@pytest.mark.parametrize(
    ("base", "exponent", "power"), [(2, 3, 8), (-3, 2, 9), (3, 5, -13), (7, 0, 1), (0, 0, 1)]
)
def test_a_power_wraps_around(base: int, exponent: int, power: int) -> None:
    lines = f"""%a = arith.constant {base} : i8
    %b = arith.constant {exponent} : i8
    %r = math.ipowi %a, %b : i8"""
    (found,) = Code(f"func.func @f() -> i8 {{\n{lines}\nreturn %r : i8\n}}")()
    assert found == power
    if power >= 0:
        fact = maps(stored_at(lines, "%r : i8"))["%m"]
        assert is_map(fact, f"{{ m[{power}] -> x[]; m[i] -> m[i] : 0 <= i < 128 and i != {power} }}"), (
            fact.map
        )


def test_a_promise_leaves_nan_open() -> None:
    """A comparison with NaN under `nnan` is poison."""
    lines = """%n = arith.constant 0x7FC00000 : f32
    %r = arith.cmpf uno, %n, %x fastmath<nnan> : f32
    scf.if %r { memref.store %x, %m[%k] : memref<1xf32> }"""
    text = function("%m: memref<1xf32>, %x: f32", f"%k = arith.constant 0 : index\n{lines}")
    assert not is_map(maps(text)["%m"], "{ m[0] -> x[] }")
