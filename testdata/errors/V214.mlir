// %a cannot be 0 and 1 on its diagonal: the second fact is not used.
// RUN: volcli opt %s -p sparsity-regions
func.func @f(%a: tensor<4x4xi32> {volcli.facts = {equal = [affine_map<(i, j) -> (1)>, affine_set<(i, j) : (i - j == 0)>],
                                                  zero = affine_set<(i, j) : (i - j >= 0)>}}) -> tensor<4x4xi32> {
  %r = arith.muli %a, %a : tensor<4x4xi32>
  return %r : tensor<4x4xi32>
}
