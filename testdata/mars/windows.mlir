// RUN: volcli annotate %s -p "mars{tile='i:4, k:4' assume-noalias-args}"
// Two dependences with one linear part that is not the identity: they intersect uniformly, and are not uniform.
func.func @windows(%x: memref<?xf32>, %y: memref<?x?xf32>, %n: index, %m: index) {
  affine.for %i = 0 to %n {
    affine.for %k = 0 to %m {
      // volcli: mars %x read, tile i: 4, k: 4:
      // volcli:   1. { x[d0 = 0] } to (-2, 0) + p (1, -1), (-1, 0) + p (1, -1), (0, 0) + p (1, -1): 1
      // volcli:   2. { x[d0] : 0 < d0 <= 3 } to (-1, 0) + p (1, -1), (0, 0) + p (1, -1): 3
      // volcli:   3. { x[d0 = 4] } to (-1, 0) + p (1, -1), (0, 0) + p (1, -1), (1, 0) + p (1, -1): 1
      // volcli:   4. { x[d0] : 5 <= d0 <= 7 } to (0, 0) + p (1, -1), (1, 0) + p (1, -1): 3
      // volcli:   5. { x[d0 = 8] } to (0, 0) + p (1, -1), (1, 0) + p (1, -1), (2, 0) + p (1, -1): 1
      // volcli:   in the order 1, 2: 3 bursts a tile, 1 in row-major order
      // volcli:   for tiles [m, n] -> { [t0, t1] : t0 >= 0 and 4t0 <= -4 + n and t1 >= 0 and t1 >= 2 - t0 and (4t1 <= -12 + m - 4t0 or (-11 + m - 4t0 <= 4t1 <= -4 + m and 4*floor((m)/4) >= 16 - n + 4t0 + 4t1)) }
      // volcli:   not for other tiles, at the ends of loops
      // volcli:   only whole tiles count as consumers
      // volcli: mars %x read, read here: 1, 2, 3, 4
      %a = affine.load %x[%i + %k] : memref<?xf32>
      // volcli: mars %x read, read here: 2, 3, 4, 5
      %b = affine.load %x[%i + %k + 2] : memref<?xf32>
      %s = arith.addf %a, %b : f32
      affine.store %s, %y[%i, %k] : memref<?x?xf32>
    }
  }
  return
}
