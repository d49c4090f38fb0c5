func.func @rank(%t: tensor<4x?xf32>, %u: tensor<*xf32>, %i: index) {
  %0 = tensor.rank %t : tensor<4x?xf32>
  %1 = tensor.rank %u : tensor<*xf32>
  %2 = tensor.dim %t, %i : tensor<4x?xf32>
  %3 = tensor.dim {x.y = 1 : i32} %u, %i : tensor<*xf32>
  return
}
// -----
func.func @casts(%t: tensor<4x?xf32>, %u: tensor<*xf32>, %e: tensor<4xi32, "enc">) {
  %0 = tensor.cast %t : tensor<4x?xf32> to tensor<?x?xf32>
  %1 = tensor.cast %u : tensor<*xf32> to tensor<4xf32>
  %2 = tensor.cast %e {x.y} : tensor<4xi32, "enc"> to tensor<?xi32, "enc">
  %3 = tensor.bitcast %e : tensor<4xi32, "enc"> to tensor<4xui32>
  %4 = tensor.bitcast %t {x.y} : tensor<4x?xf32> to tensor<4x?xi32>
  return
}
// -----
func.func @empty(%n: index) {
  %0 = tensor.empty() : tensor<4xf32>
  %1 = tensor.empty(%n, %n) : tensor<?x4x?xf32>
  %2 = tensor.empty(%n) {x.y = "z"} : tensor<?xf32, "enc">
  %3 = tensor.empty() : tensor<f32>
  return
}
// -----
func.func @elements(%t: tensor<4x?xf32>, %z: tensor<f32>, %i: index, %x: f32) {
  %0 = tensor.extract %t[%i, %i] : tensor<4x?xf32>
  %1 = tensor.extract %z[] {x.y} : tensor<f32>
  %2 = tensor.insert %x into %t[%i, %i] : tensor<4x?xf32>
  %3 = tensor.insert %x into %z[] {x.y} : tensor<f32>
  %4 = tensor.from_elements %x, %x : tensor<2xf32>
  %5 = tensor.from_elements %x : tensor<f32>
  %6 = tensor.from_elements : tensor<0xf32>
  %7 = tensor.from_elements %x, %x, %x, %x {x.y} : tensor<2x2xf32>
  %8 = tensor.splat %x : tensor<4xf32>
  %9 = tensor.splat %x[%i, %i] {x.y} : tensor<?x4x?xf32>
  return
}
// -----
func.func @extract_slice(%t: tensor<8x16x4xf32>, %n: index) {
  %0 = tensor.extract_slice %t[0, 0, 0] [8, 16, 4] [1, 1, 1] : tensor<8x16x4xf32> to tensor<8x16x4xf32>
  %1 = tensor.extract_slice %t[%n, 0, %n] [%n, 4, 1] [1, %n, 1] {x.y = 1 : i32} : tensor<8x16x4xf32> to tensor<?x4xf32>
  %2 = tensor.extract_slice %t[0, 2, 0] [1, 1, 1] [1, 1, 1] : tensor<8x16x4xf32> to tensor<f32>
  return
}
// -----
func.func @insert_slice(%t: tensor<8x16x4xf32>, %s: tensor<?x4xf32>, %n: index) {
  %0 = tensor.insert_slice %t into %t[0, 0, 0] [8, 16, 4] [1, 1, 1] : tensor<8x16x4xf32> into tensor<8x16x4xf32>
  %1 = tensor.insert_slice %s into %t[%n, 0, %n] [%n, 4, 1] [1, %n, 1] {x.y = 1 : i32} : tensor<?x4xf32> into tensor<8x16x4xf32>
  return
}
// -----
func.func @parallel_insert_slice(%s: tensor<?xf32>, %t: tensor<100xf32>, %n: index) -> tensor<100xf32> {
  %0 = scf.forall (%i) in (%n) shared_outs(%o = %t) -> (tensor<100xf32>) {
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%i] [%n] [1] : tensor<?xf32> into tensor<100xf32>
      tensor.parallel_insert_slice %s into %o[0] [%n] [2] {x.y} : tensor<?xf32> into tensor<100xf32>
    }
  }
  return %0 : tensor<100xf32>
}
// -----
func.func @reshape(%t: tensor<12x?xf32>, %u: tensor<*xf32>, %shape: tensor<?xindex>, %s2: tensor<2xi32>, %n: index) {
  %0 = tensor.reshape %t(%shape) : (tensor<12x?xf32>, tensor<?xindex>) -> tensor<*xf32>
  %1 = tensor.reshape %u(%s2) {x.y} : (tensor<*xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  %2 = tensor.expand_shape %t [[0, 1], [2, 3]] output_shape [3, 4, %n, 2] : tensor<12x?xf32> into tensor<3x4x?x2xf32>
  %3 = tensor.collapse_shape %2 [[0, 1, 2], [3]] : tensor<3x4x?x2xf32> into tensor<?x2xf32>
  %4 = tensor.expand_shape %t [[0], [1, 2]] output_shape [12, %n, %n] {x.y = 1 : i32} : tensor<12x?xf32> into tensor<12x?x?xf32>
  %5 = tensor.collapse_shape %4 [[0], [1, 2]] {x.y = 1 : i32} : tensor<12x?x?xf32> into tensor<12x?xf32>
  return
}
// -----
func.func @reshape_scalar(%z: tensor<f32>, %e: tensor<1x1xf32>) {
  %0 = tensor.expand_shape %z [] output_shape [1, 1] : tensor<f32> into tensor<1x1xf32>
  %1 = tensor.collapse_shape %e [] : tensor<1x1xf32> into tensor<f32>
  return
}
// -----
func.func @pad(%t: tensor<4x?xf32>, %x: f32, %n: index) {
  %0 = tensor.pad %t low[1, %n] high[%n, 2] {
  ^bb0(%i: index, %j: index):
    tensor.yield %x : f32
  } : tensor<4x?xf32> to tensor<?x?xf32>
  %1 = tensor.pad %t nofold low[0, 0] high[0, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %x : f32
  } : tensor<4x?xf32> to tensor<4x?xf32>
  %2 = tensor.pad %t low[0, 0] high[0, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %x {x.z} : f32
  } {x.y = 1 : i32} : tensor<4x?xf32> to tensor<4x?xf32>
  return
}
// -----
func.func @generate(%n: index, %x: f32) {
  %0 = tensor.generate %n {
  ^bb0(%i: index):
    tensor.yield %x : f32
  } : tensor<?xf32>
  %1 = tensor.generate {
  ^bb0(%i: index, %j: index):
    tensor.yield %x : f32
  } {x.y = 1 : i32} : tensor<4x4xf32>
  return
}
// -----
func.func @concat(%t: tensor<4x?xf32>, %s: tensor<4x3xf32>) {
  %0 = tensor.concat dim(1) %t, %s : (tensor<4x?xf32>, tensor<4x3xf32>) -> tensor<4x?xf32>
  %1 = tensor.concat dim(0) %s {x.y = 1 : i32} : (tensor<4x3xf32>) -> tensor<4x3xf32>
  return
}
// -----
func.func @gather(%t: tensor<4x5x6xf32>, %i: tensor<6x7x2xindex>, %j: tensor<?x1xi32>) {
  %0 = tensor.gather %t[%i] gather_dims([0, 2]) : (tensor<4x5x6xf32>, tensor<6x7x2xindex>) -> tensor<6x7x1x5x1xf32>
  %1 = tensor.gather %t[%j] gather_dims([1]) unique : (tensor<4x5x6xf32>, tensor<?x1xi32>) -> tensor<?x4x1x6xf32>
  %2 = tensor.gather %t[%j] gather_dims([1]) unique {x.y = 1 : i32} : (tensor<4x5x6xf32>, tensor<?x1xi32>) -> tensor<?x4x6xf32>
  return
}
// -----
func.func @scatter(%s: tensor<6x7x1x5x1xf32>, %t: tensor<4x5x6xf32>, %i: tensor<6x7x2xindex>) {
  %0 = tensor.scatter %s into %t[%i] scatter_dims([0, 2]) unique : (tensor<6x7x1x5x1xf32>, tensor<4x5x6xf32>, tensor<6x7x2xindex>) -> tensor<4x5x6xf32>
  %1 = tensor.scatter %s into %t[%i] scatter_dims([0, 2]) unique {x.y} : (tensor<6x7x1x5x1xf32>, tensor<4x5x6xf32>, tensor<6x7x2xindex>) -> tensor<4x5x6xf32>
  return
}
