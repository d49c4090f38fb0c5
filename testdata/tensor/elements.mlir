// RUN: volcli opt %s -p infer-shapes,element-maps,sparsity-regions
// Single elements, and tensors made of scalars.
func.func @elements(%a: tensor<4xf32>, %x: f32, %i: index) -> (tensor<4xf32>, tensor<2x2xf32>, tensor<3xf32>, f32) {
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %replaced = tensor.insert %x into %a[%c1] : tensor<4xf32>
  %small = tensor.from_elements %x, %zero, %zero, %x : tensor<2x2xf32>
  %all = tensor.splat %x : tensor<3xf32>
  %one = tensor.extract %a[%i] : tensor<4xf32>
  return %replaced, %small, %all, %one : tensor<4xf32>, tensor<2x2xf32>, tensor<3xf32>, f32
}

// A generated tensor: row i is row 3 - i of the source, and 0 above the diagonal.
func.func @generated(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0.0 : f32
  %flipped = tensor.generate {
  ^bb0(%i: index, %j: index):
    %row = arith.subi %c3, %i : index
    %element = tensor.extract %a[%row, %j] : tensor<4x4xf32>
    %below = arith.cmpi sle, %j, %i : index
    %kept = arith.select %below, %element, %zero : f32
    tensor.yield %kept : f32
  } : tensor<4x4xf32>
  return %flipped : tensor<4x4xf32>
}

// An operation that volcli has no case for: every element may depend on every element.
func.func @unknown(%a: tensor<4xf32>, %b: tensor<2xf32>) -> tensor<4xf32> {
  %sorted = "other.sort"(%a, %b) : (tensor<4xf32>, tensor<2xf32>) -> tensor<4xf32>
  return %sorted : tensor<4xf32>
}
