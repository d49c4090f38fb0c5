// Each branch frees the buffer, which is read after them.
func.func @fires(%m: memref<1xf32>, %c: i1, %x: f32, %y: f32) {
  %t = memref.alloc() : memref<1xf32>
  scf.if %c {
    affine.store %x, %t[0] : memref<1xf32>
    memref.dealloc %t : memref<1xf32>
  } else {
    affine.store %y, %t[0] : memref<1xf32>
    memref.dealloc %t : memref<1xf32>
  }
  %v = affine.load %t[0] : memref<1xf32>
  affine.store %v, %m[0] : memref<1xf32>
  return
}

func.func @silent(%m: memref<2xf32>, %x: f32) {
  affine.for %i = 0 to 2 {
    %t = memref.alloc() : memref<1xf32>
    affine.store %x, %t[0] : memref<1xf32>
    %v = affine.load %t[0] : memref<1xf32>
    affine.store %v, %m[%i] : memref<2xf32>
    memref.dealloc %t : memref<1xf32>
  }
  return
}
