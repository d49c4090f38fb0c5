// RUN: volcli annotate %s -p "mars{tile='t:8, t+i:8, 2*t+i+j:8' assume-noalias-args}"
// In place: what is read left and above is of this sweep, the rest of the one before. Values are followed through
// memory to the last writer.
func.func @seidel_2d(%a: memref<200x200xf32>) {
  %fifth = arith.constant 0.2 : f32
  affine.for %t = 0 to 50 {
    affine.for %i = 1 to 199 {
      affine.for %j = 1 to 199 {
        // volcli: mars %a produced, tile t: 8, t + i: 8, 2*t + i + j: 8:
        // volcli:   1. { a[t, i, j] : 0 <= t <= 6 and -t <= i <= 6 - t and 6 - 2t - i <= j <= 7 - 2t - i } to (0, 0, 1): 98
        // volcli:   2. { a[t, i = 7 - t, j = -t] : 0 <= t <= 6 } to (0, 0, 1), (0, 1, 1): 7
        // volcli:   3. { a[t = 7, i = 0, j = -7] } to (0, 0, 1), (0, 1, 1), (1, 0, 1), (1, 1, 1): 1
        // volcli:   4. { a[t = 7, i, j = -7 - i] : -7 <= i < 0 } to (0, 0, 1), (1, 0, 1): 7
        // volcli:   5. { a[t, i = 7 - t, j] : 0 <= t <= 6 and -7 - t <= j <= -2 - t } to (0, 1, 0): 42
        // volcli:   6. { a[t, i = 7 - t, j = -1 - t] : 0 <= t <= 6 } to (0, 1, 0), (0, 1, 1): 7
        // volcli:   7. { a[t = 7, i = 0, j] : -14 <= j <= -9 } to (0, 1, 0), (1, 0, 0), (1, 1, 0): 6
        // volcli:   8. { a[t = 7, i = 0, j = -8] } to (0, 1, 0), (1, 0, 0), (1, 1, 0), (1, 1, 1): 1
        // volcli:   9. { a[t = 7, i, j] : -7 <= i < 0 and -14 - i <= j <= -9 - i } to (1, 0, 0): 42
        // volcli:   10. { a[t = 7, i, j = -8 - i] : -7 <= i < 0 } to (1, 0, 0), (1, 0, 1): 7
        // volcli:   a tile produces 10 sets, and reads 22 of other tiles
        // volcli:   in the order 1, 2, 3, 4, 10, 9, 7, 8, 5, 6: 9 bursts a tile, 17 in row-major order
        // volcli:   for tiles { [t0, t1, t2] : 0 <= t0 <= 5 and t0 < t1 <= 23 + t0 and 2 + t0 + t1 <= t2 <= 23 + t0 + t1 }
        // volcli:   not for 1825 other tiles, at the ends of loops
        // volcli: mars %a produced, read here: 1, 2, 3, 4, 5, 6, 7, 8
        // volcli: mars %a read: unknown: budget: more than 2000000 integer set operations
        %n = affine.load %a[%i - 1, %j] : memref<200x200xf32>
        // volcli: mars %a produced, read here: 1, 2, 3, 4
        %w = affine.load %a[%i, %j - 1] : memref<200x200xf32>
        // volcli: mars %a produced, read here: 1, 2, 3, 4, 5, 6, 7, 8, 9, 10
        %c = affine.load %a[%i, %j] : memref<200x200xf32>
        // volcli: mars %a produced, read here: 1, 2, 3, 4, 5, 6, 7, 8, 9, 10
        %e = affine.load %a[%i, %j + 1] : memref<200x200xf32>
        // volcli: mars %a produced, read here: 1, 2, 3, 4, 7, 8, 9, 10
        %s = affine.load %a[%i + 1, %j] : memref<200x200xf32>
        %0 = arith.addf %n, %w : f32
        %1 = arith.addf %0, %c : f32
        %2 = arith.addf %1, %e : f32
        %3 = arith.addf %2, %s : f32
        %4 = arith.mulf %3, %fifth : f32
        // volcli: mars %a produced, written here: 1, 2, 3, 4, 5, 6, 7, 8, 9, 10
        affine.store %4, %a[%i, %j] : memref<200x200xf32>
      }
    }
  }
  return
}
