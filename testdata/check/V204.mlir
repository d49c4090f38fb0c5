// Left out unless it is selected: which arguments keep the accesses in bounds.
func.func @fires(%m: memref<?xf32>) -> f32 {
  %v = affine.load %m[9] : memref<?xf32>
  return %v : f32
}

func.func @silent(%m: memref<?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %c9 = arith.constant 9 : index
  %n = memref.dim %m, %c0 : memref<?xf32>
  %fits = arith.cmpi sgt, %n, %c9 : index
  cf.assert %fits, "at least ten elements"
  %v = affine.load %m[9] : memref<?xf32>
  return %v : f32
}
