// A transposed convolution of stride 2: zeros between the elements of %x, and a convolution.
func.func @upsampling(%x: tensor<1x8x64xf32>, %w: tensor<8x8x4xf32>) -> tensor<1x8x128xf32> {
  %zero = arith.constant 0.0 : f32
  %spread = arith.constant dense<0.0> : tensor<1x8x131xf32>
  %u = tensor.insert_slice %x into %spread[0, 0, 2] [1, 8, 64] [1, 1, 2] : tensor<1x8x64xf32> into tensor<1x8x131xf32>
  %empty = tensor.empty() : tensor<1x8x128xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x8x128xf32>) -> tensor<1x8x128xf32>
  %y = linalg.conv_1d_ncw_fcw ins(%u, %w : tensor<1x8x131xf32>, tensor<8x8x4xf32>)
      outs(%init : tensor<1x8x128xf32>) -> tensor<1x8x128xf32>
  return %y : tensor<1x8x128xf32>
}
