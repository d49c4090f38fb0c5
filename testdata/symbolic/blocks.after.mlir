func.func @program_1(%m: memref<?x?xf64>, %U: index, %V: index, %b: index) {
  %one = arith.constant 1.000000e+00 : f64
  %c1 = arith.constant 1 : index
  %b_size = arith.maxsi %b, %c1 : index
  %c1073741824 = arith.constant 1073741824 : index
  %b_size_0 = arith.minsi %b_size, %c1073741824 : index
  %c0 = arith.constant 0 : index
  %0 = arith.floordivsi %V, %b_size_0 : index
  %1 = arith.addi %0, %c1 : index
  %c2 = arith.constant 2 : index
  %2 = arith.muli %U, %c2 : index
  %3 = arith.floordivsi %2, %b_size_0 : index
  %4 = arith.addi %3, %c1 : index
  %5 = arith.minsi %1, %4 : index
  scf.for %j_tile = %c0 to %5 step %c1 {
    %6 = arith.muli %b_size_0, %j_tile : index
    %7 = arith.ceildivsi %6, %c2 : index
    %8 = arith.addi %U, %c1 : index
    scf.for %i = %7 to %8 step %c1 {
      %9 = arith.muli %i, %c2 : index
      %10 = arith.addi %9, %c1 : index
      %11 = arith.addi %V, %c1 : index
      %12 = arith.addi %b_size_0, %6 : index
      %13 = arith.minsi %10, %11 : index
      %14 = arith.minsi %13, %12 : index
      scf.for %j = %6 to %14 step %c1 {
        memref.store %one, %m[%i, %j] : memref<?x?xf64>
      }
    }
  }
  return
}
