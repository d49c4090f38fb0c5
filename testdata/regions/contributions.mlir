// RUN: volcli annotate %s -p structural-zeros
// Which multiplications have a factor that is structurally zero?

// A transposed convolution, as it is lowered: the input is spread with zeros between, and of 16 taps 4 meet data.
func.func @transposed_convolution(%x: tensor<8x8xi32>, %w: tensor<4x4xi32>) -> tensor<16x16xi32> {
  %zeros = arith.constant dense<0> : tensor<19x19xi32>
  %init = arith.constant dense<0> : tensor<16x16xi32>
  %spread = tensor.insert_slice %x into %zeros[2, 2] [8, 8] [2, 2] : tensor<8x8xi32> into tensor<19x19xi32>
  // volcli: zeros %r: 3196 of 4096 multiplications are structurally zero (78.0%):
  // volcli:   contributing: { [oh, ow, kh, kw] : (oh + kh) mod 2 = 0 and (ow + kw) mod 2 = 0 and 2 - oh <= kh <= 16 - oh and 2 - ow <= kw <= 16 - ow }
  %r = linalg.conv_2d ins(%spread, %w : tensor<19x19xi32>, tensor<4x4xi32>) outs(%init : tensor<16x16xi32>)
      -> tensor<16x16xi32>
  return %r : tensor<16x16xi32>
}

// An argument that is declared to be lower triangular, times a dense matrix of floats: 0 * x = 0 for finite x.
func.func @triangular(%l: tensor<8x8xf32> {volcli.domain = affine_set<(d0, d1) : (d0 - d1 >= 0)>},
                      %b: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %init = arith.constant dense<0.0> : tensor<8x4xf32>
  // volcli: zeros %r: 112 of 256 multiplications are structurally zero (43.8%) assuming nnan, ninf and %l is zero except where d0 - d1 >= 0:
  // volcli:   contributing: { [m, n, k] : k <= m }
  %r = linalg.matmul ins(%l, %b : tensor<8x8xf32>, tensor<8x4xf32>) outs(%init : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %r : tensor<8x4xf32>
}

// A mask that is computed from indices, and sizes that are not known. The multiplications say that they are finite.
func.func @masked(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %init: tensor<?x?xf32>) -> tensor<?x?xf32> {
  // volcli: zeros %r: some multiplications are structurally zero:
  // volcli:   contributing: { [d0, d1, d2] : d2 <= d0 }
  %r = linalg.generic {
    indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
    iterator_types = ["parallel", "parallel", "reduction"]
  } ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%init : tensor<?x?xf32>) {
  ^bb0(%x: f32, %y: f32, %acc: f32):
    %zero = arith.constant 0.0 : f32
    %m = linalg.index 0 : index
    %k = linalg.index 2 : index
    %kept = arith.cmpi ule, %k, %m : index
    %masked = arith.select %kept, %x, %zero : f32
    %product = arith.mulf %masked, %y fastmath<nnan,ninf> : f32
    %sum = arith.addf %acc, %product fastmath<nsz> : f32
    linalg.yield %sum : f32
  } -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// Nothing is zero here, whatever the data is: there is nothing to say.
func.func @dense(%a: tensor<8x8xf32>, %b: tensor<8x4xf32>, %init: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<8x8xf32>, tensor<8x4xf32>) outs(%init : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %r : tensor<8x4xf32>
}
