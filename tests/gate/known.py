"""Programs with one or two findings each, whose grounds are tested, and which are made worse."""

from __future__ import annotations

LOAD = """func.func @f(%m: memref<9xf32>, %n: memref<9xf32>) -> f32 {
  affine.for %i = 0 to 9 {
    %w = affine.load %m[%i + 1] : memref<9xf32>
    affine.store %w, %n[%i] : memref<9xf32>
  }
  %v = affine.load %n[0] : memref<9xf32>
  return %v : f32
}
"""
OTHER = """func.func @g(%m: memref<9xf32>) -> f32 {
  %v = affine.load %m[8] : memref<9xf32>
  return %v : f32
}
"""
PARTLY = """func.func @part(%x: f32) -> (f32, f32) {
  %a = memref.alloc() : memref<9xf32>
  %b = memref.alloc() : memref<8xf32>
  affine.for %i = 0 to 5 {
    affine.store %x, %a[%i] : memref<9xf32>
    affine.store %x, %b[%i] : memref<8xf32>
  }
  %s = affine.for %j = 3 to 7 iter_args(%t = %x) -> (f32) {
    %u = affine.load %a[%j] : memref<9xf32>
    %w = arith.addf %t, %u : f32
    affine.yield %w : f32
  }
  %v = affine.load %b[6] : memref<8xf32>
  return %s, %v : f32, f32
}
"""
RACE = """func.func @race(%m: memref<9xf32>, %x: f32) {
  affine.for %k = 0 to 2 {
    affine.parallel (%i) = (0) to (8) {
      %v = affine.load %m[%i + 1] : memref<9xf32>
      affine.store %v, %m[%i] : memref<9xf32>
    }
  }
  return
}
"""
CALLS = """func.func @at(%m: memref<8xf32>, %k: index) -> f32 {
  %v = memref.load %m[%k] : memref<8xf32>
  return %v : f32
}
func.func @near(%m: memref<8xf32>, %k: index) -> f32 {
  %v = memref.load %m[%k] : memref<8xf32>
  %w = arith.mulf %v, %v : f32
  return %w : f32
}
func.func @user(%m: memref<8xf32>) -> f32 {
  %k = arith.constant 8 : index
  %v = func.call @at(%m, %k) : (memref<8xf32>, index) -> f32
  return %v : f32
}
"""
FREED = """func.func @freed(%m: memref<1xf32>, %c: i1, %x: f32) {
  %t = memref.alloc() : memref<1xf32>
  affine.store %x, %t[0] : memref<1xf32>
  memref.dealloc %t : memref<1xf32>
  %v = affine.load %t[0] : memref<1xf32>
  affine.store %v, %m[0] : memref<1xf32>
  return
}
"""
SHAPES = """func.func @shapes(%a: tensor<4xf32>, %o: tensor<5xf32>) -> tensor<5xf32> {
  %r = linalg.add ins(%a, %a : tensor<4xf32>, tensor<4xf32>) outs(%o : tensor<5xf32>) -> tensor<5xf32>
  return %r : tensor<5xf32>
}
"""
UNWRITTEN = """func.func @part(%x: f32) -> f32 {
  %a = memref.alloc() : memref<9xf32>
  affine.for %i = 0 to 5 {
    affine.store %x, %a[%i] : memref<9xf32>
  }
  %v = affine.load %a[5] : memref<9xf32>
  return %v : f32
}
"""
DEAD = """func.func @dead(%m: memref<9xf32>, %x: f32, %y: f32) {
  affine.for %i = 0 to 9 {
    affine.store %x, %m[%i] : memref<9xf32>
    affine.store %y, %m[%i] : memref<9xf32>
  }
  return
}
"""
MARKED = """func.func @marked(%x: f32) -> f32 {
  %r = affine.for %i = 0 to 9 iter_args(%t = %x) -> (f32) {
    %u = arith.divf %x, %t : f32
    affine.yield %u : f32
  } {volcli.parallel}
  return %r : f32
}
"""
