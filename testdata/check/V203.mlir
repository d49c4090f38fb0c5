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
