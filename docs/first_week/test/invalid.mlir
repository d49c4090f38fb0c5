// RUN: npu-opt %s -split-input-file -verify-diagnostics

func.func @no_target(%source: memref<64xf32>) {
  // expected-error@+1 {{'npu.dma_start' op expects two memrefs}}
  npu.dma_start %source : memref<64xf32>
  return
}

// -----

func.func @outside(%m: memref<4xf32>) -> f32 {
  %c9 = arith.constant 9 : index
  // expected-error@+1 {{index 9 is out of bounds}}
  %x = memref.load %m[%c9] : memref<4xf32>
  return %x : f32
}
