// Layers with padding: their interior reads the input, their edges fewer taps.
// RUN: volcli opt %s -p partition{assume-finite part-cost=512} --split-input-file
// The layer of figure 1 of "Modelling linear algebra kernels as polyhedral volume operations", smaller.
func.func @layer(%ifm: tensor<1x3x32x32xf32>, %wgt: tensor<8x3x5x5xf32>) -> tensor<1x8x16x16xf32> {
  %zero = arith.constant 0.0 : f32
  %slope = arith.constant 0.01 : f32
  %pad = tensor.pad %ifm low[0, 0, 1, 1] high[0, 0, 2, 2] {
  ^bb0(%n: index, %c: index, %h: index, %w: index):
    tensor.yield %zero : f32
  } : tensor<1x3x32x32xf32> to tensor<1x3x35x35xf32>
  %e = tensor.empty() : tensor<1x8x16x16xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<1x8x16x16xf32>) -> tensor<1x8x16x16xf32>
  %conv = linalg.conv_2d_nchw_fchw {strides = dense<2> : tensor<2xi64>}
      ins(%pad, %wgt : tensor<1x3x35x35xf32>, tensor<8x3x5x5xf32>)
      outs(%i : tensor<1x8x16x16xf32>) -> tensor<1x8x16x16xf32>
  %act = linalg.generic {
      indexing_maps = [affine_map<(n, f, h, w) -> (n, f, h, w)>, affine_map<(n, f, h, w) -> (n, f, h, w)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%conv : tensor<1x8x16x16xf32>) outs(%e : tensor<1x8x16x16xf32>) {
  ^bb0(%a: f32, %b: f32):
    %0 = arith.maximumf %a, %zero : f32
    %1 = arith.mulf %0, %slope : f32
    %2 = arith.addf %a, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<1x8x16x16xf32>
  return %act : tensor<1x8x16x16xf32>
}
// -----
func.func @two_layers(%x: tensor<1x2x12x12xf32>, %v: tensor<4x2x3x3xf32>, %w: tensor<4x4x3x3xf32>) -> tensor<1x4x12x12xf32> {
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%n: index, %c: index, %h: index, %k: index):
    tensor.yield %zero : f32
  } : tensor<1x2x12x12xf32> to tensor<1x2x14x14xf32>
  %e = tensor.empty() : tensor<1x4x12x12xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<1x4x12x12xf32>) -> tensor<1x4x12x12xf32>
  %y = linalg.conv_2d_nchw_fchw ins(%p, %v : tensor<1x2x14x14xf32>, tensor<4x2x3x3xf32>)
      outs(%i : tensor<1x4x12x12xf32>) -> tensor<1x4x12x12xf32>
  %q = tensor.pad %y low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%n: index, %c: index, %h: index, %k: index):
    tensor.yield %zero : f32
  } : tensor<1x4x12x12xf32> to tensor<1x4x14x14xf32>
  %z = linalg.conv_2d_nchw_fchw ins(%q, %w : tensor<1x4x14x14xf32>, tensor<4x4x3x3xf32>)
      outs(%i : tensor<1x4x12x12xf32>) -> tensor<1x4x12x12xf32>
  return %z : tensor<1x4x12x12xf32>
}
// -----
func.func @depthwise(%x: tensor<1x16x16x4xf32>, %w: tensor<3x3x4xf32>) -> tensor<1x16x16x4xf32> {
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%n: index, %h: index, %k: index, %c: index):
    tensor.yield %zero : f32
  } : tensor<1x16x16x4xf32> to tensor<1x18x18x4xf32>
  %e = tensor.empty() : tensor<1x16x16x4xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<1x16x16x4xf32>) -> tensor<1x16x16x4xf32>
  %y = linalg.depthwise_conv_2d_nhwc_hwc ins(%p, %w : tensor<1x18x18x4xf32>, tensor<3x3x4xf32>)
      outs(%i : tensor<1x16x16x4xf32>) -> tensor<1x16x16x4xf32>
  return %y : tensor<1x16x16x4xf32>
}
// -----
func.func @dilated_causal(%x: tensor<1x6x24xf32>, %w: tensor<6x6x3xf32>) -> tensor<1x6x24xf32> {
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 0, 8] high[0, 0, 0] {
  ^bb0(%n: index, %c: index, %k: index):
    tensor.yield %zero : f32
  } : tensor<1x6x24xf32> to tensor<1x6x32xf32>
  %e = tensor.empty() : tensor<1x6x24xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<1x6x24xf32>) -> tensor<1x6x24xf32>
  %y = linalg.conv_1d_ncw_fcw {dilations = dense<4> : tensor<1xi64>}
      ins(%p, %w : tensor<1x6x32xf32>, tensor<6x6x3xf32>) outs(%i : tensor<1x6x24xf32>) -> tensor<1x6x24xf32>
  return %y : tensor<1x6x24xf32>
}
// -----
func.func @pooled(%x: tensor<1x4x16x16xf32>) -> tensor<1x4x16x16xf32> {
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 0, 2, 2] high[0, 0, 2, 2] {
  ^bb0(%n: index, %c: index, %h: index, %k: index):
    tensor.yield %zero : f32
  } : tensor<1x4x16x16xf32> to tensor<1x4x20x20xf32>
  %window = tensor.empty() : tensor<5x5xf32>
  %e = tensor.empty() : tensor<1x4x16x16xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<1x4x16x16xf32>) -> tensor<1x4x16x16xf32>
  %y = linalg.pooling_nchw_sum ins(%p, %window : tensor<1x4x20x20xf32>, tensor<5x5xf32>)
      outs(%i : tensor<1x4x16x16xf32>) -> tensor<1x4x16x16xf32>
  return %y : tensor<1x4x16x16xf32>
}
// -----
// Integers need no flag.
func.func @counts(%x: tensor<1x3x9x9xi8>, %w: tensor<6x3x3x3xi8>) -> tensor<1x6x9x9xi32> {
  %zero = arith.constant 0 : i8
  %none = arith.constant 0 : i32
  %p = tensor.pad %x low[0, 0, 2, 1] high[0, 0, 0, 1] {
  ^bb0(%n: index, %c: index, %h: index, %k: index):
    tensor.yield %zero : i8
  } : tensor<1x3x9x9xi8> to tensor<1x3x11x11xi8>
  %e = tensor.empty() : tensor<1x6x9x9xi32>
  %i = linalg.fill ins(%none : i32) outs(%e : tensor<1x6x9x9xi32>) -> tensor<1x6x9x9xi32>
  %y = linalg.conv_2d_nchw_fchw ins(%p, %w : tensor<1x3x11x11xi8>, tensor<6x3x3x3xi8>)
      outs(%i : tensor<1x6x9x9xi32>) -> tensor<1x6x9x9xi32>
  return %y : tensor<1x6x9x9xi32>
}
// -----
func.func @images(%x: tensor<?x2x8x8xf32>, %w: tensor<4x2x3x3xf32>) -> tensor<?x4x8x8xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x2x8x8xf32>
  %p = tensor.pad %x low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%m: index, %c: index, %h: index, %k: index):
    tensor.yield %zero : f32
  } : tensor<?x2x8x8xf32> to tensor<?x2x10x10xf32>
  %e = tensor.empty(%n) : tensor<?x4x8x8xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<?x4x8x8xf32>) -> tensor<?x4x8x8xf32>
  %y = linalg.conv_2d_nchw_fchw ins(%p, %w : tensor<?x2x10x10xf32>, tensor<4x2x3x3xf32>)
      outs(%i : tensor<?x4x8x8xf32>) -> tensor<?x4x8x8xf32>
  return %y : tensor<?x4x8x8xf32>
}
