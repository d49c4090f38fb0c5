"""What structured operations access: the same as the loops that mlir-opt makes of them, in the same order."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import product

import pytest
from xdsl.dialects.builtin import AffineMapAttr
from xdsl.ir import BlockArgument, Operation, SSAValue

from tests.dialects.conftest import Ask
from tests.dialects.memory_cases import (
    Point,
    accesses,
    box,
    element_list,
    elements,
    first,
    shape_of,
    the_access,
)
from tests.dialects.roundtrip import read_natively
from tests.shared.enumeration import function
from volcli.language import questions
from volcli.language.memory import Effect

A, B, C = "%a: memref<3x4xf32>", "%b: memref<4x5xf32>", "%c: memref<3x5xf32>"
IMAGE, KERNEL = "%a: memref<1x8x7x2xf32>", "%b: memref<3x2x2x3xf32>"
WINDOW = "%a: memref<1x8x6x2xf32>, %b: memref<3x2xf32>"
OPS = {
    "matmul": (f"{A}, {B}, {C}", "linalg.matmul ins(%a, %b : memref<3x4xf32>, memref<4x5xf32>) outs(%c : memref<3x5xf32>)"),
    "matmul of a transposed operand": (
        "%a: memref<4x3xf32>, %b: memref<4x5xf32>, %c: memref<3x5xf32>",
        "linalg.matmul indexing_maps = [affine_map<(i, j, k) -> (k, i)>, affine_map<(i, j, k) -> (k, j)>,"
        " affine_map<(i, j, k) -> (i, j)>] ins(%a, %b : memref<4x3xf32>, memref<4x5xf32>) outs(%c : memref<3x5xf32>)",
    ),
    "batch_matmul": (
        "%a: memref<2x3x4xf32>, %b: memref<2x4x2xf32>, %c: memref<2x3x2xf32>",
        "linalg.batch_matmul ins(%a, %b : memref<2x3x4xf32>, memref<2x4x2xf32>) outs(%c : memref<2x3x2xf32>)",
    ),
    "dot": (
        "%a: memref<6xf32>, %b: memref<6xf32>, %c: memref<f32>",
        "linalg.dot ins(%a, %b : memref<6xf32>, memref<6xf32>) outs(%c : memref<f32>)",
    ),
    "fill": (f"%x: f32, {A}", "linalg.fill ins(%x : f32) outs(%a : memref<3x4xf32>)"),
    "copy": (f"{A}, %c: memref<3x4xf32>", "linalg.copy ins(%a : memref<3x4xf32>) outs(%c : memref<3x4xf32>)"),
    "add": (
        f"{A}, %c: memref<3x4xf32>",
        "linalg.add ins(%a, %a : memref<3x4xf32>, memref<3x4xf32>) outs(%c : memref<3x4xf32>)",
    ),
    "transpose": (
        "%a: memref<2x3x4xf32>, %c: memref<4x2x3xf32>",
        "linalg.transpose ins(%a : memref<2x3x4xf32>) outs(%c : memref<4x2x3xf32>) permutation = [2, 0, 1]",
    ),
    "broadcast": (
        "%a: memref<3xf32>, %c: memref<2x3x4xf32>",
        "linalg.broadcast ins(%a : memref<3xf32>) outs(%c : memref<2x3x4xf32>) dimensions = [0, 2]",
    ),
    "reduce": (
        "%a: memref<2x3x4xf32>, %c: memref<2x4xf32>",
        "linalg.reduce { arith.addf } ins(%a : memref<2x3x4xf32>) outs(%c : memref<2x4xf32>) dimensions = [1]",
    ),
    "conv_2d with strides and dilations": (
        f"{IMAGE}, {KERNEL}, %c: memref<1x2x5x3xf32>",
        "linalg.conv_2d_nhwc_hwcf {strides = dense<[3, 1]> : tensor<2xi64>, dilations = dense<[2, 2]> : tensor<2xi64>}"
        " ins(%a, %b : memref<1x8x7x2xf32>, memref<3x2x2x3xf32>) outs(%c : memref<1x2x5x3xf32>)",
    ),
    "pooling, whose window has no elements that matter": (
        f"{WINDOW}, %c: memref<1x3x3x2xf32>",
        "linalg.pooling_nhwc_max {strides = dense<2> : tensor<2xi64>}"
        " ins(%a, %b : memref<1x8x6x2xf32>, memref<3x2xf32>) outs(%c : memref<1x3x3x2xf32>)",
    ),
    "generic, an output that is not read and one that is": (
        f"{A}, %c: memref<4x3xf32>, %d: memref<4xf32>",
        "linalg.generic {indexing_maps = [affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (i, j)>,"
        ' affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}'
        " ins(%a : memref<3x4xf32>) outs(%c, %d : memref<4x3xf32>, memref<4xf32>) {\n"
        "^bb0(%x: f32, %y: f32, %z: f32):\n%s = arith.addf %x, %z : f32\nlinalg.yield %x, %s : f32, f32\n}",
    ),
    "map": (
        f"{A}, %c: memref<3x4xf32>",
        "linalg.map ins(%a : memref<3x4xf32>) outs(%c : memref<3x4xf32>) (%x: f32, %o: f32) {\n"
        "%y = arith.negf %x : f32\nlinalg.yield %y : f32\n}",
    ),
}  # fmt: skip

Touched = dict[tuple[Effect, int], list[Point]]


def the_op(name: str) -> Operation:
    arguments, body = OPS[name]
    return first(body.split()[0], arguments, body)


def number_of(memref: object) -> int:
    """Which argument of the function it is."""
    assert isinstance(memref, BlockArgument)
    return memref.index


def stated(name: str) -> Touched:
    """The elements of each argument that are accessed, as the operation's case says."""
    found: Touched = {}
    for access in accesses(the_op(name)):
        assert access.partial is None
        found.setdefault((access.effect, number_of(access.memref)), []).extend(element_list(access, {}))
    return found


def enumerated(text: str) -> Touched:
    """The elements that affine.load and affine.store go to in the constant loops around them."""
    found: Touched = {}
    for op in read_natively(text).module.walk():
        if op.name not in ("affine.load", "affine.store"):
            continue
        loops: list[Operation] = []
        around = op.parent_op()
        while around is not None and around.name == "affine.for":
            loops.insert(0, around)
            around = around.parent_op()
        memref = op.operands[0 if op.name == "affine.load" else 1]
        effect = Effect.READ if op.name == "affine.load" else Effect.WRITE
        touched = found.setdefault((effect, number_of(memref)), [])
        indices = op.operands[1 if op.name == "affine.load" else 2 :]
        for point in product(*map(iterations, loops)):
            value: dict[SSAValue, int] = {
                loop.regions[0].block.args[0]: i for loop, i in zip(loops, point, strict=True)
            }
            numbers = [value[index] for index in indices]
            touched.append(subscripts(op, numbers))
    return found


def iterations(loop: Operation) -> range:
    bounds: list[int] = []
    for name in ("lowerBoundMap", "upperBoundMap"):
        map_ = loop.properties[name]
        assert isinstance(map_, AffineMapAttr)
        bounds += map_.data.eval([], [])
    return range(*bounds)


def subscripts(op: Operation, numbers: Sequence[int]) -> Point:
    """xDSL's own evaluation of an affine map."""
    map_ = op.properties["map"]
    assert isinstance(map_, AffineMapAttr)
    return tuple(map_.data.eval(list(numbers), []))


@cache
def lowered(ask: Ask) -> dict[str, str]:
    """mlir-opt's loops of each operation, without loads of what is not used."""
    units = [function(*each) for each in OPS.values()]
    return dict(zip(OPS, ask(units, "-convert-linalg-to-affine-loops", "-canonicalize"), strict=True))


@pytest.mark.sample(2)
@pytest.mark.mlir
@pytest.mark.parametrize("name", OPS)
def test_the_accesses_are_those_of_the_loops(name: str, ask: Ask) -> None:
    expected = enumerated(lowered(ask)[name])
    assert {key: sorted(value) for key, value in stated(name).items()} == {
        key: sorted(value) for key, value in expected.items()
    }


@pytest.mark.sample(4)
@pytest.mark.mlir
@pytest.mark.parametrize("name", [name for name in OPS if name != "add"])  # its operand is read twice
def test_the_loops_are_in_the_same_order(name: str, ask: Ask) -> None:
    assert stated(name) == enumerated(lowered(ask)[name])


def test_a_matmul_against_its_formula() -> None:
    touched = stated("matmul")
    points = list(product(range(3), range(5), range(4)))
    assert touched == {
        (Effect.READ, 0): [(i, k) for i, _, k in points],
        (Effect.READ, 1): [(k, j) for _, j, k in points],
        (Effect.READ, 2): [(i, j) for i, j, _ in points],
        (Effect.WRITE, 2): [(i, j) for i, j, _ in points],
    }


def test_what_is_filled_in_is_the_value_that_is_stored() -> None:
    op = the_op("fill")
    (write,) = accesses(op)
    assert write.effect is Effect.WRITE
    assert write.stored is op.operands[0]
    assert elements(write, {}) == box(3, 4)


def test_a_value_from_outside_of_the_body_is_stored() -> None:
    op = first(
        "linalg.generic", "%x: f32, %a: memref<4xf32>",
        'linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]}'
        " outs(%a : memref<4xf32>) {\n^bb0(%o: f32):\nlinalg.yield %x : f32\n}",
    )  # fmt: skip
    (write,) = accesses(op)
    assert write.stored is not None
    assert write.stored.name_hint == "x"


@pytest.mark.parametrize("name", ["copy", "matmul", "transpose"])
def test_elements_are_not_one_stored_value(name: str) -> None:
    assert the_access(the_op(name), Effect.WRITE).stored is None


@pytest.mark.parametrize(
    ("name", "parallel"),
    [
        ("matmul", {0, 1}),
        ("copy", {0, 1}),
        ("reduce", {0, 2}),
        ("dot", set[int]()),
        ("batch_matmul", {0, 1, 2}),
    ],
)
def test_only_parallel_iterators_have_no_order(name: str, parallel: set[int]) -> None:
    assert all(access.parallel == parallel for access in accesses(the_op(name)))


def test_dynamic_sizes() -> None:
    op = first(
        "linalg.matmul", "%a: memref<?x?xf32>, %b: memref<?x5xf32>, %c: memref<?x5xf32>",
        "linalg.matmul ins(%a, %b : memref<?x?xf32>, memref<?x5xf32>) outs(%c : memref<?x5xf32>)",
    )  # fmt: skip
    shapes = {"a": (2, 3), "b": (3, 5), "c": (2, 5)}
    for access in accesses(op):
        assert elements(access, {}, shapes) == box(*shape_of(access.memref, shapes))


def test_operations_on_tensors_access_no_memory() -> None:
    op = first(
        "linalg.fill", "%x: f32, %t: tensor<4xf32>",
        "%r = linalg.fill ins(%x : f32) outs(%t : tensor<4xf32>) -> tensor<4xf32>",
    )  # fmt: skip
    assert questions.accesses(op) == ()


def test_softmax_reads_and_writes_all() -> None:
    op = first(
        "linalg.softmax", "%a: memref<3x4xf32>, %c: memref<3x4xf32>",
        "linalg.softmax dimension(1) ins(%a : memref<3x4xf32>) outs(%c : memref<3x4xf32>)",
    )  # fmt: skip
    read, write = the_access(op, Effect.READ), the_access(op, Effect.WRITE)
    assert (read.memref, write.memref) == tuple(op.operands)
    assert elements(read, {}) == elements(write, {}) == box(3, 4)
