// mlir-opt-22: prints arith.divsi
// options: -pass-pipeline=builtin.module(func.func(test-affine-reify-value-bounds{use-arith-ops}))
func.func @truncating(%n: index) -> index {
  %quotient = affine.apply affine_map<(d0) -> (d0 floordiv 4)>(%n)
  %bound = "test.reify_bound"(%quotient) : (index) -> index
  return %bound : index
}
