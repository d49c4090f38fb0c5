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
        // volcli: mars %a read, tile t: 8, t + i: 8, 2*t + i + j: 8:
        // volcli:   1. { a[d0 = 0, d1] : 9 <= d1 <= 16 } to { [t0, t1, t2] : (1 + t2) mod 2 = 0 and t2 >= 2 + 2t0 and t2 >= 2t1 and 2 <= t2 <= 13 and t2 <= 1 + 2t1 and t2 <= 3 + 2t0 }
        // volcli:   2. { a[d0, d1] : 8 <= d0 <= 16 and d1 >= 9 and 24 - d0 <= d1 <= 31 - d0 } to { [t0 = 0, t1 = 1, t2 = 3] }
        // volcli:   3. { a[d0, d1 = 32 - d0] : 8 <= d0 <= 15 } to { [t0 = 0, t1 = 1, t2] : 3 <= t2 <= 4 }
        // volcli:   4. { a[d0 = 16, d1 = 16] } to { [t0 = 0, t1, t2 = 2 + t1] : 0 < t1 <= 2 }
        // volcli:   5. { a[d0 = 0, d1] : 17 <= d1 <= 24 } to { [t0, t1, t2] : (t2) mod 2 = 0 and t2 >= 3 + 2t0 and t2 > 2t1 and 3 <= t2 <= 14 and t2 <= 2 + 2t1 and t2 <= 4 + 2t0 }
        // volcli:   6. { a[d0, d1] : 8 <= d0 <= 15 and 33 - d0 <= d1 <= 39 - d0 } to { [t0 = 0, t1 = 1, t2 = 4] }
        // volcli:   7. { a[d0, d1 = 40 - d0] : 8 <= d0 <= 15 } to { [t0 = 0, t1 = 1, t2] : 4 <= t2 <= 5 }
        // volcli:   8. { a[d0 = 16, d1] : 17 <= d1 <= 23 } to { [t0 = 0, t1, t2 = 4] : 0 < t1 <= 2 }
        // volcli:   9. { a[d0 = 16, d1 = 24] } to { [t0 = 0, t1, t2] : 0 < t1 <= 2 and t2 >= 2 + t1 and 4 <= t2 <= 5 and t2 <= 3 + t1 }
        // volcli:   10. { a[d0, d1] : d0 >= 17 and 9 <= d1 <= 39 - d0 and (d1 >= 17 or (d0 <= 24 and 32 - d0 <= d1 <= 16)) } to { [t0 = 0, t1 = 2, t2 = 4] }
        // volcli:   11. { a[d0, d1 = 40 - d0] : 17 <= d0 <= 23 } to { [t0 = 0, t1 = 2, t2] : 4 <= t2 <= 5 }
        // volcli:   12. { a[d0 = 24, d1 = 16] } to { [t0 = 0, t1, t2 = 2 + t1] : 2 <= t1 <= 3 }
        // volcli:   13. { a[d0 = 16, d1] : 25 <= d1 <= 31 } to { [t0 = 0, t1, t2 = 5] : 0 < t1 <= 2 }
        // volcli:   14. { a[d0 = 16, d1 = 32] } to { [t0 = 0, t1, t2] : 0 < t1 <= 2 and t2 >= 2 + t1 and 5 <= t2 <= 6 and t2 <= 4 + t1 }
        // volcli:   15. { a[d0, d1] : 17 <= d0 <= 23 and 41 - d0 <= d1 <= 47 - d0 } to { [t0 = 0, t1 = 2, t2 = 5] }
        // volcli:   16. { a[d0, d1 = 48 - d0] : 17 <= d0 <= 23 } to { [t0 = 0, t1 = 2, t2] : 5 <= t2 <= 6 }
        // volcli:   17. { a[d0 = 24, d1] : 17 <= d1 <= 23 } to { [t0 = 0, t1, t2 = 5] : 2 <= t1 <= 3 }
        // volcli:   18. { a[d0 = 24, d1 = 24] } to { [t0 = 0, t1, t2] : 2 <= t1 <= 3 and t2 >= 2 + t1 and 5 <= t2 <= 6 and t2 <= 3 + t1 }
        // volcli:   19. { a[d0 = 0, d1] : 177 <= d1 <= 184 } to { [t0, t1, t2] : (t2) mod 2 = 0 and t2 >= 23 + 2t0 and t2 >= 21 + 2t1 and 23 <= t2 <= 34 and t2 <= 22 + 2t1 and t2 <= 24 + 2t0 }
        // volcli:   20. { a[d0, d1 = 192 - d0] : 8 <= d0 <= 15 } to { [t0 = 0, t1 = 1, t2] : 23 <= t2 <= 24 }
        // volcli:   21. { a[d0, d1] : 8 <= d0 <= 15 and 193 - d0 <= d1 <= 200 - d0 } to { [t0 = 0, t1 = 1, t2 = 24] }
        // volcli:   22. { a[d0 = 16, d1] : 177 <= d1 <= 183 } to { [t0 = 0, t1, t2 = 24] : 0 < t1 <= 2 }
        // volcli:   23. { a[d0 = 16, d1 = 184] } to { [t0 = 0, t1, t2] : 0 < t1 <= 2 and t2 >= 2 + t1 and 24 <= t2 <= 25 and t2 <= 23 + t1 }
        // volcli:   24. { a[d0, d1] : 16 <= d0 <= 23 and 201 - d0 <= d1 <= 208 - d0 } to { [t0 = 0, t1 = 2, t2 = 25] }
        // volcli:   25. { a[d0, d1 = 200 - d0] : 17 <= d0 <= 23 } to { [t0 = 0, t1 = 2, t2] : 24 <= t2 <= 25 }
        // volcli:   26. { a[d0 = 24, d1] : 177 <= d1 <= 183 } to { [t0 = 0, t1, t2 = 25] : 2 <= t1 <= 3 }
        // volcli:   27. { a[d0 = 24, d1 = 184] } to { [t0 = 0, t1, t2] : 2 <= t1 <= 3 and t2 >= 2 + t1 and 25 <= t2 <= 26 and t2 <= 23 + t1 }
        // volcli:   28. { a[d0 = 184, d1 = 16] } to { [t0 = 0, t1, t2 = 2 + t1] : 22 <= t1 <= 23 }
        // volcli:   29. { a[d0 = 184, d1] : 17 <= d1 <= 23 } to { [t0 = 0, t1, t2 = 25] : 22 <= t1 <= 23 }
        // volcli:   30. { a[d0 = 184, d1 = 24] } to { [t0 = 0, t1, t2] : 22 <= t1 <= 23 and t2 >= 2 + t1 and 25 <= t2 <= 26 and t2 <= 3 + t1 }
        // volcli:   31. { a[d0, d1] : d0 >= 185 and d1 >= 9 and ((17 <= d1 <= 207 - d0) or (d0 <= 192 and 200 - d0 <= d1 <= 16)) } to { [t0 = 0, t1 = 23, t2 = 25] }
        // volcli:   32. { a[d0, d1 = 208 - d0] : 185 <= d0 <= 191 } to { [t0 = 0, t1 = 23, t2] : 25 <= t2 <= 26 }
        // volcli:   33. { a[d0 = 184, d1] : 25 <= d1 <= 31 } to { [t0 = 0, t1, t2 = 26] : 22 <= t1 <= 23 }
        // volcli:   34. { a[d0 = 184, d1 = 32] } to { [t0 = 0, t1, t2] : 22 <= t1 <= 23 and t2 >= 2 + t1 and 26 <= t2 <= 27 and t2 <= 4 + t1 }
        // volcli:   35. { a[d0, d1] : (d0 >= 185 and 25 <= d1 <= 215 - d0) or (d0 <= 192 and 209 - d0 <= d1 <= 24) } to { [t0 = 0, t1 = 23, t2 = 26] }
        // volcli:   36. { a[d0, d1 = 216 - d0] : 185 <= d0 <= 191 } to { [t0 = 0, t1 = 23, t2] : 26 <= t2 <= 27 }
        // volcli:   37. { a[d0 = 184, d1 = 184] } to { [t0 = 0, t1, t2] : 22 <= t1 <= 23 and t2 >= 2 + t1 and 45 <= t2 <= 46 and t2 <= 23 + t1 }
        // volcli:   38. { a[d0, d1] : 184 <= d0 <= 192 and 369 - d0 <= d1 <= 376 - d0 } to { [t0 = 0, t1 = 23, t2 = 46] }
        // volcli:   39. { a[d0, d1 = 368 - d0] : 185 <= d0 <= 191 } to { [t0 = 0, t1 = 23, t2] : 45 <= t2 <= 46 }
        // volcli:   tiles { [t0 = 0, t1 = 1, t2 = 3] }: 4 sets, of 1: 8; 2: 71; 3: 8; 4: 1
        // volcli:   tiles { [t0 = 0, t1 = 1, t2] : 4 <= t2 <= 23 }, of which (0, 1, 4) is shown: 6 sets, of 5: 8; 3: 8; 6: 56; 7: 8; 8: 7; 9: 1
        // volcli:   tiles { [t0 = 0, t1, t2 = 2 + t1] : 2 <= t1 <= 22 }, of which (0, 2, 4) is shown: 6 sets, of 4: 1; 8: 7; 9: 1; 10: 63; 11: 7; 12: 1
        // volcli:   tiles { [t0 = 0, t1, t2] : 2 <= t1 <= 22 and 3 + t1 <= t2 <= 22 + t1 }, of which (0, 2, 5) is shown: 8 sets, of 9: 1; 13: 7; 14: 1; 11: 7; 15: 49; 16: 7; 17: 7; 18: 1
        // volcli:   tiles { [t0, t1 = 1 + t0, t2] : t0 > 0 and t2 <= 24 + 2t0 }, of which (1, 2, 5) is shown: 1 set, of 1: 8
        // volcli:   tiles { [t0 = 0, t1 = 1, t2 = 24] }: 5 sets, of 19: 8; 20: 8; 21: 64; 22: 7; 23: 1
        // volcli:   tiles { [t0 = 0, t1, t2 = 23 + t1] : 2 <= t1 <= 22 }, of which (0, 2, 25) is shown: 5 sets, of 23: 1; 24: 64; 25: 7; 26: 7; 27: 1
        // volcli:   tiles { [t0 = 0, t1 = 23, t2 = 25] }: 5 sets, of 28: 1; 29: 7; 30: 1; 31: 64; 32: 7
        // volcli:   tiles { [t0 = 0, t1 = 23, t2] : 26 <= t2 <= 45 }, of which (0, 23, 26) is shown: 6 sets, of 30: 1; 33: 7; 34: 1; 32: 7; 35: 57; 36: 7
        // volcli:   tiles { [t0 = 0, t1 = 23, t2 = 46] }: 3 sets, of 37: 1; 38: 72; 39: 7
        // volcli:   no tile is whole inside the iterations
        // volcli:   for tiles { [t0, t1 = 1 + t0, t2] : 0 < t0 <= 5 and 3 + 2t0 <= t2 <= 24 + 2t0; [t0 = 0, t1, t2] : 2 <= t1 <= 22 and 3 + t1 <= t2 <= 22 + t1; [t0 = 0, t1, t2 = 23 + t1] : 2 <= t1 <= 22; [t0 = 0, t1 = 23, t2] : 26 <= t2 <= 45; [t0 = 0, t1, t2 = 2 + t1] : 2 <= t1 <= 22; [t0 = 0, t1 = 1, t2] : 4 <= t2 <= 23; [t0 = 0, t1 = 23, t2 = 46]; [t0 = 0, t1 = 23, t2 = 25]; [t0 = 0, t1 = 1, t2 = 24]; [t0 = 0, t1 = 1, t2 = 3] }
        // volcli:   not for 1320 other tiles, at the ends of loops
        // volcli:   only whole tiles count as consumers
        // volcli: mars %a read, read here:
        // volcli:   tiles { [t0 = 0, t1 = 1, t2 = 3] }: 1
        // volcli:   tiles { [t0 = 0, t1 = 1, t2] : 4 <= t2 <= 23 }: 5
        // volcli:   tiles { [t0 = 0, t1, t2 = 2 + t1] : 2 <= t1 <= 22 }: none
        // volcli:   tiles { [t0 = 0, t1, t2] : 2 <= t1 <= 22 and 3 + t1 <= t2 <= 22 + t1 }: none
        // volcli:   tiles { [t0, t1 = 1 + t0, t2] : t0 > 0 and t2 <= 24 + 2t0 }: 1
        // volcli:   tiles { [t0 = 0, t1 = 1, t2 = 24] }: 19
        // volcli:   tiles { [t0 = 0, t1, t2 = 23 + t1] : 2 <= t1 <= 22 }: none
        // volcli:   tiles { [t0 = 0, t1 = 23, t2 = 25] }: none
        // volcli:   tiles { [t0 = 0, t1 = 23, t2] : 26 <= t2 <= 45 }: none
        // volcli:   tiles { [t0 = 0, t1 = 23, t2 = 46] }: none
        %n = affine.load %a[%i - 1, %j] : memref<200x200xf32>
        // volcli: mars %a produced, read here: 1, 2, 3, 4
        // volcli: mars %a read, read here: none
        %w = affine.load %a[%i, %j - 1] : memref<200x200xf32>
        // volcli: mars %a produced, read here: 1, 2, 3, 4, 5, 6, 7, 8, 9, 10
        // volcli: mars %a read, read here:
        // volcli:   tiles { [t0 = 0, t1 = 1, t2 = 3] }: 2
        // volcli:   tiles { [t0 = 0, t1 = 1, t2] : 4 <= t2 <= 23 }: 3, 6
        // volcli:   tiles { [t0 = 0, t1, t2 = 2 + t1] : 2 <= t1 <= 22 }: 4, 8, 10
        // volcli:   tiles { [t0 = 0, t1, t2] : 2 <= t1 <= 22 and 3 + t1 <= t2 <= 22 + t1 }: 9, 11, 13, 15
        // volcli:   tiles { [t0, t1 = 1 + t0, t2] : t0 > 0 and t2 <= 24 + 2t0 }: none
        // volcli:   tiles { [t0 = 0, t1 = 1, t2 = 24] }: 20, 21
        // volcli:   tiles { [t0 = 0, t1, t2 = 23 + t1] : 2 <= t1 <= 22 }: 23, 24, 25
        // volcli:   tiles { [t0 = 0, t1 = 23, t2 = 25] }: 28, 29, 31
        // volcli:   tiles { [t0 = 0, t1 = 23, t2] : 26 <= t2 <= 45 }: 30, 32, 33, 35
        // volcli:   tiles { [t0 = 0, t1 = 23, t2 = 46] }: 37, 38, 39
        %c = affine.load %a[%i, %j] : memref<200x200xf32>
        // volcli: mars %a produced, read here: 1, 2, 3, 4, 5, 6, 7, 8, 9, 10
        // volcli: mars %a read, read here:
        // volcli:   tiles { [t0 = 0, t1 = 1, t2 = 3] }: 2, 3
        // volcli:   tiles { [t0 = 0, t1 = 1, t2] : 4 <= t2 <= 23 }: 6, 7
        // volcli:   tiles { [t0 = 0, t1, t2 = 2 + t1] : 2 <= t1 <= 22 }: 8, 9, 10, 11
        // volcli:   tiles { [t0 = 0, t1, t2] : 2 <= t1 <= 22 and 3 + t1 <= t2 <= 22 + t1 }: 13, 14, 15, 16
        // volcli:   tiles { [t0, t1 = 1 + t0, t2] : t0 > 0 and t2 <= 24 + 2t0 }: none
        // volcli:   tiles { [t0 = 0, t1 = 1, t2 = 24] }: 21
        // volcli:   tiles { [t0 = 0, t1, t2 = 23 + t1] : 2 <= t1 <= 22 }: 24
        // volcli:   tiles { [t0 = 0, t1 = 23, t2 = 25] }: 29, 30, 31, 32
        // volcli:   tiles { [t0 = 0, t1 = 23, t2] : 26 <= t2 <= 45 }: 33, 34, 35, 36
        // volcli:   tiles { [t0 = 0, t1 = 23, t2 = 46] }: 38
        %e = affine.load %a[%i, %j + 1] : memref<200x200xf32>
        // volcli: mars %a produced, read here: 1, 2, 3, 4, 7, 8, 9, 10
        // volcli: mars %a read, read here:
        // volcli:   tiles { [t0 = 0, t1 = 1, t2 = 3] }: 2, 3, 4
        // volcli:   tiles { [t0 = 0, t1 = 1, t2] : 4 <= t2 <= 23 }: 6, 7, 8, 9
        // volcli:   tiles { [t0 = 0, t1, t2 = 2 + t1] : 2 <= t1 <= 22 }: 10, 11, 12
        // volcli:   tiles { [t0 = 0, t1, t2] : 2 <= t1 <= 22 and 3 + t1 <= t2 <= 22 + t1 }: 15, 16, 17, 18
        // volcli:   tiles { [t0, t1 = 1 + t0, t2] : t0 > 0 and t2 <= 24 + 2t0 }: none
        // volcli:   tiles { [t0 = 0, t1 = 1, t2 = 24] }: 21, 22, 23
        // volcli:   tiles { [t0 = 0, t1, t2 = 23 + t1] : 2 <= t1 <= 22 }: 24, 26, 27
        // volcli:   tiles { [t0 = 0, t1 = 23, t2 = 25] }: 31, 32
        // volcli:   tiles { [t0 = 0, t1 = 23, t2] : 26 <= t2 <= 45 }: 35, 36
        // volcli:   tiles { [t0 = 0, t1 = 23, t2 = 46] }: 38
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
