// RUN: volcli annotate %s -p infer-shapes,element-maps,sparsity-regions
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
  // volcli: shape %both: [6, 11]
  // volcli: map %both:
  // volcli:   { both[d0, d1] -> a[d0' = -1 + d0, d1' = -1 + d1] }
  // volcli:   { both[d0, d1] -> b[d0' = -1 + d0, d1' = -7 + d1] }
  // volcli:   { both[d0, d1 = 5] -> zero_left[] : 0 < d0 <= 4; both[d0 = 5, d1] -> zero_left[] : d1 <= 5; both[d0, d1 = 0] -> zero_left[] : 0 < d0 <= 4; both[d0 = 0, d1] -> zero_left[] : d1 <= 5 }
  // volcli:   { both[d0, d1 = 10] -> zero_right[] : 0 < d0 <= 4; both[d0, d1 = 6] -> zero_right[] : 0 < d0 <= 4; both[d0 = 5, d1] -> zero_right[] : d1 >= 6; both[d0 = 0, d1] -> zero_right[] : d1 >= 6 }
  // volcli: regions %both:
  // volcli:   dense        28  { both[d0, d1] : 0 < d0 <= 4 and 0 < d1 <= 9 and (d1 >= 7 or d1 <= 4) }
  // volcli:   static zero  38  { both[d0, d1] : 0 < d0 <= 4 and 5 <= d1 <= 6; both[d0, d1 = 10] : 0 < d0 <= 4; both[d0 = 5, d1]; both[d0, d1 = 0] : 0 < d0 <= 4; both[d0 = 0, d1] }
  %both = tensor.concat dim(1) %left, %right : (tensor<6x6xf32>, tensor<6x5xf32>) -> tensor<6x11xf32>
  // volcli: shape %window: [3, 5]
  // volcli: map %window:
  // volcli:   { window[d0, d1] -> a[d0' = 2d0, d1' = -1 + 2d1] }
  // volcli:   { window[d0, d1 = 4] -> b[d0' = 2d0, d1' = 1] }
  // volcli:   { window[d0 = 2, d1] -> zero_left[] : d1 <= 2; window[d0, d1 = 0] -> zero_left[] : d0 <= 1 }
  // volcli:   { window[d0, d1 = 3] -> zero_right[] : d0 <= 1; window[d0 = 2, d1] -> zero_right[] : d1 >= 3 }
  // volcli: regions %window:
  // volcli:   dense        6  { window[d0, d1] : d0 <= 1 and 0 < d1 <= 2; window[d0, d1 = 4] : d0 <= 1 }
  // volcli:   static zero  9  { window[d0, d1 = 3] : d0 <= 1; window[d0 = 2, d1]; window[d0, d1 = 0] : d0 <= 1 }
  %window = tensor.extract_slice %both[1, 0] [3, 5] [2, 2] : tensor<6x11xf32> to tensor<3x5xf32>
  return %both, %window : tensor<6x11xf32>, tensor<3x5xf32>
}

// The other way to concatenate: a chain of insert_slice into an undefined tensor.
func.func @chain(%a: tensor<4x4xf32>, %b: tensor<4x3xf32>) -> tensor<4x7xf32> {
  %empty = tensor.empty() : tensor<4x7xf32>
  %first = tensor.insert_slice %a into %empty[0, 0] [4, 4] [1, 1] : tensor<4x4xf32> into tensor<4x7xf32>
  // volcli: shape %second: [4, 7]
  // volcli: map %second:
  // volcli:   { second[d0, d1] -> a[d0' = d0, d1' = d1] }
  // volcli:   { second[d0, d1] -> b[d0' = d0, d1' = -4 + d1] }
  // volcli: regions %second:
  // volcli:   dense  28  { second[d0, d1] }
  %second = tensor.insert_slice %b into %first[0, 4] [4, 3] [1, 1] : tensor<4x3xf32> into tensor<4x7xf32>
  return %second : tensor<4x7xf32>
}
