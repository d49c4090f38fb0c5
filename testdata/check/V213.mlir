// The sum may be combined in any order; the polynomial by Horner's rule not.
func.func @fires(%m: memref<8xf32>, %x: f32) -> f32 {
  %r = affine.for %i = 0 to 8 iter_args(%a = %x) -> (f32) {
    %c = affine.load %m[%i] : memref<8xf32>
    %p = arith.mulf %a, %x : f32
    %s = arith.addf %p, %c : f32
    affine.yield %s : f32
  } {volcli.parallel}
  return %r : f32
}

func.func @silent(%m: memref<8xf32>, %x: f32) -> f32 {
  %r = affine.for %i = 0 to 8 iter_args(%a = %x) -> (f32) {
    %c = affine.load %m[%i] : memref<8xf32>
    %s = arith.addf %a, %c : f32
    affine.yield %s : f32
  } {volcli.parallel}
  return %r : f32
}
