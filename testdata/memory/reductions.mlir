// RUN: volcli annotate %s -p dependences
// Loops that combine values in any order, and loops that only look as if they did.
func.func @smallest(%m: memref<64xf32>, %least: memref<f32>) {
  // volcli: %i: reduction: combines %least[] (minimumf), if %m and %least are different memory
  affine.for %i = 0 to 64 {
    %x = affine.load %m[%i] : memref<64xf32>
    %y = affine.load %least[] : memref<f32>
    %z = arith.minimumf %x, %y : f32
    affine.store %z, %least[] : memref<f32>
  }
  return
}

// What is subtracted from a sum is a term of it.
func.func @subtracted(%m: memref<64xf32>, %rest: memref<f32>) {
  // volcli: %i: reduction: combines %rest[] (addf), if %m and %rest are different memory and reassoc of arith.subf
  affine.for %i = 0 to 64 {
    %x = affine.load %m[%i] : memref<64xf32>
    %y = affine.load %rest[] : memref<f32>
    %z = arith.subf %y, %x : f32
    affine.store %z, %rest[] : memref<f32>
  }
  return
}

// Not so what the sum is subtracted from: the sign changes in each iteration.
func.func @subtracted_from(%m: memref<64xf32>, %rest: memref<f32>) {
  // volcli: %i carries RAW %rest[] -> %rest[], distances { [i] : 0 < i <= 63 }: (0) then (1) at []
  // volcli: %i carries WAR %rest[] -> %rest[], distances { [i] : 0 < i <= 63 }: (0) then (1) at []
  // volcli: %i carries WAW %rest[] -> %rest[], distances { [i] : 0 < i <= 63 }: (0) then (1) at []
  affine.for %i = 0 to 64 {
    %x = affine.load %m[%i] : memref<64xf32>
    %y = affine.load %rest[] : memref<f32>
    %z = arith.subf %x, %y : f32
    affine.store %z, %rest[] : memref<f32>
  }
  return
}

// Each partial sum is stored: their order is visible.
func.func @prefix_sums(%m: memref<64xf32>, %sums: memref<64xf32>) {
  %zero = arith.constant 0.0 : f32
  // volcli: %i carries %s from iteration to iteration
  %all = affine.for %i = 0 to 64 iter_args(%s = %zero) -> (f32) {
    %x = affine.load %m[%i] : memref<64xf32>
    %t = arith.addf %s, %x : f32
    affine.store %t, %sums[%i] : memref<64xf32>
    affine.yield %t : f32
  }
  return
}

// The same in memory.
func.func @prefix_sums_in_memory(%m: memref<64xf32>, %sum: memref<f32>, %sums: memref<64xf32>) {
  // volcli: %i carries RAW %sum[] -> %sum[], distances { [i] : 0 < i <= 63 }: (0) then (1) at []
  // volcli: %i carries WAR %sum[] -> %sum[], distances { [i] : 0 < i <= 63 }: (0) then (1) at []
  // volcli: %i carries WAW %sum[] -> %sum[], distances { [i] : 0 < i <= 63 }: (0) then (1) at []
  affine.for %i = 0 to 64 {
    %x = affine.load %m[%i] : memref<64xf32>
    %y = affine.load %sum[] : memref<f32>
    %z = arith.addf %x, %y : f32
    affine.store %z, %sum[] : memref<f32>
    affine.store %z, %sums[%i] : memref<64xf32>
  }
  return
}

// The element is read once more.
func.func @read_twice(%m: memref<64xf32>, %sum: memref<f32>, %sums: memref<64xf32>) {
  // volcli: %i carries RAW %sum[] -> %sum[], distances { [i] : 0 < i <= 63 }: (0) then (1) at []
  // volcli: %i carries WAR %sum[] -> %sum[], distances { [i] : 0 < i <= 63 }: (0) then (1) at []
  // volcli: %i carries WAW %sum[] -> %sum[], distances { [i] : 0 < i <= 63 }: (0) then (1) at []
  affine.for %i = 0 to 64 {
    %x = affine.load %m[%i] : memref<64xf32>
    %y = affine.load %sum[] : memref<f32>
    %z = arith.addf %x, %y : f32
    affine.store %z, %sum[] : memref<f32>
    %w = affine.load %sum[] : memref<f32>
    affine.store %w, %sums[%i] : memref<64xf32>
  }
  return
}

// A sum that is multiplied is neither a sum nor a product.
func.func @sum_and_product(%m: memref<64xf32>, %acc: memref<f32>) {
  // volcli: %i carries RAW %acc[] -> %acc[], distances { [i] : 0 < i <= 63 }: (0) then (1) at []
  // volcli: %i carries WAR %acc[] -> %acc[], distances { [i] : 0 < i <= 63 }: (0) then (1) at []
  // volcli: %i carries WAW %acc[] -> %acc[], distances { [i] : 0 < i <= 63 }: (0) then (1) at []
  affine.for %i = 0 to 64 {
    %x = affine.load %m[%i] : memref<64xf32>
    %y = affine.load %acc[] : memref<f32>
    %z = arith.addf %x, %y : f32
    affine.store %z, %acc[] : memref<f32>
    %u = affine.load %acc[] : memref<f32>
    %v = arith.mulf %u, %x : f32
    affine.store %v, %acc[] : memref<f32>
  }
  return
}

func.func @horner(%m: memref<64xf32>, %x: f32) -> f32 {
  %zero = arith.constant 0.0 : f32
  // volcli: %i carries %s from iteration to iteration
  %all = affine.for %i = 0 to 64 iter_args(%s = %zero) -> (f32) {
    %a = affine.load %m[%i] : memref<64xf32>
    %t = arith.mulf %s, %x : f32
    %u = arith.addf %t, %a : f32
    affine.yield %u : f32
  }
  return %all : f32
}

// Two sums in one loop.
func.func @two_sums(%m: memref<64xf32>) -> (f32, f32) {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  // volcli: %i: reduction: combines %s (addf), %p (mulf), if reassoc of arith.addf and reassoc of arith.mulf
  %all:2 = affine.for %i = 0 to 64 iter_args(%s = %zero, %p = %one) -> (f32, f32) {
    %a = affine.load %m[%i] : memref<64xf32>
    %t = arith.addf %s, %a : f32
    %u = arith.mulf %p, %a : f32
    affine.yield %t, %u : f32, f32
  }
  return %all#0, %all#1 : f32, f32
}

// Sums of sums: the outer loop combines what the inner one has combined.
func.func @sum_of_sums(%m: memref<8x8xf32>) -> f32 {
  %zero = arith.constant 0.0 : f32
  // volcli: %i: reduction: combines %s (addf), if reassoc of arith.addf
  %all = affine.for %i = 0 to 8 iter_args(%s = %zero) -> (f32) {
    // volcli: %j: reduction: combines %t (addf), if reassoc of arith.addf
    %row = affine.for %j = 0 to 8 iter_args(%t = %s) -> (f32) {
      %a = affine.load %m[%i, %j] : memref<8x8xf32>
      %u = arith.addf %t, %a : f32
      affine.yield %u : f32
    }
    affine.yield %row : f32
  }
  return %all : f32
}

// The value goes around once more than it is combined.
func.func @shifted_sum(%m: memref<64xf32>) -> f32 {
  %zero = arith.constant 0.0 : f32
  // volcli: %i carries %s from iteration to iteration
  // volcli: %i carries %before from iteration to iteration
  %all:2 = affine.for %i = 0 to 64 iter_args(%s = %zero, %before = %zero) -> (f32, f32) {
    %a = affine.load %m[%i] : memref<64xf32>
    %t = arith.addf %before, %a : f32
    affine.yield %t, %s : f32, f32
  }
  return %all#0 : f32
}

// A histogram: each element is updated, whichever it is.
func.func @histogram(%m: memref<64xindex>) {
  %c1 = arith.constant 1 : i32
  %bins = memref.alloc() : memref<8xi32>
  // volcli: %i: unknown: %k is a result of affine.load
  affine.for %i = 0 to 64 {
    %k = affine.load %m[%i] : memref<64xindex>
    %x = memref.load %bins[%k] : memref<8xi32>
    %y = arith.addi %x, %c1 : i32
    memref.store %y, %bins[%k] : memref<8xi32>
  }
  return
}
