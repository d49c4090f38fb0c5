// Transposed convolutions: zeros between the elements of the input, and a convolution of stride 1.
// RUN: volcli opt %s -p partition{assume-finite part-cost=512} --split-input-file
func.func @kernel_2_stride_2(%x: tensor<1x3x6x6xf32>, %w: tensor<4x3x2x2xf32>, %b: tensor<4xf32>) -> tensor<1x4x12x12xf32> {
  %zero = arith.constant 0.0 : f32
  %s = tensor.empty() : tensor<1x3x13x13xf32>
  %z = linalg.fill ins(%zero : f32) outs(%s : tensor<1x3x13x13xf32>) -> tensor<1x3x13x13xf32>
  %u = tensor.insert_slice %x into %z[0, 0, 1, 1] [1, 3, 6, 6] [1, 1, 2, 2]
      : tensor<1x3x6x6xf32> into tensor<1x3x13x13xf32>
  %e = tensor.empty() : tensor<1x4x12x12xf32>
  %i = linalg.broadcast ins(%b : tensor<4xf32>) outs(%e : tensor<1x4x12x12xf32>) dimensions = [0, 2, 3]
  %y = linalg.conv_2d_nchw_fchw ins(%u, %w : tensor<1x3x13x13xf32>, tensor<4x3x2x2xf32>)
      outs(%i : tensor<1x4x12x12xf32>) -> tensor<1x4x12x12xf32>
  return %y : tensor<1x4x12x12xf32>
}
// -----
func.func @kernel_3_stride_2(%x: tensor<1x3x6x6xf32>, %w: tensor<4x3x3x3xf32>, %b: tensor<4xf32>) -> tensor<1x4x12x12xf32> {
  %zero = arith.constant 0.0 : f32
  %s = tensor.empty() : tensor<1x3x14x14xf32>
  %z = linalg.fill ins(%zero : f32) outs(%s : tensor<1x3x14x14xf32>) -> tensor<1x3x14x14xf32>
  %u = tensor.insert_slice %x into %z[0, 0, 2, 2] [1, 3, 6, 6] [1, 1, 2, 2]
      : tensor<1x3x6x6xf32> into tensor<1x3x14x14xf32>
  %e = tensor.empty() : tensor<1x4x12x12xf32>
  %i = linalg.broadcast ins(%b : tensor<4xf32>) outs(%e : tensor<1x4x12x12xf32>) dimensions = [0, 2, 3]
  %y = linalg.conv_2d_nchw_fchw ins(%u, %w : tensor<1x3x14x14xf32>, tensor<4x3x3x3xf32>)
      outs(%i : tensor<1x4x12x12xf32>) -> tensor<1x4x12x12xf32>
  return %y : tensor<1x4x12x12xf32>
}
// -----
func.func @kernel_4_stride_2(%x: tensor<1x3x6x6xf32>, %w: tensor<4x3x4x4xf32>, %b: tensor<4xf32>) -> tensor<1x4x12x12xf32> {
  %zero = arith.constant 0.0 : f32
  %s = tensor.empty() : tensor<1x3x15x15xf32>
  %z = linalg.fill ins(%zero : f32) outs(%s : tensor<1x3x15x15xf32>) -> tensor<1x3x15x15xf32>
  %u = tensor.insert_slice %x into %z[0, 0, 2, 2] [1, 3, 6, 6] [1, 1, 2, 2]
      : tensor<1x3x6x6xf32> into tensor<1x3x15x15xf32>
  %e = tensor.empty() : tensor<1x4x12x12xf32>
  %i = linalg.broadcast ins(%b : tensor<4xf32>) outs(%e : tensor<1x4x12x12xf32>) dimensions = [0, 2, 3]
  %y = linalg.conv_2d_nchw_fchw ins(%u, %w : tensor<1x3x15x15xf32>, tensor<4x3x4x4xf32>)
      outs(%i : tensor<1x4x12x12xf32>) -> tensor<1x4x12x12xf32>
  return %y : tensor<1x4x12x12xf32>
}
// -----
func.func @kernel_5_stride_2(%x: tensor<1x3x6x6xf32>, %w: tensor<4x3x5x5xf32>, %b: tensor<4xf32>) -> tensor<1x4x12x12xf32> {
  %zero = arith.constant 0.0 : f32
  %s = tensor.empty() : tensor<1x3x16x16xf32>
  %z = linalg.fill ins(%zero : f32) outs(%s : tensor<1x3x16x16xf32>) -> tensor<1x3x16x16xf32>
  %u = tensor.insert_slice %x into %z[0, 0, 3, 3] [1, 3, 6, 6] [1, 1, 2, 2]
      : tensor<1x3x6x6xf32> into tensor<1x3x16x16xf32>
  %e = tensor.empty() : tensor<1x4x12x12xf32>
  %i = linalg.broadcast ins(%b : tensor<4xf32>) outs(%e : tensor<1x4x12x12xf32>) dimensions = [0, 2, 3]
  %y = linalg.conv_2d_nchw_fchw ins(%u, %w : tensor<1x3x16x16xf32>, tensor<4x3x5x5xf32>)
      outs(%i : tensor<1x4x12x12xf32>) -> tensor<1x4x12x12xf32>
  return %y : tensor<1x4x12x12xf32>
}
// -----
func.func @kernel_2_stride_3(%x: tensor<1x3x6x6xf32>, %w: tensor<4x3x2x2xf32>, %b: tensor<4xf32>) -> tensor<1x4x18x18xf32> {
  %zero = arith.constant 0.0 : f32
  %s = tensor.empty() : tensor<1x3x19x19xf32>
  %z = linalg.fill ins(%zero : f32) outs(%s : tensor<1x3x19x19xf32>) -> tensor<1x3x19x19xf32>
  %u = tensor.insert_slice %x into %z[0, 0, 1, 1] [1, 3, 6, 6] [1, 1, 3, 3]
      : tensor<1x3x6x6xf32> into tensor<1x3x19x19xf32>
  %e = tensor.empty() : tensor<1x4x18x18xf32>
  %i = linalg.broadcast ins(%b : tensor<4xf32>) outs(%e : tensor<1x4x18x18xf32>) dimensions = [0, 2, 3]
  %y = linalg.conv_2d_nchw_fchw ins(%u, %w : tensor<1x3x19x19xf32>, tensor<4x3x2x2xf32>)
      outs(%i : tensor<1x4x18x18xf32>) -> tensor<1x4x18x18xf32>
  return %y : tensor<1x4x18x18xf32>
}
// -----
func.func @kernel_3_stride_3(%x: tensor<1x3x6x6xf32>, %w: tensor<4x3x3x3xf32>, %b: tensor<4xf32>) -> tensor<1x4x18x18xf32> {
  %zero = arith.constant 0.0 : f32
  %s = tensor.empty() : tensor<1x3x20x20xf32>
  %z = linalg.fill ins(%zero : f32) outs(%s : tensor<1x3x20x20xf32>) -> tensor<1x3x20x20xf32>
  %u = tensor.insert_slice %x into %z[0, 0, 2, 2] [1, 3, 6, 6] [1, 1, 3, 3]
      : tensor<1x3x6x6xf32> into tensor<1x3x20x20xf32>
  %e = tensor.empty() : tensor<1x4x18x18xf32>
  %i = linalg.broadcast ins(%b : tensor<4xf32>) outs(%e : tensor<1x4x18x18xf32>) dimensions = [0, 2, 3]
  %y = linalg.conv_2d_nchw_fchw ins(%u, %w : tensor<1x3x20x20xf32>, tensor<4x3x3x3xf32>)
      outs(%i : tensor<1x4x18x18xf32>) -> tensor<1x4x18x18xf32>
  return %y : tensor<1x4x18x18xf32>
}
// -----
func.func @kernel_4_stride_3(%x: tensor<1x3x6x6xf32>, %w: tensor<4x3x4x4xf32>, %b: tensor<4xf32>) -> tensor<1x4x18x18xf32> {
  %zero = arith.constant 0.0 : f32
  %s = tensor.empty() : tensor<1x3x21x21xf32>
  %z = linalg.fill ins(%zero : f32) outs(%s : tensor<1x3x21x21xf32>) -> tensor<1x3x21x21xf32>
  %u = tensor.insert_slice %x into %z[0, 0, 3, 3] [1, 3, 6, 6] [1, 1, 3, 3]
      : tensor<1x3x6x6xf32> into tensor<1x3x21x21xf32>
  %e = tensor.empty() : tensor<1x4x18x18xf32>
  %i = linalg.broadcast ins(%b : tensor<4xf32>) outs(%e : tensor<1x4x18x18xf32>) dimensions = [0, 2, 3]
  %y = linalg.conv_2d_nchw_fchw ins(%u, %w : tensor<1x3x21x21xf32>, tensor<4x3x4x4xf32>)
      outs(%i : tensor<1x4x18x18xf32>) -> tensor<1x4x18x18xf32>
  return %y : tensor<1x4x18x18xf32>
}
// -----
func.func @kernel_5_stride_3(%x: tensor<1x3x6x6xf32>, %w: tensor<4x3x5x5xf32>, %b: tensor<4xf32>) -> tensor<1x4x18x18xf32> {
  %zero = arith.constant 0.0 : f32
  %s = tensor.empty() : tensor<1x3x22x22xf32>
  %z = linalg.fill ins(%zero : f32) outs(%s : tensor<1x3x22x22xf32>) -> tensor<1x3x22x22xf32>
  %u = tensor.insert_slice %x into %z[0, 0, 3, 3] [1, 3, 6, 6] [1, 1, 3, 3]
      : tensor<1x3x6x6xf32> into tensor<1x3x22x22xf32>
  %e = tensor.empty() : tensor<1x4x18x18xf32>
  %i = linalg.broadcast ins(%b : tensor<4xf32>) outs(%e : tensor<1x4x18x18xf32>) dimensions = [0, 2, 3]
  %y = linalg.conv_2d_nchw_fchw ins(%u, %w : tensor<1x3x22x22xf32>, tensor<4x3x5x5xf32>)
      outs(%i : tensor<1x4x18x18xf32>) -> tensor<1x4x18x18xf32>
  return %y : tensor<1x4x18x18xf32>
}
// -----
// As many elements as there are.
func.func @any_length(%x: tensor<1x4x?xf32>, %w: tensor<4x4x4xf32>) -> tensor<1x4x?xf32> {
  %zero = arith.constant 0.0 : f32
  %c2 = arith.constant 2 : index
  %n = tensor.dim %x, %c2 : tensor<1x4x?xf32>
  %wide = affine.apply affine_map<()[n] -> (n * 2 + 3)>()[%n]
  %o = affine.apply affine_map<()[n] -> (n * 2)>()[%n]
  %s = tensor.empty(%wide) : tensor<1x4x?xf32>
  %z = linalg.fill ins(%zero : f32) outs(%s : tensor<1x4x?xf32>) -> tensor<1x4x?xf32>
  %u = tensor.insert_slice %x into %z[0, 0, 2] [1, 4, %n] [1, 1, 2] : tensor<1x4x?xf32> into tensor<1x4x?xf32>
  %e = tensor.empty(%o) : tensor<1x4x?xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<1x4x?xf32>) -> tensor<1x4x?xf32>
  %y = linalg.conv_1d_ncw_fcw ins(%u, %w : tensor<1x4x?xf32>, tensor<4x4x4xf32>)
      outs(%i : tensor<1x4x?xf32>) -> tensor<1x4x?xf32>
  return %y : tensor<1x4x?xf32>
}
