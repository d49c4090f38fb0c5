// RUN: volcli opt %s -p "tile-symbolic{sizes=%B1,%B2 levels=2}"

// Figures 4-1 to 4-3: the outer loop of program 1 in tiles of %B2 iterations, and these in tiles of %B1.
func.func @program_1(%m: memref<?x?xf64>, %U: index, %V: index, %B1: index, %B2: index) {
  %one = arith.constant 1.0 : f64
  affine.for %i = 0 to affine_map<()[u] -> (u + 1)>()[%U] {
    affine.for %j = 0 to min affine_map<(i)[v] -> (2 * i + 1, v + 1)>(%i)[%V] {
      affine.store %one, %m[%i, %j] : memref<?x?xf64>
    }
  }
  return
}
