// Left out unless it is selected: which arguments keep the iterations of parallel loops apart.
func.func @fires(%m: memref<?xf32>, %n: index) {
  affine.parallel (%i) = (0) to (symbol(%n)) {
    %v = affine.load %m[%i + 4] : memref<?xf32>
    affine.store %v, %m[%i] : memref<?xf32>
  }
  return
}

func.func @silent(%m: memref<?xf32>, %n: index) {
  %c4 = arith.constant 4 : index
  %fits = arith.cmpi sle, %n, %c4 : index
  cf.assert %fits, "at most four elements"
  affine.parallel (%i) = (0) to (symbol(%n)) {
    %v = affine.load %m[%i + 4] : memref<?xf32>
    affine.store %v, %m[%i] : memref<?xf32>
  }
  return
}
