// An operation that nobody has a case for.
// RUN: volcli opt %s -p element-maps
func.func @sorted(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = "other.sort"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
