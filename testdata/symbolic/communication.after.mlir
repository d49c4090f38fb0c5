#map = affine_map<()[s0] -> (s0 + 1)>
func.func @program_3(%X: memref<?xf64>, %T: index, %N: index, %B: index) {
  affine.for %t = 0 to #map()[%T] {
    affine.for %i = 3 to #map()[%N] {
      %x = affine.load %X[%i - 3] : memref<?xf64>
      affine.store %x, %X[%i] : memref<?xf64>
    }
  }
  return
}
func.func @program_3_receive_0(%X_0: memref<?xf64>, %T_0: index, %N_0: index, %B_0: index, %processor: index, %list: memref<?x6xindex>) -> index attributes {volcli.columns = ["sender", "%t", "%i", "%t", "%i", "d0"]} {
  %c1 = arith.constant 1 : index
  %0 = arith.maxsi %B_0, %c1 : index
  %c1073741824 = arith.constant 1073741824 : index
  %1 = arith.minsi %0, %c1073741824 : index
  %c0 = arith.constant 0 : index
  %rows = memref.dim %list, %c0 : memref<?x6xindex>
  %2 = arith.muli %1, %processor : index
  %3 = arith.subi %N_0, %2 : index
  %4 = arith.addi %1, %2 : index
  %cm7 = arith.constant -7 : index
  %5 = arith.addi %4, %cm7 : index
  %cm6 = arith.constant -6 : index
  %6 = arith.addi %N_0, %cm6 : index
  %cm4 = arith.constant -4 : index
  %7 = arith.addi %2, %cm4 : index
  %8 = arith.minsi %3, %5 : index
  %9 = arith.minsi %8, %6 : index
  %10 = arith.minsi %9, %7 : index
  %11 = arith.minsi %10, %T_0 : index
  %12 = arith.cmpi sge, %11, %c0 : index
  %c6 = arith.constant 6 : index
  %c3 = arith.constant 3 : index
  %cm2 = arith.constant -2 : index
  %cm3 = arith.constant -3 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %13 = scf.if %12 -> (index) {
    %14 = arith.addi %T_0, %c1 : index
    %15 = scf.for %16 = %c0 to %14 step %c1 iter_args(%17 = %c0) -> (index) {
      %18 = arith.maxsi %2, %c6 : index
      %19 = arith.addi %1, %2 : index
      %20 = arith.addi %N_0, %c1 : index
      %21 = arith.addi %2, %c3 : index
      %22 = arith.minsi %19, %20 : index
      %23 = arith.minsi %22, %21 : index
      %24 = scf.for %25 = %18 to %23 step %c1 iter_args(%26 = %17) -> (index) {
        %27 = arith.subi %25, %1 : index
        %28 = arith.addi %27, %cm2 : index
        %29 = arith.ceildivsi %28, %1 : index
        %30 = arith.addi %25, %cm3 : index
        %31 = arith.floordivsi %30, %1 : index
        %32 = arith.addi %31, %c1 : index
        %33 = scf.for %34 = %29 to %32 step %c1 iter_args(%35 = %26) -> (index) {
          %36 = arith.cmpi slt, %35, %rows : index
          scf.if %36 {
            memref.store %34, %list[%35, %c0] : memref<?x6xindex>
            memref.store %16, %list[%35, %c1] : memref<?x6xindex>
            memref.store %30, %list[%35, %c2] : memref<?x6xindex>
            memref.store %16, %list[%35, %c3] : memref<?x6xindex>
            memref.store %25, %list[%35, %c4] : memref<?x6xindex>
            memref.store %30, %list[%35, %c5] : memref<?x6xindex>
          }
          %37 = arith.addi %35, %c1 : index
          scf.yield %37 : index
        }
        scf.yield %33 : index
      }
      scf.yield %24 : index
    }
    scf.yield %15 : index
  } else {
    scf.yield %c0 : index
  }
  return %13 : index
}
func.func @program_3_send_0(%X_0: memref<?xf64>, %T_0: index, %N_0: index, %B_0: index, %processor: index, %list: memref<?x6xindex>) -> index attributes {volcli.columns = ["receiver", "%t", "%i", "%t", "%i", "d0"]} {
  %c1 = arith.constant 1 : index
  %38 = arith.maxsi %B_0, %c1 : index
  %c1073741824 = arith.constant 1073741824 : index
  %39 = arith.minsi %38, %c1073741824 : index
  %c0 = arith.constant 0 : index
  %rows = memref.dim %list, %c0 : memref<?x6xindex>
  %cm6 = arith.constant -6 : index
  %40 = arith.addi %N_0, %cm6 : index
  %41 = arith.muli %39, %processor : index
  %42 = arith.addi %39, %41 : index
  %cm4 = arith.constant -4 : index
  %43 = arith.addi %42, %cm4 : index
  %44 = arith.subi %N_0, %41 : index
  %cm3 = arith.constant -3 : index
  %45 = arith.addi %44, %cm3 : index
  %46 = arith.subi %N_0, %39 : index
  %47 = arith.subi %46, %41 : index
  %48 = arith.minsi %40, %43 : index
  %49 = arith.minsi %48, %45 : index
  %50 = arith.minsi %49, %47 : index
  %51 = arith.minsi %50, %T_0 : index
  %52 = arith.cmpi sge, %51, %c0 : index
  %c3 = arith.constant 3 : index
  %cm2 = arith.constant -2 : index
  %c4 = arith.constant 4 : index
  %c2 = arith.constant 2 : index
  %c5 = arith.constant 5 : index
  %53 = scf.if %52 -> (index) {
    %54 = arith.addi %T_0, %c1 : index
    %55 = scf.for %56 = %c0 to %54 step %c1 iter_args(%57 = %c0) -> (index) {
      %58 = arith.addi %39, %41 : index
      %59 = arith.addi %58, %cm3 : index
      %60 = arith.maxsi %c3, %41 : index
      %61 = arith.maxsi %60, %59 : index
      %62 = arith.addi %N_0, %cm2 : index
      %63 = arith.addi %39, %41 : index
      %64 = arith.minsi %62, %63 : index
      %65 = scf.for %66 = %61 to %64 step %c1 iter_args(%67 = %57) -> (index) {
        %68 = arith.subi %66, %39 : index
        %69 = arith.addi %68, %c4 : index
        %70 = arith.ceildivsi %69, %39 : index
        %71 = arith.addi %66, %c3 : index
        %72 = arith.floordivsi %71, %39 : index
        %73 = arith.addi %72, %c1 : index
        %74 = scf.for %75 = %70 to %73 step %c1 iter_args(%76 = %67) -> (index) {
          %77 = arith.cmpi slt, %76, %rows : index
          scf.if %77 {
            memref.store %75, %list[%76, %c0] : memref<?x6xindex>
            memref.store %56, %list[%76, %c1] : memref<?x6xindex>
            memref.store %66, %list[%76, %c2] : memref<?x6xindex>
            memref.store %56, %list[%76, %c3] : memref<?x6xindex>
            memref.store %71, %list[%76, %c4] : memref<?x6xindex>
            memref.store %66, %list[%76, %c5] : memref<?x6xindex>
          }
          %78 = arith.addi %76, %c1 : index
          scf.yield %78 : index
        }
        scf.yield %74 : index
      }
      scf.yield %65 : index
    }
    scf.yield %55 : index
  } else {
    scf.yield %c0 : index
  }
  return %53 : index
}
