// RUN: volcli annotate %s -p "value-bounds,compare-values{claim='%product >= %n'},compare-values{claim='%last >= 0'},compare-values{claim='%n <= %covered < %limit'},compare-values{claim='%whole <= %n'},compare-values{claim='0 <= %at < %size'},compare-values{claim='1 <= %width <= %step'},compare-values{claim='%cube >= %x'},compare-values{claim='%product > %n'},compare-values{claim='%width = %step'}"
// Products and quotients of values: their bounds are polynomials.
// volcli: %b = %b, in [1, +inf] assuming %b - 1 >= 0
func.func @scaled(%n: index {volcli.assume = affine_set<(d0) : (d0 >= 0)>},
                  %b: index {volcli.assume = affine_set<(d0) : (d0 - 1 >= 0)>}) {
  %c1 = arith.constant 1 : index
  // volcli: %product = %b * %n, in [0, +inf] assuming %n >= 0 and %b - 1 >= 0 and products do not overflow
  // volcli: claim %product >= %n: proved: assuming %n >= 0 and %b - 1 >= 0 and products do not overflow
  // volcli: claim %product > %n: refuted: it fails at %n = 2, %b = 1
  %product = arith.muli %n, %b : index
  // volcli: %next = %b + %b * %n, in [1, +inf] assuming %n >= 0 and %b - 1 >= 0 and index arithmetic does not overflow
  %next = arith.addi %product, %b : index
  // volcli: %last = %b + %b * %n - 1, in [0, +inf] assuming %n >= 0 and %b - 1 >= 0 and index arithmetic does not overflow
  // volcli: claim %last >= 0: proved: assuming %n >= 0 and %b - 1 >= 0 and index arithmetic does not overflow
  %last = arith.subi %next, %c1 : index
  // volcli: %tiles = %tiles, in [0, +inf] assuming %n >= 0 and %b - 1 >= 0
  %tiles = arith.ceildivsi %n, %b : index
  // volcli: %covered = %b * %tiles, in [0, +inf] assuming %n >= 0 and %b - 1 >= 0 and products do not overflow
  %covered = arith.muli %tiles, %b : index
  // volcli: %limit = %b + %n, in [1, +inf] assuming %n >= 0 and %b - 1 >= 0 and index arithmetic does not overflow
  // volcli: claim %n <= %covered < %limit: proved: assuming %b - 1 >= 0 and index arithmetic does not overflow
  %limit = arith.addi %n, %b : index
  // volcli: %full = %full, in [0, +inf] assuming %n >= 0 and %b - 1 >= 0
  %full = arith.floordivsi %n, %b : index
  // volcli: %whole = %b * %full, in [0, +inf] assuming %n >= 0 and products do not overflow
  // volcli: claim %whole <= %n: proved: assuming %b - 1 >= 0 and products do not overflow
  %whole = arith.muli %full, %b : index
  return
}

// A row-major position in an array of which the sizes are values.
func.func @row_major(%rows: index, %columns: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // volcli: %size = %columns * %rows
  %size = arith.muli %rows, %columns : index
  // volcli: %i in [0, %rows - 1]
  scf.for %i = %c0 to %rows step %c1 {
    // volcli: %j in [0, %columns - 1]
    scf.for %j = %c0 to %columns step %c1 {
      // volcli: %row in [0, -%columns + %columns * %rows] assuming products do not overflow
      %row = arith.muli %i, %columns : index
      // volcli: %at in [0, %columns * %rows - 1] assuming index arithmetic does not overflow
      // volcli: claim 0 <= %at < %size: proved: assuming index arithmetic does not overflow
      %at = arith.addi %row, %j : index
      "test.use"(%at) : (index) -> ()
    }
  }
  return
}

// The size of a tile, the last one of which may be smaller.
// volcli: %step = %step, in [1, +inf] assuming %step - 1 >= 0
func.func @tiled(%extent: index, %step: index {volcli.assume = affine_set<(d0) : (d0 - 1 >= 0)>}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %count = arith.ceildivsi %extent, %step : index
  // volcli: %tile in [0, %count - 1]
  scf.for %tile = %c0 to %count step %c1 {
    // volcli: %first in [0, -%step + %count * %step] assuming %step - 1 >= 0 and products do not overflow
    %first = arith.muli %tile, %step : index
    // volcli: %left in [1, %extent] assuming %step - 1 >= 0 and index arithmetic does not overflow
    %left = arith.subi %extent, %first : index
    // volcli: %width in [1, min(%extent, %step)] assuming %step - 1 >= 0 and index arithmetic does not overflow
    // volcli: claim 1 <= %width <= %step: proved: assuming %step - 1 >= 0 and index arithmetic does not overflow
    // volcli: claim %width = %step: refuted: it fails at %extent = 1, %step = 2, %tile = 0, %count = 1
    %width = arith.minsi %step, %left : index
    "test.use"(%width) : (index) -> ()
  }
  return
}

// volcli: %x = %x, in [1, +inf] assuming %x - 1 >= 0
// volcli: %y = %y, in [1, +inf] assuming %y - 1 >= 0
// volcli: %z = %z, in [1, +inf] assuming %z - 1 >= 0
func.func @three(%x: index {volcli.assume = affine_set<(d0) : (d0 - 1 >= 0)>},
                 %y: index {volcli.assume = affine_set<(d0) : (d0 - 1 >= 0)>},
                 %z: index {volcli.assume = affine_set<(d0) : (d0 - 1 >= 0)>}) {
  // volcli: %yz = %y * %z, in [1, +inf] assuming %y - 1 >= 0 and %z - 1 >= 0 and products do not overflow
  %yz = arith.muli %y, %z : index
  // volcli: %cube = %x * %y * %z, in [1, +inf] assuming %x - 1 >= 0 and %y - 1 >= 0 and %z - 1 >= 0 and products do not overflow
  // volcli: claim %cube >= %x: proved: assuming %x - 1 >= 0 and %y - 1 >= 0 and %z - 1 >= 0 and products do not overflow
  %cube = arith.muli %x, %yz : index
  return
}
