// RUN: npu-opt %s | FileCheck %s

// CHECK-LABEL: func.func @pass_on
// CHECK: npu.dma_start
func.func @pass_on(%source: memref<64xf32>, %out: memref<64xf32>) {
  %buffer = memref.alloc() : memref<64xf32>
  %c0 = arith.constant 0 : index
  %token = npu.dma_start %source to %buffer : memref<64xf32>, memref<64xf32> -> !npu.token
  npu.dma_wait %token : !npu.token
  affine.for %i = 0 to 64 {
    %x = affine.load %buffer[%i + 1] : memref<64xf32>
    affine.store %x, %out[%i] : memref<64xf32>
  }
  return
}

// CHECK-LABEL: func.func @given_back
func.func @given_back(%out: memref<64xf32>, %x: f32) {
  %c0 = arith.constant 0 : index
  %buffer = memref.alloc() : memref<64xf32>
  npu.give %buffer : memref<64xf32>
  memref.store %x, %buffer[%c0] : memref<64xf32>
  return
}
