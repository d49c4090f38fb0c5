// Programs whose types say less than is proved.
// -----
// a value of an unknown operation, as init
func.func private @make() -> tensor<?xf32>
func.func @f(%a: tensor<4xf32>) -> tensor<?xf32> {
  %o = call @make() : () -> tensor<?xf32>
  %r = linalg.copy ins(%a : tensor<4xf32>) outs(%o : tensor<?xf32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}
// -----
// a value of an unknown operation, as operand
func.func private @make() -> tensor<?xf32>
func.func @f(%a: tensor<4xf32>) -> tensor<?xf32> {
  %o = call @make() : () -> tensor<?xf32>
  %c = tensor.cast %a : tensor<4xf32> to tensor<?xf32>
  %r = arith.addf %c, %o : tensor<?xf32>
  return %r : tensor<?xf32>
}
// -----
// a use in a loop
func.func @f(%a: tensor<4xf32>, %n: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %e = tensor.empty(%c4) : tensor<?xf32>
  %cst = arith.constant 1.0 : f32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %e) -> (tensor<?xf32>) {
    %y = linalg.fill ins(%cst : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
    scf.yield %y : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}
// -----
// a collapsed product
func.func @f(%t: tensor<?x?xf32>, %a: tensor<8xf32>) -> tensor<?xf32> {
  %c = tensor.collapse_shape %t [[0, 1]] : tensor<?x?xf32> into tensor<?xf32>
  %r = arith.addf %c, %c : tensor<?xf32>
  %o = linalg.copy ins(%a : tensor<8xf32>) outs(%r : tensor<?xf32>) -> tensor<?xf32>
  return %o : tensor<?xf32>
}
// -----
// an expanded size
func.func @f(%t: tensor<?xf32>, %a: tensor<2x4xf32>) -> tensor<?x4xf32> {
  %c2 = arith.constant 2 : index
  %e = tensor.expand_shape %t [[0, 1]] output_shape [%c2, 4] : tensor<?xf32> into tensor<?x4xf32>
  %o = linalg.copy ins(%a : tensor<2x4xf32>) outs(%e : tensor<?x4xf32>) -> tensor<?x4xf32>
  return %o : tensor<?x4xf32>
}
// -----
// an expanded product
func.func @f(%a: tensor<8xf32>, %n: index, %m: index) -> tensor<?x?xf32> {
  %t = tensor.cast %a : tensor<8xf32> to tensor<?xf32>
  %e = tensor.expand_shape %t [[0, 1]] output_shape [%n, %m] : tensor<?xf32> into tensor<?x?xf32>
  return %e : tensor<?x?xf32>
}
// -----
// an inserted slice
func.func @f(%d: tensor<8xf32>, %x: f32) -> tensor<8xf32> {
  %c4 = arith.constant 4 : index
  %s = tensor.splat %x[%c4] : tensor<?xf32>
  %r = tensor.insert_slice %s into %d[1] [%c4] [1] : tensor<?xf32> into tensor<8xf32>
  return %r : tensor<8xf32>
}
// -----
// a loop of blocks
func.func @f(%k: i1, %a: tensor<4xf32>) -> tensor<?xf32> {
  %c = tensor.cast %a : tensor<4xf32> to tensor<?xf32>
  cf.br ^bb1(%c : tensor<?xf32>)
^bb1(%x: tensor<?xf32>):
  %y = linalg.copy ins(%a : tensor<4xf32>) outs(%x : tensor<?xf32>) -> tensor<?xf32>
  cf.cond_br %k, ^bb1(%y : tensor<?xf32>), ^bb2
^bb2:
  return %y : tensor<?xf32>
}
// -----
// a chain of everything
func.func @f(%t: tensor<?x6xf32>, %x: f32) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %p = tensor.pad %t low[%c1, 0] high[0, %c0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %x : f32
  } : tensor<?x6xf32> to tensor<?x?xf32>
  %s = tensor.extract_slice %p[%c0, 1] [3, %c5] [1, %c1] : tensor<?x?xf32> to tensor<3x?xf32>
  %m = arith.mulf %s, %s : tensor<3x?xf32>
  %d = tensor.dim %m, %c1 : tensor<3x?xf32>
  %e = tensor.empty(%c1, %d) : tensor<?x?xf32>
  %z = linalg.fill ins(%x : f32) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
  %g = tensor.generate %d, %c1 {
  ^bb0(%i: index, %j: index):
    tensor.yield %x : f32
  } : tensor<?x?xf32>
  %ee = tensor.empty(%c1, %c1) : tensor<?x?xf32>
  %mm = linalg.matmul ins(%z, %g : tensor<?x?xf32>, tensor<?x?xf32>)
      outs(%ee : tensor<?x?xf32>) -> tensor<?x?xf32>
  %cc = tensor.concat dim(0) %mm, %mm : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %in = tensor.insert %x into %cc[%c1, %c0] : tensor<?x?xf32>
  return %in : tensor<?x?xf32>
}
