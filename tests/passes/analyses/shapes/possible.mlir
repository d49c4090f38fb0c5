// Programs that may be right: no finding.
// -----
// equal
func.func @f(%a: tensor<4xf32>, %o: tensor<4xf32>) {
  %r = linalg.copy ins(%a : tensor<4xf32>) outs(%o : tensor<4xf32>) -> tensor<4xf32>
  return
}
// -----
// dynamic
func.func @f(%a: tensor<?xf32>, %o: tensor<4xf32>) {
  %r = linalg.copy ins(%a : tensor<?xf32>) outs(%o : tensor<4xf32>) -> tensor<4xf32>
  return
}
// -----
// both dynamic
func.func @f(%a: tensor<?xf32>, %o: tensor<?xf32>) {
  %r = linalg.copy ins(%a : tensor<?xf32>) outs(%o : tensor<?xf32>) -> tensor<?xf32>
  return
}
// -----
// zero-size
func.func @f(%a: tensor<0xf32>, %o: tensor<0xf32>) {
  %r = linalg.copy ins(%a : tensor<0xf32>) outs(%o : tensor<0xf32>) -> tensor<0xf32>
  return
}
// -----
// zero-size and dynamic
func.func @f(%a: tensor<0xf32>, %o: tensor<?xf32>) {
  %r = linalg.copy ins(%a : tensor<0xf32>) outs(%o : tensor<?xf32>) -> tensor<?xf32>
  return
}
// -----
// a unit dimension read at 0
func.func @f(%a: tensor<4x1xf32>, %o: tensor<4x5xf32>) {
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, 0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      ins(%a : tensor<4x1xf32>) outs(%o : tensor<4x5xf32>) {
  ^bb0(%x: f32, %y: f32):
    linalg.yield %x : f32
  } -> tensor<4x5xf32>
  return
}
// -----
// a broadcast
func.func @f(%a: tensor<5xf32>, %o: tensor<4x5xf32>) {
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      ins(%a : tensor<5xf32>) outs(%o : tensor<4x5xf32>) {
  ^bb0(%x: f32, %y: f32):
    linalg.yield %x : f32
  } -> tensor<4x5xf32>
  return
}
// -----
// a strided reading
func.func @f(%a: tensor<9x5xf32>, %o: tensor<4x5xf32>) {
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0 * 2 + 1, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      ins(%a : tensor<9x5xf32>) outs(%o : tensor<4x5xf32>) {
  ^bb0(%x: f32, %y: f32):
    linalg.yield %x : f32
  } -> tensor<4x5xf32>
  return
}
// -----
// rank reduction
func.func @f(%t: tensor<4x5x6xf32>, %n: index) {
  %r = tensor.extract_slice %t[1, 0, 2] [1, 5, 1] [1, 1, 1] : tensor<4x5x6xf32> to tensor<5xf32>
  %s = tensor.extract_slice %t[0, %n, 0] [%n, 1, 6] [1, 1, 1] : tensor<4x5x6xf32> to tensor<?x6xf32>
  %u = tensor.insert_slice %r into %t[1, 0, 2] [1, 5, 1] [1, 1, 1] : tensor<5xf32>
      into tensor<4x5x6xf32>
  return
}
// -----
// an assertion
func.func @f(%t: tensor<?xf32>, %u: tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %a = tensor.dim %t, %c0 : tensor<?xf32>
  %b = tensor.dim %u, %c0 : tensor<?xf32>
  %k = arith.cmpi eq, %a, %b : index
  cf.assert %k, "sizes"
  %r = arith.addf %t, %u : tensor<?xf32>
  return
}
// -----
// one size in two ways
func.func @f(%t: tensor<?xf32>, %v: f32, %a: tensor<6xf32>) {
  %c = tensor.concat dim(0) %t, %t : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  %x = linalg.copy ins(%a : tensor<6xf32>) outs(%c : tensor<?xf32>) -> tensor<?xf32>
  return
}
// -----
// unknown operations
func.func @f(%a: tensor<3xf32>, %b: tensor<4xf32>) {
  %x = "my.op"(%a) : (tensor<3xf32>) -> tensor<?xf32>
  %r = linalg.copy ins(%b : tensor<4xf32>) outs(%x : tensor<?xf32>) -> tensor<?xf32>
  return
}
// -----
// a scalar operand
func.func @f(%k: i1, %a: tensor<3xf32>) {
  %r = "arith.select"(%k, %a, %a) : (i1, tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  return
}
// -----
// the other branch
func.func @f(%t: tensor<?xf32>, %k: i1, %a: tensor<4xf32>, %b: tensor<5xf32>) -> tensor<?xf32> {
  cf.cond_br %k, ^bb1, ^bb2
^bb1:
  %x = linalg.copy ins(%a : tensor<4xf32>) outs(%t : tensor<?xf32>) -> tensor<?xf32>
  return %x : tensor<?xf32>
^bb2:
  %y = linalg.copy ins(%b : tensor<5xf32>) outs(%t : tensor<?xf32>) -> tensor<?xf32>
  return %y : tensor<?xf32>
}
