// RUN: volcli opt %s -p "tile-symbolic{sizes=%B,%B,%B hyperplanes='t+i, t-i, t+j' wavefront=2}"

// Program 4, figures 4-6 to 4-8: diamonds of time and rows, skewed tiles of columns; the diamonds of one wave
// are independent of each other.
func.func @program_4(%m: memref<?x?x?xf64>, %T: index, %N: index, %B: index) {
  affine.for %t = 0 to affine_map<()[t] -> (t + 1)>()[%T] {
    affine.for %i = 1 to affine_map<()[n] -> (n + 1)>()[%N] {
      affine.for %j = 1 to affine_map<()[n] -> (n + 1)>()[%N] {
        %up = affine.load %m[%t, %i - 1, %j] : memref<?x?x?xf64>
        %down = affine.load %m[%t, %i + 1, %j] : memref<?x?x?xf64>
        %left = affine.load %m[%t, %i, %j - 1] : memref<?x?x?xf64>
        %right = affine.load %m[%t, %i, %j + 1] : memref<?x?x?xf64>
        %rows = arith.addf %up, %down : f64
        %columns = arith.addf %left, %right : f64
        %all = arith.addf %rows, %columns : f64
        affine.store %all, %m[%t + 1, %i, %j] : memref<?x?x?xf64>
      }
    }
  }
  return
}
