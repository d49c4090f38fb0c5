// Figures 5-2 and 5-3: the intersection of two boxes, [10, 19] and one of products, end by end.
func.func @ends(%M: index, %a: index, %b: index) -> (index, index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %ten = arith.constant 10 : index
  %nineteen = arith.constant 19 : index
  %product = arith.muli %M, %a : index
  %first = arith.addi %product, %b : index
  %positive = arith.maxsi %first, %zero : index
  %low = arith.minsi %positive, %nineteen : index
  %lower = arith.maxsi %low, %ten : index
  %next = arith.addi %M, %one : index
  %next_product = arith.muli %next, %a : index
  %second = arith.addi %next_product, %b : index
  %small = arith.minsi %second, %nineteen : index
  %high = arith.maxsi %small, %zero : index
  %upper = arith.minsi %high, %nineteen : index
  return %lower, %upper : index, index
}
