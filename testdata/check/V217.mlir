// The second iteration frees the buffer again.
func.func @fires(%m: memref<1xf32>, %x: f32) {
  %t = memref.alloc() : memref<1xf32>
  affine.store %x, %t[0] : memref<1xf32>
  memref.copy %t, %m : memref<1xf32> to memref<1xf32>
  affine.for %i = 0 to 2 {
    memref.dealloc %t : memref<1xf32>
  }
  return
}

func.func @silent(%m: memref<1xf32>, %c: i1, %x: f32) {
  %t = memref.alloc() : memref<1xf32>
  affine.store %x, %t[0] : memref<1xf32>
  scf.if %c {
    memref.copy %t, %m : memref<1xf32> to memref<1xf32>
    memref.dealloc %t : memref<1xf32>
  } else {
    memref.dealloc %t : memref<1xf32>
  }
  return
}
