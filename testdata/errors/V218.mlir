// The caller finds a buffer that ends with the function.
// RUN: volcli opt %s -p check-lifetimes
func.func @kept(%box: memref<1xmemref<4xf32>>) {
  %c0 = arith.constant 0 : index
  %m = memref.alloca() : memref<4xf32>
  memref.store %m, %box[%c0] : memref<1xmemref<4xf32>>
  return
}
