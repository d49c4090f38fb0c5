// A check that is not true fails, though its own text stands in the file; what is not there can be excluded.
// RUN: volcli opt %s -p infer-shapes | filecheck %s
// RUN: volcli opt %s -p infer-shapes | not filecheck %s --check-prefix=WRONG
// RUN: volcli opt %s -p infer-shapes --reprint | not filecheck %s --check-prefix=WRONG
// RUN: volcli annotate %s -p infer-shapes | filecheck %s --check-prefix=KEPT

// CHECK-NOT: shape %y: [4, 17]
// CHECK: shape %y: [4, 16]
// WRONG: shape %y: [4, 17]
// KEPT: // An annotated text
func.func @layer(%x: tensor<4x8xf32>, %w: tensor<8x16xf32>, %out: tensor<4x16xf32>) -> tensor<4x16xf32> {
  // An annotated text keeps this, and the output of opt does not.
  // CHECK-NOT: keeps this
  %y = linalg.matmul ins(%x, %w : tensor<4x8xf32>, tensor<8x16xf32>) // WRONG: outs
                     outs(%out : tensor<4x16xf32>) -> tensor<4x16xf32>
  return %y : tensor<4x16xf32>
}
