// RUN: volcli opt %s -p infer-shapes | filecheck %s
// RUN: volcli opt %s -p infer-shapes -o %t && volcli opt %t -p infer-shapes | diff %t -

// What is annotated stays the user's own text.
// CHECK-LABEL: func.func @layer
func.func @layer(%x: tensor<?x8xf32>, %w: tensor<8x16xf32>, %out: tensor<?x16xf32>) -> tensor<?x16xf32> {
  // CHECK:      {{^  // volcli: .*%y}}
  // CHECK:      {{^  }}%y = linalg.matmul
  %y = linalg.matmul ins(%x, %w : tensor<?x8xf32>, tensor<8x16xf32>)
                     outs(%out : tensor<?x16xf32>) -> tensor<?x16xf32>
  return %y : tensor<?x16xf32>
}
