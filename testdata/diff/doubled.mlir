// Twice each element, as a sum, and the elements added up from the first to the last.
func.func @doubled(%a: memref<8xi32>, %r: memref<8xi32>) {
  affine.for %i = 0 to 8 {
    %x = affine.load %a[%i] : memref<8xi32>
    %y = arith.addi %x, %x : i32
    affine.store %y, %r[%i] : memref<8xi32>
  }
  return
}
func.func @summed(%a: memref<8xf32>) -> f32 {
  %zero = arith.constant 0.0 : f32
  %r = affine.for %i = 0 to 8 iter_args(%s = %zero) -> f32 {
    %x = affine.load %a[%i] : memref<8xf32>
    %t = arith.addf %s, %x : f32
    affine.yield %t : f32
  }
  return %r : f32
}
