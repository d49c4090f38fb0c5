// mlir-opt-22: prints arith.constant -4
// options: -pass-pipeline=builtin.module(func.func(test-affine-reify-value-bounds{reify-to-func-args}))
func.func @zero_trips() -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %c10 = arith.constant 10 : index
  %r = scf.for %i = %c10 to %c5 step %c1 iter_args(%x = %c0) -> (index) {
    %y = arith.addi %x, %c1 : index
    scf.yield %y : index
  }
  %bound = "test.reify_bound"(%r) {type = "UB"} : (index) -> index
  return %bound : index
}
