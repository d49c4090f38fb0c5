func.func @program_1(%m: memref<?x?xf64>, %U: index, %V: index, %b: index) {
  %one = arith.constant 1.000000e+00 : f64
  %c1 = arith.constant 1 : index
  %b_size = arith.maxsi %b, %c1 : index
  %c1073741824 = arith.constant 1073741824 : index
  %b_size_0 = arith.minsi %b_size, %c1073741824 : index
  %c2 = arith.constant 2 : index
  %c0 = arith.constant 0 : index
  %0 = arith.addi %V, %c1 : index
  %1 = arith.muli %U, %c2 : index
  %2 = arith.addi %1, %c1 : index
  %3 = arith.minsi %0, %2 : index
  scf.for %j_tile = %c0 to %3 step %b_size_0 {
    %4 = arith.ceildivsi %j_tile, %c2 : index
    %5 = arith.addi %U, %c1 : index
    scf.for %i = %4 to %5 step %c1 {
      %6 = arith.muli %i, %c2 : index
      %7 = arith.addi %6, %c1 : index
      %8 = arith.addi %V, %c1 : index
      %9 = arith.addi %b_size_0, %j_tile : index
      %10 = arith.minsi %7, %8 : index
      %11 = arith.minsi %10, %9 : index
      scf.for %j = %j_tile to %11 step %c1 {
        memref.store %one, %m[%i, %j] : memref<?x?xf64>
      }
    }
  }
  return
}
