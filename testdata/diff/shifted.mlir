// As doubled.mlir, by shifts, and from the last element to the first.
func.func @doubled(%a: memref<8xi32>, %r: memref<8xi32>) {
  %one = arith.constant 1 : i32
  affine.for %i = 0 to 8 {
    %x = affine.load %a[%i] : memref<8xi32>
    %y = arith.shli %x, %one : i32
    affine.store %y, %r[%i] : memref<8xi32>
  }
  return
}
func.func @summed(%a: memref<8xf32>) -> f32 {
  %zero = arith.constant 0.0 : f32
  %r = affine.for %i = 0 to 8 iter_args(%s = %zero) -> f32 {
    %x = affine.load %a[7 - %i] : memref<8xf32>
    %t = arith.addf %s, %x : f32
    affine.yield %t : f32
  }
  return %r : f32
}
