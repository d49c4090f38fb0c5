// The loop of @shift may run in any order if %from and %to are different memory.
func.func @shift(%from: memref<8xf32, strided<[1], offset: ?>>, %to: memref<8xf32, strided<[1], offset: ?>>) {
  affine.for %i = 0 to 8 {
    %x = affine.load %from[%i] : memref<8xf32, strided<[1], offset: ?>>
    affine.store %x, %to[%i] : memref<8xf32, strided<[1], offset: ?>>
  }
  return
}

func.func @fires(%m: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %from = memref.subview %m[%c0] [8] [1] : memref<16xf32> to memref<8xf32, strided<[1], offset: ?>>
  %to = memref.subview %m[%c1] [8] [1] : memref<16xf32> to memref<8xf32, strided<[1], offset: ?>>
  func.call @shift(%from, %to)
    : (memref<8xf32, strided<[1], offset: ?>>, memref<8xf32, strided<[1], offset: ?>>) -> ()
  return
}

func.func @silent(%m: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %from = memref.subview %m[%c0] [8] [1] : memref<16xf32> to memref<8xf32, strided<[1], offset: ?>>
  %to = memref.subview %m[%c8] [8] [1] : memref<16xf32> to memref<8xf32, strided<[1], offset: ?>>
  func.call @shift(%from, %to)
    : (memref<8xf32, strided<[1], offset: ?>>, memref<8xf32, strided<[1], offset: ?>>) -> ()
  return
}
