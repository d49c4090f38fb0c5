"""Views: the element of the base that `view` states lies where the strides of the result's type put it.

The types are no claims of these tests: mlir-opt accepts only those that it computes itself.
"""

from __future__ import annotations

import random
from itertools import product

import pytest

from tests.dialects.conftest import Ask
from tests.dialects.memory_cases import address, behind, box, first, shape_of, the_view
from tests.shared.enumeration import function, row_major
from volcli.language import questions
from volcli.language.expressions import ANY

M = "%m: memref<6x4x5xf32>"
S = "%m: memref<4x6xf32, strided<[30, 5], offset: 7>>"
SOME = {
    "cast": (M, "%r = memref.cast %m : memref<6x4x5xf32> to memref<6x4x5xf32, strided<[20, 5, 1]>>"),
    "memory_space_cast": (M, "%r = memref.memory_space_cast %m : memref<6x4x5xf32> to memref<6x4x5xf32, 1>"),
    "assume_alignment": (M, "%r = memref.assume_alignment %m, 16 : memref<6x4x5xf32>"),
    "distinct_objects": (M, "%r = memref.distinct_objects %m : memref<6x4x5xf32>"),
    "subview": (
        M, "%r = memref.subview %m[1, 0, 2] [2, 4, 1] [2, 1, 3]"
        " : memref<6x4x5xf32> to memref<2x4x1xf32, strided<[40, 5, 3], offset: 22>>",
    ),
    "subview that drops a dimension in the middle": (
        M, "%r = memref.subview %m[1, 3, 2] [4, 1, 3] [1, 1, 1]"
        " : memref<6x4x5xf32> to memref<4x3xf32, strided<[20, 1], offset: 37>>",
    ),
    "subview that drops one of two dimensions of size 1": (
        M, "%r = memref.subview %m[1, 3, 2] [1, 1, 3] [1, 1, 1]"
        " : memref<6x4x5xf32> to memref<1x3xf32, strided<[20, 1], offset: 37>>",
    ),
    "subview of one element": (
        M, "%r = memref.subview %m[5, 3, 4] [1, 1, 1] [1, 1, 1] : memref<6x4x5xf32> to memref<f32, strided<[], offset: 119>>"
    ),
    "subview of a strided base": (
        S, "%r = memref.subview %m[1, 2] [3, 2] [1, 2] : memref<4x6xf32, strided<[30, 5], offset: 7>>"
        " to memref<3x2xf32, strided<[30, 10], offset: 47>>",
    ),
    "transpose": (
        M, "%r = memref.transpose %m (i, j, k) -> (k, i, j) : memref<6x4x5xf32> to memref<5x6x4xf32, strided<[1, 20, 5]>>"
    ),
    "transpose of a strided base": (
        S, "%r = memref.transpose %m (i, j) -> (j, i) : memref<4x6xf32, strided<[30, 5], offset: 7>>"
        " to memref<6x4xf32, strided<[5, 30], offset: 7>>",
    ),
    "collapse_shape": (M, "%r = memref.collapse_shape %m [[0, 1, 2]] : memref<6x4x5xf32> into memref<120xf32>"),
    "collapse_shape of the last ones": (
        M, "%r = memref.collapse_shape %m [[0], [1, 2]] : memref<6x4x5xf32> into memref<6x20xf32>"
    ),
    "collapse_shape of ones": (
        "%m: memref<1x3x1x4xf32>", "%r = memref.collapse_shape %m [[0, 1], [2, 3]] : memref<1x3x1x4xf32> into memref<3x4xf32>"
    ),
    "collapse_shape to a scalar": ("%m: memref<1x1xf32>", "%r = memref.collapse_shape %m [] : memref<1x1xf32> into memref<f32>"),
    "collapse_shape of a strided base": (
        S, "%r = memref.collapse_shape %m [[0, 1]] : memref<4x6xf32, strided<[30, 5], offset: 7>>"
        " into memref<24xf32, strided<[5], offset: 7>>",
    ),
    "expand_shape": (
        "%m: memref<24x6xf32>", "%r = memref.expand_shape %m [[0, 1, 2], [3, 4]] output_shape [2, 3, 4, 6, 1]"
        " : memref<24x6xf32> into memref<2x3x4x6x1xf32>",
    ),
    "expand_shape of a scalar": (
        "%m: memref<f32>", "%r = memref.expand_shape %m [] output_shape [1, 1] : memref<f32> into memref<1x1xf32>"
    ),
    "expand_shape of a strided base": (
        S, "%r = memref.expand_shape %m [[0], [1, 2]] output_shape [4, 2, 3] : memref<4x6xf32, strided<[30, 5], offset: 7>>"
        " into memref<4x2x3xf32, strided<[30, 15, 5], offset: 7>>",
    ),
    "reinterpret_cast": (
        M, "%r = memref.reinterpret_cast %m to offset: [3], sizes: [4, 5], strides: [7, 2]"
        " : memref<6x4x5xf32> to memref<4x5xf32, strided<[7, 2], offset: 3>>",
    ),
    "reinterpret_cast forgets the offset": (
        S, "%r = memref.reinterpret_cast %m to offset: [0], sizes: [10], strides: [1]"
        " : memref<4x6xf32, strided<[30, 5], offset: 7>> to memref<10xf32, strided<[1]>>",
    ),
    "extract_strided_metadata": (
        S, "%r, %o, %s:2, %t:2 = memref.extract_strided_metadata %m : memref<4x6xf32, strided<[30, 5], offset: 7>>"
        " -> memref<f32>, index, index, index, index, index",
    ),
    "reshape": (
        "%m: memref<4x6xf32>, %s: memref<3xindex>",
        "%r = memref.reshape %m(%s) : (memref<4x6xf32>, memref<3xindex>) -> memref<3x2x4xf32>",
    ),
}  # fmt: skip


def assert_addresses(arguments: str, body: str) -> None:
    """Each element of the view has the address of the element of the base."""
    name = body.split(" = ")[1].split()[0]
    op = first(name, arguments, body)
    view, result = the_view(op), op.results[0]
    for element in box(*shape_of(result)):
        ((*base,),) = behind(view, element, {})
        if view.is_address:
            assert base == [address(result.type, element)]
        else:
            assert tuple(base) in box(*shape_of(view.base))
            assert address(view.base.type, tuple(base)) == address(result.type, element)


@pytest.mark.sample(4)
@pytest.mark.parametrize("name", SOME)
def test_a_view_and_its_base_have_the_same_addresses(name: str) -> None:
    assert_addresses(*SOME[name])


def random_subview(seed: int) -> tuple[str, str]:
    """A slice inside of a base with strides, some of its dimensions of size 1 dropped."""
    draw = random.Random(seed)
    rank = draw.randint(1, 3)
    sizes = [draw.randint(1, 6) for _ in range(rank)]
    steps = [draw.randint(1, 50) for _ in range(rank)]
    offset = draw.randint(0, 9)
    starts = [draw.randrange(size) for size in sizes]
    strides = [draw.randint(1, 3) for _ in range(rank)]
    lengths = [
        draw.randint(1, (size - 1 - start) // stride + 1)
        for size, start, stride in zip(sizes, starts, strides, strict=True)
    ]
    dropped = {d for d in range(rank) if lengths[d] == 1 and draw.random() < 0.5}
    if any(lengths[d] == 1 and d not in dropped for d in range(rank)):
        dropped.clear()  # which ones are dropped is then a matter of the strides
    kept = [d for d in range(rank) if d not in dropped]
    base = typed(sizes, steps, offset)
    moved = offset + sum(a * b for a, b in zip(starts, steps, strict=True))
    result = typed([lengths[d] for d in kept], [steps[d] * strides[d] for d in kept], moved)
    return f"%m: {base}", f"%r = memref.subview %m{starts} {lengths} {strides} : {base} to {result}"


def typed(sizes: list[int], steps: list[int], offset: int) -> str:
    shape = "x".join([*map(str, sizes), "f32"])
    return f"memref<{shape}, strided<{steps}{f', offset: {offset}' if offset else ''}>>"


@pytest.mark.sample(4)
@pytest.mark.parametrize("seed", range(100))
def test_random_subviews(seed: int) -> None:
    assert_addresses(*random_subview(seed))


@pytest.mark.mlir
def test_mlir_opt_computes_these_types(ask: Ask) -> None:
    units = [function(*each) for each in (*SOME.values(), *map(random_subview, range(100)))]
    assert len(ask(units, "-verify-diagnostics")) == len(units)


# -- what is dynamic -----------------------------------------------------------------------------------


def test_a_subview_with_operands() -> None:
    op = first(
        "memref.subview", "%m: memref<?x8xf32>, %o: index, %n: index, %s: index",
        "%r = memref.subview %m[%o, 1] [%n, 2] [%s, 3] : memref<?x8xf32> to memref<?x2xf32, strided<[?, 3], offset: ?>>",
    )  # fmt: skip
    view = the_view(op)
    assert {behind(view, e, {"o": 5, "s": 4}).pop() for e in box(3, 2)} == set(product((5, 9, 13), (1, 4)))


def test_an_expansion_by_an_operand() -> None:
    op = first(
        "memref.expand_shape", "%m: memref<?xf32>, %a: index, %b: index",
        "%r = memref.expand_shape %m [[0, 1]] output_shape [%a, %b] : memref<?xf32> into memref<?x?xf32>",
    )  # fmt: skip
    view = the_view(op)
    assert all(behind(view, e, {"a": 3, "b": 5}) == {(row_major(e, (3, 5)),)} for e in box(3, 5))


def test_a_collapse_of_an_outermost_dimension_that_is_dynamic() -> None:
    op = first(
        "memref.collapse_shape", "%m: memref<?x4x5xf32>",
        "%r = memref.collapse_shape %m [[0, 1, 2]] : memref<?x4x5xf32> into memref<?xf32>",
    )  # fmt: skip
    view = the_view(op)
    assert all(behind(view, (row_major(e, (7, 4, 5)),), {}) == {e} for e in box(7, 4, 5))


def test_a_collapse_of_an_inner_dimension_that_is_dynamic_is_unknown_in_its_group() -> None:
    op = first(
        "memref.collapse_shape", "%m: memref<4x?x6xf32>",
        "%r = memref.collapse_shape %m [[0, 1], [2]] : memref<4x?x6xf32> into memref<?x6xf32>",
    )  # fmt: skip
    outer, inner, last = the_view(op).index
    assert (outer, inner) == (ANY, ANY)
    assert str(last) == "d1"


def test_only_one_dimension_that_varies_needs_no_division() -> None:
    op = first(
        "memref.collapse_shape", "%m: memref<1x?x1xf32>",
        "%r = memref.collapse_shape %m [[0, 1, 2]] : memref<1x?x1xf32> into memref<?xf32>",
    )  # fmt: skip
    assert behind(the_view(op), (3,), {}) == {(0, 3, 0)}


# -- other element types -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "size"),
    [("i8", 1), ("i1", 1), ("bf16", 2), ("f32", 4), ("i64", 8), ("vector<4xf32>", 16), ("vector<2x2xi8>", 4)],
)
def test_an_element_of_a_view_is_as_many_bytes_as_it_has(kind: str, size: int) -> None:
    result = f"memref<3x2x{kind}>"
    op = first(
        "memref.view", "%b: memref<128xi8>, %s: index",
        f"%r = memref.view %b[%s][] : memref<128xi8> to {result}",
    )  # fmt: skip
    view = the_view(op)
    for element in box(3, 2):
        start = 9 + size * row_major(element, (3, 2))
        assert behind(view, element, {"s": 9}) == {(byte,) for byte in range(start, start + size)}


@pytest.mark.parametrize("kind", ["index", "i24", "f80", "vector<3xf32>", "vector<4xi1>", "vector<[4]xf32>"])
def test_elements_with_a_size_or_padding_that_only_the_machine_knows(kind: str) -> None:
    result = f"memref<3x{kind}>"
    op = first(
        "memref.view", "%b: memref<128xi8>, %s: index",
        f"%r = memref.view %b[%s][] : memref<128xi8> to {result}",
    )  # fmt: skip
    assert questions.view(op) is None


def test_a_view_of_bytes_with_sizes_that_are_operands() -> None:
    op = first(
        "memref.view", "%b: memref<?xi8>, %s: index, %n: index, %k: index",
        "%r = memref.view %b[%s][%n, %k] : memref<?xi8> to memref<?x?xf32>",
    )  # fmt: skip
    found = behind(the_view(op), (2, 1), {"s": 8, "n": 4, "k": 3})
    assert found == {(8 + 4 * (2 * 3 + 1) + b,) for b in range(4)}


def test_the_one_element_of_a_type_cast_is_the_whole_base() -> None:
    op = first(
        "vector.type_cast", "%m: memref<2x3xf32>",
        "%r = vector.type_cast %m : memref<2x3xf32> to memref<vector<2x3xf32>>",
    )  # fmt: skip
    assert behind(the_view(op), (), {}) == box(2, 3)


def test_a_view_of_bytes_is_where_a_reinterpretation_begins() -> None:
    op = first(
        "memref.reinterpret_cast", "%b: memref<?xi8>, %s: index",
        "%v = memref.view %b[%s][] : memref<?xi8> to memref<8xf32>\n"
        "%w = memref.subview %v[4] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: 4>>\n"
        "%r = memref.reinterpret_cast %w to offset: [1], sizes: [2], strides: [3]"
        " : memref<4xf32, strided<[1], offset: 4>> to memref<2xf32, strided<[3], offset: 1>>",
    )  # fmt: skip
    assert behind(the_view(op), (1,), {"s": 8}) == {(8 + 4 * (1 + 3) + byte,) for byte in range(4)}


def test_the_elements_of_a_buffer_of_vectors_are_no_distance() -> None:
    op = first(
        "memref.reinterpret_cast", "%m: memref<4x4xf32>",
        "%v = vector.type_cast %m : memref<4x4xf32> to memref<vector<4x4xf32>>\n"
        "%r = memref.reinterpret_cast %v to offset: [0], sizes: [1], strides: [1]"
        " : memref<vector<4x4xf32>> to memref<1xvector<4x4xf32>>",
    )  # fmt: skip
    assert questions.view(op) is None


# -- ranks that are forgotten --------------------------------------------------------------------------


def test_a_buffer_that_was_without_a_rank_for_a_while() -> None:
    op = first(
        "func.return", "%m: memref<2x3xf32>",
        "%u = memref.cast %m : memref<2x3xf32> to memref<*xf32>\n"
        "%r = memref.cast %u : memref<*xf32> to memref<?x3xf32>\n"
        "%z = memref.cast %u : memref<*xf32> to memref<?xf32>",
    )  # fmt: skip
    assert op.parent is not None
    forgotten, regained, of_another_rank = (o for o in op.parent.ops if o.name == "memref.cast")
    (argument,) = op.parent.args
    assert the_view(forgotten).index == (ANY, ANY)
    assert the_view(regained).base is argument
    assert behind(the_view(regained), (1, 2), {}) == {(1, 2)}
    assert questions.view(of_another_rank) is None


@pytest.mark.parametrize(
    "body",
    [
        "%r = memref.cast %u : memref<*xf32> to memref<?xf32>",
        "%r = memref.memory_space_cast %u : memref<*xf32> to memref<*xf32, 1>",
        "%r = memref.reinterpret_cast %u to offset: [0], sizes: [4], strides: [1] : memref<*xf32> to memref<4xf32>",
        "%r = memref.reshape %u(%s) : (memref<*xf32>, memref<1xindex>) -> memref<4xf32>",
    ],
)
def test_of_a_buffer_without_a_rank_only_the_buffer_is_known(body: str) -> None:
    op = first(body.split()[2], "%u: memref<*xf32>, %s: memref<1xindex>", body)
    view = the_view(op)
    assert view.base is op.operands[0]
    assert view.index == ()


# -- buffers -------------------------------------------------------------------------------------------


def test_allocations_are_new_memory_and_globals_are_their_symbol() -> None:
    text = (
        "%a = memref.alloc() : memref<4xf32>\n%b = memref.alloca() : memref<4xf32>\n"
        "%g = memref.get_global @g : memref<4xf32>\n"
        "%c = bufferization.clone %a : memref<4xf32> to memref<4xf32>"
    )
    block = first("func.return", "", text).parent
    assert block is not None
    found = [questions.buffer(op) for op in block.ops]
    assert [None if b is None else (b.symbol,) for b in found] == [(None,), (None,), ("g",), None, None]
