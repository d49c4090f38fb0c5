// 100 in eight bits, three times: the sum wraps, and `nsw` promises that it does not.
func.func @rounded(%promise: i1) -> i8 {
  %c = arith.constant 100 : i8
  %wrapped = arith.addi %c, %c : i8
  %poison = arith.addi %c, %c overflow<nsw> : i8
  %chosen = arith.select %promise, %poison, %wrapped : i8
  return %chosen : i8
}
