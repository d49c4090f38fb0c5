// RUN: volcli analyze %s --ask flow
// The loop of @shift may run in any order if %from and %to are different memory; here %to is %from, one further on.
func.func private @shift(%from: memref<8xf32, strided<[1], offset: ?>>, %to: memref<8xf32, strided<[1], offset: ?>>) {
  affine.for %i = 0 to 8 {
    %x = affine.load %from[%i] : memref<8xf32, strided<[1], offset: ?>>
    affine.store %x, %to[%i] : memref<8xf32, strided<[1], offset: ?>>
  }
  return
}

func.func @f(%m: memref<16xf32>) {
  %a = memref.subview %m[0] [8] [1] : memref<16xf32> to memref<8xf32, strided<[1]>>
  %b = memref.subview %m[1] [8] [1] : memref<16xf32> to memref<8xf32, strided<[1], offset: 1>>
  %from = memref.cast %a : memref<8xf32, strided<[1]>> to memref<8xf32, strided<[1], offset: ?>>
  %to = memref.cast %b : memref<8xf32, strided<[1], offset: 1>> to memref<8xf32, strided<[1], offset: ?>>
  func.call @shift(%from, %to) : (memref<8xf32, strided<[1], offset: ?>>, memref<8xf32, strided<[1], offset: ?>>) -> ()
  return
}
