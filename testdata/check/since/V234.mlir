// The buffer has to have one element more than before; in @silent one less.
func.func @fires(%m: memref<?xf32>, %s: memref<f32>) {
  affine.for %i = 0 to 40 {
    %v = affine.load %m[%i] : memref<?xf32>
    affine.store %v, %s[] : memref<f32>
  }
  return
}

func.func @silent(%m: memref<?xf32>, %s: memref<f32>) {
  affine.for %i = 0 to 40 {
    %v = affine.load %m[%i] : memref<?xf32>
    affine.store %v, %s[] : memref<f32>
  }
  return
}

// -----

func.func @fires(%m: memref<?xf32>, %s: memref<f32>) {
  affine.for %i = 0 to 41 {
    %v = affine.load %m[%i] : memref<?xf32>
    affine.store %v, %s[] : memref<f32>
  }
  return
}

func.func @silent(%m: memref<?xf32>, %s: memref<f32>) {
  affine.for %i = 0 to 39 {
    %v = affine.load %m[%i] : memref<?xf32>
    affine.store %v, %s[] : memref<f32>
  }
  return
}
