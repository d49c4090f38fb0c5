// The tile may be larger than it was before; that of @silent is smaller.
func.func @fires(%n: index) -> index {
  %tile = affine.min affine_map<(n) -> (n, 32)>(%n)
  return %tile : index
}

func.func @silent(%n: index) -> index {
  %tile = affine.min affine_map<(n) -> (n, 32)>(%n)
  return %tile : index
}

// -----

func.func @fires(%n: index) -> index {
  %tile = affine.min affine_map<(n) -> (n, 33)>(%n)
  return %tile : index
}

func.func @silent(%n: index) -> index {
  %tile = affine.min affine_map<(n) -> (n, 31)>(%n)
  return %tile : index
}
