// Eight elements of nine are written, and all of them are read.
func.func @fires(%x: f32) -> f32 {
  %a = memref.alloc() : memref<9xf32>
  affine.for %i = 0 to 8 {
    affine.store %x, %a[%i] : memref<9xf32>
  }
  %v = affine.load %a[8] : memref<9xf32>
  memref.dealloc %a : memref<9xf32>
  return %v : f32
}

func.func @silent(%x: f32) -> f32 {
  %a = memref.alloc() : memref<9xf32>
  affine.for %i = 0 to 9 {
    affine.store %x, %a[%i] : memref<9xf32>
  }
  %v = affine.load %a[8] : memref<9xf32>
  memref.dealloc %a : memref<9xf32>
  return %v : f32
}

// One of two buffers is read, of which one has the element.
func.func @chosen(%x: f32, %c: i1) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<9xf32>
  %b = memref.alloc() : memref<9xf32>
  memref.store %x, %a[%c0] : memref<9xf32>
  %m = arith.select %c, %a, %b : memref<9xf32>
  %v = memref.load %m[%c0] : memref<9xf32>
  memref.dealloc %a : memref<9xf32>
  memref.dealloc %b : memref<9xf32>
  return %v : f32
}
