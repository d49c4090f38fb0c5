"""What is said of invalid structured operations, against the verifier of mlir-opt-22."""

from __future__ import annotations

import pytest
from xdsl.dialects.linalg.abstract_ops import LinalgStructuredOperation

from tests.dialects.conftest import Ask, read
from tests.dialects.linalg.linalg_units import UNITS, function
from volcli.language.questions import Problem
from volcli_dialects.linalg.problems import structure_problems


def generic(
    maps: str,
    types: tuple[str, str] = ("tensor<4xf32>", "tensor<4xf32>"),
    *,
    iterators: str = '"parallel"',
    arguments: str = "%x: f32, %y: f32",
    yielded: str = "%y : f32",
    result: str | None = None,
) -> str:
    """A function with a linalg.generic of one input and one output."""
    before, after = types
    result = after if result is None else result
    name, arrow = ("%r = ", f" -> {result}") if result else ("", "")
    trait = f"{{indexing_maps = [{maps}], iterator_types = [{iterators}]}}"
    return (
        f"func.func @f(%a: {before}, %b: {after}) {{\n"
        f"  {name}linalg.generic {trait} ins(%a : {before}) outs(%b : {after}) {{\n"
        f"  ^bb0({arguments}):\n    linalg.yield {yielded}\n  }}{arrow}\n  return\n}}\n"
    )


def of_dimensions(op: str, before: str, after: str, dimensions: str) -> str:
    """A function with an operation that has a list of dimensions."""
    text = f"{op} ins(%a : {before}) outs(%b : {after}) {dimensions}"
    return f"func.func @f(%a: {before}, %b: {after}) {{\n  %r = {text}\n  return\n}}\n"


D0 = "affine_map<(d0) -> (d0)>"
D0_OF_2 = "affine_map<(d0, d1) -> (d0)>"
TWO = '"parallel", "parallel"'

STRUCTURE = {
    "number of maps": generic(D0),
    "dims": generic(f"{D0_OF_2}, {D0}"),
    "dims of all": generic(
        "affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>",
        ("tensor<4x4xf32>", "tensor<4x4xf32>"),
    ),
    "rank": generic(f"affine_map<(d0) -> (d0, d0)>, {D0}"),
    "rank before invertibility": generic(
        f"{D0_OF_2}, affine_map<(d0, d1) -> (d0, d0)>", ("tensor<4x4xf32>", "tensor<4x4xf32>"), iterators=TWO
    ),
    "symbols": generic(f"affine_map<(d0)[s0] -> (d0)>, {D0}"),
    "a loop that is no subscript": generic(f"{D0_OF_2}, {D0_OF_2}", iterators=TWO),
    "a loop only in a sum": generic(f"affine_map<(d0, d1) -> (d0 + d1 * 2 - 1)>, {D0_OF_2}", iterators=TWO),
    "number of arguments": generic(f"{D0}, {D0}", arguments="%y: f32"),
    "type of an argument": generic(f"{D0}, {D0}", arguments="%x: i32, %y: f32"),
    "number of results": generic(f"{D0}, {D0}", result=""),
    "type of a result": generic(f"{D0}, {D0}", result="tensor<?xf32>"),
    "number of yields": generic(f"{D0}, {D0}", yielded="%x, %y : f32, f32"),
    "type of a yield": generic(f"{D0}, {D0}", arguments="%y: i32, %x: f32", yielded="%y : i32")
    .replace("%a: tensor<4xf32>", "%a: tensor<4xi32>")
    .replace("ins(%a : tensor<4xf32>", "ins(%a : tensor<4xi32>"),
    "tensor and memref": generic(f"{D0}, {D0}", ("tensor<4xf32>", "memref<5xf32>"), result=""),
    "rank of a named operation": function(
        "linalg.add", "", ["tensor<4xf32>", "tensor<4x4xf32>", "tensor<4x4xf32>"]
    ),
    "permutation": of_dimensions(
        "linalg.transpose", "tensor<4x5xf32>", "tensor<5x4xf32>", "permutation = [1, 1]"
    ),
    "length of permutation": of_dimensions(
        "linalg.transpose", "tensor<4x5xf32>", "tensor<5x4xf32>", "permutation = [1, 0, 2]"
    ),
    "rank of a transpose": of_dimensions(
        "linalg.transpose", "tensor<4x5xf32>", "tensor<5x4x3xf32>", "permutation = [1, 0]"
    ),
    "dynamic transpose": of_dimensions(
        "linalg.transpose", "tensor<4x?xf32>", "tensor<5x4xf32>", "permutation = [1, 0]"
    ),
    "rank of a broadcast": of_dimensions(
        "linalg.broadcast", "tensor<4xf32>", "tensor<5x5xf32>", "dimensions = [1, 0]"
    ),
    "dimension of a broadcast": of_dimensions(
        "linalg.broadcast", "tensor<5xf32>", "tensor<5x5xf32>", "dimensions = [2]"
    ),
    "dimension of a reduction": of_dimensions(
        "linalg.reduce { arith.addf }", "tensor<4x5xf32>", "tensor<5xf32>", "dimensions = [2]"
    ),
    "rank of a reduction": of_dimensions(
        "linalg.reduce { arith.addf }", "tensor<4x5xf32>", "tensor<5x5xf32>", "dimensions = [1]"
    ),
    "rank of a map": of_dimensions("linalg.map { math.exp }", "tensor<4xf32>", "tensor<4x5xf32>", ""),
    "dynamic map": of_dimensions("linalg.map { math.exp }", "tensor<?xf32>", "tensor<4xf32>", ""),
}

SHAPE = {
    "two sizes": generic(f"{D0}, {D0}", ("tensor<5xf32>", "tensor<4xf32>")),
    "too small": generic(f"affine_map<(d0) -> (d0 * 2)>, {D0}", ("tensor<5xf32>", "tensor<4xf32>")),
    "below zero": generic(f"affine_map<(d0) -> (d0 - 1)>, {D0}", ("tensor<5xf32>", "tensor<4xf32>")),
    "reversed": generic(f"affine_map<(d0) -> (-d0 + 5)>, {D0}"),
    "inner dimensions": function(
        "linalg.matmul", "", ["tensor<4x5xf32>", "tensor<6x7xf32>", "tensor<4x7xf32>"]
    ),
    "window": function(
        "linalg.conv_2d_nhwc_hwcf", "", ["tensor<1x5x9x1xf32>", "tensor<3x3x1x1xf32>", "tensor<1x4x4x1xf32>"]
    ),
    "transposed sizes": of_dimensions(
        "linalg.transpose", "tensor<4x5xf32>", "tensor<4x5xf32>", "permutation = [1, 0]"
    ),
    "broadcast sizes": of_dimensions(
        "linalg.broadcast", "tensor<4xf32>", "tensor<5x5xf32>", "dimensions = [1]"
    ),
    "reduced sizes": of_dimensions(
        "linalg.reduce { arith.addf }", "tensor<4x5xf32>", "tensor<5xf32>", "dimensions = [1]"
    ),
    "mapped sizes": of_dimensions("linalg.map { math.exp }", "tensor<4x5xf32>", "tensor<5x5xf32>", ""),
}


def problems(text: str) -> list[Problem]:
    (op,) = (op for op in read(text).walk() if isinstance(op, LinalgStructuredOperation))
    return structure_problems(op)


@pytest.mark.sample(4)
@pytest.mark.parametrize(
    ("name", "kind"), [*((name, "structure") for name in STRUCTURE), *((name, "shape") for name in SHAPE)]
)
def test_kind(name: str, kind: str) -> None:
    assert [problem.kind for problem in problems({**STRUCTURE, **SHAPE}[name])] == [kind]


@pytest.mark.mlir
def test_messages_are_those_of_mlir_opt(ask: Ask) -> None:
    invalid = {**STRUCTURE, **SHAPE}
    answers = [line for line in ask(list(invalid.values()), errors=True) if "error: " in line]
    assert len(answers) == len(invalid)
    for (name, text), answer in zip(invalid.items(), answers, strict=True):
        assert problems(text)[0].message == answer.partition("' op ")[2], name


@pytest.mark.sample(1)
@pytest.mark.parametrize("part", range(40))
def test_valid_operations_have_no_problems(part: int) -> None:
    for name in list(UNITS)[part::40]:
        ops = [op for op in read(UNITS[name]).walk() if isinstance(op, LinalgStructuredOperation)]
        assert [structure_problems(op) for op in ops] == [[] for _ in ops], name


def test_sizes_are_compared_where_some_are_dynamic() -> None:
    """mlir-opt looks at sizes only where all are static."""
    text = function("linalg.matmul", "", ["tensor<?x5xf32>", "tensor<6x7xf32>", "tensor<?x7xf32>"])
    assert problems(text) == [
        Problem("shape", "inferred input/output operand #1 has shape's dimension #0 to be 5, but found 6")
    ]


def test_all_sizes_are_reported() -> None:
    types = ["tensor<1x5x5x1xf32>", "tensor<3x3x1x1xf32>", "tensor<1x4x4x1xf32>"]
    assert len(problems(function("linalg.conv_2d_nhwc_hwcf", "", types))) == 2
