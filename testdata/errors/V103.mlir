// A syntax error in the second of three functions: the type of %sum is missing.
// RUN: volcli opt %s --via xdsl
func.func @first(%a: i32) -> i32 {
  return %a : i32
}

func.func @second(%a: i32) -> i32 {
  %sum = arith.addi %a, %a
  return %sum : i32
}

func.func @third(%a: i32) -> i32 {
  return %a : i32
}
