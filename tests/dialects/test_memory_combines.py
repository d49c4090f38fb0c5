"""Which arithmetic can be reordered: laws that are tried out on all small numbers, and mlir-opt's names."""

from __future__ import annotations

import re
from itertools import product

import pytest

from tests.dialects.conftest import Ask
from tests.dialects.memory_cases import first
from tests.oracles.interpreter.arithmetic import DIVISIONS, SIGNED, UNSIGNED, arith, unsigned
from volcli.language import questions

FLOATS = ("addf", "mulf", "maximumf", "minimumf", "maxnumf", "minnumf", "subf", "divf", "remf")
# What mlir-opt makes reductions of. (For extrema of numbers with a sign and for xori it makes invalid ones.)
REDUCED = {"addf": "f32", "mulf": "f32", "maximumf": "f32", "minimumf": "f32"} | dict.fromkeys(
    ("addi", "muli", "andi", "ori"), "i32"
)
WIDTH = 3


def combines(name: str, kind: str) -> str | None:
    op = first(f"arith.{name}", f"%a: {kind}, %b: {kind}", f"%r = arith.{name} %a, %b : {kind}")
    return questions.combines(op)


def result(name: str, x: int, y: int) -> int:
    """The operation on bit patterns."""
    return unsigned(arith(name, x, y, WIDTH), WIDTH)


def obeys_the_laws(name: str) -> bool:
    numbers = range(2**WIDTH)
    return all(
        result(name, x, y) == result(name, y, x)
        and result(name, result(name, x, y), z) == result(name, x, result(name, y, z))
        for x, y, z in product(numbers, numbers, numbers)
    )


@pytest.mark.parametrize("name", sorted({*SIGNED, *UNSIGNED} - DIVISIONS))
def test_what_is_associative_and_commutative(name: str) -> None:
    assert (combines(name, "i32") is not None) == obeys_the_laws(name)


@pytest.mark.parametrize("name", sorted(DIVISIONS))
def test_divisions_are_in_order(name: str) -> None:
    assert combines(name, "i32") is None


@pytest.mark.parametrize("name", FLOATS)
def test_floats(name: str) -> None:
    assert (combines(name, "f32") is not None) == (name not in ("subf", "divf", "remf"))


@pytest.mark.mlir
def test_the_names_are_those_that_mlir_opt_gives_reductions(ask: Ask) -> None:
    units = [
        f"func.func @f(%m: memref<8x{kind}>, %z: {kind}) -> {kind} {{\n"
        f"%r = affine.for %i = 0 to 8 iter_args(%a = %z) -> {kind} {{\n%x = affine.load %m[%i] : memref<8x{kind}>\n"
        f"%y = arith.{name} %a, %x : {kind}\naffine.yield %y : {kind}\n}}\nreturn %r : {kind}\n}}\n"
        for name, kind in REDUCED.items()
    ]
    answers = ask(units, "-affine-parallelize=parallel-reductions=1")
    named = [re.findall(r'reduce \("(\w+)"\)', answer) for answer in answers]
    assert named == [[combines(name, kind)] for name, kind in REDUCED.items()]


@pytest.mark.sample(2)
@pytest.mark.mlir
@pytest.mark.parametrize("name", ["maxsi", "minsi", "maxui", "minui", "xori"])
def test_the_names_of_the_others_are_read_by_mlir_opt(name: str, ask: Ask) -> None:
    kind = combines(name, "i32")
    unit = (
        "func.func @f(%x: i32, %m: memref<8xi32>, %i: index) {\n"
        f"%r = memref.atomic_rmw {kind} %x, %m[%i] : (i32, memref<8xi32>) -> i32\nreturn\n}}\n"
    )
    (lowered,) = ask([unit], "-memref-expand", "-finalize-memref-to-llvm")
    expected = {"maxsi": "max", "minsi": "min", "maxui": "umax", "minui": "umin", "xori": "_xor"}
    assert f"llvm.atomicrmw {expected[name]} " in lowered
