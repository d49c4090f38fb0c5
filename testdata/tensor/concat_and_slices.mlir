// RUN: volcli opt %s -p infer-shapes,element-maps,sparsity-regions
// Two padded tensors side by side, and a slice of both: boundaries keep their place.
func.func @side_by_side(%a: tensor<4x4xf32>, %b: tensor<4x3xf32>) -> (tensor<6x11xf32>, tensor<3x5xf32>) {
  %zero = arith.constant 0.0 : f32
  %left = tensor.pad %a low[1, 1] high[1, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<4x4xf32> to tensor<6x6xf32>
  %right = tensor.pad %b low[1, 1] high[1, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<4x3xf32> to tensor<6x5xf32>
  %both = tensor.concat dim(1) %left, %right : (tensor<6x6xf32>, tensor<6x5xf32>) -> tensor<6x11xf32>
  %window = tensor.extract_slice %both[1, 0] [3, 5] [2, 2] : tensor<6x11xf32> to tensor<3x5xf32>
  return %both, %window : tensor<6x11xf32>, tensor<3x5xf32>
}

// The other way to concatenate: a chain of insert_slice into an undefined tensor.
func.func @chain(%a: tensor<4x4xf32>, %b: tensor<4x3xf32>) -> tensor<4x7xf32> {
  %empty = tensor.empty() : tensor<4x7xf32>
  %first = tensor.insert_slice %a into %empty[0, 0] [4, 4] [1, 1] : tensor<4x4xf32> into tensor<4x7xf32>
  %second = tensor.insert_slice %b into %first[0, 4] [4, 3] [1, 1] : tensor<4x3xf32> into tensor<4x7xf32>
  return %second : tensor<4x7xf32>
}
