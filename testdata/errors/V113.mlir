// A fact is about indices: one dimension for each of them.
func.func @f(%t: tensor<4x4xf32> {volcli.facts = {zero = affine_set<(d0) : (d0 - 1 >= 0)>}}) {
  return
}
