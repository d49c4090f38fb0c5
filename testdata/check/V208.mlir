// @fourth needs four elements of its argument.
func.func @fourth(%m: memref<?xf32>) -> f32 {
  %v = affine.load %m[3] : memref<?xf32>
  return %v : f32
}

func.func @fires(%m: memref<3xf32>) -> f32 {
  %all = memref.cast %m : memref<3xf32> to memref<?xf32>
  %v = func.call @fourth(%all) : (memref<?xf32>) -> f32
  return %v : f32
}

func.func @silent(%m: memref<4xf32>) -> f32 {
  %all = memref.cast %m : memref<4xf32> to memref<?xf32>
  %v = func.call @fourth(%all) : (memref<?xf32>) -> f32
  return %v : f32
}
