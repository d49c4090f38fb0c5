// RUN: volcli annotate %s -p index-costs
// Instructions of index arithmetic, as it is written; a value that two others use is computed once.
// volcli: cost of @tiles: 36 cycles (1 add, 1 sub, 2 mul, 1 div, 2 compare)
func.func @tiles(%n: index, %b: index, %m: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %twice = arith.addi %b, %b : index
  %square = arith.muli %twice, %twice : index
  // volcli: cost of %tiles: 28 cycles (1 add, 1 mul, 1 div)
  %tiles = arith.ceildivsi %n, %square : index
  // volcli: cost of bounds of %t: 28 cycles (1 add, 1 mul, 1 div)
  scf.for %t = %c0 to %tiles step %c1 {
    // volcli: cost of %begin: 7 cycles (1 add, 2 mul)
    %begin = arith.muli %t, %square : index
    %rest = arith.subi %n, %begin : index
    %size = arith.minsi %rest, %square : index
    %last = arith.cmpi slt, %rest, %square : index
    // volcli: cost of %few: 12 cycles (1 add, 1 sub, 2 mul, 2 compare)
    %few = arith.select %last, %size, %c1 : index
    // volcli: cost of bounds of %i: 12 cycles (1 add, 1 sub, 2 mul, 2 compare)
    scf.for %i = %begin to %few step %c1 {
      %x = memref.load %m[%i] : memref<?xf32>
    }
  }
  return
}

#sub = affine_map<(d0)[s0] -> (-d0, s0 - d0 - 1, d0 floordiv 4 + d0 mod 4)>
// volcli: cost of @maps: 88 cycles (5 add, 6 sub, 3 mul, 2 div, 2 mod, 8 compare, 1 and, 1 shift)
func.func @maps(%n: index, %m: memref<?xf32>) -> index {
  affine.for %i = 0 to %n {
    // volcli: cost of bounds of %j: 8 cycles (1 sub, 1 mul, 2 compare)
    affine.for %j = max affine_map<(d0) -> (0, d0 - 3)>(%i) to min affine_map<(d0)[s0] -> (s0 * 2, d0)>(%i)[%n] {
      // volcli: cost of 'affine.load': 4 cycles (1 add, 1 mul)
      %x = affine.load %m[%j + 2 * %i] : memref<?xf32>
      // volcli: cost of 'affine.if': 7 cycles (2 sub, 2 compare, 1 and)
      affine.if affine_set<(d0, d1) : (d0 - d1 >= 0, d0 - 5 >= 0)>(%i, %j) {
        affine.store %x, %m[%j] : memref<?xf32>
      }
    }
    // volcli: cost of bounds of %k, %l: 3 cycles (1 add, 1 compare)
    affine.parallel (%k, %l) = (0, %i) to (min(%n, %i + 1), 4) {
      // volcli: cost of 'affine.load': 1 cycle (1 add)
      %z = affine.load %m[%k + %l] : memref<?xf32>
    }
    %d:2 = affine.delinearize_index %i into (4, 8) : index, index
    // volcli: cost of %e: 29 cycles (1 add, 1 mul, 1 div, 1 mod)
    %e = affine.linearize_index [%d#0, %d#1] by (4, 8) : index
    %y = memref.load %m[%e] : memref<?xf32>
  }
  %c1 = arith.constant 1 : index
  %s = affine.min #sub(%n)[%n]
  %h = index.shl %s, %c1
  // volcli: cost of %g: 36 cycles (1 add, 3 sub, 1 div, 1 mod, 3 compare, 1 shift)
  %g = index.maxu %h, %c1
  return %g : index
}
