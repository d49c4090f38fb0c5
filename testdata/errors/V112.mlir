// A domain has one dimension for each index of the tensor.
func.func @f(%t: tensor<4x4xf32> {volcli.domain = affine_set<(d0) : (d0 - 1 >= 0)>}) {
  return
}
