// RUN: volcli opt %s -p "communication{loops=%i size=%B}"

// Program 3, figures 4-4 and 4-5: blocks of %B iterations of the inner loop, each on a processor of its own.
func.func @program_3(%X: memref<?xf64>, %T: index, %N: index, %B: index) {
  affine.for %t = 0 to affine_map<()[t] -> (t + 1)>()[%T] {
    affine.for %i = 3 to affine_map<()[n] -> (n + 1)>()[%N] {
      %x = affine.load %X[%i - 3] : memref<?xf64>
      affine.store %x, %X[%i] : memref<?xf64>
    }
  }
  return
}
