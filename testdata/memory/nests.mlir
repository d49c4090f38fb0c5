// RUN: volcli annotate %s -p nests
// Bands of loops that may be tiled, and loops that may be fused.
func.func @stencil(%a: memref<34x34xf32>, %b: memref<34x34xf32>) {
  affine.for %t = 0 to 10 {
    // volcli: %i, %j may be interchanged and tiled
    affine.for %i = 1 to 33 {
      affine.for %j = 1 to 33 {
        %x = affine.load %a[%i - 1, %j] : memref<34x34xf32>
        %y = affine.load %a[%i, %j - 1] : memref<34x34xf32>
        %z = arith.addf %x, %y : f32
        affine.store %z, %a[%i, %j] : memref<34x34xf32>
      }
    }
  }
  return
}

func.func @against_the_grain(%a: memref<34x34xf32>) {
  affine.for %i = 1 to 33 {
    affine.for %j = 0 to 33 {
      %x = affine.load %a[%i - 1, %j + 1] : memref<34x34xf32>
      affine.store %x, %a[%i, %j] : memref<34x34xf32>
    }
  }
  return
}

func.func @produce_and_consume(%a: memref<64xf32>, %b: memref<64xf32>, %c: memref<64xf32>) {
  affine.for %i = 0 to 60 {
    %x = affine.load %a[%i] : memref<64xf32>
    affine.store %x, %b[%i] : memref<64xf32>
  }
  // volcli: %i may be fused with the loop before, if %a and %c are different memory and %b and %c are different memory
  affine.for %i = 0 to 60 {
    %x = affine.load %b[%i] : memref<64xf32>
    affine.store %x, %c[%i] : memref<64xf32>
  }
  // volcli: %i may not be fused with the loop before: %c[%i] of a later iteration would run after %c[%i + 1]
  affine.for %i = 0 to 60 {
    %x = affine.load %c[%i + 1] : memref<64xf32>
    affine.store %x, %a[%i] : memref<64xf32>
  }
  affine.for %i = 0 to 61 {
    %x = affine.load %a[%i] : memref<64xf32>
    affine.store %x, %b[%i] : memref<64xf32>
  }
  return
}

func.func @four_at_a_time(%a: memref<68xf32>) {
  // volcli: %i may run 4 iterations at a time
  affine.for %i = 0 to 64 {
    %x = affine.load %a[%i] : memref<68xf32>
    affine.store %x, %a[%i + 4] : memref<68xf32>
  }
  return
}
