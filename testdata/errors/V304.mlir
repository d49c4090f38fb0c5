// Control flow that is not understood: it is not known when "my.branch" goes where.
// RUN: volcli opt %s -p sparsity-regions
func.func @either(%condition: i1, %x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  "my.branch"(%condition)[^left, ^right] : (i1) -> ()
^left:
  cf.br ^join(%x : tensor<4xf32>)
^right:
  cf.br ^join(%y : tensor<4xf32>)
^join(%z: tensor<4xf32>):
  return %z : tensor<4xf32>
}
