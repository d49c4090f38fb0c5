// An assumption about a tensor has one dimension for each size.
func.func @f(%t: tensor<?x?xf32> {volcli.assume = affine_set<(d0) : (d0 - 1 >= 0)>}) {
  return
}
