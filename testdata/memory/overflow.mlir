// RUN: volcli annotate %s -p check-accesses,compare-slices
// Sums and products of index values that may leave 64 bits: an assumption, where an answer rests on them.

// For %n = 2^63 - 1 the sum is negative, and %n beyond the buffer. Of %next both ends are checked: what it is
// does not matter.
func.func @next(%n: index, %m: memref<?xf32>, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %size = memref.dim %m, %c0 : memref<?xf32>
  %next = arith.addi %n, %c1 : index
  %below = arith.cmpi slt, %next, %size : index
  scf.if %below {
    %natural = arith.cmpi sge, %n, %c0 : index
    scf.if %natural {
      // volcli: write %m[%n] in bounds, if index arithmetic does not overflow
      memref.store %x, %m[%n] : memref<?xf32>
    }
    %above = arith.cmpi sge, %next, %c0 : index
    scf.if %above {
      // volcli: write %m[%next] in bounds
      memref.store %x, %m[%next] : memref<?xf32>
    }
  }
  return
}

// `overflow<nsw>` promises that it fits.
func.func @promised(%n: index, %m: memref<?xf32>, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %size = memref.dim %m, %c0 : memref<?xf32>
  %next = arith.addi %n, %c1 overflow<nsw> : index
  %below = arith.cmpi slt, %next, %size : index
  %natural = arith.cmpi sge, %n, %c0 : index
  %both = arith.andi %below, %natural : i1
  scf.if %both {
    // volcli: write %m[%n] in bounds
    memref.store %x, %m[%n] : memref<?xf32>
  }
  return
}

// Iterations and sizes are far from 2^63, and so are their sums.
func.func @tiles(%m: memref<?xf32>, %kernel: memref<?xf32>, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %size = memref.dim %m, %c0 : memref<?xf32>
  %width = memref.dim %kernel, %c0 : memref<?xf32>
  %sum = arith.addi %size, %width : index
  %wide = memref.alloc(%sum) : memref<?xf32>
  scf.for %i = %c0 to %size step %c16 {
    %next = arith.addi %i, %c16 : index
    %end = arith.minsi %next, %size : index
    scf.for %j = %i to %end step %c1 {
      scf.for %k = %c0 to %width step %c1 {
        %at = arith.addi %j, %k : index
        // volcli: write %wide[%at] in bounds
        memref.store %x, %wide[%at] : memref<?xf32>
      }
    }
  }
  return
}

// The product of two arguments may be anything; the index is then less than no size.
func.func @flat(%n: index, %b: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %size = arith.muli %n, %b : index
  %m = memref.alloc(%size) : memref<?xf32>
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %b step %c1 {
      %row = arith.muli %i, %b : index
      %at = arith.addi %row, %j : index
      // volcli: read %m[%at] in bounds, if index arithmetic does not overflow
      %x = memref.load %m[%at] : memref<?xf32>
    }
  }
  return
}

// If the sum overflows, the second slice begins before its tensor, and does not exist.
// volcli: @slices needs 0 <= %i <= -8 + dim(%t, 0)
func.func @slices(%t: tensor<?xf32>, %i: index) -> (tensor<4xf32>, tensor<4xf32>) {
  %c4 = arith.constant 4 : index
  %next = arith.addi %i, %c4 : index
  // volcli: slice %t[%i] [4] [1] out of bounds: index 3 in dimension 0 of size 1, for dim(%t, 0) = 1, %i = 0; in bounds if 0 <= %i <= -4 + dim(%t, 0)
  %a = tensor.extract_slice %t[%i] [4] [1] : tensor<?xf32> to tensor<4xf32>
  // volcli: slice %t[%next] [4] [1] out of bounds: index 4 in dimension 0 of size 1, for dim(%t, 0) = 1, %i = 0; in bounds if -4 <= %i <= -8 + dim(%t, 0)
  // volcli: slices %a and %b of %t are disjoint
  %b = tensor.extract_slice %t[%next] [4] [1] : tensor<?xf32> to tensor<4xf32>
  return %a, %b : tensor<4xf32>, tensor<4xf32>
}
