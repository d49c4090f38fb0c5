// Control flow between blocks: what reaches ^join is one of two values.
// RUN: volcli opt %s -p sparsity-regions
func.func @either(%condition: i1, %x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  cf.cond_br %condition, ^join(%x : tensor<4xf32>), ^join(%y : tensor<4xf32>)
^join(%z: tensor<4xf32>):
  return %z : tensor<4xf32>
}
