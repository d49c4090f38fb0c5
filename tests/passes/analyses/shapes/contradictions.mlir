// Each program has the finding that stands on its line.
// -----
// inner dimensions of a matmul
func.func @f(%a: tensor<2x3xf32>, %b: tensor<4x5xf32>, %o: tensor<2x5xf32>) {
  %r = linalg.matmul ins(%a, %b : tensor<2x3xf32>, tensor<4x5xf32>)  // V201
      outs(%o : tensor<2x5xf32>) -> tensor<2x5xf32>
  return
}
// -----
// through a dynamic chain
func.func @f(%a: tensor<3xf32>, %b: tensor<4xf32>) {
  %x = tensor.cast %a : tensor<3xf32> to tensor<?xf32>
  %y = tensor.cast %b : tensor<4xf32> to tensor<?xf32>
  %r = arith.addf %x, %y : tensor<?xf32>  // V201
  return
}
// -----
// through two uses of one size
func.func @f(%t: tensor<?xf32>, %a: tensor<3xf32>, %b: tensor<4xf32>) {
  %x = linalg.copy ins(%a : tensor<3xf32>) outs(%t : tensor<?xf32>) -> tensor<?xf32>
  %y = linalg.copy ins(%b : tensor<4xf32>) outs(%t : tensor<?xf32>) -> tensor<?xf32>  // V201
  return
}
// -----
// an odd size that must be even
func.func @f(%t: tensor<?xf32>, %a: tensor<7xf32>) {
  %c = tensor.concat dim(0) %t, %t : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  %x = linalg.copy ins(%a : tensor<7xf32>) outs(%c : tensor<?xf32>) -> tensor<?xf32>  // V201
  return
}
// -----
// a size that would be negative
func.func @f(%t: tensor<?xf32>, %a: tensor<2xf32>, %v: f32) {
  %p = tensor.pad %t low[2] high[1] {
  ^bb0(%i: index): tensor.yield %v : f32
  } : tensor<?xf32> to tensor<?xf32>
  %x = linalg.copy ins(%a : tensor<2xf32>) outs(%p : tensor<?xf32>) -> tensor<?xf32>  // V201
  return
}
// -----
// concatenated tensors
func.func @f(%a: tensor<2x3xf32>, %b: tensor<4x3xf32>) {
  %r = tensor.concat dim(1) %a, %b : (tensor<2x3xf32>, tensor<4x3xf32>) -> tensor<?x6xf32>  // V201
  return
}
// -----
// an inserted slice
func.func @f(%a: tensor<?xf32>, %b: tensor<3xf32>, %d: tensor<9xf32>) {
  %x = linalg.copy ins(%b : tensor<3xf32>) outs(%a : tensor<?xf32>) -> tensor<?xf32>
  %c4 = arith.constant 4 : index
  %r = tensor.insert_slice %x into %d[0] [%c4] [1] : tensor<?xf32> into tensor<9xf32>  // V201
  return
}
// -----
// a declared type
func.func @f(%t: tensor<4xf32>, %v: f32) {
  %c2 = arith.constant 2 : index
  %p = tensor.pad %t low[%c2] high[0] {  // V202
  ^bb0(%i: index): tensor.yield %v : f32
  } : tensor<4xf32> to tensor<7xf32>
  return
}
// -----
// a cast
func.func @f(%t: tensor<4xf32>) {
  %x = tensor.cast %t : tensor<4xf32> to tensor<?xf32>
  %y = tensor.cast %x : tensor<?xf32> to tensor<5xf32>  // V202
  return
}
