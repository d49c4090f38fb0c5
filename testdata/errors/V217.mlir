// What begins in the middle of a buffer is not what an allocation gave.
// RUN: volcli opt %s -p check-lifetimes
func.func @half() {
  %m = memref.alloc() : memref<8xf32>
  %part = memref.subview %m[4] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: 4>>
  memref.dealloc %part : memref<4xf32, strided<[1], offset: 4>>
  return
}
