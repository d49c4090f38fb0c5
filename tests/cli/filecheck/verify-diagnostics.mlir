// RUN: volcli opt %s --split-input-file -p infer-shapes --verify-diagnostics > %t
// RUN: not volcli opt %s --split-input-file -p infer-shapes > %t

func.func @inner_dimensions_differ(%x: tensor<4x8xf32>, %w: tensor<9x16xf32>, %out: tensor<4x16xf32>)
    -> tensor<4x16xf32> {
  // expected-error@+1 {{V201}}
  %y = linalg.matmul ins(%x, %w : tensor<4x8xf32>, tensor<9x16xf32>)
                     outs(%out : tensor<4x16xf32>) -> tensor<4x16xf32>
  return %y : tensor<4x16xf32>
}

// -----

func.func @nothing_to_say(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  return %x : tensor<4x8xf32>
}
