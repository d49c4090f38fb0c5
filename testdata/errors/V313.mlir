// What an unknown operation gives cannot be compared.
// RUN: volcli opt %s -p tile{sizes=4}
func.func @odd(%x: tensor<8xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %y = "test.odd"(%x) : (tensor<8xf32>) -> tensor<8xf32>
  %z = linalg.exp ins(%y : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  return %z : tensor<8xf32>
}
