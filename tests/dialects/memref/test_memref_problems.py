"""Invalid operations of memref: what is said of them, and where, is what mlir-opt 22 says."""

from __future__ import annotations

from tests.dialects.problem_cases import Invalid, ProblemTests

INVALID: dict[str, Invalid] = {
    "load rank": Invalid.within(
        "%m: memref<4x4xf32>, %i: index", "%r = memref.load %m[%i] : memref<4x4xf32>"
    ),
    "store rank": Invalid.within(
        "%m: memref<4x4xf32>, %i: index, %x: f32", "memref.store %x, %m[%i] : memref<4x4xf32>"
    ),
    "alloc count": Invalid.within("%i: index", "%r = memref.alloc(%i) : memref<4xf32>"),
    "alloc count2": Invalid.within("", "%r = memref.alloc() : memref<?xf32>"),
    "alloc symbols": Invalid.within("%i: index", "%r = memref.alloc()[%i] : memref<4xf32>"),
    "alloc symbols2": Invalid.within(
        "%i: index", "%r = memref.alloc() : memref<4xf32, affine_map<(d0)[s0] -> (d0 + s0)>>"
    ),
    "alloca count": Invalid.within("", "%r = memref.alloca() : memref<?xf32>"),
    "memref.cast elem": Invalid.within(
        "%m: memref<4xf32>", "%r = memref.cast %m : memref<4xf32> to memref<4xf64>"
    ),
    "memref.cast size": Invalid.within(
        "%m: memref<4xf32>", "%r = memref.cast %m : memref<4xf32> to memref<5xf32>", shape=True
    ),
    "memref.cast rank": Invalid.within(
        "%m: memref<4xf32>", "%r = memref.cast %m : memref<4xf32> to memref<4x1xf32>"
    ),
    "memref.cast unranked": Invalid.within(
        "%m: memref<*xf32>", "%r = memref.cast %m : memref<*xf32> to memref<*xf32>"
    ),
    "subview offset": Invalid.within(
        "%m: memref<8x16xf32>",
        "%r = memref.subview %m[8, 0] [4, 4] [1, 1] : memref<8x16xf32> to memref<4x4xf32, strided<[16, 1], offset: 128>>",
    ),
    "subview end": Invalid.within(
        "%m: memref<8x16xf32>",
        "%r = memref.subview %m[6, 0] [4, 4] [1, 1] : memref<8x16xf32> to memref<4x4xf32, strided<[16, 1], offset: 96>>",
    ),
    "subview rank": Invalid.within(
        "%m: memref<8x16xf32>",
        "%r = memref.subview %m[0, 0] [4, 4] [1, 1] : memref<8x16xf32> to memref<4x4x1xf32, strided<[16, 1, 1]>>",
    ),
    "subview elem": Invalid.within(
        "%m: memref<8x16xf32>",
        "%r = memref.subview %m[0, 0] [4, 4] [1, 1] : memref<8x16xf32> to memref<4x4xf64, strided<[16, 1]>>",
    ),
    "subview count": Invalid.within(
        "%m: memref<8x16xf32>",
        "%r = memref.subview %m[0] [4] [1] : memref<8x16xf32> to memref<4x16xf32, strided<[16, 1]>>",
    ),
    "memref.copy elem": Invalid.within(
        "%m: memref<8xf32>, %n: memref<8xf64>", "memref.copy %m, %n : memref<8xf32> to memref<8xf64>"
    ),
    "memref.copy shape": Invalid.within(
        "%m: memref<8xf32>, %n: memref<9xf32>",
        "memref.copy %m, %n : memref<8xf32> to memref<9xf32>",
        shape=True,
    ),
    "get_global missing": Invalid.within("", "%r = memref.get_global @nope : memref<4xf32>"),
    "get_global type": Invalid("""memref.global @g : memref<4xf32>
func.func @f() {
  %r = memref.get_global @g : memref<5xf32>
  return
}"""),
    "memref.expand": Invalid.within(
        "%m: memref<8xf32>",
        "%r = memref.expand_shape %m [[0, 1]] output_shape [2, 3] : memref<8xf32> into memref<2x3xf32>",
        shape=True,
    ),
    "memref.collapse": Invalid.within(
        "%m: memref<2x4xf32>",
        "%r = memref.collapse_shape %m [[0, 1]] : memref<2x4xf32> into memref<7xf32>",
        shape=True,
    ),
    "reinterpret_cast": Invalid.within(
        "%m: memref<8xf32>",
        "%r = memref.reinterpret_cast %m to offset: [0], sizes: [4], strides: [1] : memref<8xf32> to memref<5xf32, strided<[1]>>",
    ),
    "reinterpret_cast elem": Invalid.within(
        "%m: memref<8xf32>",
        "%r = memref.reinterpret_cast %m to offset: [0], sizes: [4], strides: [1] : memref<8xf32> to memref<4xf64, strided<[1]>>",
    ),
    "memref.view": Invalid.within(
        "%m: memref<64xi8>, %i: index", "%r = memref.view %m[%i][%i] : memref<64xi8> to memref<4xf32>"
    ),
    "atomic_rmw": Invalid.within(
        "%m: memref<4xf32>, %i: index, %x: i32",
        "%r = memref.atomic_rmw addi %x, %m[%i] : (i32, memref<4xf32>) -> i32",
    ),
    "atomic_rmw kind": Invalid.within(
        "%m: memref<4xf32>, %i: index, %x: f32",
        "%r = memref.atomic_rmw addi %x, %m[%i] : (f32, memref<4xf32>) -> f32",
    ),
    "atomic_rmw rank": Invalid.within(
        "%m: memref<4x4xf32>, %i: index, %x: f32",
        "%r = memref.atomic_rmw addf %x, %m[%i] : (f32, memref<4x4xf32>) -> f32",
    ),
    "memref.prefetch rank": Invalid.within(
        "%m: memref<4x4xf32>, %i: index", "memref.prefetch %m[%i], read, locality<3>, data : memref<4x4xf32>"
    ),
    "memref.reshape": Invalid.within(
        "%m: memref<4x4xf32>, %s: memref<1xindex>",
        "%r = memref.reshape %m(%s) : (memref<4x4xf32>, memref<1xindex>) -> memref<2x8xf32>",
    ),
    "memref.realloc": Invalid.within(
        "%m: memref<4xf32>", "%r = memref.realloc %m : memref<4xf32> to memref<?xf32>"
    ),
}


class TestProblems(ProblemTests):
    invalid = INVALID
