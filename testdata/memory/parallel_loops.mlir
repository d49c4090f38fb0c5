// RUN: volcli annotate %s -p dependences
// Loops that say that they are parallel: what they carry all the same is a race.
func.func @grid(%m: memref<16x16xf32>, %x: f32) {
  // volcli: %i, %j: parallel
  affine.parallel (%i, %j) = (0, 0) to (16, 16) {
    affine.store %x, %m[%i, %j] : memref<16x16xf32>
  }
  return
}

func.func @diagonals(%m: memref<40xindex>) {
  // volcli: %i, %j carries WAW %m[%i + %j] -> %m[%i + %j], distances { [i, j = -i] : 0 < i <= 15 }: (0, 1) then (1, 0) at [1]
  affine.parallel (%i, %j) = (0, 0) to (16, 16) {
    affine.store %i, %m[%i + %j] : memref<40xindex>
  }
  return
}

func.func @columns(%m: memref<16xindex>) {
  // volcli: %i, %j carries WAW %m[%j] -> %m[%j], distances (1, 0), (2, 0), (3, 0): (0, 0) then (1, 0) at [0]
  affine.parallel (%i, %j) = (0, 0) to (4, 16) {
    affine.store %i, %m[%j] : memref<16xindex>
  }
  return
}

// All iterations write one value: in whichever order they do.
func.func @one_value(%m: memref<40xf32>, %x: f32) {
  // volcli: %i, %j: parallel
  affine.parallel (%i, %j) = (0, 0) to (16, 16) {
    affine.store %x, %m[%i + %j] : memref<40xf32>
  }
  return
}

func.func @reduced(%m: memref<16xf32>) -> f32 {
  // volcli: %i: parallel
  %sum = affine.parallel (%i) = (0) to (16) reduce ("addf") -> (f32) {
    %x = affine.load %m[%i] : memref<16xf32>
    affine.yield %x : f32
  }
  return %sum : f32
}

func.func @of_scf(%m: memref<?xf32>, %n: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // volcli: %i carries WAR %m[%k] -> %m[%i], distances [n] -> { [i = 1] : n >= 2 }: (0) then (1) at [1] for %n = 2
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %k = arith.addi %i, %c1 : index
    memref.store %x, %m[%i] : memref<?xf32>
    %y = memref.load %m[%k] : memref<?xf32>
    scf.reduce
  }
  return
}
