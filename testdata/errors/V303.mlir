// A reshape to a shape that is known only at run time: the row-major position is a product of two sizes.
// RUN: volcli opt %s -p element-maps
func.func @reshape(%x: tensor<?x4xf32>, %shape: tensor<2xindex>) -> tensor<?x?xf32> {
  %y = tensor.reshape %x(%shape) : (tensor<?x4xf32>, tensor<2xindex>) -> tensor<?x?xf32>
  return %y : tensor<?x?xf32>
}
