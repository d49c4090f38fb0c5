// What is refuted has an example.
func.func @fires(%n: index) -> index {
  // volcli: expect bound %twice <= 64
  %twice = affine.apply affine_map<(n) -> (2 * n)>(%n)
  return %twice : index
}

func.func @silent(%n: index) -> index {
  %most = affine.min affine_map<(n) -> (n, 32)>(%n)
  // volcli: expect bound %twice <= 64
  %twice = affine.apply affine_map<(n) -> (2 * n)>(%most)
  return %twice : index
}
