// RUN: volcli annotate %s -p infer-shapes,element-maps,sparsity-regions
// A layer with a padded input: a convolution, its bias added by broadcasting, a pooling.
func.func @layer(%image: tensor<1x8x8x1xf32>, %filter: tensor<2x3x3x1xf32>, %bias: tensor<2xf32>, %shift: tensor<1x1x1x2xf32>) -> tensor<1x4x4x2xf32> {
  %zero = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %widths = tosa.const_shape {values = dense<[0, 0, 1, 1, 1, 1, 0, 0]> : tensor<8xindex>} : () -> !tosa.shape<8>
  %padded = tosa.pad %image, %widths, %zero : (tensor<1x8x8x1xf32>, !tosa.shape<8>, tensor<1xf32>) -> tensor<1x10x10x1xf32>
  %features = tosa.conv2d %padded, %filter, %bias, %zero, %zero {acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x10x10x1xf32>, tensor<2x3x3x1xf32>, tensor<2xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x8x8x2xf32>
  %shifted = tosa.add %features, %shift : (tensor<1x8x8x2xf32>, tensor<1x1x1x2xf32>) -> tensor<1x8x8x2xf32>
  // volcli: shape %pooled: [1, 4, 4, 2]
  // volcli: map %pooled:
  // volcli:   { pooled[d0, d1, d2, d3] -> image[d0', d1', d2', d3'] : -1 + 2d1 <= d1' <= 2 + 2d1 and -1 + 2d2 <= d2' <= 2 + 2d2 }
  // volcli:   { pooled[d0, d1, d2, d3] -> filter[d0' = d3, d1', d2', d3'] }
  // volcli:   { pooled[d0, d1, d2, d3] -> bias[d0' = d3] }
  // volcli:   { pooled[d0, d1, d2, d3] -> shift[d0', d1', d2', d3' = d3] }
  // volcli:   { pooled[d0, d1, d2 = 3, d3] -> zero[d0']; pooled[d0, d1 = 3, d2, d3] -> zero[d0']; pooled[d0, d1, d2 = 0, d3] -> zero[d0']; pooled[d0, d1 = 0, d2, d3] -> zero[d0'] }
  // volcli: regions %pooled:
  // volcli:   dense                8  { pooled[d0, d1, d2, d3] : 0 < d1 <= 2 and 0 < d2 <= 2 }
  // volcli:   sparse of degree 1  16  { pooled[d0, d1, d2 = 3, d3] : 0 < d1 <= 2; pooled[d0, d1 = 3, d2, d3] : 0 < d2 <= 2; pooled[d0, d1, d2 = 0, d3] : 0 < d1 <= 2; pooled[d0, d1 = 0, d2, d3] : 0 < d2 <= 2 }
  // volcli:   sparse of degree 2   8  { pooled[d0, d1 = 3, d2 = 3, d3]; pooled[d0, d1 = 0, d2 = 3, d3]; pooled[d0, d1 = 3, d2 = 0, d3]; pooled[d0, d1 = 0, d2 = 0, d3] }
  %pooled = tosa.max_pool2d %shifted {kernel = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>} : (tensor<1x8x8x2xf32>) -> tensor<1x4x4x2xf32>
  return %pooled : tensor<1x4x4x2xf32>
}

// Sizes that are known only at run time, and a product that keeps the zeros of a padded vector.
// volcli: shape %x: [x_d0]
func.func @masked(%x: tensor<?xf32>, %gain: tensor<1xf32>, %offset: tensor<1xf32>) -> (tensor<?xf32>, tensor<?xf32>, tensor<?xf32>) {
  %zero = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %none = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %widths = tosa.const_shape {values = dense<[2, 1]> : tensor<2xindex>} : () -> !tosa.shape<2>
  // volcli: shape %padded: [x_d0 + 3]
  %padded = tosa.pad %x, %widths, %zero : (tensor<?xf32>, !tosa.shape<2>, tensor<1xf32>) -> tensor<?xf32>
  // volcli: shape %scaled: [x_d0 + 3]
  // volcli: map %scaled:
  // volcli:   { scaled[d0] -> x[d0' = -2 + d0] }
  // volcli:   { scaled[d0] -> gain[d0'] }
  // volcli:   [x_d0] -> { scaled[d0] -> zero[d0'] : d0 <= 1; scaled[d0 = 2 + x_d0] -> zero[d0'] }
  // volcli: regions %scaled:
  // volcli:   dense                            x_d0  [x_d0] -> { scaled[d0] : 2 <= d0 <= 1 + x_d0 }
  // volcli:   static zero assuming nnan, ninf     3  [x_d0] -> { scaled[d0] : d0 <= 1; scaled[d0 = 2 + x_d0] }
  %scaled = tosa.mul %padded, %gain, %none : (tensor<?xf32>, tensor<1xf32>, tensor<1xi8>) -> tensor<?xf32>
  // volcli: shape %moved: [x_d0 + 3]
  // volcli: map %moved:
  // volcli:   { moved[d0] -> x[d0' = -2 + d0] }
  // volcli:   { moved[d0] -> gain[d0'] }
  // volcli:   { moved[d0] -> offset[d0'] }
  // volcli:   [x_d0] -> { moved[d0] -> zero[d0'] : d0 <= 1; moved[d0 = 2 + x_d0] -> zero[d0'] }
  // volcli: regions %moved:
  // volcli:   dense               parametric  [x_d0] -> { moved[d0] : (2 <= d0 <= 1 + x_d0) or x_d0 = 0 }
  // volcli:   sparse of degree 1           3  [x_d0] -> { moved[d0] : x_d0 > 0 and d0 <= 1; moved[d0 = 2 + x_d0] : x_d0 > 0 }
  %moved = tosa.add %scaled, %offset : (tensor<?xf32>, tensor<1xf32>) -> tensor<?xf32>
  // volcli: shape %mirrored: [x_d0 + 3]
  // volcli: map %mirrored:
  // volcli:   [x_d0] -> { mirrored[d0] -> x[d0' = x_d0 - d0] }
  // volcli:   { mirrored[d0] -> gain[d0'] }
  // volcli:   [x_d0] -> { mirrored[d0] -> zero[d0'] : d0 > x_d0; mirrored[d0 = 0] -> zero[d0'] }
  // volcli: regions %mirrored:
  // volcli:   dense                            x_d0  [x_d0] -> { mirrored[d0] : 0 < d0 <= x_d0 }
  // volcli:   static zero assuming nnan, ninf     3  [x_d0] -> { mirrored[d0] : d0 > x_d0; mirrored[d0 = 0] }
  %mirrored = tosa.reverse %scaled {axis = 0 : i32} : (tensor<?xf32>) -> tensor<?xf32>
  return %scaled, %moved, %mirrored : tensor<?xf32>, tensor<?xf32>, tensor<?xf32>
}
