// RUN: volcli opt %s -p infer-shapes,element-maps,sparsity-regions
// Reshapes: the same elements in row-major order.
func.func @reshapes(%a: tensor<2x3x4xf32>) -> (tensor<6x4xf32>, tensor<2x3x2x2xf32>, tensor<8x3xf32>) {
  %shape = arith.constant dense<[8, 3]> : tensor<2xi64>
  %collapsed = tensor.collapse_shape %a [[0, 1], [2]] : tensor<2x3x4xf32> into tensor<6x4xf32>
  %expanded = tensor.expand_shape %a [[0], [1], [2, 3]] output_shape [2, 3, 2, 2]
      : tensor<2x3x4xf32> into tensor<2x3x2x2xf32>
  %reshaped = tensor.reshape %a(%shape) : (tensor<2x3x4xf32>, tensor<2xi64>) -> tensor<8x3xf32>
  return %collapsed, %expanded, %reshaped : tensor<6x4xf32>, tensor<2x3x2x2xf32>, tensor<8x3xf32>
}

// Rank-reducing slices out of and into a tensor.
func.func @rows(%a: tensor<4x5xf32>) -> (tensor<5xf32>, tensor<4x5xf32>) {
  %zero = arith.constant dense<0.0> : tensor<4x5xf32>
  %row = tensor.extract_slice %a[2, 0] [1, 5] [1, 1] : tensor<4x5xf32> to tensor<5xf32>
  %only = tensor.insert_slice %row into %zero[1, 0] [1, 5] [1, 1] : tensor<5xf32> into tensor<4x5xf32>
  return %row, %only : tensor<5xf32>, tensor<4x5xf32>
}

// A slice whose offset and size are values.
func.func @window(%a: tensor<?xf32>, %from: index, %count: index) -> tensor<?xf32> {
  %slice = tensor.extract_slice %a[%from] [%count] [2] : tensor<?xf32> to tensor<?xf32>
  return %slice : tensor<?xf32>
}

// A reshape to a shape that is data: sound, and its element map is not affine.
func.func @dynamic_reshape(%a: tensor<?x4xf32>, %n: index, %m: index) -> tensor<?x?xf32> {
  %shape = tensor.from_elements %n, %m : tensor<2xindex>
  %reshaped = tensor.reshape %a(%shape) : (tensor<?x4xf32>, tensor<2xindex>) -> tensor<?x?xf32>
  return %reshaped : tensor<?x?xf32>
}
