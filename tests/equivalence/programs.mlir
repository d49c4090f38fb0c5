func.func @conv(%x: tensor<1x4x14x14xf32>, %w: tensor<6x4x3x3xf32>, %b: tensor<6xf32>) -> tensor<1x6x12x12xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x6x12x12xf32>
  %i = linalg.broadcast ins(%b : tensor<6xf32>) outs(%e : tensor<1x6x12x12xf32>) dimensions = [0, 2, 3]
  %c = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%x, %w : tensor<1x4x14x14xf32>, tensor<6x4x3x3xf32>) outs(%i : tensor<1x6x12x12xf32>) -> tensor<1x6x12x12xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(a,b,c,d)->(a,b,c,d)>, affine_map<(a,b,c,d)->(a,b,c,d)>], iterator_types = ["parallel","parallel","parallel","parallel"]} ins(%c : tensor<1x6x12x12xf32>) outs(%e : tensor<1x6x12x12xf32>) {
    ^bb0(%p: f32, %q: f32):
      %m = arith.maximumf %p, %z : f32
      linalg.yield %m : f32
  } -> tensor<1x6x12x12xf32>
  return %r : tensor<1x6x12x12xf32>
}
func.func @pool(%x: tensor<1x13x13x4xf32>) -> tensor<1x6x6x4xf32> {
  %z = arith.constant -1.0e30 : f32
  %e = tensor.empty() : tensor<1x6x6x4xf32>
  %w = tensor.empty() : tensor<3x3xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<1x6x6x4xf32>) -> tensor<1x6x6x4xf32>
  %r = linalg.pooling_nhwc_max {strides = dense<2> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>} ins(%x, %w : tensor<1x13x13x4xf32>, tensor<3x3xf32>) outs(%f : tensor<1x6x6x4xf32>) -> tensor<1x6x6x4xf32>
  return %r : tensor<1x6x6x4xf32>
}
func.func @padded(%x: tensor<8x10xf32>, %w: tensor<3x3xf32>) -> tensor<8x10xf32> {
  %z = arith.constant 0.0 : f32
  %p = tensor.pad %x low[1, 1] high[1, 1] { ^bb0(%i: index, %j: index): tensor.yield %z : f32 } : tensor<8x10xf32> to tensor<10x12xf32>
  %e = tensor.empty() : tensor<8x10xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<8x10xf32>) -> tensor<8x10xf32>
  %r = linalg.conv_2d ins(%p, %w : tensor<10x12xf32>, tensor<3x3xf32>) outs(%f : tensor<8x10xf32>) -> tensor<8x10xf32>
  return %r : tensor<8x10xf32>
}
func.func @dyn(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %c: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%c : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
func.func @softmax(%x: tensor<6x7xf32>) -> tensor<6x7xf32> {
  %ninf = arith.constant 0xFF800000 : f32
  %z = arith.constant 0.0 : f32
  %e1 = tensor.empty() : tensor<6xf32>
  %e2 = tensor.empty() : tensor<6x7xf32>
  %f1 = linalg.fill ins(%ninf : f32) outs(%e1 : tensor<6xf32>) -> tensor<6xf32>
  %m = linalg.generic {indexing_maps = [affine_map<(i,j)->(i,j)>, affine_map<(i,j)->(i)>], iterator_types = ["parallel","reduction"]} ins(%x : tensor<6x7xf32>) outs(%f1 : tensor<6xf32>) {
    ^bb0(%p: f32, %q: f32):
      %s = arith.maximumf %p, %q : f32
      linalg.yield %s : f32 } -> tensor<6xf32>
  %d = linalg.generic {indexing_maps = [affine_map<(i,j)->(i,j)>, affine_map<(i,j)->(i)>, affine_map<(i,j)->(i,j)>], iterator_types = ["parallel","parallel"]} ins(%x, %m : tensor<6x7xf32>, tensor<6xf32>) outs(%e2 : tensor<6x7xf32>) {
    ^bb0(%p: f32, %q: f32, %o: f32):
      %s = arith.subf %p, %q : f32
      %t = math.exp %s : f32
      linalg.yield %t : f32 } -> tensor<6x7xf32>
  %f2 = linalg.fill ins(%z : f32) outs(%e1 : tensor<6xf32>) -> tensor<6xf32>
  %sum = linalg.generic {indexing_maps = [affine_map<(i,j)->(i,j)>, affine_map<(i,j)->(i)>], iterator_types = ["parallel","reduction"]} ins(%d : tensor<6x7xf32>) outs(%f2 : tensor<6xf32>) {
    ^bb0(%p: f32, %q: f32):
      %s = arith.addf %p, %q : f32
      linalg.yield %s : f32 } -> tensor<6xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i,j)->(i,j)>, affine_map<(i,j)->(i)>, affine_map<(i,j)->(i,j)>], iterator_types = ["parallel","parallel"]} ins(%d, %sum : tensor<6x7xf32>, tensor<6xf32>) outs(%e2 : tensor<6x7xf32>) {
    ^bb0(%p: f32, %q: f32, %o: f32):
      %s = arith.divf %p, %q : f32
      linalg.yield %s : f32 } -> tensor<6x7xf32>
  return %r : tensor<6x7xf32>
}
func.func @mask(%x: tensor<6x6xf32>) -> tensor<6x6xf32> {
  %z = arith.constant 0.0 : f32
  %e2 = tensor.empty() : tensor<6x6xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i,j)->(i,j)>, affine_map<(i,j)->(i,j)>], iterator_types = ["parallel","parallel"]} ins(%x : tensor<6x6xf32>) outs(%e2 : tensor<6x6xf32>) {
    ^bb0(%p: f32, %o: f32):
      %i = linalg.index 0 : index
      %j = linalg.index 1 : index
      %c = arith.cmpi sle, %j, %i : index
      %s = arith.select %c, %p, %z : f32
      linalg.yield %s : f32 } -> tensor<6x6xf32>
  return %r : tensor<6x6xf32>
}
func.func @matmul(%a: tensor<12x9xf32>, %b: tensor<9x7xf32>) -> tensor<12x7xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<12x7xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<12x7xf32>) -> tensor<12x7xf32>
  %r = linalg.matmul ins(%a, %b : tensor<12x9xf32>, tensor<9x7xf32>) outs(%f : tensor<12x7xf32>) -> tensor<12x7xf32>
  return %r : tensor<12x7xf32>
}
func.func @chain(%x: tensor<5x8xf32>, %y: tensor<8x5xf32>) -> tensor<8x5xf32> {
  %e = tensor.empty() : tensor<8x5xf32>
  %t = linalg.transpose ins(%x : tensor<5x8xf32>) outs(%e : tensor<8x5xf32>) permutation = [1, 0]
  %m = linalg.mul ins(%t, %y : tensor<8x5xf32>, tensor<8x5xf32>) outs(%e : tensor<8x5xf32>) -> tensor<8x5xf32>
  %s = linalg.add ins(%m, %t : tensor<8x5xf32>, tensor<8x5xf32>) outs(%e : tensor<8x5xf32>) -> tensor<8x5xf32>
  return %s : tensor<8x5xf32>
}
