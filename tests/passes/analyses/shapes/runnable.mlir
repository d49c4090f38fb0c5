func.func @f(%t: tensor<?x6xf32>, %x: f32) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %p = tensor.pad %t low[%c1, 0] high[0, %c0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %x : f32
  } : tensor<?x6xf32> to tensor<?x?xf32>
  %s = tensor.extract_slice %p[%c0, 1] [3, %c5] [1, %c1] : tensor<?x?xf32> to tensor<3x?xf32>
  %d = tensor.dim %s, %c1 : tensor<3x?xf32>
  %g = tensor.generate %d, %c1 {
  ^bb0(%i: index, %j: index):
    tensor.yield %x : f32
  } : tensor<?x?xf32>
  %ee = tensor.splat %x[%c1] : tensor<3x?xf32>
  %mm = linalg.matmul ins(%s, %g : tensor<3x?xf32>, tensor<?x?xf32>)
    outs(%ee : tensor<3x?xf32>) -> tensor<3x?xf32>
  %in = tensor.insert %x into %mm[%c1, %c0] : tensor<3x?xf32>
  %r = tensor.cast %in : tensor<3x?xf32> to tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
func.func @main() -> f32 {
  %a = arith.constant dense<[[1.0, 2.0, 3.0, 4.0, 5.0, 6.0], [7.0, 1.5, 2.5, 3.5, 4.5, 5.5]]>
    : tensor<2x6xf32>
  %t = tensor.cast %a : tensor<2x6xf32> to tensor<?x6xf32>
  %x = arith.constant 2.0 : f32
  %r = call @f(%t, %x) : (tensor<?x6xf32>, f32) -> tensor<?x?xf32>
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %u = tensor.extract %r[%c2, %c0] : tensor<?x?xf32>
  %v = tensor.extract %r[%c0, %c0] : tensor<?x?xf32>
  %w = arith.mulf %v, %x : f32
  %s = arith.addf %u, %w : f32
  return %s : f32
}
