// RUN: volcli annotate %s -p infer-shapes,element-maps,sparsity-regions
// Single elements, and tensors made of scalars.
func.func @elements(%a: tensor<4xf32>, %x: f32, %i: index) -> (tensor<4xf32>, tensor<2x2xf32>, tensor<3xf32>, f32) {
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  // volcli: shape %replaced: [4]
  // volcli: map %replaced:
  // volcli:   { replaced[d0] -> a[d0' = d0] : d0 >= 2; replaced[d0 = 0] -> a[d0' = 0] }
  // volcli:   { replaced[d0 = 1] -> x[] }
  // volcli: regions %replaced:
  // volcli:   dense  4  { replaced[d0] }
  %replaced = tensor.insert %x into %a[%c1] : tensor<4xf32>
  // volcli: shape %small: [2, 2]
  // volcli: map %small:
  // volcli:   { small[d0, d1 = d0] -> x[] }
  // volcli:   { small[d0, d1 = 1 - d0] -> zero_small[] }
  // volcli: regions %small:
  // volcli:   dense        2  { small[d0, d1 = d0] }
  // volcli:   static zero  2  { small[d0, d1 = 1 - d0] }
  %small = tensor.from_elements %x, %zero, %zero, %x : tensor<2x2xf32>
  // volcli: shape %all: [3]
  // volcli: map %all:
  // volcli:   { all[d0] -> x[] }
  // volcli: regions %all:
  // volcli:   dense  3  { all[d0] }
  %all = tensor.splat %x : tensor<3xf32>
  %one = tensor.extract %a[%i] : tensor<4xf32>
  return %replaced, %small, %all, %one : tensor<4xf32>, tensor<2x2xf32>, tensor<3xf32>, f32
}

// A generated tensor: row i is row 3 - i of the source, and 0 above the diagonal.
func.func @generated(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0.0 : f32
  // volcli: shape %flipped: [4, 4]
  // volcli: map %flipped:
  // volcli:   { flipped[d0, d1] -> a[d0' = 3 - d0, d1' = d1] : d1 <= d0 }
  // volcli:   { flipped[d0, d1] -> zero_flipped[] : d1 > d0 }
  // volcli: regions %flipped:
  // volcli:   dense        10  { flipped[d0, d1] : d1 <= d0 }
  // volcli:   static zero   6  { flipped[d0, d1] : d1 > d0 }
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
  // volcli: shape %sorted: [4]
  // volcli: map %sorted (over-approximate: %sorted may be read from memory, which may depend on any input):
  // volcli:   { sorted[d0] -> a[d0'] }
  // volcli:   { sorted[d0] -> b[d0'] }
  // volcli: regions %sorted (over-approximate: other.sort has no case):
  // volcli:   dense  4  { sorted[d0] }
  %sorted = "other.sort"(%a, %b) : (tensor<4xf32>, tensor<2xf32>) -> tensor<4xf32>
  return %sorted : tensor<4xf32>
}
