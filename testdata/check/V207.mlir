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
