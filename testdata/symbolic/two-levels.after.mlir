func.func @program_1(%m: memref<?x?xf64>, %U: index, %V: index, %B1: index, %B2: index) {
  %one = arith.constant 1.000000e+00 : f64
  %c1 = arith.constant 1 : index
  %B1_size = arith.maxsi %B1, %c1 : index
  %c1073741824 = arith.constant 1073741824 : index
  %B1_size_0 = arith.minsi %B1_size, %c1073741824 : index
  %B2_size = arith.maxsi %B2, %c1 : index
  %B2_size_0 = arith.minsi %B2_size, %c1073741824 : index
  %c0 = arith.constant 0 : index
  %0 = arith.cmpi sge, %V, %c0 : index
  %c2 = arith.constant 2 : index
  scf.if %0 {
    %1 = arith.muli %B1_size_0, %B2_size_0 : index
    %2 = arith.floordivsi %U, %1 : index
    %3 = arith.addi %2, %c1 : index
    scf.for %i_tile = %c0 to %3 step %c1 {
      %4 = arith.muli %B1_size_0, %i_tile : index
      %5 = arith.addi %B1_size_0, %4 : index
      %6 = arith.floordivsi %U, %B2_size_0 : index
      %7 = arith.addi %6, %c1 : index
      %8 = arith.minsi %5, %7 : index
      scf.for %i_tile_0 = %4 to %8 step %c1 {
        %9 = arith.muli %B2_size_0, %i_tile_0 : index
        %10 = arith.addi %U, %c1 : index
        %11 = arith.addi %B2_size_0, %9 : index
        %12 = arith.minsi %10, %11 : index
        scf.for %i = %9 to %12 step %c1 {
          %13 = arith.muli %i, %c2 : index
          %14 = arith.addi %13, %c1 : index
          %15 = arith.addi %V, %c1 : index
          %16 = arith.minsi %14, %15 : index
          scf.for %j = %c0 to %16 step %c1 {
            memref.store %one, %m[%i, %j] : memref<?x?xf64>
          }
        }
      }
    }
  }
  return
}
