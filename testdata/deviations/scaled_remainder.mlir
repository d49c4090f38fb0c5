// mlir-opt-22: prints s0 * 2 - (s0 floordiv 8) * 16
// options: -allow-unregistered-dialect -pass-pipeline=builtin.module(func.func(test-affine-reify-value-bounds))
func.func @f(%n: index) -> index {
  %r = affine.apply affine_map<()[s0] -> ((s0 mod 8) * 2)>()[%n]
  %bound = "test.reify_bound"(%r) {type = "EQ"} : (index) -> index
  return %bound : index
}
