// RUN: volcli annotate %s -p "mars{tile='i+j:8, j:8' assume-noalias-args}"
// Scores of two sequences: each cell needs its three neighbours before it.
func.func @smith_waterman(%p: memref<500xi32>, %q: memref<500xi32>, %h: memref<501x501xi32>) {
  %zero = arith.constant 0 : i32
  %gap = arith.constant -2 : i32
  affine.for %i = 1 to 501 {
    affine.for %j = 1 to 501 {
      // volcli: mars %p read, tile i + j: 8, j: 8:
      // volcli:   1. { p[d0] : -8 <= d0 <= -2 } to (-1, 0) + p (1, 1), (0, 0) + p (1, 1): 7
      // volcli:   2. { p[d0 = -1] } to (0, 0) + p (1, 1): 1
      // volcli:   3. { p[d0] : 0 <= d0 <= 6 } to (0, 0) + p (1, 1), (1, 0) + p (1, 1): 7
      // volcli:   in the order 1, 2: 2 bursts a tile, 1 in row-major order
      // volcli:   for tiles { [t0, t1] : t1 >= -60 + t0 and 0 < t1 <= 61 and t1 <= -2 + t0 }
      // volcli:   not for 433 other tiles, at the ends of loops
      // volcli:   only whole tiles count as consumers
      %a = affine.load %p[%i - 1] : memref<500xi32>
      // volcli: mars %q read, tile i + j: 8, j: 8:
      // volcli:   1. { q[d0] : -1 <= d0 <= 6 } to (0, 0) + p (1, 0): 8
      // volcli:   in the order 1: 1 burst a tile, 1 in row-major order
      // volcli:   for tiles { [t0, t1] : t1 >= -61 + t0 and 0 < t1 <= 61 and t1 < t0 }
      // volcli:   not for 311 other tiles, at the ends of loops
      // volcli:   only whole tiles count as consumers
      %b = affine.load %q[%j - 1] : memref<500xi32>
      // volcli: mars %h produced, tile i + j: 8, j: 8:
      // volcli:   1. { h[i, j = 7] : -7 <= i <= -2 } to (0, 1): 6
      // volcli:   2. { h[i = -1, j = 7] } to (0, 1), (1, 1): 1
      // volcli:   3. { h[i, j] : j >= 0 and 6 - i <= j <= 7 - i and j <= 6 } to (1, 0): 14
      // volcli:   4. { h[i = 0, j = 7] } to (1, 0), (1, 1): 1
      // volcli:   a tile produces 4 sets, and reads 6 of other tiles
      // volcli:   in the order 1, 2, 4, 3: 3 bursts a tile, 16 in row-major order
      // volcli:   for tiles { [t0, t1] : t1 >= -61 + t0 and 0 < t1 <= 61 and t1 < t0 }
      // volcli:   not for 310 other tiles, at the ends of loops
      // volcli: mars %h produced, read here: 1, 2, 3, 4
      // volcli: mars %h read, tile i + j: 8, j: 8:
      // volcli:   1. { h[d0 = 0, d1 = 7] } to { [t0 = 1, t1] : 0 <= t1 <= 1 }
      // volcli:   2. { h[d0 = 0, d1] : 8 <= d1 <= 13 } to { [t0 = 1, t1 = 1] }
      // volcli:   3. { h[d0 = 0, d1 = 14] } to { [t0, t1 = 1] : 0 < t0 <= 2 }
      // volcli:   4. { h[d0 = 0, d1 = 15] } to { [t0 = 2, t1] : 0 < t1 <= 2 }
      // volcli:   5. { h[d0 = 14, d1 = 0] } to { [t0, t1 = 0] : 0 < t0 <= 2 }
      // volcli:   6. { h[d0, d1 = 0] : 15 <= d0 <= 21 } to { [t0 = 2, t1 = 0] }
      // volcli:   7. { h[d0 = 22, d1 = 0] } to { [t0, t1 = 0] : 2 <= t0 <= 3 }
      // volcli:   8. { h[d0, d1 = 0] : 0 <= d0 <= 5; h[d0 = 0, d1] : 0 < d1 <= 5 } to { [t0 = 0, t1 = 0] }
      // volcli:   9. { h[d0 = 0, d1 = 6]; h[d0 = 6, d1 = 0] } to { [t0, t1 = 0] : 0 <= t0 <= 1 }
      // volcli:   10. { h[d0, d1 = 0] : 7 <= d0 <= 13 } to { [t0 = 1, t1 = 0] }
      // volcli:   11. { h[d0 = 494, d1 = 0] } to { [t0, t1 = 0] : 61 <= t0 <= 62 }
      // volcli:   12. { h[d0, d1 = 0] : 495 <= d0 <= 500 } to { [t0 = 62, t1 = 0] }
      // volcli:   13. { h[d0 = 0, d1 = 495] } to { [t0 = 62, t1] : 61 <= t1 <= 62 }
      // volcli:   14. { h[d0 = 0, d1] : 496 <= d1 <= 500 } to { [t0 = 62, t1 = 62] }
      // volcli:   tiles { [t0, t1 = t0] : 0 < t0 <= 61 }, of which (1, 1) is shown: 3 sets, of 1: 1; 2: 6; 3: 1
      // volcli:   tiles { [t0, t1 = -1 + t0] : t0 >= 2 }, of which (2, 1) is shown: 2 sets, of 3: 1; 4: 1
      // volcli:   tiles { [t0, t1 = 0] : 2 <= t0 <= 61 }, of which (2, 0) is shown: 3 sets, of 5: 1; 6: 7; 7: 1
      // volcli:   tiles { [t0 = 0, t1 = 0] }: 2 sets, of 8: 11; 9: 2
      // volcli:   tiles { [t0 = 1, t1 = 0] }: 4 sets, of 9: 2; 1: 1; 10: 7; 5: 1
      // volcli:   tiles { [t0 = 62, t1 = 0] }: 2 sets, of 11: 1; 12: 6
      // volcli:   tiles { [t0 = 62, t1 = 62] }: 2 sets, of 13: 1; 14: 5
      // volcli:   no tile is whole inside the iterations
      // volcli:   for tiles { [t0, t1] : t0 <= 62 and t1 >= -1 + t0 and 0 <= t1 <= t0; [t0, t1 = 0] : 0 <= t0 <= 62 }
      // volcli: mars %h read, read here:
      // volcli:   tiles { [t0, t1 = t0] : 0 < t0 <= 61 }: 1, 2
      // volcli:   tiles { [t0, t1 = -1 + t0] : t0 >= 2 }: 3
      // volcli:   tiles { [t0, t1 = 0] : 2 <= t0 <= 61 }: 5, 6
      // volcli:   tiles { [t0 = 0, t1 = 0] }: 8
      // volcli:   tiles { [t0 = 1, t1 = 0] }: 9, 10
      // volcli:   tiles { [t0 = 62, t1 = 0] }: 11, 12
      // volcli:   tiles { [t0 = 62, t1 = 62] }: 13, 14
      %diagonal = affine.load %h[%i - 1, %j - 1] : memref<501x501xi32>
      // volcli: mars %h produced, read here: 3, 4
      // volcli: mars %h read, read here:
      // volcli:   tiles { [t0, t1 = t0] : 0 < t0 <= 61 }: 2, 3
      // volcli:   tiles { [t0, t1 = -1 + t0] : t0 >= 2 }: 4
      // volcli:   tiles { [t0, t1 = 0] : 2 <= t0 <= 61 }: none
      // volcli:   tiles { [t0 = 0, t1 = 0] }: 8, 9
      // volcli:   tiles { [t0 = 1, t1 = 0] }: 1
      // volcli:   tiles { [t0 = 62, t1 = 0] }: none
      // volcli:   tiles { [t0 = 62, t1 = 62] }: 14
      %up = affine.load %h[%i - 1, %j] : memref<501x501xi32>
      // volcli: mars %h produced, read here: 1, 2, 3, 4
      // volcli: mars %h read, read here:
      // volcli:   tiles { [t0, t1 = t0] : 0 < t0 <= 61 }: none
      // volcli:   tiles { [t0, t1 = -1 + t0] : t0 >= 2 }: none
      // volcli:   tiles { [t0, t1 = 0] : 2 <= t0 <= 61 }: 6, 7
      // volcli:   tiles { [t0 = 0, t1 = 0] }: 8, 9
      // volcli:   tiles { [t0 = 1, t1 = 0] }: 5, 10
      // volcli:   tiles { [t0 = 62, t1 = 0] }: 12
      // volcli:   tiles { [t0 = 62, t1 = 62] }: none
      %left = affine.load %h[%i, %j - 1] : memref<501x501xi32>
      %score = arith.subi %a, %b : i32
      %match = arith.addi %diagonal, %score : i32
      %down = arith.addi %up, %gap : i32
      %right = arith.addi %left, %gap : i32
      %0 = arith.maxsi %match, %down : i32
      %1 = arith.maxsi %0, %right : i32
      %best = arith.maxsi %1, %zero : i32
      // volcli: mars %h produced, written here: 1, 2, 3, 4
      affine.store %best, %h[%i, %j] : memref<501x501xi32>
    }
  }
  return
}
