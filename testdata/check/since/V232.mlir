// Each iteration now needs what the one before has stored; in @silent it reads another memory.
func.func @fires(%m: memref<9xf32>, %k: memref<9xf32>) {
  affine.for %i = 1 to 9 {
    %v = affine.load %m[%i] : memref<9xf32>
    affine.store %v, %m[%i] : memref<9xf32>
  }
  return
}

func.func @silent(%m: memref<9xf32>, %k: memref<9xf32>) {
  affine.for %i = 1 to 9 {
    %v = affine.load %m[%i] : memref<9xf32>
    affine.store %v, %m[%i] : memref<9xf32>
  }
  return
}

// -----

func.func @fires(%m: memref<9xf32>, %k: memref<9xf32>) {
  affine.for %i = 1 to 9 {
    %v = affine.load %m[%i - 1] : memref<9xf32>
    affine.store %v, %m[%i] : memref<9xf32>
  }
  return
}

func.func @silent(%m: memref<9xf32>, %k: memref<9xf32>) {
  affine.for %i = 1 to 9 {
    %v = affine.load %k[%i - 1] : memref<9xf32>
    affine.store %v, %m[%i] : memref<9xf32>
  }
  return
}
