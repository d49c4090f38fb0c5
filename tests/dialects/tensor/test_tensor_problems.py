"""Invalid operations of tensor: what is said of them, and where, is what mlir-opt 22 says."""

from __future__ import annotations

from tests.dialects.problem_cases import Invalid, ProblemTests

INVALID: dict[str, Invalid] = {
    "extract_slice rank": Invalid.within(
        "%t: tensor<8x16xf32>",
        "%r = tensor.extract_slice %t[0, 0] [4, 4] [1, 1] : tensor<8x16xf32> to tensor<4x4x1xf32>",
    ),
    "extract_slice type": Invalid.within(
        "%t: tensor<8x16xf32>",
        "%r = tensor.extract_slice %t[0, 0] [4, 4] [1, 1] : tensor<8x16xf32> to tensor<4x5xf32>",
        shape=True,
    ),
    "extract_slice dyn": Invalid.within(
        "%t: tensor<8x16xf32>",
        "%r = tensor.extract_slice %t[0, 0] [4, 4] [1, 1] : tensor<8x16xf32> to tensor<4x?xf32>",
    ),
    "extract_slice elem": Invalid.within(
        "%t: tensor<8x16xf32>",
        "%r = tensor.extract_slice %t[0, 0] [4, 4] [1, 1] : tensor<8x16xf32> to tensor<4x4xf64>",
    ),
    "extract_slice offset": Invalid.within(
        "%t: tensor<8x16xf32>",
        "%r = tensor.extract_slice %t[9, 0] [4, 4] [1, 1] : tensor<8x16xf32> to tensor<4x4xf32>",
    ),
    "extract_slice end": Invalid.within(
        "%t: tensor<8x16xf32>",
        "%r = tensor.extract_slice %t[6, 0] [4, 4] [1, 1] : tensor<8x16xf32> to tensor<4x4xf32>",
    ),
    "extract_slice stride": Invalid.within(
        "%t: tensor<8x16xf32>",
        "%r = tensor.extract_slice %t[0, 0] [4, 4] [1, 6] : tensor<8x16xf32> to tensor<4x4xf32>",
    ),
    "extract_slice neg offset": Invalid.within(
        "%t: tensor<8x16xf32>",
        "%r = tensor.extract_slice %t[-1, 0] [4, 4] [1, 1] : tensor<8x16xf32> to tensor<4x4xf32>",
    ),
    "extract_slice neg size": Invalid.within(
        "%t: tensor<8x16xf32>",
        "%r = tensor.extract_slice %t[0, 0] [-4, 4] [1, 1] : tensor<8x16xf32> to tensor<4x4xf32>",
    ),
    "extract_slice count": Invalid.within(
        "%t: tensor<8x16xf32>",
        "%r = tensor.extract_slice %t[0] [4] [1] : tensor<8x16xf32> to tensor<4x4xf32>",
    ),
    "extract_slice mixcount": Invalid.within(
        "%t: tensor<8x16xf32>",
        "%r = tensor.extract_slice %t[0, 0] [4] [1, 1] : tensor<8x16xf32> to tensor<4x4xf32>",
    ),
    "extract_slice rankreduce bad": Invalid.within(
        "%t: tensor<8x16xf32>",
        "%r = tensor.extract_slice %t[0, 0] [4, 4] [1, 1] : tensor<8x16xf32> to tensor<4xf32>",
    ),
    "insert_slice rank": Invalid.within(
        "%t: tensor<8x16xf32>, %s: tensor<4x4x1xf32>",
        "%r = tensor.insert_slice %s into %t[0, 0] [4, 4] [1, 1] : tensor<4x4x1xf32> into tensor<8x16xf32>",
    ),
    "insert_slice type": Invalid.within(
        "%t: tensor<8x16xf32>, %s: tensor<4x5xf32>",
        "%r = tensor.insert_slice %s into %t[0, 0] [4, 4] [1, 1] : tensor<4x5xf32> into tensor<8x16xf32>",
        shape=True,
    ),
    "insert_slice elem": Invalid.within(
        "%t: tensor<8x16xf32>, %s: tensor<4x4xi32>",
        "%r = tensor.insert_slice %s into %t[0, 0] [4, 4] [1, 1] : tensor<4x4xi32> into tensor<8x16xf32>",
    ),
    "insert_slice end": Invalid.within(
        "%t: tensor<8x16xf32>, %s: tensor<4x4xf32>",
        "%r = tensor.insert_slice %s into %t[6, 0] [4, 4] [1, 1] : tensor<4x4xf32> into tensor<8x16xf32>",
    ),
    "insert_slice offset": Invalid.within(
        "%t: tensor<8x16xf32>, %s: tensor<4x4xf32>",
        "%r = tensor.insert_slice %s into %t[8, 0] [4, 4] [1, 1] : tensor<4x4xf32> into tensor<8x16xf32>",
    ),
    "insert_slice count": Invalid.within(
        "%t: tensor<8x16xf32>, %s: tensor<4x4xf32>",
        "%r = tensor.insert_slice %s into %t[0] [4] [1] : tensor<4x4xf32> into tensor<8x16xf32>",
    ),
    "pad type": Invalid.within(
        "%t: tensor<8xf32>, %x: f32",
        """%r = tensor.pad %t low[1] high[1] {
 ^bb0(%k: index):
 tensor.yield %x : f32
} : tensor<8xf32> to tensor<9xf32>""",
        shape=True,
    ),
    "pad rank": Invalid.within(
        "%t: tensor<8xf32>, %x: f32",
        """%r = tensor.pad %t low[1] high[1] {
 ^bb0(%k: index):
 tensor.yield %x : f32
} : tensor<8xf32> to tensor<9x1xf32>""",
    ),
    "pad count": Invalid.within(
        "%t: tensor<8xf32>, %x: f32",
        """%r = tensor.pad %t low[1, 1] high[1] {
 ^bb0(%k: index):
 tensor.yield %x : f32
} : tensor<8xf32> to tensor<10xf32>""",
    ),
    "pad args": Invalid.within(
        "%t: tensor<8xf32>, %x: f32",
        """%r = tensor.pad %t low[1] high[1] {
 ^bb0(%k: index, %l: index):
 tensor.yield %x : f32
} : tensor<8xf32> to tensor<10xf32>""",
    ),
    "pad argtype": Invalid.within(
        "%t: tensor<8xf32>, %x: f32",
        """%r = tensor.pad %t low[1] high[1] {
 ^bb0(%k: i32):
 tensor.yield %x : f32
} : tensor<8xf32> to tensor<10xf32>""",
    ),
    "pad yieldtype": Invalid.within(
        "%t: tensor<8xf32>, %x: f64",
        """%r = tensor.pad %t low[1] high[1] {
 ^bb0(%k: index):
 tensor.yield %x : f64
} : tensor<8xf32> to tensor<10xf32>""",
    ),
    "pad elem": Invalid.within(
        "%t: tensor<8xf32>, %x: f32",
        """%r = tensor.pad %t low[1] high[1] {
 ^bb0(%k: index):
 tensor.yield %x : f32
} : tensor<8xf32> to tensor<10xf64>""",
    ),
    "concat dim": Invalid.within(
        "%t: tensor<8x4xf32>",
        "%r = tensor.concat dim(2) %t, %t : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<16x4xf32>",
    ),
    "concat size": Invalid.within(
        "%t: tensor<8x4xf32>, %s: tensor<8x5xf32>",
        "%r = tensor.concat dim(0) %t, %s : (tensor<8x4xf32>, tensor<8x5xf32>) -> tensor<16x4xf32>",
        shape=True,
    ),
    "concat result": Invalid.within(
        "%t: tensor<8x4xf32>",
        "%r = tensor.concat dim(0) %t, %t : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<15x4xf32>",
        shape=True,
    ),
    "expand static": Invalid.within(
        "%t: tensor<8xf32>",
        "%r = tensor.expand_shape %t [[0, 1]] output_shape [2, 3] : tensor<8xf32> into tensor<2x3xf32>",
        shape=True,
    ),
    "expand groups": Invalid.within(
        "%t: tensor<8xf32>",
        "%r = tensor.expand_shape %t [[0], [1]] output_shape [2, 4] : tensor<8xf32> into tensor<2x4xf32>",
    ),
    "expand missing dim": Invalid.within(
        "%t: tensor<8xf32>",
        "%r = tensor.expand_shape %t [[0, 1]] output_shape [2, 4, 1] : tensor<8xf32> into tensor<2x4x1xf32>",
    ),
    "expand order": Invalid.within(
        "%t: tensor<8xf32>",
        "%r = tensor.expand_shape %t [[1, 0]] output_shape [2, 4] : tensor<8xf32> into tensor<2x4xf32>",
    ),
    "expand dynamic": Invalid.within(
        "%t: tensor<?xf32>",
        "%r = tensor.expand_shape %t [[0, 1]] output_shape [2, 4] : tensor<?xf32> into tensor<2x4xf32>",
    ),
    "collapse static": Invalid.within(
        "%t: tensor<2x3xf32>",
        "%r = tensor.collapse_shape %t [[0, 1]] : tensor<2x3xf32> into tensor<8xf32>",
        shape=True,
    ),
    "collapse groups": Invalid.within(
        "%t: tensor<2x3xf32>", "%r = tensor.collapse_shape %t [[0, 1]] : tensor<2x3xf32> into tensor<2x3xf32>"
    ),
    "collapse elem": Invalid.within(
        "%t: tensor<2x3xf32>", "%r = tensor.collapse_shape %t [[0, 1]] : tensor<2x3xf32> into tensor<6xf64>"
    ),
    "collapse dyn": Invalid.within(
        "%t: tensor<2x3xf32>", "%r = tensor.collapse_shape %t [[0, 1]] : tensor<2x3xf32> into tensor<?xf32>"
    ),
    "cast elem": Invalid.within(
        "%t: tensor<2x3xf32>", "%r = tensor.cast %t : tensor<2x3xf32> to tensor<2x3xf64>"
    ),
    "cast size": Invalid.within(
        "%t: tensor<2x3xf32>", "%r = tensor.cast %t : tensor<2x3xf32> to tensor<2x4xf32>", shape=True
    ),
    "cast rank": Invalid.within(
        "%t: tensor<2x3xf32>", "%r = tensor.cast %t : tensor<2x3xf32> to tensor<2x3x1xf32>"
    ),
    "bitcast width": Invalid.within(
        "%t: tensor<2xf32>", "%r = tensor.bitcast %t : tensor<2xf32> to tensor<2xi64>"
    ),
    "empty dyn count": Invalid.within("%i: index", "%r = tensor.empty(%i) : tensor<4xf32>"),
    "empty dyn count2": Invalid.within("%i: index", "%r = tensor.empty(%i) : tensor<?x?xf32>"),
    "extract rank": Invalid.within(
        "%t: tensor<2x3xf32>, %i: index", "%r = tensor.extract %t[%i] : tensor<2x3xf32>"
    ),
    "insert rank": Invalid.within(
        "%t: tensor<2x3xf32>, %i: index, %x: f32", "%r = tensor.insert %x into %t[%i] : tensor<2x3xf32>"
    ),
    "splat count": Invalid.within("%x: f32, %i: index", "%r = tensor.splat %x[%i] : tensor<2xf32>"),
    "generate count": Invalid.within(
        "%x: f32, %i: index",
        """%r = tensor.generate %i {
^bb0(%a: index):
 tensor.yield %x : f32
} : tensor<2xf32>""",
    ),
    "generate args": Invalid.within(
        "%x: f32, %i: index",
        """%r = tensor.generate %i {
^bb0(%a: index, %b: index):
 tensor.yield %x : f32
} : tensor<?xf32>""",
    ),
    "generate yield": Invalid.within(
        "%x: f64, %i: index",
        """%r = tensor.generate %i {
^bb0(%a: index):
 tensor.yield %x : f64
} : tensor<?xf32>""",
    ),
    "reshape elements": Invalid.within(
        "%t: tensor<2x3xf32>, %s: tensor<1xindex>",
        "%r = tensor.reshape %t(%s) : (tensor<2x3xf32>, tensor<1xindex>) -> tensor<7xf32>",
        shape=True,
    ),
    "reshape rank": Invalid.within(
        "%t: tensor<2x3xf32>, %s: tensor<1xindex>",
        "%r = tensor.reshape %t(%s) : (tensor<2x3xf32>, tensor<1xindex>) -> tensor<2x3xf32>",
    ),
    "reshape elem": Invalid.within(
        "%t: tensor<2x3xf32>, %s: tensor<1xindex>",
        "%r = tensor.reshape %t(%s) : (tensor<2x3xf32>, tensor<1xindex>) -> tensor<6xf64>",
    ),
    "gather dims": Invalid.within(
        "%t: tensor<4x5xf32>, %s: tensor<7x1xindex>",
        "%r = tensor.gather %t[%s] gather_dims([2]) : (tensor<4x5xf32>, tensor<7x1xindex>) -> tensor<7x4x1xf32>",
    ),
}


class TestProblems(ProblemTests):
    invalid = INVALID
