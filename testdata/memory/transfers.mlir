// RUN: volcli annotate %s -p dependences
// A vector is loaded and stored as all of its elements.
func.func @next_vector(%m: memref<128xf32>) {
  // volcli: %i carries WAR %m[d0 + %i + 8] -> %m[d0 + %i], distance (8): (0) then (8) at [8]
  affine.for %i = 0 to 112 step 8 {
    %v = affine.vector_load %m[%i + 8] : memref<128xf32>, vector<8xf32>
    affine.vector_store %v, %m[%i] : memref<128xf32>, vector<8xf32>
  }
  return
}

func.func @overlapping(%m: memref<128xf32>, %v: vector<8xf32>) {
  // volcli: %i carries WAW %m[d0 + %i] -> %m[d0 + %i], distances (1), (2), (3), (4), (5), (6), (7): (0) then (1) at [1]
  affine.for %i = 0 to 100 {
    affine.vector_store %v, %m[%i] : memref<128xf32>, vector<8xf32>
  }
  return
}

func.func @tiles(%m: memref<?x64xf32>, %n: index, %p: f32) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  // volcli: %i: parallel
  scf.for %i = %c0 to %n step %c4 {
    // volcli: %j: parallel
    scf.for %j = %c0 to %c64 step %c8 {
      %v = vector.transfer_read %m[%i, %j], %p : memref<?x64xf32>, vector<4x8xf32>
      %w = arith.addf %v, %v : vector<4x8xf32>
      vector.transfer_write %w, %m[%i, %j] : vector<4x8xf32>, memref<?x64xf32>
    }
  }
  return
}

// The rows are 4 high, and 3 apart.
func.func @rows_that_overlap(%m: memref<64x8xf32>, %v: vector<4x8xf32>) {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %c60 = arith.constant 60 : index
  // volcli: %i carries WAW %m[d0 + %i, d1 + %c0] -> %m[d0 + %i, d1 + %c0], distance (3): (0) then (3) at [3, 0]
  scf.for %i = %c0 to %c60 step %c3 {
    vector.transfer_write %v, %m[%i, %c0] {in_bounds = [true, true]} : vector<4x8xf32>, memref<64x8xf32>
  }
  return
}
