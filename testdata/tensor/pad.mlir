// RUN: volcli annotate %s -p infer-shapes,element-maps,sparsity-regions
// Padding widths and sizes that are known only at run time.
// volcli: shape %a: [a_d0, 4]
func.func @dynamic(%a: tensor<?x4xf32>, %low: index) -> tensor<?x6xf32> {
  %zero = arith.constant 0.0 : f32
  // volcli: shape %padded: [a_d0 + low + 3, 6]
  // volcli: map %padded:
  // volcli:   [low] -> { padded[d0, d1] -> a[d0' = -low + d0, d1' = d1] }
  // volcli:   [a_d0, low] -> { padded[d0, d1] -> zero_padded[] : d0 < low or d0 >= a_d0 + low or (low <= d0 < a_d0 + low and d1 >= 4) }
  // volcli: regions %padded:
  // volcli:   dense        parametric  [a_d0, low] -> { padded[d0, d1] : low <= d0 < a_d0 + low and d1 <= 3 }
  // volcli:   static zero  parametric  [a_d0, low] -> { padded[d0, d1] : (low <= d0 < a_d0 + low and d1 >= 4) or d0 < low or d0 >= a_d0 + low }
  %padded = tensor.pad %a low[%low, 0] high[3, 2] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<?x4xf32> to tensor<?x6xf32>
  return %padded : tensor<?x6xf32>
}

// A computed boundary: each padded element repeats the first element of its row.
func.func @replicate(%a: tensor<4x6xf32>) -> tensor<4x9xf32> {
  %c0 = arith.constant 0 : index
  // volcli: shape %padded: [4, 9]
  // volcli: map %padded:
  // volcli:   { padded[d0, d1] -> a[d0' = d0, d1' = 0] : d1 <= 2; padded[d0, d1] -> a[d0' = d0, d1' = -3 + d1] }
  // volcli: regions %padded:
  // volcli:   dense  36  { padded[d0, d1] }
  %padded = tensor.pad %a low[0, 3] high[0, 0] {
  ^bb0(%i: index, %j: index):
    %edge = tensor.extract %a[%i, %c0] : tensor<4x6xf32>
    tensor.yield %edge : f32
  } : tensor<4x6xf32> to tensor<4x9xf32>
  return %padded : tensor<4x9xf32>
}

// A boundary that is data of its own.
func.func @by_data(%a: tensor<4xf32>, %x: f32) -> tensor<6xf32> {
  // volcli: shape %padded: [6]
  // volcli: map %padded:
  // volcli:   { padded[d0] -> a[d0' = -1 + d0] }
  // volcli:   { padded[d0 = 5] -> x[]; padded[d0 = 0] -> x[] }
  // volcli: regions %padded:
  // volcli:   dense  6  { padded[d0] }
  %padded = tensor.pad %a low[1] high[1] {
  ^bb0(%i: index):
    tensor.yield %x : f32
  } : tensor<4xf32> to tensor<6xf32>
  return %padded : tensor<6xf32>
}
