// An operation that nothing is known of cannot be executed: its result may be any.
// RUN: volcli run %s
func.func @f(%x: f32) -> f32 {
  %y = "mystery.twist"(%x) : (f32) -> f32
  return %y : f32
}
