// mlir-opt-22: prints scf.yield %c-1_
// options: -pass-pipeline=builtin.module(func.func(test-affine-reify-value-bounds{reify-to-func-args}))
func.func @unsigned_loop(%n: index) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %most = arith.constant -1 : index
  %last = scf.for unsigned %i = %c0 to %most step %c1 iter_args(%x = %c0) -> (index) {
    %bound = "test.reify_bound"(%i) {type = "UB"} : (index) -> index
    scf.yield %bound : index
  }
  return %last : index
}
