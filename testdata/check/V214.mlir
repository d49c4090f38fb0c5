// The diagonal cannot be 1 and 0.
func.func @fires(%a: tensor<4x4xi32> {volcli.facts = {equal = [affine_map<(i, j) -> (1)>, affine_set<(i, j) : (i - j == 0)>], zero = affine_set<(i, j) : (i - j >= 0)>}}) -> tensor<4x4xi32> {
  %r = arith.muli %a, %a : tensor<4x4xi32>
  return %r : tensor<4x4xi32>
}

func.func @silent(%a: tensor<4x4xi32> {volcli.facts = {equal = [affine_map<(i, j) -> (1)>, affine_set<(i, j) : (i - j == 0)>], zero = affine_set<(i, j) : (i - j - 1 >= 0)>}}) -> tensor<4x4xi32> {
  %r = arith.muli %a, %a : tensor<4x4xi32>
  return %r : tensor<4x4xi32>
}
