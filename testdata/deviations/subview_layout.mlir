// mlir-opt-22: error: expected result type to be 'memref<4x4xf32, strided<[16, 1]>>' or a rank-reduced version.
// A part of a buffer has the strides of the buffer.
func.func @f(%m: memref<8x16xf32>) -> memref<4x4xf32> {
  %r = memref.subview %m[0, 0] [4, 4] [1, 1] : memref<8x16xf32> to memref<4x4xf32>
  return %r : memref<4x4xf32>
}
