// The sizes of what a linalg operation adds have to be equal.
func.func @fires(%a: tensor<4xf32>, %o: tensor<5xf32>) -> tensor<5xf32> {
  %r = linalg.add ins(%a, %a : tensor<4xf32>, tensor<4xf32>) outs(%o : tensor<5xf32>) -> tensor<5xf32>
  return %r : tensor<5xf32>
}

func.func @silent(%a: tensor<4xf32>, %o: tensor<4xf32>) -> tensor<4xf32> {
  %r = linalg.add ins(%a, %a : tensor<4xf32>, tensor<4xf32>) outs(%o : tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}
