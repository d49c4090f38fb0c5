// RUN: volcli annotate %s -p value-bounds,allocations
// A branch is either of its values, a condition holds inside of it, and what goes around a loop is counted.
func.func @either(%condition: i1, %a: index, %b: index) -> index {
  // volcli: %r in [min(%a, %b), max(%a, %b)]
  %r = scf.if %condition -> (index) {
    scf.yield %a : index
  } else {
    scf.yield %b : index
  }
  return %r : index
}

func.func @guarded(%n: index) {
  %c8 = arith.constant 8 : index
  %c1 = arith.constant 1 : index
  %small = arith.cmpi slt, %n, %c8 : index
  scf.if %small {
    // volcli: %next = %n + 1, in [-inf, 8]
    %next = arith.addi %n, %c1 : index
    // volcli: dim(%buffer, 1) = %n + 1, in [0, 8]
    // volcli: %buffer has at most 32 elements, 128 bytes
    %buffer = memref.alloc(%next) : memref<4x?xf32>
    memref.dealloc %buffer : memref<4x?xf32>
  }
  return
}

func.func @counted(%n: index) -> (index, index) {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c10 = arith.constant 10 : index
  // volcli: %sum = 3 * max((%n + 3) floordiv 4, 0) + 10, in [10, +inf]
  // volcli: %i in [0, 4 * ((%n + 3) floordiv 4) - 4]
  // volcli: %s in [10, 3 * ((%n + 3) floordiv 4) + 7]
  %sum = scf.for %i = %c0 to %n step %c4 iter_args(%s = %c10) -> (index) {
    // volcli: %next in [13, 3 * ((%n + 3) floordiv 4) + 10]
    %next = arith.addi %s, %c3 : index
    scf.yield %next : index
  }
  // volcli: %doubled in [20, max(6 * ((%n + 3) floordiv 4) + 20, 20)] assuming index arithmetic does not overflow
  // volcli: %i = 0
  // volcli: %d in [10, max(3 * ((%n + 3) floordiv 4) + 10, 10)]
  %doubled = scf.for %i = %c0 to %c3 step %c3 iter_args(%d = %sum) -> (index) {
    // volcli: %next in [20, max(6 * ((%n + 3) floordiv 4) + 20, 20)] assuming index arithmetic does not overflow
    %next = arith.addi %d, %d : index
    scf.yield %next : index
  }
  return %sum, %doubled : index, index
}
