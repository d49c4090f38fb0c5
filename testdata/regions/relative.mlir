// RUN: volcli annotate %s -p 'sparsity-regions{of=%act0},sparsity-regions{of=%act0 relative-to=%ifm}'
// A padding as wide as the kernel, and an initial value that is an argument. Each element reads data, the initial
// value or the image. Relative to the image, the 36 elements at the rim are static: their windows are padding.
func.func @rim(%ifm: tensor<6x6xf32>, %wgt: tensor<3x3xf32>, %bias: tensor<10x10xf32>) -> tensor<10x10xf32> {
  %zero = arith.constant 0.0 : f32
  %pad0 = tensor.pad %ifm low[3, 3] high[3, 3] {
  ^bb0(%h: index, %w: index):
    tensor.yield %zero : f32
  } : tensor<6x6xf32> to tensor<12x12xf32>
  // volcli: regions %act0:
  // volcli:   dense               16  { act0[h, w] : 3 <= h <= 6 and 3 <= w <= 6 }
  // volcli:   sparse of degree 1  48  { act0[h, w] : (h >= 7 and 3 <= w <= 6) or (3 <= h <= 6 and w >= 7) or (3 <= h <= 6 and w <= 2) or (h <= 2 and 3 <= w <= 6) }
  // volcli:   sparse of degree 2  36  { act0[h, w] : (h >= 7 and w >= 7) or (h >= 7 and w <= 2) or (h <= 2 and w >= 7) or (h <= 2 and w <= 2) }
  // volcli: regions %act0 relative to %ifm:
  // volcli:   dense               16  { act0[h, w] : 3 <= h <= 6 and 3 <= w <= 6 }
  // volcli:   sparse of degree 1  32  { act0[h, w] : 0 < h <= 8 and 0 < w <= 8 and ((h >= 7 and 3 <= w <= 6) or (3 <= h <= 6 and w >= 7) or (3 <= h <= 6 and w <= 2) or (h <= 2 and 3 <= w <= 6)) }
  // volcli:   sparse of degree 2  16  { act0[h, w] : 0 < h <= 8 and 0 < w <= 8 and ((h >= 7 and w >= 7) or (h >= 7 and w <= 2) or (h <= 2 and w >= 7) or (h <= 2 and w <= 2)) }
  // volcli:   static              36  { act0[h, w = 9] : 0 < h <= 8; act0[h = 9, w]; act0[h, w = 0] : 0 < h <= 8; act0[h = 0, w] }
  %act0 = linalg.conv_2d ins(%pad0, %wgt : tensor<12x12xf32>, tensor<3x3xf32>) outs(%bias : tensor<10x10xf32>) -> tensor<10x10xf32>
  return %act0 : tensor<10x10xf32>
}
