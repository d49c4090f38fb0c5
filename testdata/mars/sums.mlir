// RUN: volcli opt %s -p "mars{tile='i:4' allocate assume-noalias-args}"
// Sums so far: a tile of four hands its last one to the next tile, and reads four numbers that are its own.
func.func @sums(%x: memref<?xf32>, %s: memref<?xf32>, %n: index) {
  affine.for %i = 1 to %n {
    %before = affine.load %s[%i - 1] : memref<?xf32>
    %here = affine.load %x[%i] : memref<?xf32>
    %sum = arith.addf %before, %here : f32
    affine.store %sum, %s[%i] : memref<?xf32>
  }
  return
}
