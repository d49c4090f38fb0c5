// -----// IR Dump After AffineLoopFusion (affine-loop-fusion) //----- //
#map = affine_map<(d0, d1) -> (d0 + d1)>
module {
  func.func @blur(%arg0: memref<8xf32>, %arg1: memref<8xf32>) {
    %cst = arith.constant 0.000000e+00 : f32
    %alloc = memref.alloc() : memref<10xf32>
    affine.for %arg2 = 0 to 10 {
      affine.store %cst, %alloc[%arg2] : memref<10xf32>
    }
    %subview = memref.subview %alloc[1] [8] [1] : memref<10xf32> to memref<8xf32, strided<[1], offset: 1>>
    memref.copy %arg0, %subview : memref<8xf32> to memref<8xf32, strided<[1], offset: 1>>
    affine.for %arg2 = 0 to 8 {
      affine.for %arg3 = 0 to 3 {
        %0 = affine.apply #map(%arg2, %arg3)
        affine.store %cst, %alloc[%0] : memref<10xf32>
        %1 = affine.load %alloc[%arg2 + %arg3] : memref<10xf32>
        %2 = affine.load %arg1[%arg2] : memref<8xf32>
        %3 = arith.addf %2, %1 : f32
        affine.store %3, %arg1[%arg2] : memref<8xf32>
      }
    }
    memref.dealloc %alloc : memref<10xf32>
    return
  }
}


// -----// IR Dump After AffineScalarReplacement (affine-scalrep) //----- //
func.func @blur(%arg0: memref<8xf32>, %arg1: memref<8xf32>) {
  %cst = arith.constant 0.000000e+00 : f32
  %alloc = memref.alloc() : memref<10xf32>
  affine.for %arg2 = 0 to 10 {
    affine.store %cst, %alloc[%arg2] : memref<10xf32>
  }
  %subview = memref.subview %alloc[1] [8] [1] : memref<10xf32> to memref<8xf32, strided<[1], offset: 1>>
  memref.copy %arg0, %subview : memref<8xf32> to memref<8xf32, strided<[1], offset: 1>>
  affine.for %arg2 = 0 to 8 {
    affine.for %arg3 = 0 to 3 {
      %0 = affine.apply affine_map<(d0, d1) -> (d0 + d1)>(%arg2, %arg3)
      affine.store %cst, %alloc[%0] : memref<10xf32>
      %1 = affine.load %arg1[%arg2] : memref<8xf32>
      %2 = arith.addf %1, %cst : f32
      affine.store %2, %arg1[%arg2] : memref<8xf32>
    }
  }
  memref.dealloc %alloc : memref<10xf32>
  return
}

// -----// IR Dump After LowerAffinePass (lower-affine) //----- //
module {
  func.func @blur(%arg0: memref<8xf32>, %arg1: memref<8xf32>) {
    %cst = arith.constant 0.000000e+00 : f32
    %alloc = memref.alloc() : memref<10xf32>
    %c0 = arith.constant 0 : index
    %c10 = arith.constant 10 : index
    %c1 = arith.constant 1 : index
    scf.for %arg2 = %c0 to %c10 step %c1 {
      memref.store %cst, %alloc[%arg2] : memref<10xf32>
    }
    %subview = memref.subview %alloc[1] [8] [1] : memref<10xf32> to memref<8xf32, strided<[1], offset: 1>>
    memref.copy %arg0, %subview : memref<8xf32> to memref<8xf32, strided<[1], offset: 1>>
    %c0_0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %c1_1 = arith.constant 1 : index
    scf.for %arg2 = %c0_0 to %c8 step %c1_1 {
      %c0_2 = arith.constant 0 : index
      %c3 = arith.constant 3 : index
      %c1_3 = arith.constant 1 : index
      scf.for %arg3 = %c0_2 to %c3 step %c1_3 {
        %0 = arith.addi %arg2, %arg3 : index
        memref.store %cst, %alloc[%0] : memref<10xf32>
        %1 = memref.load %arg1[%arg2] : memref<8xf32>
        %2 = arith.addf %1, %cst : f32
        memref.store %2, %arg1[%arg2] : memref<8xf32>
      }
    }
    memref.dealloc %alloc : memref<10xf32>
    return
  }
}


