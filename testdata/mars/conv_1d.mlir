// RUN: volcli annotate %s -p "mars{tile='i:4, k:4' assume-noalias-args}"
// Windows overlap: a tile shares three elements with each of its neighbours, and has one for itself.
func.func @conv_1d(%x: memref<?xf32>, %w: memref<?xf32>, %y: memref<?xf32>, %n: index, %m: index) {
  affine.for %i = 0 to %n {
    affine.for %k = 0 to %m {
      // volcli: mars %x read, tile i: 4, k: 4:
      // volcli:   1. { x[d0] : 0 <= d0 <= 2 } to (-1, 0) + p (1, -1), (0, 0) + p (1, -1): 3
      // volcli:   2. { x[d0 = 3] } to (0, 0) + p (1, -1): 1
      // volcli:   3. { x[d0] : 4 <= d0 <= 6 } to (0, 0) + p (1, -1), (1, 0) + p (1, -1): 3
      // volcli:   in the order 1, 2: 2 bursts a tile, 1 in row-major order
      // volcli:   for tiles [m, n] -> { [t0, t1] : 4t0 <= -4 + n and t1 >= 0 and t1 > -t0 and ((t0 >= 0 and 4t1 <= -8 + m - 4t0) or (-7 + m - 4t0 <= 4t1 <= -4 + m and 4*floor((m)/4) >= 12 - n + 4t0 + 4t1)) }
      // volcli:   not for other tiles, at the ends of loops
      // volcli:   only whole tiles count as consumers
      %a = affine.load %x[%i + %k] : memref<?xf32>
      // volcli: mars %w read, tile i: 4, k: 4:
      // volcli:   1. { w[d0] : 0 <= d0 <= 3 } to (0, 0) + p (1, 0): 4
      // volcli:   in the order 1: 1 burst a tile, 1 in row-major order
      // volcli:   for tiles [m, n] -> { [t0, t1] : t0 >= 0 and 4t0 < n and t1 >= 0 and 4t1 <= -4 + m }
      // volcli:   not for other tiles, at the ends of loops
      // volcli:   consumers are among these tiles
      %b = affine.load %w[%k] : memref<?xf32>
      // volcli: mars %y produced, tile i: 4, k: 4:
      // volcli:   1. { y[i, k = 3] : 0 <= i <= 3 } to (0, 1): 4
      // volcli:   a tile produces 1 set, and reads 1 of other tiles
      // volcli:   in the order 1: 1 burst a tile, 1 in row-major order
      // volcli:   for tiles [m, n] -> { [t0, t1] : t0 >= 0 and 4t0 <= -4 + n and t1 >= 0 and 4t1 <= -5 + m }
      // volcli:   not for other tiles, at the ends of loops
      // volcli: mars %y produced, read here: 1
      // volcli: mars %y read, tile i: 4, k: 4:
      // volcli:   1. { y[d0] : 0 <= d0 <= 3 } to { [t0 = 0, t1 = 0] }: 4
      // volcli:   no tile is whole inside the iterations
      // volcli:   for tiles [m, n] -> { [t0, t1 = 0] : m > 0 and t0 >= 0 and 4t0 <= -4 + n }, of which (0, 0) is shown
      // volcli:   not for other tiles, at the ends of loops
      %c = affine.load %y[%i] : memref<?xf32>
      %p = arith.mulf %a, %b : f32
      %q = arith.addf %c, %p : f32
      // volcli: mars %y produced, written here: 1
      affine.store %q, %y[%i] : memref<?xf32>
    }
  }
  return
}
