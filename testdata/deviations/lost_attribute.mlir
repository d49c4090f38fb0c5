// mlir-opt-22: loses some.note
// An attribute of an operation whose custom syntax has no place for it.
func.func @f(%a: memref<40xf32>, %b: memref<40xf32, 1>, %t: memref<1xi32>, %i: index, %n: index) {
  "affine.dma_start"(%a, %i, %b, %i, %t, %i, %n) {
      src_map = affine_map<(d0) -> (d0)>, dst_map = affine_map<(d0) -> (d0)>, tag_map = affine_map<(d0) -> (0)>,
      some.note = 1} : (memref<40xf32>, index, memref<40xf32, 1>, index, memref<1xi32>, index, index) -> ()
  return
}
