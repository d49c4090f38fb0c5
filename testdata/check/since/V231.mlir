// Where the element is was known, and now data say it; in @silent it is another one of the eight.
func.func @fires(%m: memref<8xf32>, %at: memref<index>) -> f32 {
  %i = arith.constant 7 : index
  %v = memref.load %m[%i] : memref<8xf32>
  return %v : f32
}

func.func @silent(%m: memref<8xf32>, %at: memref<index>) -> f32 {
  %i = arith.constant 7 : index
  %v = memref.load %m[%i] : memref<8xf32>
  return %v : f32
}

// -----

func.func @fires(%m: memref<8xf32>, %at: memref<index>) -> f32 {
  %i = memref.load %at[] : memref<index>
  %v = memref.load %m[%i] : memref<8xf32>
  return %v : f32
}

func.func @silent(%m: memref<8xf32>, %at: memref<index>) -> f32 {
  %i = arith.constant 6 : index
  %v = memref.load %m[%i] : memref<8xf32>
  return %v : f32
}
