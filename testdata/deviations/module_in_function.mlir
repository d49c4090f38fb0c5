// mlir-opt-22: accepts
// A function in a module in a function.
func.func @f() {
  builtin.module {
    func.func @g() {
      return
    }
  }
  return
}
