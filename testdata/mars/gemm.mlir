// RUN: volcli annotate %s -p "mars{tile='i:8, j:8, l:8' assume-noalias-args}"
// A product of matrices that is added to a third one: a tile reads one block of each, and hands its sums on along l.
func.func @gemm(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %c: memref<?x?xf32>, %m: index, %n: index, %k: index) {
  affine.for %i = 0 to %m {
    affine.for %j = 0 to %n {
      affine.for %l = 0 to %k {
        // volcli: mars %a read, tile i: 8, j: 8, l: 8:
        // volcli:   1. { a[d0, d1] : 0 <= d0 <= 7 and 0 <= d1 <= 7 } to (0, 0, 0) + p (0, 1, 0): 64
        // volcli:   in the order 1: 1 burst a tile, at most 8 in row-major order
        // volcli:   for tiles [k, n, m] -> { [t0, t1, t2] : t0 >= 0 and 8t0 <= -8 + m and t1 >= 0 and 8t1 < n and t2 >= 0 and 8t2 <= -8 + k }
        // volcli:   not for other tiles, at the ends of loops
        // volcli:   consumers are among these tiles
        %x = affine.load %a[%i, %l] : memref<?x?xf32>
        // volcli: mars %b read, tile i: 8, j: 8, l: 8:
        // volcli:   1. { b[d0, d1] : 0 <= d0 <= 7 and 0 <= d1 <= 7 } to (0, 0, 0) + p (1, 0, 0): 64
        // volcli:   in the order 1: 1 burst a tile, at most 8 in row-major order
        // volcli:   for tiles [k, n, m] -> { [t0, t1, t2] : t0 >= 0 and 8t0 < m and t1 >= 0 and 8t1 <= -8 + n and t2 >= 0 and 8t2 <= -8 + k }
        // volcli:   not for other tiles, at the ends of loops
        // volcli:   consumers are among these tiles
        %y = affine.load %b[%l, %j] : memref<?x?xf32>
        // volcli: mars %c produced, tile i: 8, j: 8, l: 8:
        // volcli:   1. { c[i, j, l = 7] : 0 <= i <= 7 and 0 <= j <= 7 } to (0, 0, 1): 64
        // volcli:   a tile produces 1 set, and reads 1 of other tiles
        // volcli:   in the order 1: 1 burst a tile, at most 8 in row-major order
        // volcli:   for tiles [k, n, m] -> { [t0, t1, t2] : t0 >= 0 and 8t0 <= -8 + m and t1 >= 0 and 8t1 <= -8 + n and t2 >= 0 and 8t2 <= -9 + k }
        // volcli:   not for other tiles, at the ends of loops
        // volcli: mars %c produced, read here: 1
        // volcli: mars %c read, tile i: 8, j: 8, l: 8:
        // volcli:   1. { c[d0, d1] : 0 <= d0 <= 7 and 0 <= d1 <= 7 } to { [t0 = 0, t1 = 0, t2 = 0] }: 64
        // volcli:   no tile is whole inside the iterations
        // volcli:   for tiles [k, n, m] -> { [t0, t1, t2 = 0] : k > 0 and t0 >= 0 and 8t0 <= -8 + m and t1 >= 0 and 8t1 <= -8 + n }, of which (0, 0, 0) is shown
        // volcli:   not for other tiles, at the ends of loops
        %z = affine.load %c[%i, %j] : memref<?x?xf32>
        %p = arith.mulf %x, %y : f32
        %q = arith.addf %z, %p : f32
        // volcli: mars %c produced, written here: 1
        affine.store %q, %c[%i, %j] : memref<?x?xf32>
      }
    }
  }
  return
}
