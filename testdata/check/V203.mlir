// The last tile of 96 is one of 8 elements only.
func.func @fires(%t: tensor<104xf32>) {
  affine.for %i = 0 to 104 step 16 {
    %tile = tensor.extract_slice %t[%i] [16] [1] : tensor<104xf32> to tensor<16xf32>
  }
  return
}

func.func @silent(%t: tensor<104xf32>) {
  affine.for %i = 0 to 104 step 16 {
    %width = affine.min affine_map<(i) -> (16, 104 - i)>(%i)
    %tile = tensor.extract_slice %t[%i] [%width] [1] : tensor<104xf32> to tensor<?xf32>
  }
  return
}

// Each element is one of the tensor.
func.func @elements(%t: tensor<8xf32>, %x: f32) -> (f32, tensor<8xf32>) {
  %zero = arith.constant 0.0 : f32
  %r:2 = affine.for %i = 0 to 8 iter_args(%s = %zero, %u = %t) -> (f32, tensor<8xf32>) {
    %v = tensor.extract %t[%i] : tensor<8xf32>
    %w = arith.addf %s, %v : f32
    %n = tensor.insert %x into %u[%i] : tensor<8xf32>
    affine.yield %w, %n : f32, tensor<8xf32>
  }
  return %r#0, %r#1 : f32, tensor<8xf32>
}
