// mlir-opt-22: prints affine_map<(d0, d1, d2) -> (d0 + d1 + d2)>
// A sum whose brackets matter to nobody but a tool that compares maps.
func.func @f(%a: index, %b: index, %c: index) -> index {
  %r = affine.apply affine_map<(d0, d1, d2) -> (d0 + (d1 + d2))>(%a, %b, %c)
  return %r : index
}
