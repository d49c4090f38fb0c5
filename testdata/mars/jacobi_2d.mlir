// RUN: volcli annotate %s -p "mars{tile='t+i:8, t-i:8, t+j:8' assume-noalias-args}"
// Five points before each one; tiles are diamonds in t and i, and skewed in j.
func.func @jacobi_2d(%a: memref<50x200x200xf32>) {
  %fifth = arith.constant 0.2 : f32
  affine.for %t = 1 to 50 {
    affine.for %i = 1 to 199 {
      affine.for %j = 1 to 199 {
        // volcli: mars %a produced, tile t + i: 8, t - i: 8, t + j: 8:
        // volcli:   1. { a[t, i, j] : i >= -5 + t and -t <= i <= 5 - t and i <= t and 6 - t <= j <= 7 - t } to (0, 0, 1): 36
        // volcli:   2. { a[t, i = -6 + t, j = 6 - t] : 3 <= t <= 5 } to (0, 0, 1), (0, 1, 0): 3
        // volcli:   3. { a[t, i = -7 + t, j = 7 - t] : 4 <= t <= 6 } to (0, 0, 1), (0, 1, 0), (0, 1, 1): 3
        // volcli:   4. { a[t = 6, i = 0, j = 0] } to (0, 0, 1), (0, 1, 0), (1, 0, 0): 1
        // volcli:   5. { a[t, i = -6 + t, j = 7 - t] : 3 <= t <= 5 } to (0, 0, 1), (0, 1, 1): 3
        // volcli:   6. { a[t = 6, i = 0, j = 1] } to (0, 0, 1), (0, 1, 1), (1, 0, 1): 1
        // volcli:   7. { a[t, i = 6 - t, j = 6 - t] : 3 <= t <= 5 } to (0, 0, 1), (1, 0, 0): 3
        // volcli:   8. { a[t, i = 7 - t, j = 7 - t] : 4 <= t <= 6 } to (0, 0, 1), (1, 0, 0), (1, 0, 1): 3
        // volcli:   9. { a[t, i = 6 - t, j = 7 - t] : 3 <= t <= 5 } to (0, 0, 1), (1, 0, 1): 3
        // volcli:   10. { a[t, i, j] : i >= -7 + t and -3 <= i <= 5 - t and i <= -6 + t and -t <= j <= 5 - t } to (0, 1, 0): 36
        // volcli:   11. { a[t, i = -7 + t, j = 6 - t] : 4 <= t <= 6 } to (0, 1, 0), (0, 1, 1): 3
        // volcli:   12. { a[t = 6, i = 0, j] : -6 <= j < 0 } to (0, 1, 0), (1, 0, 0): 6
        // volcli:   13. { a[t = 7, i = 0, j] : -7 <= j <= -2 } to (0, 1, 0), (1, 0, 0), (1, 1, 0): 6
        // volcli:   14. { a[t = 7, i = 0, j = -1] } to (0, 1, 0), (1, 0, 0), (1, 1, 0), (1, 1, 1): 1
        // volcli:   15. { a[t = 7, i = 0, j = 0] } to (0, 1, 1), (1, 0, 1), (1, 1, 0), (1, 1, 1): 1
        // volcli:   16. { a[t, i, j] : i > 0 and 6 - t <= i <= 7 - t and i <= 3 and -t <= j <= 5 - t } to (1, 0, 0): 36
        // volcli:   17. { a[t, i = 7 - t, j = 6 - t] : 4 <= t <= 6 } to (1, 0, 0), (1, 0, 1): 3
        // volcli:   a tile produces 17 sets, and reads 40 of other tiles
        // volcli:   in the order 1, 2, 3, 5, 6, 9, 8, 7, 4, 12, 10, 11, 13, 14, 15, 17, 16, the best found: 13 bursts a tile, 48 in row-major order
        // volcli:   for tiles { [t0, t1, t2] : t1 >= -48 + t0 and -t0 < t1 <= 10 - t0 and t1 <= -2 + t0 and 2 + t0 + t1 <= 2t2 <= 47 + t0 + t1 }
        // volcli:   not for 3902 other tiles, at the ends of loops
        // volcli: mars %a produced, read here: 1, 3, 5, 6, 8, 9, 10, 11, 13, 14, 15, 16, 17
        // volcli: mars %a read, tile t + i: 8, t - i: 8, t + j: 8:
        // volcli:   1. { a[d0, d1 = 0, d2] : 6 <= d0 <= 7 and 15 - d0 <= d2 <= 22 - d0 } to { [t0 = 1, t1 = 0, t2 = 2] }
        // volcli:   2. { a[d0 = 14, d1 = 8, d2 = 0] } to { [t0 = 2, t1 = 0, t2 = 2] }
        // volcli:   tiles { [t0, t1 = -1 + t0, t2] }, of which (1, 0, 2) is shown: 1 set, of 1: 16
        // volcli:   tiles { [t0, t1, t2] : 2t2 = 2 + t0 + t1 and t1 >= 2 - t0 }, of which (2, 0, 2) is shown: 1 set, of 2: 1
        // volcli:   no tile is whole inside the iterations
        // volcli:   for tiles { [t0, t1, t2] : 2t2 = 2 + t0 + t1 and t1 >= -48 + t0 and 2 - t0 <= t1 <= 10 - t0 and t1 <= -2 + t0; [t0, t1 = -1 + t0, t2] : 0 < t0 <= 5 and t0 < t2 <= 23 + t0 }
        // volcli:   not for 2755 other tiles, at the ends of loops
        // volcli: mars %a read, read here: none
        %c = affine.load %a[%t - 1, %i, %j] : memref<50x200x200xf32>
        // volcli: mars %a produced, read here: 1, 3, 4, 5, 6, 7, 8, 9, 12, 13, 14, 15, 16, 17
        // volcli: mars %a read, read here:
        // volcli:   tiles { [t0, t1 = -1 + t0, t2] }: 1
        // volcli:   tiles { [t0, t1, t2] : 2t2 = 2 + t0 + t1 and t1 >= 2 - t0 }: none
        %n = affine.load %a[%t - 1, %i - 1, %j] : memref<50x200x200xf32>
        // volcli: mars %a produced, read here: 1, 2, 3, 4, 5, 6, 8, 9, 10, 11, 12, 13, 14, 15
        // volcli: mars %a read, read here: none
        %s = affine.load %a[%t - 1, %i + 1, %j] : memref<50x200x200xf32>
        // volcli: mars %a produced, read here: 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 14, 15, 16, 17
        // volcli: mars %a read, read here:
        // volcli:   tiles { [t0, t1 = -1 + t0, t2] }: none
        // volcli:   tiles { [t0, t1, t2] : 2t2 = 2 + t0 + t1 and t1 >= 2 - t0 }: 2
        %w = affine.load %a[%t - 1, %i, %j - 1] : memref<50x200x200xf32>
        // volcli: mars %a produced, read here: 3, 8, 10, 11, 13, 14, 15, 16, 17
        // volcli: mars %a read, read here: none
        %e = affine.load %a[%t - 1, %i, %j + 1] : memref<50x200x200xf32>
        %0 = arith.addf %c, %n : f32
        %1 = arith.addf %0, %s : f32
        %2 = arith.addf %1, %w : f32
        %3 = arith.addf %2, %e : f32
        %4 = arith.mulf %3, %fifth : f32
        // volcli: mars %a produced, written here: 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17
        affine.store %4, %a[%t, %i, %j] : memref<50x200x200xf32>
      }
    }
  }
  return
}
