// RUN: volcli annotate %s -p dependences
// Loops of scf and accesses of memref: as affine ones, where the indices are affine functions.
func.func @by_steps(%m: memref<?xf32>, %n: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c6 = arith.constant 6 : index
  // volcli: %i carries RAW %m[%k] -> %m[%i], distances [n] -> { [i = 6] : n >= 7 }: (0) then (6) at [6] for %n = 7
  scf.for %i = %c0 to %n step %c2 {
    %k = arith.addi %i, %c6 : index
    memref.store %x, %m[%k] : memref<?xf32>
    %y = memref.load %m[%i] : memref<?xf32>
  }
  return
}

// Odd elements are written, even ones are read.
func.func @odd_and_even(%m: memref<?xf32>, %n: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  // volcli: %i: parallel
  scf.for %i = %c0 to %n step %c2 {
    %k = arith.addi %i, %c1 : index
    memref.store %x, %m[%k] : memref<?xf32>
    %y = memref.load %m[%i] : memref<?xf32>
  }
  return
}

// Each iteration has rows of its own.
func.func @rows_of_its_own(%m: memref<?x16xf32>, %n: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  // volcli: %i: parallel
  scf.forall (%i) in (%n) {
    %first = arith.muli %i, %c3 : index
    %end = arith.addi %first, %c3 : index
    // volcli: %j: parallel
    scf.for %j = %first to %end step %c1 {
      memref.store %x, %m[%j, %c0] : memref<?x16xf32>
    }
  }
  return
}

// The step is an argument: it is positive, and nothing else is known of it.
func.func @any_step(%m: memref<?xf32>, %n: index, %s: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // volcli: %i carries WAR %m[%k] -> %m[%i], distances at most [s, n] -> { [i = 1] : s = 1 and n >= 2 } (the step of %i is not a constant): (0) then (1) at [1] for %s = 1, %n = 2
  scf.for %i = %c0 to %n step %s {
    memref.store %x, %m[%i] : memref<?xf32>
    %k = arith.addi %i, %c1 : index
    %y = memref.load %m[%k] : memref<?xf32>
  }
  return
}

// A branch takes turns with the other one; no iteration reads what it has written itself.
func.func @branches(%m: memref<64xf32>, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  // volcli: %i carries RAW %m[%i] -> %m[%k], distance (32): (0) then (32) at [0]
  scf.for %i = %c0 to %c64 step %c1 {
    %low = arith.cmpi slt, %i, %c32 : index
    scf.if %low {
      memref.store %x, %m[%i] : memref<64xf32>
    } else {
      %k = arith.subi %i, %c32 : index
      %y = memref.load %m[%k] : memref<64xf32>
    }
  }
  return
}

// What an element is was loaded from elsewhere: any.
func.func @scattered(%m: memref<64xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %where = memref.alloc() : memref<64xindex>
  // volcli: %i: unknown: %k is a result of memref.load
  scf.for %i = %c0 to %c64 step %c1 {
    %k = memref.load %where[%i] : memref<64xindex>
    memref.store %i, %m[%k] : memref<64xindex>
  }
  return
}
