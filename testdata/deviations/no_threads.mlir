// mlir-opt-22: loses static_num_threads
// A list that is there, and empty.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @f(%x: !transform.any_op) {
    %tiled, %loop = "transform.structured.tile_using_forall"(%x) <{
        operandSegmentSizes = array<i32: 1, 0, 0, 0, 0>, static_num_threads = array<i64>,
        static_tile_sizes = array<i64: 4>}> : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
