// A longer expression that takes less time (Suriana, section 5.3): a sum of three terms, and a quotient.
func.func @lengths(%x: index, %y: index, %z: index) -> (index, index) {
  %both = arith.addi %x, %y : index
  %sum = arith.addi %both, %z : index
  %quotient = arith.divsi %x, %y : index
  return %sum, %quotient : index, index
}
