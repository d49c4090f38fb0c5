// Invalid IR: an integer-to-float conversion whose operand is a float.
func.func @valid(%a: i32) -> f32 {
  %b = arith.sitofp %a : i32 to f32
  return %b : f32
}

func.func @invalid(%a: f32) -> f32 {
  %b = arith.sitofp %a : f32 to f32
  return %b : f32
}
