"""Invalid operations of affine: what is said of them, and where, is what mlir-opt 22 says."""

from __future__ import annotations

from tests.dialects.problem_cases import Invalid, ProblemTests

INVALID: dict[str, Invalid] = {
    "apply not symbol": Invalid.within(
        "%i: index",
        """affine.for %k = 0 to 4 {
 %r = affine.apply affine_map<()[s0] -> (s0)>()[%k]
}""",
    ),
    "apply not dim2": Invalid.within(
        "%t: memref<4xf32>, %tt: tensor<4xindex>",
        """%c0 = arith.constant 0 : index
affine.for %k = 0 to 4 {
 %e = tensor.extract %tt[%k] : tensor<4xindex>
 %l = affine.load %t[%e] : memref<4xf32>
}""",
    ),
    "affine.load rank": Invalid.within(
        "%m: memref<4x4xf32>, %i: index", "%r = affine.load %m[%i] : memref<4x4xf32>"
    ),
    "affine.load result": Invalid.within(
        "%m: memref<4xf32>, %j: index",
        '%r = "affine.load"(%m, %j) <{map = affine_map<(d0) -> (d0)>}> : (memref<4xf32>, index) -> f64',
    ),
    "affine.store rank": Invalid.within(
        "%m: memref<4x4xf32>, %i: index, %x: f32", "affine.store %x, %m[%i] : memref<4x4xf32>"
    ),
    "affine.store type": Invalid.within(
        "%m: memref<4xf32>, %i: index, %x: f64",
        '"affine.store"(%x, %m, %i) <{map = affine_map<(d0) -> (d0)>}> : (f64, memref<4xf32>, index) -> ()',
    ),
    "affine.for bound dims": Invalid.within(
        "%t: tensor<4xindex>",
        """affine.for %k = 0 to 4 {
 %e = tensor.extract %t[%k] : tensor<4xindex>
 affine.for %l = 0 to %e {
 }
}""",
    ),
    "affine.for yield": Invalid.within(
        "%x: f32, %y: f64",
        """%r = affine.for %k = 0 to 4 iter_args(%a = %x) -> (f32) {
 affine.yield %y : f64
}""",
    ),
    "affine.for yieldcount": Invalid.within(
        "%x: f32, %y: f64",
        """%r = affine.for %k = 0 to 4 iter_args(%a = %x) -> (f32) {
 affine.yield %x, %x : f32, f32
}""",
    ),
    "affine.for noyield": Invalid.within(
        "%x: f32, %y: f64",
        """%r = affine.for %k = 0 to 4 iter_args(%a = %x) -> (f32) {
}""",
    ),
    "affine.for emptymap": Invalid.within(
        "%x: index",
        """affine.for %k = affine_map<(d0) -> ()>(%x) to 4 {
}""",
    ),
    "affine.if yield": Invalid.within(
        "%i: index, %x: f32",
        """%r = affine.if affine_set<(d0) : (d0 >= 0)>(%i) -> f32 {
 affine.yield %x : f32
} else {
}""",
    ),
    "affine.if no else": Invalid.within(
        "%i: index, %x: f32",
        """%r = affine.if affine_set<(d0) : (d0 >= 0)>(%i) -> f32 {
 affine.yield %x : f32
}""",
    ),
    "affine.min empty": Invalid.within("%i: index", "%r = affine.min affine_map<(d0) -> ()>(%i)"),
    "affine.parallel reduction": Invalid.within(
        "%x: f32",
        """%r = affine.parallel (%k) = (0) to (4) reduce ("addi") -> (f32) {
 affine.yield %x : f32
}""",
    ),
    "affine.parallel yield": Invalid.within(
        "%x: f64",
        """%r = affine.parallel (%k) = (0) to (4) reduce ("addf") -> (f32) {
 affine.yield %x : f64
}""",
    ),
    "delinearize count": Invalid.within(
        "%i: index", "%r:3 = affine.delinearize_index %i into (4) : index, index, index"
    ),
    "delinearize zero": Invalid.within(
        "%i: index", "%r:2 = affine.delinearize_index %i into (4, 0) : index, index"
    ),
    "linearize count": Invalid.within(
        "%i: index", "%r = affine.linearize_index [%i, %i] by (4, 3, 2) : index"
    ),
    "vector_load rank": Invalid.within(
        "%m: memref<4x4xf32>, %i: index", "%r = affine.vector_load %m[%i] : memref<4x4xf32>, vector<4xf32>"
    ),
    "vector_load elem": Invalid.within(
        "%m: memref<4xf32>, %i: index", "%r = affine.vector_load %m[%i] : memref<4xf32>, vector<4xf64>"
    ),
    "prefetch rank": Invalid.within(
        "%m: memref<4x4xf32>, %i: index", "affine.prefetch %m[%i], read, locality<3>, data : memref<4x4xf32>"
    ),
    "prefetch locality": Invalid.within(
        "%m: memref<4xf32>, %i: index", "affine.prefetch %m[%i], read, locality<5>, data : memref<4xf32>"
    ),
}


class TestProblems(ProblemTests):
    invalid = INVALID
