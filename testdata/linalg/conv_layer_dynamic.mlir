// RUN: volcli annotate %s -p infer-shapes,element-maps,sparsity-regions
// The layer of conv_layer.mlir with a height and a width that are known only at run time: the shapes and
// regions are functions of the input's size.
#identity = affine_map<(n, f, h, w) -> (n, f, h, w)>
// volcli: shape %ifm: [1, 3, ifm_d2, ifm_d3]
func.func @krnl0(%ifm: tensor<1x3x?x?xf32>, %wgt: tensor<8x3x5x5xf32>) -> tensor<1x8x?x?xf32> {
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %cst0 = arith.constant 0.0 : f32
  %cst0_01 = arith.constant 0.01 : f32
  %height = tensor.dim %ifm, %c2 : tensor<1x3x?x?xf32>
  %width = tensor.dim %ifm, %c3 : tensor<1x3x?x?xf32>
  // volcli: shape %pad0: [1, 3, ifm_d2 + 3, ifm_d3 + 3]
  %pad0 = tensor.pad %ifm low[0, 0, 1, 1] high[0, 0, 2, 2] {
  ^bb0(%n: index, %c: index, %h: index, %w: index):
    tensor.yield %cst0 : f32
  } : tensor<1x3x?x?xf32> to tensor<1x3x?x?xf32>
  %oh = affine.apply affine_map<()[s0] -> ((s0 + 3 - 5) floordiv 2 + 1)>()[%height]
  %ow = affine.apply affine_map<()[s0] -> ((s0 + 3 - 5) floordiv 2 + 1)>()[%width]
  // volcli: shape %init: [1, 8, ifm_d2 floordiv 2, ifm_d3 floordiv 2]
  %init = tensor.empty(%oh, %ow) : tensor<1x8x?x?xf32>
  // volcli: shape %zero: [1, 8, ifm_d2 floordiv 2, ifm_d3 floordiv 2]
  %zero = linalg.fill ins(%cst0 : f32) outs(%init : tensor<1x8x?x?xf32>) -> tensor<1x8x?x?xf32>
  // volcli: shape %conv0: [1, 8, ifm_d2 floordiv 2, ifm_d3 floordiv 2]
  %conv0 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>}
      ins(%pad0, %wgt : tensor<1x3x?x?xf32>, tensor<8x3x5x5xf32>)
      outs(%zero : tensor<1x8x?x?xf32>) -> tensor<1x8x?x?xf32>
  // volcli: shape %act0: [1, 8, ifm_d2 floordiv 2, ifm_d3 floordiv 2]
  // volcli: map %act0:
  // volcli:   { act0[n, f, h, w] -> ifm[n', c, h', w'] : -1 + 2h <= h' <= 3 + 2h and -1 + 2w <= w' <= 3 + 2w }
  // volcli:   { act0[n, f, h, w] -> wgt[f' = f, c, kh, kw] }
  // volcli:   [ifm_d3, ifm_d2] -> { act0[n, f, h, w] -> cst0_pad0[] : 2w >= -3 + ifm_d3 or 2h >= -3 + ifm_d2; act0[n, f, h = 0, w] -> cst0_pad0[]; act0[n, f, h, w = 0] -> cst0_pad0[] }
  // volcli:   { act0[n, f, h, w] -> cst0_zero[] }
  // volcli:   { act0[n, f, h, w] -> cst0_01_act0[] }
  // volcli:   { act0[n, f, h, w] -> cst0_act0[] }
  // volcli: regions %act0:
  // volcli:   dense               -16 * (ifm_d2 floordiv 2) - 16 * (ifm_d3 floordiv 2) + 8 * (ifm_d2 floordiv 2) * (ifm_d3 floordiv 2) + 32  [ifm_d3, ifm_d2] -> { act0[n, f, h, w] : h > 0 and 2h <= -4 + ifm_d2 and w > 0 and 2w <= -4 + ifm_d3 }
  // volcli:   sparse of degree 1                                                   16 * (ifm_d2 floordiv 2) + 16 * (ifm_d3 floordiv 2) - 64  [ifm_d3, ifm_d2] -> { act0[n, f, h, w] : h > 0 and w > 0 and ((2h <= -4 + ifm_d2 and 2w >= -3 + ifm_d3) or (2h >= -3 + ifm_d2 and 2w <= -4 + ifm_d3)); act0[n, f, h = 0, w] : ifm_d2 >= 4 and w > 0 and 2w <= -4 + ifm_d3; act0[n, f, h, w = 0] : ifm_d3 >= 4 and h > 0 and 2h <= -4 + ifm_d2 }
  // volcli:   sparse of degree 2                                                                                                 parametric  [ifm_d3, ifm_d2] -> { act0[n, f, h, w] : h > 0 and 2h >= -3 + ifm_d2 and w > 0 and 2w >= -3 + ifm_d3; act0[n, f, h, w = 0] : h > 0 and ((ifm_d3 >= 4 and 2h >= -3 + ifm_d2) or (ifm_d3 <= 3 and 2h <= -4 + ifm_d2)); act0[n, f, h = 0, w = 0] : ifm_d3 >= 4 and ifm_d2 >= 4; act0[n, f, h = 0, w] : w > 0 and ((ifm_d2 >= 4 and 2w >= -3 + ifm_d3) or (ifm_d2 <= 3 and 2w <= -4 + ifm_d3)) }
  // volcli:   sparse of degree 3                                                                                                 parametric  [ifm_d3, ifm_d2] -> { act0[n, f, h, w = 0] : ifm_d3 <= 3 and h > 0 and 2h >= -3 + ifm_d2; act0[n, f, h = 0, w] : ifm_d2 <= 3 and w > 0 and 2w >= -3 + ifm_d3; act0[n, f, h = 0, w = 0] : (ifm_d3 >= 4 and ifm_d2 <= 3) or (ifm_d3 <= 3 and ifm_d2 >= 4) }
  // volcli:   sparse of degree 4                                                                                                          8  [ifm_d3, ifm_d2] -> { act0[n, f, h = 0, w = 0] : ifm_d3 <= 3 and ifm_d2 <= 3 }
  %act0 = linalg.generic {indexing_maps = [#identity, #identity],
                          iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%conv0 : tensor<1x8x?x?xf32>) outs(%init : tensor<1x8x?x?xf32>) {
  ^bb0(%a: f32, %b: f32):
    %0 = arith.maximumf %a, %cst0 : f32
    %1 = arith.mulf %0, %cst0_01 : f32
    %2 = arith.addf %a, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<1x8x?x?xf32>
  return %act0 : tensor<1x8x?x?xf32>
}
