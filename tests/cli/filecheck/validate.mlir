// What was printed after two passes, of which the second one is wrong.
// RUN: not %volcli-validate %s --dump %S/Inputs/passes.log | filecheck %s

// CHECK: 2 passes changed something: 1 equal, 1 different
// CHECK: transpose: @f: different
// CHECK-NEXT: result 0: different: element [0, 1]

func.func @f(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = tensor.empty() : tensor<4x4xf32>
  %1 = linalg.copy ins(%a : tensor<4x4xf32>) outs(%0 : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %1 : tensor<4x4xf32>
}
