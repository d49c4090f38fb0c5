// The first iteration reads one element before the first one.
// RUN: volcli opt %s -p check-accesses
func.func @before(%m: memref<9xf32>) -> f32 {
  %zero = arith.constant 0.0 : f32
  %sum = affine.for %i = 0 to 9 iter_args(%s = %zero) -> f32 {
    %v = affine.load %m[%i - 1] : memref<9xf32>
    %t = arith.addf %s, %v : f32
    affine.yield %t : f32
  }
  return %sum : f32
}
