// RUN: volcli annotate %s -p infer-shapes,element-maps,sparsity-regions
// A convolutional layer: asymmetric padding, a strided 5x5 convolution, a leaky activation (figure 1 of
// "Modelling linear algebra kernels as polyhedral volume operations").
func.func @krnl0(%ifm: tensor<1x3x512x512xf32>, %wgt: tensor<8x3x5x5xf32>) -> tensor<1x8x256x256xf32> {
  %cst0 = arith.constant 0.0 : f32
  %cst0_01 = arith.constant 0.01 : f32
  %pad0 = tensor.pad %ifm low[0, 0, 1, 1] high[0, 0, 2, 2] {
  ^bb0(%n: index, %c: index, %h: index, %w: index):
    tensor.yield %cst0 : f32
  } : tensor<1x3x512x512xf32> to tensor<1x3x515x515xf32>
  %init = tensor.empty() : tensor<1x8x256x256xf32>
  %zero = linalg.fill ins(%cst0 : f32) outs(%init : tensor<1x8x256x256xf32>) -> tensor<1x8x256x256xf32>
  %conv0 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>}
      ins(%pad0, %wgt : tensor<1x3x515x515xf32>, tensor<8x3x5x5xf32>)
      outs(%zero : tensor<1x8x256x256xf32>) -> tensor<1x8x256x256xf32>
  // volcli: shape %act0: [1, 8, 256, 256]
  // volcli: map %act0:
  // volcli:   { act0[n, f, h, w] -> ifm[n', c, h', w'] : -1 + 2h <= h' <= 3 + 2h and -1 + 2w <= w' <= 3 + 2w }
  // volcli:   { act0[n, f, h, w] -> wgt[f' = f, c, kh, kw] }
  // volcli:   { act0[n, f, h, w = 255] -> cst0_pad0[]; act0[n, f, h = 255, w] -> cst0_pad0[]; act0[n, f, h, w = 0] -> cst0_pad0[]; act0[n, f, h = 0, w] -> cst0_pad0[] }
  // volcli:   { act0[n, f, h, w] -> cst0_zero[] }
  // volcli:   { act0[n, f, h, w] -> cst0_01_act0[] }
  // volcli:   { act0[n, f, h, w] -> cst0_act0[] }
  // volcli: regions %act0:
  // volcli:   dense               516128  { act0[n, f, h, w] : 0 < h <= 254 and 0 < w <= 254 }
  // volcli:   sparse of degree 1    8128  { act0[n, f, h, w = 255] : 0 < h <= 254; act0[n, f, h = 255, w] : 0 < w <= 254; act0[n, f, h, w = 0] : 0 < h <= 254; act0[n, f, h = 0, w] : 0 < w <= 254 }
  // volcli:   sparse of degree 2      32  { act0[n, f, h = 255, w = 255]; act0[n, f, h = 0, w = 255]; act0[n, f, h = 255, w = 0]; act0[n, f, h = 0, w = 0] }
  %act0 = linalg.generic {
      indexing_maps = [affine_map<(n, f, h, w) -> (n, f, h, w)>, affine_map<(n, f, h, w) -> (n, f, h, w)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%conv0 : tensor<1x8x256x256xf32>) outs(%init : tensor<1x8x256x256xf32>) {
  ^bb0(%a: f32, %b: f32):
    %0 = arith.maximumf %a, %cst0 : f32
    %1 = arith.mulf %0, %cst0_01 : f32
    %2 = arith.addf %a, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<1x8x256x256xf32>
  return %act0 : tensor<1x8x256x256xf32>
}
