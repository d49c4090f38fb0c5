// mlir-opt-22: prints scf.forall (%arg1) in (%arg0)
// The lower bound 0 and the step 1 are operands here.
func.func @f(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.forall (%i) = (%c0) to (%n) step (%c1) {
  }
  return
}
