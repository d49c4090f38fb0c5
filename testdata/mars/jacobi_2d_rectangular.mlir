// RUN: volcli annotate %s -p "mars{tile='t:8, t+i:8, t+j:8' assume-noalias-args}"
// The same stencil in tiles that are skewed rectangles: 13 sets are produced, and 28 read.
func.func @jacobi_2d(%a: memref<50x200x200xf32>) {
  %fifth = arith.constant 0.2 : f32
  affine.for %t = 1 to 50 {
    affine.for %i = 1 to 199 {
      affine.for %j = 1 to 199 {
        // volcli: mars %a produced, tile t: 8, t + i: 8, t + j: 8:
        // volcli:   1. { a[t, i, j] : 0 <= t <= 6 and -t <= i <= 5 - t and 6 - t <= j <= 7 - t } to (0, 0, 1): 84
        // volcli:   2. { a[t, i = 6 - t, j = 6 - t] : 0 <= t <= 6 } to (0, 0, 1), (0, 1, 0): 7
        // volcli:   3. { a[t, i = 7 - t, j = 7 - t] : 0 <= t <= 6 } to (0, 0, 1), (0, 1, 0), (0, 1, 1): 7
        // volcli:   4. { a[t, i = 6 - t, j = 7 - t] : 0 <= t <= 6 } to (0, 0, 1), (0, 1, 1): 7
        // volcli:   5. { a[t, i, j] : 0 <= t <= 6 and 6 - t <= i <= 7 - t and -t <= j <= 5 - t } to (0, 1, 0): 84
        // volcli:   6. { a[t, i = 7 - t, j = 6 - t] : 0 <= t <= 6 } to (0, 1, 0), (0, 1, 1): 7
        // volcli:   7. { a[t = 7, i, j] : -7 <= i <= -2 and -7 <= j <= -2 } to (1, 0, 0): 36
        // volcli:   8. { a[t = 7, i, j] : -7 <= i <= -2 and -1 <= j <= 0 } to (1, 0, 0), (1, 0, 1): 12
        // volcli:   9. { a[t = 7, i = -1, j = -1] } to (1, 0, 0), (1, 0, 1), (1, 1, 0): 1
        // volcli:   10. { a[t = 7, i = -1, j = 0] } to (1, 0, 0), (1, 0, 1), (1, 1, 1): 1
        // volcli:   11. { a[t = 7, i, j] : -1 <= i <= 0 and -7 <= j <= -2 } to (1, 0, 0), (1, 1, 0): 12
        // volcli:   12. { a[t = 7, i = 0, j = -1] } to (1, 0, 0), (1, 1, 0), (1, 1, 1): 1
        // volcli:   13. { a[t = 7, i = 0, j = 0] } to (1, 0, 1), (1, 1, 0), (1, 1, 1): 1
        // volcli:   a tile produces 13 sets, and reads 28 of other tiles
        // volcli:   in the order 1, 2, 3, 4, 6, 5, 7, 8, 9, 11, 12, 10, 13, the best found: 10 bursts a tile, 80 in row-major order
        // volcli:   for tiles { [t0, t1, t2] : 0 < t0 <= 5 and t0 < t1 <= 23 + t0 and t0 < t2 <= 23 + t0 }
        // volcli:   not for 2035 other tiles, at the ends of loops
        // volcli: mars %a produced, read here: 1, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13
        // volcli: mars %a read, tile t: 8, t + i: 8, t + j: 8:
        // volcli:   1. { a[d0 = 14, d1, d2 = 0] : 0 < d1 <= 8; a[d0 = 14, d1 = 0, d2] : 0 < d2 <= 8 } to { [t0 = 1, t1 = 2, t2 = 2] }
        // volcli:   2. { a[d0 = 14, d1 = 0, d2] : 9 <= d2 <= 16 } to { [t0 = 1, t1 = 2, t2 = 3] }
        // volcli:   3. { a[d0 = 14, d1, d2 = 0] : 9 <= d1 <= 16 } to { [t0 = 1, t1 = 3, t2 = 2] }
        // volcli:   tiles { [t0, t1 = 1 + t0, t2 = 1 + t0] }, of which (1, 2, 2) is shown: 1 set, of 1: 16
        // volcli:   tiles { [t0, t1 = 1 + t0, t2] : t2 >= 2 + t0 }, of which (1, 2, 3) is shown: 1 set, of 2: 8
        // volcli:   tiles { [t0, t1, t2 = 1 + t0] : t1 >= 2 + t0 }, of which (1, 3, 2) is shown: 1 set, of 3: 8
        // volcli:   no tile is whole inside the iterations
        // volcli:   for tiles { [t0, t1, t2 = 1 + t0] : 0 < t0 <= 5 and 2 + t0 <= t1 <= 23 + t0; [t0, t1 = 1 + t0, t2] : 0 < t0 <= 5 and 2 + t0 <= t2 <= 23 + t0; [t0, t1 = 1 + t0, t2 = 1 + t0] : 0 < t0 <= 5 }
        // volcli:   not for 1507 other tiles, at the ends of loops
        // volcli: mars %a read, read here: none
        %c = affine.load %a[%t - 1, %i, %j] : memref<50x200x200xf32>
        // volcli: mars %a produced, read here: 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13
        // volcli: mars %a read, read here:
        // volcli:   tiles { [t0, t1 = 1 + t0, t2 = 1 + t0] }: 1
        // volcli:   tiles { [t0, t1 = 1 + t0, t2] : t2 >= 2 + t0 }: 2
        // volcli:   tiles { [t0, t1, t2 = 1 + t0] : t1 >= 2 + t0 }: none
        %n = affine.load %a[%t - 1, %i - 1, %j] : memref<50x200x200xf32>
        // volcli: mars %a produced, read here: 1, 3, 4, 7, 8, 9, 10, 11, 12, 13
        // volcli: mars %a read, read here: none
        %s = affine.load %a[%t - 1, %i + 1, %j] : memref<50x200x200xf32>
        // volcli: mars %a produced, read here: 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13
        // volcli: mars %a read, read here:
        // volcli:   tiles { [t0, t1 = 1 + t0, t2 = 1 + t0] }: 1
        // volcli:   tiles { [t0, t1 = 1 + t0, t2] : t2 >= 2 + t0 }: none
        // volcli:   tiles { [t0, t1, t2 = 1 + t0] : t1 >= 2 + t0 }: 3
        %w = affine.load %a[%t - 1, %i, %j - 1] : memref<50x200x200xf32>
        // volcli: mars %a produced, read here: 3, 5, 6, 7, 8, 9, 10, 11, 12, 13
        // volcli: mars %a read, read here: none
        %e = affine.load %a[%t - 1, %i, %j + 1] : memref<50x200x200xf32>
        %0 = arith.addf %c, %n : f32
        %1 = arith.addf %0, %s : f32
        %2 = arith.addf %1, %w : f32
        %3 = arith.addf %2, %e : f32
        %4 = arith.mulf %3, %fifth : f32
        // volcli: mars %a produced, written here: 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13
        affine.store %4, %a[%t, %i, %j] : memref<50x200x200xf32>
      }
    }
  }
  return
}
