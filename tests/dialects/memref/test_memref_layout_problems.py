"""Invalid operations of memref that say where elements lie: what is said of them, and where, is what mlir-opt 22 says."""

from __future__ import annotations

from tests.dialects.problem_cases import Invalid, NoProblemTests, ProblemTests

INVALID: dict[str, Invalid] = {
    "subview layout": Invalid.within(
        "%m: memref<8x16xf32>",
        "%r = memref.subview %m[0, 0] [4, 4] [1, 1] : memref<8x16xf32> to memref<4x4xf32>",
    ),
    "subview offset layout": Invalid.within(
        "%m: memref<8x16xf32>",
        "%r = memref.subview %m[1, 2] [4, 4] [1, 1] : memref<8x16xf32> to memref<4x4xf32, strided<[16, 1]>>",
    ),
    "subview stride layout": Invalid.within(
        "%m: memref<8x16xf32>",
        "%r = memref.subview %m[0, 0] [4, 4] [2, 1] : memref<8x16xf32> to memref<4x4xf32, strided<[16, 1]>>",
    ),
    "subview size": Invalid.within(
        "%m: memref<8x16xf32>",
        "%r = memref.subview %m[0, 0] [4, 4] [1, 1] : memref<8x16xf32> to memref<4x5xf32, strided<[16, 1]>>",
    ),
    "subview dyn": Invalid.within(
        "%m: memref<?x?xf32>, %i: index",
        "%r = memref.subview %m[%i, 0] [4, 4] [1, 1] : memref<?x?xf32> to memref<4x4xf32, strided<[?, 1]>>",
    ),
    "subview reduced": Invalid.within(
        "%m: memref<8x16xf32>",
        "%r = memref.subview %m[0, 0] [1, 4] [1, 1] : memref<8x16xf32> to memref<4xf32, strided<[2]>>",
    ),
    "cast stride": Invalid.within(
        "%m: memref<4x4xf32>", "%r = memref.cast %m : memref<4x4xf32> to memref<4x4xf32, strided<[8, 1]>>"
    ),
    "cast offset": Invalid.within(
        "%m: memref<4x4xf32>",
        "%r = memref.cast %m : memref<4x4xf32> to memref<4x4xf32, strided<[4, 1], offset: 1>>",
    ),
    "cast unit": Invalid.within(
        "%m: memref<1x4xf32>", "%r = memref.cast %m : memref<1x4xf32> to memref<1x4xf32, strided<[8, 1]>>"
    ),
    "collapse strided": Invalid.within(
        "%m: memref<2x4xf32, strided<[8, 1]>>",
        "%r = memref.collapse_shape %m [[0, 1]] : memref<2x4xf32, strided<[8, 1]>> into memref<8xf32>",
    ),
    "collapse layout": Invalid.within(
        "%m: memref<2x4xf32, strided<[8, 2]>>",
        "%r = memref.collapse_shape %m [[0, 1]] : memref<2x4xf32, strided<[8, 2]>> into memref<8xf32>",
    ),
    "collapse dyn": Invalid.within(
        "%m: memref<2x4xf32>", "%r = memref.collapse_shape %m [[0, 1]] : memref<2x4xf32> into memref<?xf32>"
    ),
    "collapse identity": Invalid.within(
        "%m: memref<2x4xf32>",
        "%r = memref.collapse_shape %m [[0, 1]] : memref<2x4xf32> into memref<8xf32, strided<[1]>>",
    ),
    "expand layout": Invalid.within(
        "%m: memref<8xf32, strided<[2]>>",
        "%r = memref.expand_shape %m [[0, 1]] output_shape [2, 4] : memref<8xf32, strided<[2]>> into memref<2x4xf32>",
    ),
    "expand identity": Invalid.within(
        "%m: memref<8xf32>",
        "%r = memref.expand_shape %m [[0, 1]] output_shape [2, 4] : memref<8xf32> into memref<2x4xf32, strided<[4, 1]>>",
    ),
    "reinterpret offset": Invalid.within(
        "%m: memref<8xf32>",
        "%r = memref.reinterpret_cast %m to offset: [1], sizes: [4], strides: [1] : memref<8xf32> to memref<4xf32, strided<[1]>>",
    ),
    "reinterpret stride": Invalid.within(
        "%m: memref<8xf32>",
        "%r = memref.reinterpret_cast %m to offset: [0], sizes: [4], strides: [2] : memref<8xf32> to memref<4xf32, strided<[1]>>",
    ),
    "reinterpret dyn": Invalid.within(
        "%m: memref<8xf32>, %i: index",
        "%r = memref.reinterpret_cast %m to offset: [%i], sizes: [4], strides: [%i] : memref<8xf32> to memref<4xf32, strided<[1]>>",
    ),
    "reinterpret rank": Invalid.within(
        "%m: memref<8xf32>",
        "%r = memref.reinterpret_cast %m to offset: [0], sizes: [4, 2], strides: [2, 1] : memref<8xf32> to memref<4xf32, strided<[1]>>",
    ),
    "transpose": Invalid.within(
        "%m: memref<3x4xf32>",
        "%r = memref.transpose %m (i, j) -> (j, i) : memref<3x4xf32> to memref<3x4xf32>",
    ),
    "transpose layout": Invalid.within(
        "%m: memref<3x4xf32>",
        "%r = memref.transpose %m (i, j) -> (j, i) : memref<3x4xf32> to memref<4x3xf32>",
    ),
    "transpose dyn": Invalid.within(
        "%m: memref<?x?xf32>",
        "%r = memref.transpose %m (i, j) -> (j, i) : memref<?x?xf32> to memref<?x?xf32>",
    ),
    "assume_alignment": Invalid.within(
        "%m: memref<4xf32>", "%r = memref.assume_alignment %m, 3 : memref<4xf32>"
    ),
    "global dyn": Invalid('"memref.global"() <{sym_name = "g", type = memref<?xf32>}> : () -> ()\n'),
    "collapse to identity": Invalid.within(
        "%m: memref<2x4xf32, strided<[4, 1]>>",
        "%r = memref.collapse_shape %m [[0, 1]] : memref<2x4xf32, strided<[4, 1]>> into memref<8xf32>",
    ),
    "collapse rank0": Invalid.within(
        "%m: memref<1x1xf32, strided<[4, 1]>>",
        "%r = memref.collapse_shape %m [] : memref<1x1xf32, strided<[4, 1]>> into memref<f32>",
    ),
    "collapse dyn stride": Invalid.within(
        "%m: memref<?x?xf32, strided<[?, 1]>>",
        "%r = memref.collapse_shape %m [[0, 1]] : memref<?x?xf32, strided<[?, 1]>> into memref<?xf32, strided<[1]>>",
    ),
    "expand of strided1": Invalid.within(
        "%m: memref<8xf32, strided<[1]>>",
        "%r = memref.expand_shape %m [[0, 1]] output_shape [2, 4] : memref<8xf32, strided<[1]>> into memref<2x4xf32, strided<[4, 1]>>",
    ),
    "expand offset": Invalid.within(
        "%m: memref<8xf32, strided<[1], offset: 3>>",
        "%r = memref.expand_shape %m [[0, 1]] output_shape [2, 4] : memref<8xf32, strided<[1], offset: 3>> into memref<2x4xf32, strided<[4, 1]>>",
    ),
    "transpose strided dyn": Invalid.within(
        "%m: memref<3x4xf32, strided<[?, 1], offset: 5>>",
        "%r = memref.transpose %m (i, j) -> (j, i) : memref<3x4xf32, strided<[?, 1], offset: 5>> to memref<4x3xf32, strided<[1, 4]>>",
    ),
    "transpose strided zero": Invalid.within(
        "%m: memref<3x4xf32, strided<[0, 1]>>",
        "%r = memref.transpose %m (i, j) -> (j, i) : memref<3x4xf32, strided<[0, 1]>> to memref<4x3xf32, strided<[1, 4]>>",
    ),
    "transpose space": Invalid.within(
        "%m: memref<3x4xf32, 1>",
        "%r = memref.transpose %m (i, j) -> (j, i) : memref<3x4xf32, 1> to memref<4x3xf32, strided<[1, 4]>>",
    ),
    "subview zero size": Invalid.within(
        "%m: memref<0x8xf32>",
        "%r = memref.subview %m[0, 0] [0, 4] [1, 1] : memref<0x8xf32> to memref<0x4xf32, strided<[8, 1]>>",
    ),
}

VALID: dict[str, str] = {
    "subview dyn ok": Invalid.within(
        "%m: memref<?x?xf32>, %i: index",
        "%r = memref.subview %m[0, 0] [4, 4] [1, 1] : memref<?x?xf32> to memref<4x4xf32, strided<[?, 1]>>",
    ).text,
    "subview reduced ok": Invalid.within(
        "%m: memref<8x16xf32>",
        "%r = memref.subview %m[0, 0] [1, 4] [1, 1] : memref<8x16xf32> to memref<4xf32>",
    ).text,
    "cast": Invalid.within(
        "%m: memref<4x4xf32>",
        "%r = memref.cast %m : memref<4x4xf32> to memref<4x4xf32, strided<[?, 1], offset: ?>>",
    ).text,
    "reinterpret dyn ok": Invalid.within(
        "%m: memref<8xf32>, %i: index",
        "%r = memref.reinterpret_cast %m to offset: [0], sizes: [4], strides: [1] : memref<8xf32> to memref<4xf32, strided<[?], offset: ?>>",
    ).text,
    "collapse of identity": Invalid.within(
        "%m: memref<2x4xf32, strided<[4, 1]>>",
        "%r = memref.collapse_shape %m [[0, 1]] : memref<2x4xf32, strided<[4, 1]>> into memref<8xf32, strided<[1]>>",
    ).text,
    "collapse rank0 s": Invalid.within(
        "%m: memref<1x1xf32, strided<[4, 1], offset: 3>>",
        "%r = memref.collapse_shape %m [] : memref<1x1xf32, strided<[4, 1], offset: 3>> into memref<f32, strided<[], offset: 3>>",
    ).text,
    "collapse unit": Invalid.within(
        "%m: memref<1x4x1xf32, strided<[7, 2, 9]>>",
        "%r = memref.collapse_shape %m [[0, 1, 2]] : memref<1x4x1xf32, strided<[7, 2, 9]>> into memref<4xf32, strided<[2]>>",
    ).text,
    "collapse dyn stride2": Invalid.within(
        "%m: memref<?x?xf32, strided<[?, 1]>>",
        "%r = memref.collapse_shape %m [[0, 1]] : memref<?x?xf32, strided<[?, 1]>> into memref<?xf32, strided<[?]>>",
    ).text,
    "expand rank0": Invalid.within(
        "%m: memref<f32, strided<[], offset: 3>>",
        "%r = memref.expand_shape %m [] output_shape [1, 1] : memref<f32, strided<[], offset: 3>> into memref<1x1xf32, strided<[1, 1], offset: 3>>",
    ).text,
    "expand rank0 id": Invalid.within(
        "%m: memref<f32>",
        "%r = memref.expand_shape %m [] output_shape [1, 1] : memref<f32> into memref<1x1xf32>",
    ).text,
    "transpose strided": Invalid.within(
        "%m: memref<3x4xf32>",
        "%r = memref.transpose %m (i, j) -> (j, i) : memref<3x4xf32> to memref<4x3xf32, strided<[1, 4]>>",
    ).text,
    "subview mask": Invalid.within(
        "%m: memref<1x1x4xf32, strided<[9, 9, 1]>>",
        "%r = memref.subview %m[0, 0, 0] [1, 1, 4] [1, 1, 1] : memref<1x1x4xf32, strided<[9, 9, 1]>> to memref<1x4xf32, strided<[9, 1]>>",
    ).text,
    "subview unit stride": Invalid.within(
        "%m: memref<8x1xf32>",
        "%r = memref.subview %m[0, 0] [8, 1] [1, 1] : memref<8x1xf32> to memref<8xf32, strided<[1]>>",
    ).text,
    "subview neg stride": Invalid.within(
        "%m: memref<8xf32>",
        "%r = memref.subview %m[7] [4] [-1] : memref<8xf32> to memref<4xf32, strided<[-1], offset: 7>>",
    ).text,
    "subview zero offset dyn stride": Invalid.within(
        "%m: memref<?x?xf32, strided<[?, ?], offset: ?>>, %s: index",
        "%r = memref.subview %m[0, 0] [4, 4] [%s, 1] : memref<?x?xf32, strided<[?, ?], offset: ?>> to memref<4x4xf32, strided<[?, ?], offset: ?>>",
    ).text,
    "subview dyn reduce": Invalid.within(
        "%m: memref<?x?xf32>, %i: index",
        "%r = memref.subview %m[%i, 0] [1, %i] [1, 1] : memref<?x?xf32> to memref<?xf32, strided<[1], offset: ?>>",
    ).text,
    "cast unranked": Invalid.within(
        "%m: memref<*xf32>", "%r = memref.cast %m : memref<*xf32> to memref<4xf32, strided<[2]>>"
    ).text,
    "reinterpret rank0": Invalid.within(
        "%m: memref<8xf32>",
        "%r = memref.reinterpret_cast %m to offset: [3], sizes: [], strides: [] : memref<8xf32> to memref<f32, strided<[], offset: 3>>",
    ).text,
}


class TestProblems(ProblemTests, NoProblemTests):
    invalid = INVALID
    valid = VALID
