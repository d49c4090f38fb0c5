// RUN: volcli annotate %s -p element-maps,sparsity-regions --assume '@inner:%QH >= 1 and @inner:%QH <= 14 and @inner:%QW >= 1 and @inner:%QW <= 14'
// One tile of 16x16 of the layer of conv_layer.mlir, at (QH, QW): its slice of the padded image must lie in it,
// so that the tiles are 0 <= QH, QW <= 15.

func.func @tile(%ifm: tensor<512x512xf32>, %wgt: tensor<5x5xf32>, %QH: index, %QW: index) -> tensor<16x16xf32> {
  %zero = arith.constant 0.0 : f32
  %pad0 = tensor.pad %ifm low[1, 1] high[2, 2] {
  ^bb0(%h: index, %w: index):
    tensor.yield %zero : f32
  } : tensor<512x512xf32> to tensor<515x515xf32>
  %y = affine.apply affine_map<(q) -> (32 * q)>(%QH)
  %x = affine.apply affine_map<(q) -> (32 * q)>(%QW)
  %in = tensor.extract_slice %pad0[%y, %x] [35, 35] [1, 1] : tensor<515x515xf32> to tensor<35x35xf32>
  %init = tensor.empty() : tensor<16x16xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%init : tensor<16x16xf32>) -> tensor<16x16xf32>
  // volcli: map %act0 assuming index arithmetic does not overflow:
  // volcli:   [QH, QW] -> { act0[d0, d1] -> ifm[d0', d1'] : -1 + 32QH + 2d0 <= d0' <= 3 + 32QH + 2d0 and -1 + 32QW + 2d1 <= d1' <= 3 + 32QW + 2d1 }
  // volcli:   { act0[d0, d1] -> wgt[d0', d1'] }
  // volcli:   [QH, QW] -> { act0[d0, d1 = 255 - 16QW] -> zero_pad0[]; act0[d0 = 255 - 16QH, d1] -> zero_pad0[]; act0[d0, d1 = -16QW] -> zero_pad0[]; act0[d0 = -16QH, d1] -> zero_pad0[] }
  // volcli:   { act0[d0, d1] -> zero_fill[] }
  // volcli: regions %act0 assuming index arithmetic does not overflow:
  // volcli:   dense               parametric  [QH, QW] -> { act0[d0, d1] : -QH < d0 <= 29 - QH and -QW < d1 <= 29 - QW }
  // volcli:   sparse of degree 1  parametric  [QH, QW] -> { act0[d0, d1 = 15] : QW = 15 and -QH < d0 <= 29 - QH; act0[d0 = 15, d1] : QH = 15 and -QW < d1 <= 29 - QW; act0[d0, d1 = 0] : QW = 0 and -QH < d0 <= 29 - QH; act0[d0 = 0, d1] : QH = 0 and -QW < d1 <= 29 - QW }
  // volcli:   sparse of degree 2  parametric  [QH, QW] -> { act0[d0 = 15, d1 = 15] : QH = 15 and QW = 15; act0[d0 = 0, d1 = 15] : QH = 0 and QW = 15; act0[d0 = 15, d1 = 0] : QH = 15 and QW = 0; act0[d0 = 0, d1 = 0] : QH = 0 and QW = 0 }
  %act0 = linalg.generic {
      indexing_maps = [affine_map<(h, w, a, b) -> (2 * h + a, 2 * w + b)>, affine_map<(h, w, a, b) -> (a, b)>,
                       affine_map<(h, w, a, b) -> (h, w)>],
      iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%in, %wgt : tensor<35x35xf32>, tensor<5x5xf32>) outs(%fill : tensor<16x16xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %c, %p : f32
    linalg.yield %s : f32
  } -> tensor<16x16xf32>
  return %act0 : tensor<16x16xf32>
}

// The tiles that touch no padding: 1 <= QH, QW <= 14. Their slice is where the window is, whatever the tile.
func.func @inner(%ifm: tensor<512x512xf32>, %wgt: tensor<5x5xf32>, %QH: index, %QW: index) -> tensor<16x16xf32> {
  %zero = arith.constant 0.0 : f32
  %pad0 = tensor.pad %ifm low[1, 1] high[2, 2] {
  ^bb0(%h: index, %w: index):
    tensor.yield %zero : f32
  } : tensor<512x512xf32> to tensor<515x515xf32>
  %y = affine.apply affine_map<(q) -> (32 * q)>(%QH)
  %x = affine.apply affine_map<(q) -> (32 * q)>(%QW)
  %in = tensor.extract_slice %pad0[%y, %x] [35, 35] [1, 1] : tensor<515x515xf32> to tensor<35x35xf32>
  %init = tensor.empty() : tensor<16x16xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%init : tensor<16x16xf32>) -> tensor<16x16xf32>
  // volcli: map %act0 assuming @inner:%QH >= 1 and @inner:%QH <= 14 and @inner:%QW >= 1 and @inner:%QW <= 14:
  // volcli:   [QH, QW] -> { act0[d0, d1] -> ifm[d0', d1'] : -1 + 32QH + 2d0 <= d0' <= 3 + 32QH + 2d0 and -1 + 32QW + 2d1 <= d1' <= 3 + 32QW + 2d1 }
  // volcli:   { act0[d0, d1] -> wgt[d0', d1'] }
  // volcli:   { act0[d0, d1] -> zero_fill[] }
  // volcli: regions %act0 assuming @inner:%QH >= 1 and @inner:%QH <= 14 and @inner:%QW >= 1 and @inner:%QW <= 14:
  // volcli:   dense  256  { act0[d0, d1] }
  %act0 = linalg.generic {
      indexing_maps = [affine_map<(h, w, a, b) -> (2 * h + a, 2 * w + b)>, affine_map<(h, w, a, b) -> (a, b)>,
                       affine_map<(h, w, a, b) -> (h, w)>],
      iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%in, %wgt : tensor<35x35xf32>, tensor<5x5xf32>) outs(%fill : tensor<16x16xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %c, %p : f32
    linalg.yield %s : f32
  } -> tensor<16x16xf32>
  return %act0 : tensor<16x16xf32>
}

// Counts are polynomials of the sizes.
func.func @padded(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %zero = arith.constant 0.0 : f32
  // volcli: map %p:
  // volcli:   { p[d0, d1] -> x[d0' = -1 + d0, d1' = -1 + d1] }
  // volcli:   [x_d1, x_d0] -> { p[d0, d1 = 1 + x_d1] -> zero_p[] : 0 < d0 <= x_d0; p[d0 = 1 + x_d0, d1] -> zero_p[]; p[d0, d1 = 0] -> zero_p[] : 0 < d0 <= x_d0; p[d0 = 0, d1] -> zero_p[] }
  // volcli: regions %p:
  // volcli:   dense                    x_d0 * x_d1  [x_d1, x_d0] -> { p[d0, d1] : 0 < d0 <= x_d0 and 0 < d1 <= x_d1 }
  // volcli:   static zero  2 * x_d0 + 2 * x_d1 + 4  [x_d1, x_d0] -> { p[d0, d1 = 1 + x_d1] : 0 < d0 <= x_d0; p[d0 = 1 + x_d0, d1]; p[d0, d1 = 0] : 0 < d0 <= x_d0; p[d0 = 0, d1] }
  %p = tensor.pad %x low[1, 1] high[1, 1] {
  ^bb0(%h: index, %w: index):
    tensor.yield %zero : f32
  } : tensor<?x?xf32> to tensor<?x?xf32>
  return %p : tensor<?x?xf32>
}
