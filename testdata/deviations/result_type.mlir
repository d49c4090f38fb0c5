// mlir-opt-22: error: 'memref.load' op failed to verify that result type matches element type of 'memref'
// Only generic form can say a wrong result.
func.func @f(%m: memref<4xf32>, %i: index) {
  %r = "memref.load"(%m, %i) : (memref<4xf32>, index) -> f64
  return
}
