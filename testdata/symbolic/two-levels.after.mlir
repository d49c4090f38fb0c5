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
    %1 = arith.addi %U, %c1 : index
    %2 = arith.muli %B2_size_0, %B1_size_0 : index
    scf.for %i_tile = %c0 to %1 step %2 {
      %3 = arith.muli %B2_size_0, %B1_size_0 : index
      %4 = arith.addi %i_tile, %3 : index
      %5 = arith.subi %4, %B2_size_0 : index
      %6 = arith.addi %5, %c1 : index
      %7 = arith.addi %U, %c1 : index
      %8 = arith.minsi %6, %7 : index
      scf.for %i_tile_0 = %i_tile to %8 step %B2_size_0 {
        %9 = arith.addi %U, %c1 : index
        %10 = arith.addi %B2_size_0, %i_tile_0 : index
        %11 = arith.minsi %9, %10 : index
        scf.for %i = %i_tile_0 to %11 step %c1 {
          %12 = arith.muli %i, %c2 : index
          %13 = arith.addi %12, %c1 : index
          %14 = arith.addi %V, %c1 : index
          %15 = arith.minsi %13, %14 : index
          scf.for %j = %c0 to %15 step %c1 {
            memref.store %one, %m[%i, %j] : memref<?x?xf64>
          }
        }
      }
    }
  }
  return
}
