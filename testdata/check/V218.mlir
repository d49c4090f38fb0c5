// What is on the stack ends with the function, whoever gets it.
func.func @fires(%x: f32) -> memref<1xf32> {
  %t = memref.alloca() : memref<1xf32>
  affine.store %x, %t[0] : memref<1xf32>
  return %t : memref<1xf32>
}

func.func @silent(%x: f32) -> memref<1xf32> {
  %t = memref.alloca() : memref<1xf32>
  %r = memref.alloc() : memref<1xf32>
  affine.store %x, %t[0] : memref<1xf32>
  memref.copy %t, %r : memref<1xf32> to memref<1xf32>
  return %r : memref<1xf32>
}
