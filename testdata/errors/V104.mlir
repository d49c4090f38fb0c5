// An operation of an unknown dialect in its custom syntax.
// RUN: volcli opt %s --via xdsl
func.func @known(%a: i32) -> i32 {
  return %a : i32
}

func.func @unknown(%a: i32) -> i32 {
  %b = mystery.twist %a by 90 degrees : i32
  return %b : i32
}
