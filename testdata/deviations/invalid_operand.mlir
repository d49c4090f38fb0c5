// mlir-opt-22: error: 'arith.sitofp' op operand #0 must be signless-fixed-width-integer-like, but got 'f32'
// Both reject it; volcli calls it unusable input (exit code 2), mlir-opt an error (exit code 1).
func.func @f(%a: f32) -> f32 {
  %b = arith.sitofp %a : f32 to f32
  return %b : f32
}
