// Two tiles of 8 elements, of which the second one begins 7 elements after the first.
func.func @fires(%t: tensor<16xf32>, %s: tensor<8xf32>) -> tensor<16xf32> {
  %r = scf.forall (%i) in (2) shared_outs(%o = %t) -> (tensor<16xf32>) {
    %from = affine.apply affine_map<(i) -> (7 * i)>(%i)
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%from] [8] [1] : tensor<8xf32> into tensor<16xf32>
    }
  }
  return %r : tensor<16xf32>
}

func.func @silent(%t: tensor<16xf32>, %s: tensor<8xf32>) -> tensor<16xf32> {
  %r = scf.forall (%i) in (2) shared_outs(%o = %t) -> (tensor<16xf32>) {
    %from = affine.apply affine_map<(i) -> (8 * i)>(%i)
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%from] [8] [1] : tensor<8xf32> into tensor<16xf32>
    }
  }
  return %r : tensor<16xf32>
}

// All iterations write one value: memory is the same in whichever order they do.
func.func @one_value(%m: memref<16xf32>, %x: f32) {
  affine.parallel (%i) = (0) to (16) {
    affine.store %x, %m[%i floordiv 2] : memref<16xf32>
  }
  return
}
