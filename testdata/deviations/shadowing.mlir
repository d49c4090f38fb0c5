// mlir-opt-22: error: region entry argument '%n' is already in use
// The function does not see the %n outside; its own is another.
%n = arith.constant 1 : index
func.func @f(%n: index) -> index {
  return %n : index
}
