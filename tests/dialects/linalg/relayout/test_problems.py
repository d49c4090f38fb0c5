"""Invalid operations of linalg that pack, unpack and normalise: what is said of them, and where, is what mlir-opt 22 says."""

from __future__ import annotations

from tests.dialects.problem_cases import Invalid, NoProblemTests, ProblemTests

INVALID: dict[str, Invalid] = {
    "pack rank": Invalid.within(
        "%t: tensor<8x8xf32>, %o: tensor<4x4x2xf32>",
        "%r = linalg.pack %t inner_dims_pos = [0, 1] inner_tiles = [2, 2] into %o : tensor<8x8xf32> -> tensor<4x4x2xf32>",
    ),
    "pack zero": Invalid.within(
        "%t: tensor<8x8xf32>, %o: tensor<4x4x0x2xf32>",
        "%r = linalg.pack %t inner_dims_pos = [0, 1] inner_tiles = [0, 2] into %o : tensor<8x8xf32> -> tensor<4x4x0x2xf32>",
    ),
    "pack neg": Invalid.within(
        "%t: tensor<8x8xf32>, %o: tensor<4x4x2x2xf32>",
        "%r = linalg.pack %t inner_dims_pos = [0, 1] inner_tiles = [-2, 2] into %o : tensor<8x8xf32> -> tensor<4x4x2x2xf32>",
    ),
    "pack shape": Invalid.within(
        "%t: tensor<8x8xf32>, %o: tensor<5x4x2x2xf32>",
        "%r = linalg.pack %t inner_dims_pos = [0, 1] inner_tiles = [2, 2] into %o : tensor<8x8xf32> -> tensor<5x4x2x2xf32>",
        shape=True,
    ),
    "pack tile": Invalid.within(
        "%t: tensor<8x8xf32>, %o: tensor<4x4x2x3xf32>",
        "%r = linalg.pack %t inner_dims_pos = [0, 1] inner_tiles = [2, 2] into %o : tensor<8x8xf32> -> tensor<4x4x2x3xf32>",
    ),
    "pack tile dyn": Invalid.within(
        "%t: tensor<8x8xf32>, %o: tensor<4x4x2x?xf32>",
        "%r = linalg.pack %t inner_dims_pos = [0, 1] inner_tiles = [2, 2] into %o : tensor<8x8xf32> -> tensor<4x4x2x?xf32>",
    ),
    "pack tiles count": Invalid.within(
        "%t: tensor<8x8xf32>, %o: tensor<4x4x2x2xf32>",
        "%r = linalg.pack %t inner_dims_pos = [0, 1] inner_tiles = [2] into %o : tensor<8x8xf32> -> tensor<4x4x2x2xf32>",
    ),
    "pack pos": Invalid.within(
        "%t: tensor<8x8xf32>, %o: tensor<4x4x2x2xf32>",
        "%r = linalg.pack %t inner_dims_pos = [0, 0] inner_tiles = [2, 2] into %o : tensor<8x8xf32> -> tensor<4x4x2x2xf32>",
    ),
    "pack pos2": Invalid.within(
        "%t: tensor<8x8xf32>, %o: tensor<4x4x2x2xf32>",
        "%r = linalg.pack %t inner_dims_pos = [0, 2] inner_tiles = [2, 2] into %o : tensor<8x8xf32> -> tensor<4x4x2x2xf32>",
    ),
    "pack perm": Invalid.within(
        "%t: tensor<8x8xf32>, %o: tensor<4x4x2x2xf32>",
        "%r = linalg.pack %t outer_dims_perm = [0, 0] inner_dims_pos = [0, 1] inner_tiles = [2, 2] into %o : tensor<8x8xf32> -> tensor<4x4x2x2xf32>",
    ),
    "pack perm len": Invalid.within(
        "%t: tensor<8x8xf32>, %o: tensor<4x4x2x2xf32>",
        "%r = linalg.pack %t outer_dims_perm = [0] inner_dims_pos = [0, 1] inner_tiles = [2, 2] into %o : tensor<8x8xf32> -> tensor<4x4x2x2xf32>",
    ),
    "pack partial": Invalid.within(
        "%t: tensor<9x8xf32>, %o: tensor<5x4x2x2xf32>",
        "%r = linalg.pack %t inner_dims_pos = [0, 1] inner_tiles = [2, 2] into %o : tensor<9x8xf32> -> tensor<5x4x2x2xf32>",
    ),
    "pack pad elem": Invalid.within(
        "%t: tensor<9x8xf32>, %o: tensor<5x4x2x2xf32>, %p: f64",
        "%r = linalg.pack %t padding_value(%p : f64) inner_dims_pos = [0, 1] inner_tiles = [2, 2] into %o : tensor<9x8xf32> -> tensor<5x4x2x2xf32>",
    ),
    "pack big": Invalid.within(
        "%t: tensor<9x8xf32>, %o: tensor<6x4x2x2xf32>, %p: f32",
        "%r = linalg.pack %t padding_value(%p : f32) inner_dims_pos = [0, 1] inner_tiles = [2, 2] into %o : tensor<9x8xf32> -> tensor<6x4x2x2xf32>",
        shape=True,
    ),
    "pack dyn tile": Invalid.within(
        "%t: tensor<8x8xf32>, %o: tensor<4x4x2x2xf32>, %i: index",
        "%r = linalg.pack %t inner_dims_pos = [0, 1] inner_tiles = [%i, 2] into %o : tensor<8x8xf32> -> tensor<4x4x2x2xf32>",
    ),
    "pack outer perm shape": Invalid.within(
        "%t: tensor<8x12xf32>, %o: tensor<4x6x2x2xf32>",
        "%r = linalg.pack %t outer_dims_perm = [1, 0] inner_dims_pos = [0, 1] inner_tiles = [2, 2] into %o : tensor<8x12xf32> -> tensor<4x6x2x2xf32>",
        shape=True,
    ),
    "unpack perm": Invalid.within(
        "%t: tensor<4x4x2x2xf32>, %o: tensor<8x8xf32>",
        "%r = linalg.unpack %t outer_dims_perm = [0, 0] inner_dims_pos = [0, 1] inner_tiles = [2, 2] into %o : tensor<4x4x2x2xf32> -> tensor<8x8xf32>",
    ),
    "unpack rank": Invalid.within(
        "%t: tensor<4x4x2xf32>, %o: tensor<8x8xf32>",
        "%r = linalg.unpack %t inner_dims_pos = [0, 1] inner_tiles = [2, 2] into %o : tensor<4x4x2xf32> -> tensor<8x8xf32>",
    ),
    "unpack shape": Invalid.within(
        "%t: tensor<4x4x2x2xf32>, %o: tensor<10x8xf32>",
        "%r = linalg.unpack %t inner_dims_pos = [0, 1] inner_tiles = [2, 2] into %o : tensor<4x4x2x2xf32> -> tensor<10x8xf32>",
        shape=True,
    ),
    "unpack small": Invalid.within(
        "%t: tensor<4x4x2x2xf32>, %o: tensor<4x8xf32>",
        "%r = linalg.unpack %t inner_dims_pos = [0, 1] inner_tiles = [2, 2] into %o : tensor<4x4x2x2xf32> -> tensor<4x8xf32>",
        shape=True,
    ),
    "unpack tile": Invalid.within(
        "%t: tensor<4x4x3x2xf32>, %o: tensor<8x8xf32>",
        "%r = linalg.unpack %t inner_dims_pos = [0, 1] inner_tiles = [2, 2] into %o : tensor<4x4x3x2xf32> -> tensor<8x8xf32>",
    ),
    "softmax dim": Invalid.within(
        "%t: tensor<4xf32>",
        "%r = linalg.softmax dimension(2) ins(%t : tensor<4xf32>) outs(%t : tensor<4xf32>) -> tensor<4xf32>",
    ),
    "softmax shape": Invalid.within(
        "%t: tensor<4xf32>, %o: tensor<5xf32>",
        "%r = linalg.softmax dimension(0) ins(%t : tensor<4xf32>) outs(%o : tensor<5xf32>) -> tensor<5xf32>",
        shape=True,
    ),
    "softmax rank": Invalid.within(
        "%t: tensor<4xf32>, %o: tensor<4x1xf32>",
        "%r = linalg.softmax dimension(0) ins(%t : tensor<4xf32>) outs(%o : tensor<4x1xf32>) -> tensor<4x1xf32>",
    ),
    "softmax elem": Invalid.within(
        "%t: tensor<4xf32>, %o: tensor<4xf64>",
        "%r = linalg.softmax dimension(0) ins(%t : tensor<4xf32>) outs(%o : tensor<4xf64>) -> tensor<4xf64>",
    ),
    "softmax result": Invalid.within(
        "%t: tensor<4xf32>, %o: tensor<4xf32>",
        "%r = linalg.softmax dimension(0) ins(%t : tensor<4xf32>) outs(%o : tensor<4xf32>) -> tensor<5xf32>",
    ),
    "pack dyn tile static": Invalid.within(
        "%t: tensor<8x8xf32>, %o: tensor<3x4x?x2xf32>, %i: index",
        "%r = linalg.pack %t inner_dims_pos = [0, 1] inner_tiles = [%i, 2] into %o : tensor<8x8xf32> -> tensor<3x4x?x2xf32>",
    ),
    "pack partial perm": Invalid.within(
        "%t: tensor<9x8xf32>, %o: tensor<4x5x2x2xf32>",
        "%r = linalg.pack %t outer_dims_perm = [1, 0] inner_dims_pos = [0, 1] inner_tiles = [2, 2] into %o : tensor<9x8xf32> -> tensor<4x5x2x2xf32>",
    ),
    "pack too many": Invalid.within(
        "%t: tensor<8xf32>, %o: tensor<2x2x2xf32>",
        "%r = linalg.pack %t inner_dims_pos = [0, 0] inner_tiles = [2, 2] into %o : tensor<8xf32> -> tensor<2x2x2xf32>",
    ),
    "pack neg2": Invalid.within(
        "%t: tensor<8xf32>, %o: tensor<4x?xf32>",
        "%r = linalg.pack %t inner_dims_pos = [0] inner_tiles = [-2] into %o : tensor<8xf32> -> tensor<4x?xf32>",
    ),
    "softmax memref": Invalid.within(
        "%t: memref<4xf32>, %o: memref<5xf32>",
        "linalg.softmax dimension(0) ins(%t : memref<4xf32>) outs(%o : memref<5xf32>)",
        shape=True,
    ),
    "softmax neg": Invalid.within(
        "%t: tensor<4xf32>",
        "%r = linalg.softmax dimension(-1) ins(%t : tensor<4xf32>) outs(%t : tensor<4xf32>) -> tensor<4xf32>",
    ),
}

VALID: dict[str, str] = {
    "pack pad partial": Invalid.within(
        "%t: tensor<9x8xf32>, %o: tensor<5x4x2x2xf32>, %p: f32",
        "%r = linalg.pack %t padding_value(%p : f32) inner_dims_pos = [0, 1] inner_tiles = [2, 2] into %o : tensor<9x8xf32> -> tensor<5x4x2x2xf32>",
    ).text,
    "pack dyn": Invalid.within(
        "%t: tensor<?x8xf32>, %o: tensor<5x?x2x2xf32>",
        "%r = linalg.pack %t inner_dims_pos = [0, 1] inner_tiles = [2, 2] into %o : tensor<?x8xf32> -> tensor<5x?x2x2xf32>",
    ).text,
    "pack elem": Invalid.within(
        "%t: tensor<8x8xf32>, %o: tensor<4x4x2x2xf64>",
        "%r = linalg.pack %t inner_dims_pos = [0, 1] inner_tiles = [2, 2] into %o : tensor<8x8xf32> -> tensor<4x4x2x2xf64>",
    ).text,
    "unpack partial": Invalid.within(
        "%t: tensor<4x4x2x2xf32>, %o: tensor<7x8xf32>",
        "%r = linalg.unpack %t inner_dims_pos = [0, 1] inner_tiles = [2, 2] into %o : tensor<4x4x2x2xf32> -> tensor<7x8xf32>",
    ).text,
    "pack dyn ok": Invalid.within(
        "%t: tensor<?x8xf32>, %o: tensor<?x4x2x2xf32>",
        "%r = linalg.pack %t inner_dims_pos = [0, 1] inner_tiles = [2, 2] into %o : tensor<?x8xf32> -> tensor<?x4x2x2xf32>",
    ).text,
    "pack dyn tile ok": Invalid.within(
        "%t: tensor<8x8xf32>, %o: tensor<?x4x?x2xf32>, %i: index",
        "%r = linalg.pack %t inner_dims_pos = [0, 1] inner_tiles = [%i, 2] into %o : tensor<8x8xf32> -> tensor<?x4x?x2xf32>",
    ).text,
    "pack perm ok": Invalid.within(
        "%t: tensor<8x12xf32>, %o: tensor<6x4x2x2xf32>",
        "%r = linalg.pack %t outer_dims_perm = [1, 0] inner_dims_pos = [0, 1] inner_tiles = [2, 2] into %o : tensor<8x12xf32> -> tensor<6x4x2x2xf32>",
    ).text,
    "pack inner order": Invalid.within(
        "%t: tensor<8x12xf32>, %o: tensor<4x4x3x2xf32>",
        "%r = linalg.pack %t inner_dims_pos = [1, 0] inner_tiles = [3, 2] into %o : tensor<8x12xf32> -> tensor<4x4x3x2xf32>",
    ).text,
}


class TestProblems(ProblemTests, NoProblemTests):
    invalid = INVALID
    valid = VALID
