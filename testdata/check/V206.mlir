// What is stored first is overwritten before it is read.
func.func @fires(%m: memref<9xf32>, %x: f32, %y: f32) {
  affine.for %i = 0 to 9 {
    affine.store %x, %m[%i] : memref<9xf32>
    affine.store %y, %m[%i] : memref<9xf32>
  }
  return
}

func.func @silent(%m: memref<9xf32>, %x: f32, %y: f32) {
  affine.for %i = 0 to 9 {
    affine.store %x, %m[%i] : memref<9xf32>
  }
  affine.for %i = 0 to 8 {
    affine.store %y, %m[%i] : memref<9xf32>
  }
  return
}

// One of two buffers is written, of which one is read.
func.func @chosen(%x: f32, %c: i1) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<9xf32>
  %b = memref.alloc() : memref<9xf32>
  memref.store %x, %a[%c0] : memref<9xf32>
  %m = arith.select %c, %a, %b : memref<9xf32>
  memref.store %x, %m[%c0] : memref<9xf32>
  %v = memref.load %a[%c0] : memref<9xf32>
  memref.dealloc %a : memref<9xf32>
  memref.dealloc %b : memref<9xf32>
  return %v : f32
}

// What may be the same memory is read in between.
func.func @silent_beside_a_read_argument(%m: memref<9xf32>, %o: memref<9xf32>, %x: f32, %y: f32) -> f32 {
  affine.store %x, %m[0] : memref<9xf32>
  %v = affine.load %o[0] : memref<9xf32>
  affine.store %y, %m[0] : memref<9xf32>
  return %v : f32
}
