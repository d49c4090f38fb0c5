// mlir-opt-22: prints arith.addi %arg1, %0 overflow<nsw>
// options: -pass-pipeline=builtin.module(func.func(affine-parallelize{parallel-reductions}))
func.func @sum(%m: memref<8xi32>, %z: i32) -> i32 {
  %r = affine.for %i = 0 to 8 iter_args(%s = %z) -> i32 {
    %v = affine.load %m[%i] : memref<8xi32>
    %t = arith.addi %s, %v overflow<nsw> : i32
    affine.yield %t : i32
  }
  return %r : i32
}
