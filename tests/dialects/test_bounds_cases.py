"""How large the results of operations are, for bounds: buffers, views, and what is written to."""

from __future__ import annotations

import pytest

from tests.dialects.bounds_cases import the
from volcli.language import questions
from volcli.language.expressions import constant, dim_of

SIZES = {
    "memref.alloc": ("%r = memref.alloc(%n) : memref<4x?xf32>", "[4, %n]"),
    "memref.alloca": ("%r = memref.alloca(%n) : memref<4x?xf32>", "[4, %n]"),
    "memref.cast": ("%r = memref.cast %m : memref<?x8xf32> to memref<?x?xf32>", "[dim(%m, 0), dim(%m, 1)]"),
    "memref.memory_space_cast": (
        "%r = memref.memory_space_cast %m : memref<?x8xf32> to memref<?x8xf32, 1>", "[dim(%m, 0), dim(%m, 1)]"
    ),
    "memref.subview": (
        "%r = memref.subview %m[0, %n] [%n, 1] [1, 1] : memref<?x8xf32> to memref<?xf32, strided<[8], offset: ?>>",
        "[%n]",
    ),
    "memref.collapse_shape": (
        "%r = memref.collapse_shape %m [[0, 1]] : memref<?x8xf32> into memref<?xf32>", "[dim(%m, 0) * dim(%m, 1)]"
    ),
    "memref.expand_shape": (
        "%r = memref.expand_shape %m [[0, 1], [2]] output_shape [%n, 2, 8] : memref<?x8xf32> into memref<?x2x8xf32>",
        "[%n, 2, 8]",
    ),
    "memref.view": ("%r = memref.view %b[%n][%n] : memref<64xi8> to memref<?x4xf32>", "[%n, 4]"),
    "memref.reinterpret_cast": (
        "%r = memref.reinterpret_cast %m to offset: [0], sizes: [%n, 3], strides: [3, 1]"
        " : memref<?x8xf32> to memref<?x3xf32>",
        "[%n, 3]",
    ),
    "memref.transpose": (
        "%r = memref.transpose %m (i, j) -> (j, i) : memref<?x8xf32> to memref<8x?xf32, strided<[1, 8]>>",
        "[dim(%m, 1), dim(%m, 0)]",
    ),
    "memref.realloc": ("%r = memref.realloc %k(%n) : memref<?xf32> to memref<?xf32>", "[%n]"),
    "bufferization.alloc_tensor": ("%r = bufferization.alloc_tensor(%n) : tensor<4x?xf32>", "[4, %n]"),
    "bufferization.clone": ("%r = bufferization.clone %m : memref<?x8xf32> to memref<?x8xf32>", "[dim(%m, 0), dim(%m, 1)]"),
    "bufferization.to_tensor": (
        "%r = bufferization.to_tensor %m : memref<?x8xf32> to tensor<?x8xf32>", "[dim(%m, 0), dim(%m, 1)]"
    ),
    "bufferization.to_buffer": (
        "%r = bufferization.to_buffer %t : tensor<?x8xf32> to memref<?x8xf32>", "[dim(%t, 0), dim(%t, 1)]"
    ),
    "vector.transfer_write": (
        "%r = vector.transfer_write %v, %t[%n, %n] : vector<4xf32>, tensor<?x8xf32>", "[dim(%t, 0), dim(%t, 1)]"
    ),
    "linalg.pack": (
        "%r = linalg.pack %t inner_dims_pos = [1] inner_tiles = [4] into %p : tensor<?x8xf32> -> tensor<?x2x4xf32>",
        "[dim(%p, 0), dim(%p, 1), dim(%p, 2)]",
    ),
    "linalg.unpack": (
        "%r = linalg.unpack %p inner_dims_pos = [1] inner_tiles = [4] into %t : tensor<?x2x4xf32> -> tensor<?x8xf32>",
        "[dim(%t, 0), dim(%t, 1)]",
    ),
    "linalg.softmax": (
        "%r = linalg.softmax dimension(1) ins(%t : tensor<?x8xf32>) outs(%t : tensor<?x8xf32>) -> tensor<?x8xf32>",
        "[dim(%t, 0), dim(%t, 1)]",
    ),
    "tensor.gather": (
        "%r = tensor.gather %t[%x] gather_dims([0]) : (tensor<?x8xf32>, tensor<?x1xindex>) -> tensor<?x1x8xf32>",
        "[dim(%x, 0), 1, dim(%t, 1)]",
    ),
}  # fmt: skip


@pytest.mark.sample(4)
@pytest.mark.parametrize("name", SIZES)
def test_sizes(name: str) -> None:
    body, expected = SIZES[name]
    arguments = (
        "%n: index, %m: memref<?x8xf32>, %k: memref<?xf32>, %b: memref<64xi8>, %t: tensor<?x8xf32>,"
        " %v: vector<4xf32>, %p: tensor<?x2x4xf32>, %x: tensor<?x1xindex>"
    )
    op = the(name, arguments, body, "%n : index")
    ((sizes),) = questions.result_sizes(op) or ()
    assert f"[{', '.join(map(str, sizes))}]" == expected


def test_a_gather_without_the_gathered_dimension() -> None:
    op = the(
        "tensor.gather", "%t: tensor<?x8xf32>, %x: tensor<?x1xindex>",
        "%r = tensor.gather %t[%x] gather_dims([0]) : (tensor<?x8xf32>, tensor<?x1xindex>) -> tensor<?x8xf32>",
        "%r : tensor<?x8xf32>",
    )  # fmt: skip
    assert questions.result_sizes(op) == [[dim_of(op.operands[1], 0), dim_of(op.operands[0], 1)]]


def test_nothing_is_known_of_the_sizes_of_what_had_no_rank() -> None:
    op = the(
        "memref.cast",
        "%m: memref<*xf32>",
        "%r = memref.cast %m : memref<*xf32> to memref<?xf32>",
        "%m : memref<*xf32>",
    )
    assert questions.result_sizes(op) == [[None]]


def test_metadata_of_a_buffer() -> None:
    kind = "memref<?x8xf32, strided<[8, 1], offset: ?>>"
    op = the(
        "memref.extract_strided_metadata", f"%m: {kind}",
        f"%b, %o, %s:2, %t:2 = memref.extract_strided_metadata %m : {kind} -> memref<f32>, index, index, index, index, index",
        "%o : index",
    )  # fmt: skip
    (source,) = op.operands
    assert questions.index_values(op) == [
        None, None, dim_of(source, 0), dim_of(source, 1), constant(8), constant(1),
    ]  # fmt: skip


def test_the_size_of_a_buffer_is_a_value() -> None:
    op = the(
        "memref.dim",
        "%m: memref<?x8xf32>",
        "%c = arith.constant 1 : index\n%r = memref.dim %m, %c : memref<?x8xf32>",
        "%r : index",
    )
    assert questions.index_value(op) == dim_of(op.operands[0], 1)
