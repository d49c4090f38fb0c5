// scratch.mlir, in which each iteration has a buffer of its own.
func.func @added(%x: memref<100x100xf32>, %y: memref<100x100xf32>) {
  affine.for %i = 0 to 100 {
    affine.for %j = 0 to 100 {
      %t = memref.alloc() : memref<1xf32>
      %a = affine.load %x[%i, %j] : memref<100x100xf32>
      %b = arith.mulf %a, %a : f32
      affine.store %b, %t[0] : memref<1xf32>
      %c = affine.load %t[0] : memref<1xf32>
      %d = affine.load %y[%j, %i] : memref<100x100xf32>
      %e = arith.addf %c, %d : f32
      affine.store %e, %y[%j, %i] : memref<100x100xf32>
      memref.dealloc %t : memref<1xf32>
    }
  }
  return
}
