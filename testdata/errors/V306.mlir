// An operation of an unknown dialect in its custom syntax: its text is kept, and nothing is known of its result.
// RUN: volcli opt %s --via xdsl
func.func @unknown(%a: i32) -> i32 {
  %b = mystery.twist %a by 90 degrees : i32
  return %b : i32
}
