// RUN: volcli annotate %s -p memory-flow
// Which write gives each read its value, by the pairs of iterations between which it flows.

// A store and a load two iterations apart: the first two loads read what nothing has written.
// volcli: %m: live in { [d0] : -2 <= d0 < 0 }, live out { [d0] : 0 <= d0 <= 8 }
func.func @shifted(%m: memref<9xf32>, %x: f32) {
  affine.for %i = 0 to 9 {
    // volcli: access 0 writes %m[%i]: dead
    affine.store %x, %m[%i] : memref<9xf32>
    // volcli: access 1 reads %m[%i - 2], last written
    // volcli:   by access 2, %m[%i]: { [i] -> [i' = 2 + i] : 0 <= i <= 6 }
    // volcli:   before the function: { [i] : 0 <= i <= 1 }
    %v = affine.load %m[%i - 2] : memref<9xf32>
    // volcli: access 2 writes %m[%i]
    affine.store %v, %m[%i] : memref<9xf32>
  }
  return
}

// Every second element is written by one loop, every third by the next one; %n is not known.
// volcli: %m: live in [n] -> { [d0 = n] : ((n) mod 3 = 0 and n <= 0) or ((n) mod 2 = 1 and 3*floor((n)/3) < n) or ((n) mod 2 = 0 and n <= 0 and 3*floor((n)/3) < n) }, live out [n] -> { [d0] : d0 >= 0 and (((d0) mod 3 = 0 and d0 <= -3 + 3n) or ((d0) mod 2 = 0 and d0 <= -2 + 2n and 3*floor((d0)/3) < d0)) }
func.func @strided(%m: memref<?xf32>, %n: index, %x: f32) -> f32 {
  affine.for %i = 0 to %n {
    // volcli: access 0 writes %m[2 * %i]: dead: [n] -> { [i] : (i) mod 3 = 0 and 0 <= i < n }
    affine.store %x, %m[2 * %i] : memref<?xf32>
  }
  affine.for %j = 0 to %n {
    // volcli: access 1 writes %m[3 * %j]
    affine.store %x, %m[3 * %j] : memref<?xf32>
  }
  // volcli: access 2 reads %m[%n], last written
  // volcli:   by access 0, %m[2 * %i]: [n] -> { [i] -> [] : 2i = n and n >= 2 and 3*floor((n)/3) < n }
  // volcli:   by access 1, %m[3 * %j]: [n] -> { [j] -> [] : 3j = n and n >= 2 }
  // volcli:   before the function: [n] -> { [] : ((n) mod 3 = 0 and n <= 0) or ((n) mod 2 = 1 and 3*floor((n)/3) < n) or ((n) mod 2 = 0 and n <= 0 and 3*floor((n)/3) < n) }
  %v = affine.load %m[symbol(%n)] : memref<?xf32>
  return %v : f32
}

// A buffer of each iteration, a view of it, and a store that only one of the branches uses.
// volcli: %m: live out { [d0, d1 = 0] : 4 <= d0 <= 7 }
func.func @local(%m: memref<8x4xf32>, %x: f32) {
  affine.for %i = 0 to 8 {
    %row = memref.alloc() : memref<4xf32>
    %half = memref.subview %row[1] [2] [2] : memref<4xf32> to memref<2xf32, strided<[2], offset: 1>>
    affine.for %j = 0 to 4 {
      // volcli: access 0 writes %row[%j]: dead: { [i, j] : 0 <= i <= 7 and 0 <= j <= 2; [i, j = 3] : 0 <= i <= 3 }
      affine.store %x, %row[%j] : memref<4xf32>
    }
    affine.if affine_set<(d0) : (d0 - 4 >= 0)>(%i) {
      // volcli: access 1 reads %half[1], last written by access 0, %row[%j]: { [i, j = 3] -> [i' = i] : 4 <= i <= 7 }
      %v = affine.load %half[1] : memref<2xf32, strided<[2], offset: 1>>
      // volcli: access 2 writes %m[%i, 0]
      affine.store %v, %m[%i, 0] : memref<8x4xf32>
    }
    memref.dealloc %row : memref<4xf32>
  }
  return
}

// A call may write anything: what was written before it may be hidden, and need not be.
func.func private @fill(memref<4xf32>)
func.func @called(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  // volcli: %a: live out { [d0] } (at most: the memory effects of @fill are unknown)
  %a = memref.alloc() : memref<4xf32>
  // volcli: access 0 writes %a[%c0]: unknown: the memory effects of @fill are unknown
  memref.store %x, %a[%c0] : memref<4xf32>
  // volcli: access 1 reads %a[?], last written
  // volcli:   by access 0, %a[%c0]: at most { [] -> [] }
  // volcli:   by nothing: { [] }
  // volcli:   at most: the memory effects of @fill are unknown
  // volcli: access 2 writes %a[?]: unknown: the memory effects of @fill are unknown
  func.call @fill(%a) : (memref<4xf32>) -> ()
  // volcli: access 3 reads %a[%c0], last written
  // volcli:   by access 0, %a[%c0]: at most { [] -> [] }
  // volcli:   by access 2, %a[?]: at most { [] -> [] }
  // volcli:   at most: the memory effects of @fill are unknown
  %v = memref.load %a[%c0] : memref<4xf32>
  return %v : f32
}

// Initialised and accumulated: the product reads its own sums, and those of the fill first.
// volcli: %c: live out { [d0, d1] : 0 <= d0 <= 3 and 0 <= d1 <= 4 }, if %a and %c are different memory and %b and %c are different memory
// volcli: %a: live in { [d0, d1] : 0 <= d0 <= 3 and 0 <= d1 <= 2 }, if %a and %c are different memory
// volcli: %b: live in { [d0, d1] : 0 <= d0 <= 2 and 0 <= d1 <= 4 }, if %b and %c are different memory
func.func @product(%a: memref<4x3xf32>, %b: memref<3x5xf32>, %c: memref<4x5xf32>, %zero: f32) {
  // volcli: access 0 writes %c[d0, d1], if %a and %c are different memory and %b and %c are different memory
  linalg.fill ins(%zero : f32) outs(%c : memref<4x5xf32>)
  // volcli: access 1 reads %a[d0, d2], last written before the function: { [] }, if %a and %c are different memory
  // volcli: access 2 reads %b[d2, d1], last written before the function: { [] }, if %b and %c are different memory
  // volcli: access 3 reads %c[d0, d1], last written
  // volcli:   by access 0, %c[d0, d1]: { [] -> [] }
  // volcli:   by access 4, %c[d0, d1]: { [] -> [] }
  // volcli: access 4 writes %c[d0, d1], if %a and %c are different memory and %b and %c are different memory
  linalg.matmul ins(%a, %b : memref<4x3xf32>, memref<3x5xf32>) outs(%c : memref<4x5xf32>)
  return
}
