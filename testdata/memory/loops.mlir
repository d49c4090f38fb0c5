// RUN: volcli annotate %s -p dependences
// Loops that are parallel, that combine, that carry, and those of which it is unknown.
func.func @matmul(%a: memref<8x16xf32>, %b: memref<16x4xf32>, %c: memref<8x4xf32>) {
  // volcli: %i: parallel, if %a and %c are different memory and %b and %c are different memory
  affine.for %i = 0 to 8 {
    // volcli: %j: parallel, if %a and %c are different memory and %b and %c are different memory
    affine.for %j = 0 to 4 {
      // volcli: %k: reduction: combines %c[%i, %j] (addf), if %a and %c are different memory and %b and %c are different memory and reassoc of arith.addf
      affine.for %k = 0 to 16 {
        %x = affine.load %a[%i, %k] : memref<8x16xf32>
        %y = affine.load %b[%k, %j] : memref<16x4xf32>
        %z = affine.load %c[%i, %j] : memref<8x4xf32>
        %p = arith.mulf %x, %y : f32
        %s = arith.addf %z, %p : f32
        affine.store %s, %c[%i, %j] : memref<8x4xf32>
      }
    }
  }
  return
}

func.func @by_a_parameter(%m: memref<?xf32>, %n: index) {
  // volcli: %i carries RAW %m[%i + %n] -> %m[%i], distances [n] -> { [i = n] : 0 < n <= 99 }: (0) then (1) at [1] for %n = 1
  // volcli: %i carries WAR %m[%i] -> %m[%i + %n], distances [n] -> { [i = -n] : -99 <= n < 0 }: (0) then (99) at [0] for %n = -99
  affine.for %i = 0 to 100 {
    %x = affine.load %m[%i] : memref<?xf32>
    affine.store %x, %m[%i + symbol(%n)] : memref<?xf32>
  }
  return
}

func.func @sum(%m: memref<64xf32>) -> f32 {
  %zero = arith.constant 0.000000e+00 : f32
  // volcli: %i: reduction: combines %s (addf), if reassoc of arith.addf
  %sum = affine.for %i = 0 to 64 iter_args(%s = %zero) -> (f32) {
    %x = affine.load %m[%i] : memref<64xf32>
    %t = arith.addf %s, %x : f32
    affine.yield %t : f32
  }
  return %sum : f32
}

func.func @last(%m: memref<64xf32>) -> f32 {
  %zero = arith.constant 0.000000e+00 : f32
  // volcli: %i carries %s from iteration to iteration
  %last = affine.for %i = 0 to 64 iter_args(%s = %zero) -> (f32) {
    affine.store %s, %m[%i] : memref<64xf32>
    %t = arith.addf %s, %s : f32
    affine.yield %t : f32
  }
  return %last : f32
}

func.func @branches(%m: memref<100xindex>) {
  // volcli: %i carries WAW %m[%i] -> %m[%i - 50], distance (50): (0) then (50) at [0]
  affine.for %i = 0 to 100 {
    affine.if affine_set<(d0) : (d0 - 50 >= 0)>(%i) {
      affine.store %i, %m[%i - 50] : memref<100xindex>
    } else {
      affine.store %i, %m[%i] : memref<100xindex>
    }
  }
  return
}

func.func private @elsewhere(memref<64xindex>)

func.func @unknown(%m: memref<64xindex>, %where: memref<64xindex>) {
  // volcli: %i: unknown: the memory effects of @elsewhere are unknown
  affine.for %i = 0 to 64 {
    func.call @elsewhere(%m) : (memref<64xindex>) -> ()
  }
  // volcli: %i: unknown: %j is a result of affine.load, if %m and %where are different memory
  affine.for %i = 0 to 64 {
    %j = affine.load %where[%i] : memref<64xindex>
    memref.store %i, %m[%j] : memref<64xindex>
  }
  return
}

func.func @a_buffer_for_each_iteration(%m: memref<64x8xf32>, %x: f32) {
  // volcli: %i: parallel
  affine.for %i = 0 to 64 {
    %t = memref.alloca() : memref<8xf32>
    // volcli: %j: parallel
    affine.for %j = 0 to 8 {
      affine.store %x, %t[%j] : memref<8xf32>
    }
    // volcli: %j: parallel
    affine.for %j = 0 to 8 {
      %y = affine.load %t[7 - %j] : memref<8xf32>
      affine.store %y, %m[%i, %j] : memref<64x8xf32>
    }
  }
  return
}
