func.func @alloc_tensor(%n: index, %t: tensor<?xf32>, %s: index) {
  %0 = bufferization.alloc_tensor() : tensor<4xf32>
  %1 = bufferization.alloc_tensor(%n) : tensor<?xf32>
  %2 = bufferization.alloc_tensor() copy(%t) : tensor<?xf32>
  %3 = bufferization.alloc_tensor(%n) size_hint=%s : tensor<?xf32, "enc">
  %4 = bufferization.alloc_tensor(%n) {memory_space = 1 : i64, x.y} : tensor<?xf32>
  %5 = bufferization.alloc_tensor() copy(%t) {memory_space = "w"} : tensor<?xf32>
  bufferization.dealloc_tensor %0 : tensor<4xf32>
  bufferization.dealloc_tensor %1 {x.y} : tensor<?xf32>
  return
}
// -----
func.func @conversions(%t: tensor<4x?xf32>, %m: memref<4x?xf32>, %l: memref<4x?xf32, strided<[?, 1], offset: ?>, 3>, %u: tensor<*xf32>) {
  %0 = bufferization.to_tensor %m : memref<4x?xf32> to tensor<4x?xf32>
  %1 = bufferization.to_tensor %m restrict : memref<4x?xf32> to tensor<4x?xf32>
  %2 = bufferization.to_tensor %l restrict writable {x.y} : memref<4x?xf32, strided<[?, 1], offset: ?>, 3> to tensor<4x?xf32>
  %3 = bufferization.to_tensor %m writable : memref<4x?xf32> to tensor<4x?xf32>
  %4 = bufferization.to_buffer %t : tensor<4x?xf32> to memref<4x?xf32>
  %5 = bufferization.to_buffer %t read_only : tensor<4x?xf32> to memref<4x?xf32, strided<[?, 1], offset: ?>, 3>
  %6 = bufferization.to_buffer %u {x.y} : tensor<*xf32> to memref<*xf32>
  return
}
// -----
func.func @clone(%m: memref<4x?xf32>, %u: memref<*xf32>) {
  %0 = bufferization.clone %m : memref<4x?xf32> to memref<?x4xf32>
  %1 = bufferization.clone %u {x.y} : memref<*xf32> to memref<4xf32>
  return
}
// -----
func.func @materialize(%t: tensor<4x?xf32>, %d: tensor<?x?xf32>, %m: memref<4x?xf32>) {
  %0 = bufferization.materialize_in_destination %t in %d : (tensor<4x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  bufferization.materialize_in_destination %t in writable %m : (tensor<4x?xf32>, memref<4x?xf32>) -> ()
  bufferization.materialize_in_destination %t in restrict writable %m {x.y} : (tensor<4x?xf32>, memref<4x?xf32>) -> ()
  return
}
// -----
func.func @dealloc(%m: memref<4xf32>, %u: memref<*xf32>, %c: i1) {
  %0:2 = bufferization.dealloc (%m, %u : memref<4xf32>, memref<*xf32>) if (%c, %c) retain (%m, %m : memref<4xf32>, memref<4xf32>)
  bufferization.dealloc (%m : memref<4xf32>) if (%c)
  bufferization.dealloc (%m : memref<4xf32>) if (%c) {x.y}
  bufferization.dealloc
  %1 = bufferization.dealloc retain (%m : memref<4xf32>)
  return
}
