// mlir-opt-22: prints scf.reduce  {some.note = 1 : i64}
// What mlir-opt prints here it takes for a region when it reads it.
func.func @f(%i: index) {
  scf.parallel (%k) = (%i) to (%i) step (%i) {
    "scf.reduce"() {some.note = 1} : () -> ()
  }
  return
}
