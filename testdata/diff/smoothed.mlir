// Each element and its right neighbours are squared, and added.
func.func @smoothed(%a: memref<12xf32>, %r: memref<10xf32>) {
  %t = memref.alloc() : memref<12xf32>
  affine.for %i = 0 to 12 {
    %x = affine.load %a[%i] : memref<12xf32>
    %y = arith.mulf %x, %x : f32
    affine.store %y, %t[%i] : memref<12xf32>
  }
  affine.for %i = 0 to 10 {
    %x = affine.load %t[%i] : memref<12xf32>
    %y = affine.load %t[%i + 2] : memref<12xf32>
    %s = arith.addf %x, %y : f32
    affine.store %s, %r[%i] : memref<10xf32>
  }
  memref.dealloc %t : memref<12xf32>
  return
}
