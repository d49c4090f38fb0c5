// mlir-opt-22: error: expected ']' in affine map
// Two results of one operation as subscripts; mlir-opt prints this text itself, from the generic form.
func.func @f(%m: memref<2x5xf32>) {
  affine.for %k = 0 to 10 {
    %q:2 = affine.delinearize_index %k into (2, 5) : index, index
    %x = affine.load %m[%q#0, %q#1] : memref<2x5xf32>
  }
  return
}
