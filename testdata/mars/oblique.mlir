// RUN: volcli annotate %s -p "mars{tile='i:4, i+j:4' assume-noalias-args}"
// Hyperplanes that are not orthogonal: the next tile along i + j lies at (0, 4), and the one along i at (4, -4).
func.func @oblique(%a: memref<300x300xf32>) {
  affine.for %i = 1 to 300 {
    affine.for %j = 0 to 299 {
      // volcli: mars %a produced, tile i: 4, i + j: 4:
      // volcli:   1. { a[i, j = 3 - i] : 0 <= i <= 2 } to (0, 1): 3
      // volcli:   2. { a[i = 3, j] : -3 <= j < 0 } to (1, 0): 3
      // volcli:   3. { a[i = 3, j = 0] } to (1, 0), (1, 1): 1
      // volcli:   a tile produces 3 sets, and reads 4 of other tiles
      // volcli:   in the order 1, 2, 3: 3 bursts a tile, 4 in row-major order
      // volcli:   for tiles { [t0, t1] : 0 < t0 <= 73 and t0 < t1 <= 73 + t0 }
      // volcli:   not for 370 other tiles, at the ends of loops
      // volcli:   what these reads get elsewhere at the ends of loops is in no set
      // volcli: mars %a produced, read here: 1, 2, 3
      %x = affine.load %a[%i - 1, %j] : memref<300x300xf32>
      // volcli: mars %a produced, read here: 2, 3
      %y = affine.load %a[%i - 1, %j + 1] : memref<300x300xf32>
      %p = arith.addf %x, %y : f32
      // volcli: mars %a produced, written here: 1, 2, 3
      affine.store %p, %a[%i, %j] : memref<300x300xf32>
    }
  }
  return
}
