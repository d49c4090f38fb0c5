// RUN: volcli annotate %s -p 'element-maps{of=%row to=%p,%x},element-maps{of=%sum},element-maps{of=%product},element-maps{of=%partial to=%x}'
// Maps of values inside of loops and bodies, and to volumes between.

// In iteration i the loop adds a row of the padded matrix; %i is a parameter, and %acc, which it carries, an input.
func.func @rows(%x: tensor<8x4xf32>, %init: tensor<6xf32>) -> tensor<6xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %z = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 1] high[0, 1] {
  ^bb0(%h: index, %w: index):
    tensor.yield %z : f32
  } : tensor<8x4xf32> to tensor<8x6xf32>
  %r = scf.for %i = %c0 to %c8 step %c1 iter_args(%acc = %init) -> (tensor<6xf32>) {
    // volcli: map %row to %p:
    // volcli:   [i] -> { row[d0] -> p[d0' = i, d1 = d0] }
    // volcli: map %row to %x:
    // volcli:   [i] -> { row[d0] -> x[d0' = i, d1 = -1 + d0] }
    %row = tensor.extract_slice %p[%i, 0] [1, 6] [1, 1] : tensor<8x6xf32> to tensor<6xf32>
    // volcli: map %sum:
    // volcli:   [i] -> { sum[d0] -> x[d0' = i, d1 = -1 + d0] }
    // volcli:   { sum[d0] -> acc[d0' = d0] }
    // volcli:   { sum[d0 = 5] -> z_p[]; sum[d0 = 0] -> z_p[] }
    %sum = arith.addf %acc, %row : tensor<6xf32>
    scf.yield %sum : tensor<6xf32>
  }
  return %r : tensor<6xf32>
}

// A scalar of a body has a number at each loop point; %partial is computed from what the points before have read, too.
func.func @product(%x: tensor<4x5xf32>, %y: tensor<5x3xf32>, %init: tensor<4x3xf32>) -> tensor<4x3xf32> {
  %r = linalg.generic {
      indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %y : tensor<4x5xf32>, tensor<5x3xf32>) outs(%init : tensor<4x3xf32>) {
  ^bb0(%a: f32, %b: f32, %before: f32):
    // volcli: map %product:
    // volcli:   { product[d0, d1, d2] -> x[d0' = d0, d1' = d2] }
    // volcli:   { product[d0, d1, d2] -> y[d0' = d2, d1' = d1] }
    %product = arith.mulf %a, %b : f32
    // volcli: map %partial to %x:
    // volcli:   { partial[d0, d1, d2] -> x[d0' = d0, d1'] : d1' <= d2 }
    %partial = arith.addf %before, %product : f32
    linalg.yield %partial : f32
  } -> tensor<4x3xf32>
  return %r : tensor<4x3xf32>
}
