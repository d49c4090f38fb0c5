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
      // volcli: mars %a produced, read here: 1, 2, 3
      // volcli: mars %a read, tile i: 4, i + j: 4:
      // volcli:   1. { a[d0, d1 = 299] : 0 < d0 <= 2 } to { [t0 = 0, t1 = 75] }
      // volcli:   2. { a[d0 = 0, d1 = 3] } to { [t0 = 0, t1] : 0 <= t1 <= 1 }
      // volcli:   3. { a[d0 = 0, d1] : 4 <= d1 <= 6 } to { [t0 = 0, t1 = 1] }
      // volcli:   4. { a[d0 = 0, d1 = 7] } to { [t0 = 0, t1] : 0 < t1 <= 2 }
      // volcli:   5. { a[d0 = 0, d1] : 0 <= d1 <= 2 } to { [t0 = 0, t1 = 0] }
      // volcli:   6. { a[d0 = 0, d1 = 295] } to { [t0 = 0, t1] : 73 <= t1 <= 74 }
      // volcli:   7. { a[d0 = 0, d1] : 296 <= d1 <= 299 } to { [t0 = 0, t1 = 74] }
      // volcli:   tiles { [t0, t1] : t1 >= 74 + t0 and t1 >= 75 }, of which (0, 75) is shown: 1 set, of 1: 2
      // volcli:   tiles { [t0 = 0, t1] : 0 < t1 <= 73 }, of which (0, 1) is shown: 3 sets, of 2: 1; 3: 3; 4: 1
      // volcli:   tiles { [t0 = 0, t1 = 0] }: 2 sets, of 5: 3; 2: 1
      // volcli:   tiles { [t0 = 0, t1 = 74] }: 2 sets, of 6: 1; 7: 4
      // volcli:   no tile is whole inside the iterations
      // volcli:   for tiles { [t0, t1] : t0 <= 74 and t1 >= 74 + t0 and 75 <= t1 <= 75 + t0; [t0 = 0, t1] : 0 <= t1 <= 74 }
      // volcli: mars %a read, read here:
      // volcli:   tiles { [t0, t1] : t1 >= 74 + t0 and t1 >= 75 }: none
      // volcli:   tiles { [t0 = 0, t1] : 0 < t1 <= 73 }: 2, 3
      // volcli:   tiles { [t0 = 0, t1 = 0] }: 5
      // volcli:   tiles { [t0 = 0, t1 = 74] }: 6, 7
      %x = affine.load %a[%i - 1, %j] : memref<300x300xf32>
      // volcli: mars %a produced, read here: 2, 3
      // volcli: mars %a read, read here:
      // volcli:   tiles { [t0, t1] : t1 >= 74 + t0 and t1 >= 75 }: 1
      // volcli:   tiles { [t0 = 0, t1] : 0 < t1 <= 73 }: 3, 4
      // volcli:   tiles { [t0 = 0, t1 = 0] }: 2, 5
      // volcli:   tiles { [t0 = 0, t1 = 74] }: 7
      %y = affine.load %a[%i - 1, %j + 1] : memref<300x300xf32>
      %p = arith.addf %x, %y : f32
      // volcli: mars %a produced, written here: 1, 2, 3
      affine.store %p, %a[%i, %j] : memref<300x300xf32>
    }
  }
  return
}
