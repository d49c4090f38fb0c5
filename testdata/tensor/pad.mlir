// RUN: volcli opt %s -p infer-shapes,element-maps,sparsity-regions
// Padding widths and sizes that are known only at run time.
func.func @dynamic(%a: tensor<?x4xf32>, %low: index) -> tensor<?x6xf32> {
  %zero = arith.constant 0.0 : f32
  %padded = tensor.pad %a low[%low, 0] high[3, 2] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<?x4xf32> to tensor<?x6xf32>
  return %padded : tensor<?x6xf32>
}

// A computed boundary: each padded element repeats the first element of its row.
func.func @replicate(%a: tensor<4x6xf32>) -> tensor<4x9xf32> {
  %c0 = arith.constant 0 : index
  %padded = tensor.pad %a low[0, 3] high[0, 0] {
  ^bb0(%i: index, %j: index):
    %edge = tensor.extract %a[%i, %c0] : tensor<4x6xf32>
    tensor.yield %edge : f32
  } : tensor<4x6xf32> to tensor<4x9xf32>
  return %padded : tensor<4x9xf32>
}

// A boundary that is data of its own.
func.func @by_data(%a: tensor<4xf32>, %x: f32) -> tensor<6xf32> {
  %padded = tensor.pad %a low[1] high[1] {
  ^bb0(%i: index):
    tensor.yield %x : f32
  } : tensor<4xf32> to tensor<6xf32>
  return %padded : tensor<6xf32>
}
