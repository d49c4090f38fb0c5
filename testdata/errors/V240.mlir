// The last element that the loop reads is not there.
// RUN: volcli run %s
func.func @sum(%m: memref<8xf32>) -> f32 {
  %zero = arith.constant 0.0 : f32
  %sum = affine.for %i = 0 to 9 iter_args(%before = %zero) -> (f32) {
    %x = affine.load %m[%i] : memref<8xf32>
    %after = arith.addf %before, %x : f32
    affine.yield %after : f32
  }
  return %sum : f32
}
