// An operation of an unknown dialect in its custom syntax, whose end cannot be found: its brackets do not
// balance.
// RUN: volcli opt %s --via xdsl
func.func @known(%a: i32) -> i32 {
  return %a : i32
}

func.func @unknown(%a: i32) -> i32 {
  %b = mystery.twist %a in [0, 90) : i32
  return %b : i32
}
