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
