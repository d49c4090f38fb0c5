// mlir-opt-22: error: 'linalg.conv_2d_nchw_fchw' op inferred input/output operand #0 has shape's dimension #2 to be greater than or equal to 16, but found 15
// A window that leaves the image.
func.func @f(%a: tensor<1x3x15x15xf32>, %w: tensor<8x3x5x5xf32>, %c: tensor<1x8x12x11xf32>) -> tensor<1x8x12x11xf32> {
  %r = linalg.conv_2d_nchw_fchw ins(%a, %w : tensor<1x3x15x15xf32>, tensor<8x3x5x5xf32>) outs(%c : tensor<1x8x12x11xf32>) -> tensor<1x8x12x11xf32>
  return %r : tensor<1x8x12x11xf32>
}
