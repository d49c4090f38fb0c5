// A called function frees the buffer, and a part of it is read behind the call.
// RUN: volcli opt %s -p check-lifetimes
func.func private @done(%m: memref<8xf32>) {
  memref.dealloc %m : memref<8xf32>
  return
}

func.func @read(%m: memref<8xf32>) -> f32 {
  %part = memref.subview %m[2] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: 2>>
  call @done(%m) : (memref<8xf32>) -> ()
  %v = affine.load %part[0] : memref<4xf32, strided<[1], offset: 2>>
  return %v : f32
}
