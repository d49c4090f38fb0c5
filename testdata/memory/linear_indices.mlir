// RUN: volcli annotate %s -p dependences,memory-flow,check-races
// Linear indices whose strides are values: rows behind each other are two-dimensional, if they do not overlap.

// Tiles of rows and columns.
// volcli: %m[d1 + d0 * %b]: live in [b, s, n] -> { [d0, d1] : s > 0 and 0 <= d0 < n and 0 <= d1 < b }, live out [b, s, n] -> { [d0, d1] : s > 0 and 0 <= d0 < n and 0 <= d1 < b } (at most: the step of %i0 is not a constant), if index arithmetic does not overflow
func.func @tiles(%m: memref<?xf32>, %n: index, %b: index, %s: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // volcli: %i0: parallel, if index arithmetic does not overflow
  scf.for %i0 = %c0 to %n step %s {
    // volcli: %j0: parallel, if index arithmetic does not overflow
    scf.for %j0 = %c0 to %b step %s {
      %is = affine.min affine_map<(i)[n, s] -> (i + s, n)>(%i0)[%n, %s]
      %js = affine.min affine_map<(j)[b, s] -> (j + s, b)>(%j0)[%b, %s]
      // volcli: %i: parallel, if index arithmetic does not overflow
      scf.for %i = %i0 to %is step %c1 {
        // volcli: %j: parallel, if index arithmetic does not overflow
        scf.for %j = %j0 to %js step %c1 {
          %row = arith.muli %i, %b : index
          %e = arith.addi %row, %j : index
          // volcli: access 0 reads %m[%e], last written
          // volcli:   by access 1, %m[%e]: at most [b, s, n] -> { [i0, j0, i, j] -> [i0', j0', i' = i, j' = j] : i0 >= 0 and j0 >= 0 and i < n and i < s + i0 and j0 <= j < s + j0 and j < b and i0 < i0' <= i and j0' >= 0 and -s + j < j0' <= j; [i0, j0, i, j] -> [i0' = i0, j0', i' = i, j' = j] : i0 >= 0 and j0 >= 0 and i0 <= i < n and i < s + i0 and j < s + j0 and j < b and j0 < j0' <= j }
          // volcli:   before the function: [b, s, n] -> { [i0, j0, i, j] : i0 >= 0 and j0 >= 0 and i0 <= i < n and i < s + i0 and j0 <= j < s + j0 and j < b }
          // volcli:   at most: the step of %i0 is not a constant, if index arithmetic does not overflow
          %v = memref.load %m[%e] : memref<?xf32>
          %w = arith.addf %v, %x : f32
          // volcli: access 1 writes %m[%e]: unknown: the step of %i0 is not a constant
          memref.store %w, %m[%e] : memref<?xf32>
        }
      }
    }
  }
  return
}

// A stencil: the row above, and the row that is written.
// volcli: %m[d1 + d0 * %b]: live in [b, n] -> { [d0 = 0, d1] : n >= 2 and 2 <= d1 < b; [d0, d1 = -1 + b] : b >= 3 and 0 < d0 <= -2 + n }, live out [b, n] -> { [d0, d1] : 0 < d0 < n and 0 < d1 <= -2 + b }, if index arithmetic does not overflow
func.func @stencil(%m: memref<?xf32>, %n: index, %b: index) {
  // volcli: %i carries RAW %m[%e] -> %m[%up], distances [b, n] -> { [i = 1, j = -1] : b >= 4 and n >= 3 }: (1, 2) then (2, 1) at [6] for %b = 4, %n = 3
  affine.for %i = 1 to %n {
    // volcli: %j: parallel, if index arithmetic does not overflow
    affine.for %j = 1 to affine_map<()[b] -> (b - 1)>()[%b] {
      %up = affine.apply affine_map<(i, j)[b] -> ((i - 1) * b + j + 1)>(%i, %j)[%b]
      // volcli: access 0 reads %m[%up], last written
      // volcli:   by access 1, %m[%e]: [b, n] -> { [i, j] -> [i' = 1 + i, j' = -1 + j] : 0 < i <= -2 + n and 2 <= j <= -2 + b }
      // volcli:   before the function: [b, n] -> { [i = 1, j] : n >= 2 and 0 < j <= -2 + b; [i, j = -2 + b] : b >= 3 and 2 <= i < n }, if index arithmetic does not overflow
      %v = memref.load %m[%up] : memref<?xf32>
      %e = affine.apply affine_map<(i, j)[b] -> (i * b + j)>(%i, %j)[%b]
      // volcli: access 1 writes %m[%e], if index arithmetic does not overflow
      memref.store %v, %m[%e] : memref<?xf32>
    }
  }
  return
}

// Three digits, and a view of the first %b rows by two.
// volcli: %m[d2 + d0 * %b * %k + d1 * %k]: live out [k, b, n] -> { [d0, d1, d2] : 0 < d0 < n and 0 <= d1 < b and 0 <= d2 < k; [d0 = 0, d1, d2] : 0 <= d1 < b and 0 <= d2 < k }
func.func @views(%m: memref<?xf32>, %n: index, %b: index, %k: index, %x: f32) {
  // volcli: %i, %j, %l: parallel
  // volcli: %i, %j, %l: race-free
  affine.parallel (%i, %j, %l) = (0, 0, 0) to (%n, %b, %k) {
    %e = affine.linearize_index [%i, %j, %l] by (%n, %b, %k) : index
    // volcli: access 0 writes %m[%e]: dead: [k, b, n] -> { [i = 0, j, l] : n > 0 and 0 <= j < b and 0 <= l < k }
    memref.store %x, %m[%e] : memref<?xf32>
  }
  %v = memref.reinterpret_cast %m to offset: [0], sizes: [%b, %k], strides: [%k, 1] : memref<?xf32> to memref<?x?xf32, strided<[?, 1]>>
  // volcli: access 1 writes %v[d0, d1]
  // volcli: linalg.fill: race-free
  linalg.fill ins(%x : f32) outs(%v : memref<?x?xf32, strided<[?, 1]>>)
  return
}

// One column too many: the last element of a row is the first one of the next.
// volcli: %m: live out [b, n] -> { [d0] : b >= 0 and n > 0 } (at most: %e is a product of two unknowns)
func.func @overlap(%m: memref<?xindex>, %n: index, %b: index) {
  // volcli: %i carries WAW %m[%e] -> %m[%e], distances at most [b, n] -> { [i, j] : i > 0 and -n < i < n and -b <= j <= b } (%e is a product of two unknowns): (0, 1) then (1, 0) at [1] for %b = 1, %n = 2
  affine.for %i = 0 to %n {
    // volcli: %j: parallel, if index arithmetic does not overflow
    affine.for %j = 0 to affine_map<()[b] -> (b + 1)>()[%b] {
      %e = affine.apply affine_map<(i, j)[b] -> (i * b + j)>(%i, %j)[%b]
      // volcli: access 0 writes %m[%e]: unknown: %e is a product of two unknowns
      memref.store %j, %m[%e] : memref<?xindex>
    }
  }
  return
}

// Rows of two widths, of which neither is a multiple of the other one.
// volcli: %m: live out [c, b, n] -> { [d0] : c > 0 and b > 0 and n > 0 } (at most: %e is a product of two unknowns)
func.func @widths(%m: memref<?xindex>, %n: index, %b: index, %c: index) {
  // volcli: %i carries WAW %m[%e] -> %m[%o], distances at most in ([1, +inf], [-inf, +inf]) (%e is a product of two unknowns): (1, 0) then (2, 0) at [2] for %b = 2, %c = 1, %n = 3
  // volcli: %i carries WAW %m[%o] -> %m[%e], distances at most in ([1, +inf], [-inf, +inf]) (%o is a product of two unknowns): (1, 0) then (2, 0) at [2] for %b = 1, %c = 2, %n = 3
  affine.for %i = 0 to %n {
    // volcli: %j: unknown: %e is a product of two unknowns
    affine.for %j = 0 to min affine_map<()[b, c] -> (b, c)>()[%b, %c] {
      %e = affine.apply affine_map<(i, j)[b] -> (i * b + j)>(%i, %j)[%b]
      // volcli: access 0 writes %m[%e]: unknown: %e is a product of two unknowns
      memref.store %j, %m[%e] : memref<?xindex>
      %o = affine.apply affine_map<(i, j)[c] -> (i * c + j)>(%i, %j)[%c]
      // volcli: access 1 writes %m[%o]: unknown: %o is a product of two unknowns
      memref.store %j, %m[%o] : memref<?xindex>
    }
  }
  return
}
