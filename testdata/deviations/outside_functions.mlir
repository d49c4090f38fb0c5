// mlir-opt-22: says dependence from 0 to 1 at depth 1 = [1, 1]
// options: -test-memref-dependence-check
// A loop that is in no function.
%x = arith.constant 1.0 : f32
%m = memref.alloc() : memref<10xf32>
affine.for %i = 1 to 9 {
  affine.store %x, %m[%i] : memref<10xf32>
  %y = affine.load %m[%i - 1] : memref<10xf32>
}
