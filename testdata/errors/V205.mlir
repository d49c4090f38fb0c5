// The last element is read, and only those before it are written.
// RUN: volcli opt %s -p memory-flow
func.func @last(%x: f32) -> f32 {
  %a = memref.alloc() : memref<9xf32>
  affine.for %i = 0 to 8 {
    affine.store %x, %a[%i] : memref<9xf32>
  }
  %v = affine.load %a[8] : memref<9xf32>
  %w = affine.load %a[7] : memref<9xf32>
  %sum = arith.addf %v, %w : f32
  return %sum : f32
}
