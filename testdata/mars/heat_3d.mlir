// RUN: volcli annotate %s -p "mars{tile='t:4, t+i:4, t+j:4, t+k:4' assume-noalias-args}"
// Seven points before each one, in three dimensions and time.
func.func @heat_3d(%a: memref<20x50x50x50xf32>) {
  affine.for %t = 1 to 20 {
    affine.for %i = 1 to 49 {
      affine.for %j = 1 to 49 {
        affine.for %k = 1 to 49 {
          // volcli: mars %a produced, tile t: 4, t + i: 4, t + j: 4, t + k: 4:
          // volcli:   1. { a[t, i, j, k] : 0 <= t <= 2 and -t <= i <= 1 - t and -t <= j <= 1 - t and 2 - t <= k <= 3 - t } to (0, 0, 0, 1): 24
          // volcli:   2. { a[t, i, j = 2 - t, k = 2 - t] : 0 <= t <= 2 and -t <= i <= 1 - t } to (0, 0, 0, 1), (0, 0, 1, 0): 6
          // volcli:   3. { a[t, i, j = 3 - t, k = 3 - t] : 0 <= t <= 2 and -t <= i <= 1 - t } to (0, 0, 0, 1), (0, 0, 1, 0), (0, 0, 1, 1): 6
          // volcli:   4. { a[t, i = 2 - t, j = 3 - t, k = 3 - t] : 0 <= t <= 2 } to (0, 0, 0, 1), (0, 0, 1, 0), (0, 0, 1, 1), (0, 1, 1, 1): 3
          // volcli:   5. { a[t, i = 2 - t, j = 2 - t, k = 2 - t] : 0 <= t <= 2 } to (0, 0, 0, 1), (0, 0, 1, 0), (0, 1, 0, 0): 3
          // volcli:   6. { a[t, i, j = 2 - t, k = 3 - t] : 0 <= t <= 2 and -t <= i <= 1 - t } to (0, 0, 0, 1), (0, 0, 1, 1): 6
          // volcli:   7. { a[t, i = 2 - t, j = 2 - t, k = 3 - t] : 0 <= t <= 2 } to (0, 0, 0, 1), (0, 0, 1, 1), (0, 1, 0, 1): 3
          // volcli:   8. { a[t, i = 2 - t, j, k = 2 - t] : 0 <= t <= 2 and -t <= j <= 1 - t } to (0, 0, 0, 1), (0, 1, 0, 0): 6
          // volcli:   9. { a[t, i = 3 - t, j, k = 3 - t] : 0 <= t <= 2 and -t <= j <= 1 - t } to (0, 0, 0, 1), (0, 1, 0, 0), (0, 1, 0, 1): 6
          // volcli:   10. { a[t, i = 3 - t, j = 2 - t, k = 3 - t] : 0 <= t <= 2 } to (0, 0, 0, 1), (0, 1, 0, 0), (0, 1, 0, 1), (0, 1, 1, 1): 3
          // volcli:   11. { a[t, i = 2 - t, j, k = 3 - t] : 0 <= t <= 2 and -t <= j <= 1 - t } to (0, 0, 0, 1), (0, 1, 0, 1): 6
          // volcli:   12. { a[t, i, j, k] : 0 <= t <= 2 and -t <= i <= 1 - t and 2 - t <= j <= 3 - t and -t <= k <= 1 - t } to (0, 0, 1, 0): 24
          // volcli:   13. { a[t, i, j = 3 - t, k = 2 - t] : 0 <= t <= 2 and -t <= i <= 1 - t } to (0, 0, 1, 0), (0, 0, 1, 1): 6
          // volcli:   14. { a[t, i = 2 - t, j = 3 - t, k = 2 - t] : 0 <= t <= 2 } to (0, 0, 1, 0), (0, 0, 1, 1), (0, 1, 1, 0): 3
          // volcli:   15. { a[t, i = 2 - t, j = 2 - t, k] : 0 <= t <= 2 and -t <= k <= 1 - t } to (0, 0, 1, 0), (0, 1, 0, 0): 6
          // volcli:   16. { a[t, i = 3 - t, j = 3 - t, k] : 0 <= t <= 2 and -t <= k <= 1 - t } to (0, 0, 1, 0), (0, 1, 0, 0), (0, 1, 1, 0): 6
          // volcli:   17. { a[t, i = 3 - t, j = 3 - t, k = 2 - t] : 0 <= t <= 2 } to (0, 0, 1, 0), (0, 1, 0, 0), (0, 1, 1, 0), (0, 1, 1, 1): 3
          // volcli:   18. { a[t, i = 2 - t, j = 3 - t, k] : 0 <= t <= 2 and -t <= k <= 1 - t } to (0, 0, 1, 0), (0, 1, 1, 0): 6
          // volcli:   19. { a[t, i = 3 - t, j = 3 - t, k = 3 - t] : 0 <= t <= 2 } to (0, 0, 1, 1), (0, 1, 0, 1), (0, 1, 1, 0), (0, 1, 1, 1): 3
          // volcli:   20. { a[t, i, j, k] : 0 <= t <= 2 and 2 - t <= i <= 3 - t and -t <= j <= 1 - t and -t <= k <= 1 - t } to (0, 1, 0, 0): 24
          // volcli:   21. { a[t, i = 3 - t, j, k = 2 - t] : 0 <= t <= 2 and -t <= j <= 1 - t } to (0, 1, 0, 0), (0, 1, 0, 1): 6
          // volcli:   22. { a[t, i = 3 - t, j = 2 - t, k = 2 - t] : 0 <= t <= 2 } to (0, 1, 0, 0), (0, 1, 0, 1), (0, 1, 1, 0): 3
          // volcli:   23. { a[t, i = 3 - t, j = 2 - t, k] : 0 <= t <= 2 and -t <= k <= 1 - t } to (0, 1, 0, 0), (0, 1, 1, 0): 6
          // volcli:   24. { a[t = 3, i, j, k] : -3 <= i <= -2 and -3 <= j <= -2 and -3 <= k <= -2 } to (1, 0, 0, 0): 8
          // volcli:   25. { a[t = 3, i, j, k] : -3 <= i <= -2 and -3 <= j <= -2 and -1 <= k <= 0 } to (1, 0, 0, 0), (1, 0, 0, 1): 8
          // volcli:   26. { a[t = 3, i, j = -1, k = -1] : -3 <= i <= -2 } to (1, 0, 0, 0), (1, 0, 0, 1), (1, 0, 1, 0): 2
          // volcli:   27. { a[t = 3, i = -1, j = -1, k = -1] } to (1, 0, 0, 0), (1, 0, 0, 1), (1, 0, 1, 0), (1, 1, 0, 0): 1
          // volcli:   28. { a[t = 3, i, j = -1, k = 0] : -3 <= i <= -2 } to (1, 0, 0, 0), (1, 0, 0, 1), (1, 0, 1, 1): 2
          // volcli:   29. { a[t = 3, i = -1, j = -1, k = 0] } to (1, 0, 0, 0), (1, 0, 0, 1), (1, 0, 1, 1), (1, 1, 0, 1): 1
          // volcli:   30. { a[t = 3, i = -1, j, k = -1] : -3 <= j <= -2 } to (1, 0, 0, 0), (1, 0, 0, 1), (1, 1, 0, 0): 2
          // volcli:   31. { a[t = 3, i = -1, j, k = 0] : -3 <= j <= -2 } to (1, 0, 0, 0), (1, 0, 0, 1), (1, 1, 0, 1): 2
          // volcli:   32. { a[t = 3, i, j, k] : -3 <= i <= -2 and -1 <= j <= 0 and -3 <= k <= -2 } to (1, 0, 0, 0), (1, 0, 1, 0): 8
          // volcli:   33. { a[t = 3, i, j = 0, k = -1] : -3 <= i <= -2 } to (1, 0, 0, 0), (1, 0, 1, 0), (1, 0, 1, 1): 2
          // volcli:   34. { a[t = 3, i = -1, j = 0, k = -1] } to (1, 0, 0, 0), (1, 0, 1, 0), (1, 0, 1, 1), (1, 1, 1, 0): 1
          // volcli:   35. { a[t = 3, i = -1, j = -1, k] : -3 <= k <= -2 } to (1, 0, 0, 0), (1, 0, 1, 0), (1, 1, 0, 0): 2
          // volcli:   36. { a[t = 3, i = -1, j = 0, k] : -3 <= k <= -2 } to (1, 0, 0, 0), (1, 0, 1, 0), (1, 1, 1, 0): 2
          // volcli:   37. { a[t = 3, i, j, k] : -1 <= i <= 0 and -3 <= j <= -2 and -3 <= k <= -2 } to (1, 0, 0, 0), (1, 1, 0, 0): 8
          // volcli:   38. { a[t = 3, i = 0, j, k = -1] : -3 <= j <= -2 } to (1, 0, 0, 0), (1, 1, 0, 0), (1, 1, 0, 1): 2
          // volcli:   39. { a[t = 3, i = 0, j = -1, k = -1] } to (1, 0, 0, 0), (1, 1, 0, 0), (1, 1, 0, 1), (1, 1, 1, 0): 1
          // volcli:   40. { a[t = 3, i = 0, j = -1, k] : -3 <= k <= -2 } to (1, 0, 0, 0), (1, 1, 0, 0), (1, 1, 1, 0): 2
          // volcli:   41. { a[t = 3, i, j = 0, k = 0] : -3 <= i <= -2 } to (1, 0, 0, 1), (1, 0, 1, 0), (1, 0, 1, 1): 2
          // volcli:   42. { a[t = 3, i = -1, j = 0, k = 0] } to (1, 0, 0, 1), (1, 0, 1, 0), (1, 0, 1, 1), (1, 1, 1, 1): 1
          // volcli:   43. { a[t = 3, i = 0, j, k = 0] : -3 <= j <= -2 } to (1, 0, 0, 1), (1, 1, 0, 0), (1, 1, 0, 1): 2
          // volcli:   44. { a[t = 3, i = 0, j = -1, k = 0] } to (1, 0, 0, 1), (1, 1, 0, 0), (1, 1, 0, 1), (1, 1, 1, 1): 1
          // volcli:   45. { a[t = 3, i = 0, j = 0, k] : -3 <= k <= -2 } to (1, 0, 1, 0), (1, 1, 0, 0), (1, 1, 1, 0): 2
          // volcli:   46. { a[t = 3, i = 0, j = 0, k = -1] } to (1, 0, 1, 0), (1, 1, 0, 0), (1, 1, 1, 0), (1, 1, 1, 1): 1
          // volcli:   47. { a[t = 3, i = 0, j = 0, k = 0] } to (1, 0, 1, 1), (1, 1, 0, 1), (1, 1, 1, 0), (1, 1, 1, 1): 1
          // volcli:   a tile produces 47 sets, and reads 133 of other tiles
          // volcli:   in the order 1, 2, 3, 4, 6, 7, 11, 9, 8, 5, 15, 12, 13, 14, 18, 16, 17, 23, 20, 21, 22, 10, 19, 24, 25, 26, 27, 30, 37, 35, 32, 33, 34, 36, 40, 39, 38, 31, 29, 28, 41, 42, 44, 43, 45, 46, 47, the best found: 37 bursts a tile, 128 in row-major order
          // volcli:   for tiles { [t0, t1, t2, t3] : 0 < t0 <= 3 and t0 < t1 <= 11 + t0 and t0 < t2 <= 11 + t0 and t0 < t3 <= 11 + t0 }
          // volcli:   not for 6991 other tiles, at the ends of loops
          // volcli: mars %a produced, read here: 1, 3, 4, 6, 7, 9, 10, 11, 12, 13, 14, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47
          // volcli: mars %a read, tile t: 4, t + i: 4, t + j: 4, t + k: 4:
          // volcli:   1. { a[d0 = 6, d1, d2, d3 = 0] : 0 < d1 <= 4 and 0 < d2 <= 4; a[d0 = 6, d1, d2 = 0, d3] : 0 < d1 <= 4 and 0 < d3 <= 4; a[d0 = 6, d1 = 0, d2, d3] : 0 < d2 <= 4 and 0 < d3 <= 4 } to { [t0 = 1, t1 = 2, t2 = 2, t3 = 2] }
          // volcli:   2. { a[d0 = 6, d1, d2 = 0, d3] : 0 < d1 <= 4 and 5 <= d3 <= 8; a[d0 = 6, d1 = 0, d2, d3] : 0 < d2 <= 4 and 5 <= d3 <= 8 } to { [t0 = 1, t1 = 2, t2 = 2, t3 = 3] }
          // volcli:   3. { a[d0 = 6, d1, d2, d3 = 0] : 0 < d1 <= 4 and 5 <= d2 <= 8; a[d0 = 6, d1 = 0, d2, d3] : 5 <= d2 <= 8 and 0 < d3 <= 4 } to { [t0 = 1, t1 = 2, t2 = 3, t3 = 2] }
          // volcli:   4. { a[d0 = 6, d1 = 0, d2, d3] : 5 <= d2 <= 8 and 5 <= d3 <= 8 } to { [t0 = 1, t1 = 2, t2 = 3, t3 = 3] }
          // volcli:   5. { a[d0 = 6, d1, d2, d3 = 0] : 5 <= d1 <= 8 and 0 < d2 <= 4; a[d0 = 6, d1, d2 = 0, d3] : 5 <= d1 <= 8 and 0 < d3 <= 4 } to { [t0 = 1, t1 = 3, t2 = 2, t3 = 2] }
          // volcli:   6. { a[d0 = 6, d1, d2 = 0, d3] : 5 <= d1 <= 8 and 5 <= d3 <= 8 } to { [t0 = 1, t1 = 3, t2 = 2, t3 = 3] }
          // volcli:   7. { a[d0 = 6, d1, d2, d3 = 0] : 5 <= d1 <= 8 and 5 <= d2 <= 8 } to { [t0 = 1, t1 = 3, t2 = 3, t3 = 2] }
          // volcli:   tiles { [t0, t1 = 1 + t0, t2 = 1 + t0, t3 = 1 + t0] }, of which (1, 2, 2, 2) is shown: 1 set, of 1: 48
          // volcli:   tiles { [t0, t1 = 1 + t0, t2 = 1 + t0, t3] : t3 >= 2 + t0 }, of which (1, 2, 2, 3) is shown: 1 set, of 2: 32
          // volcli:   tiles { [t0, t1 = 1 + t0, t2, t3 = 1 + t0] : t2 >= 2 + t0 }, of which (1, 2, 3, 2) is shown: 1 set, of 3: 32
          // volcli:   tiles { [t0, t1 = 1 + t0, t2, t3] : t2 >= 2 + t0 and t3 >= 2 + t0 }, of which (1, 2, 3, 3) is shown: 1 set, of 4: 16
          // volcli:   tiles { [t0, t1, t2 = 1 + t0, t3 = 1 + t0] : t1 >= 2 + t0 }, of which (1, 3, 2, 2) is shown: 1 set, of 5: 32
          // volcli:   tiles { [t0, t1, t2 = 1 + t0, t3] : t1 >= 2 + t0 and t3 >= 2 + t0 }, of which (1, 3, 2, 3) is shown: 1 set, of 6: 16
          // volcli:   tiles { [t0, t1, t2, t3 = 1 + t0] : t1 >= 2 + t0 and t2 >= 2 + t0 }, of which (1, 3, 3, 2) is shown: 1 set, of 7: 16
          // volcli:   no tile is whole inside the iterations
          // volcli:   for tiles { [t0, t1, t2, t3 = 1 + t0] : 0 < t0 <= 4 and 2 + t0 <= t1 <= 11 + t0 and 2 + t0 <= t2 <= 11 + t0; [t0, t1, t2 = 1 + t0, t3] : 0 < t0 <= 4 and 2 + t0 <= t1 <= 11 + t0 and 2 + t0 <= t3 <= 11 + t0; [t0, t1 = 1 + t0, t2, t3] : 0 < t0 <= 4 and 2 + t0 <= t2 <= 11 + t0 and 2 + t0 <= t3 <= 11 + t0; [t0, t1, t2 = 1 + t0, t3 = 1 + t0] : 0 < t0 <= 4 and 2 + t0 <= t1 <= 11 + t0; [t0, t1 = 1 + t0, t2, t3 = 1 + t0] : 0 < t0 <= 4 and 2 + t0 <= t2 <= 11 + t0; [t0, t1 = 1 + t0, t2 = 1 + t0, t3] : 0 < t0 <= 4 and 2 + t0 <= t3 <= 11 + t0; [t0, t1 = 1 + t0, t2 = 1 + t0, t3 = 1 + t0] : 0 < t0 <= 4 }
          // volcli:   not for 5661 other tiles, at the ends of loops
          // volcli: mars %a read, read here: none
          %c = affine.load %a[%t - 1, %i, %j, %k] : memref<20x50x50x50xf32>
          // volcli: mars %a produced, read here: 1, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47
          // volcli: mars %a read, read here:
          // volcli:   tiles { [t0, t1 = 1 + t0, t2 = 1 + t0, t3 = 1 + t0] }: 1
          // volcli:   tiles { [t0, t1 = 1 + t0, t2 = 1 + t0, t3] : t3 >= 2 + t0 }: 2
          // volcli:   tiles { [t0, t1 = 1 + t0, t2, t3 = 1 + t0] : t2 >= 2 + t0 }: 3
          // volcli:   tiles { [t0, t1 = 1 + t0, t2, t3] : t2 >= 2 + t0 and t3 >= 2 + t0 }: 4
          // volcli:   tiles { [t0, t1, t2 = 1 + t0, t3 = 1 + t0] : t1 >= 2 + t0 }: none
          // volcli:   tiles { [t0, t1, t2 = 1 + t0, t3] : t1 >= 2 + t0 and t3 >= 2 + t0 }: none
          // volcli:   tiles { [t0, t1, t2, t3 = 1 + t0] : t1 >= 2 + t0 and t2 >= 2 + t0 }: none
          %n = affine.load %a[%t - 1, %i - 1, %j, %k] : memref<20x50x50x50xf32>
          // volcli: mars %a produced, read here: 1, 3, 4, 6, 7, 9, 10, 11, 12, 13, 14, 16, 17, 18, 19, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47
          // volcli: mars %a read, read here: none
          %s = affine.load %a[%t - 1, %i + 1, %j, %k] : memref<20x50x50x50xf32>
          // volcli: mars %a produced, read here: 1, 2, 3, 4, 5, 6, 7, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47
          // volcli: mars %a read, read here:
          // volcli:   tiles { [t0, t1 = 1 + t0, t2 = 1 + t0, t3 = 1 + t0] }: 1
          // volcli:   tiles { [t0, t1 = 1 + t0, t2 = 1 + t0, t3] : t3 >= 2 + t0 }: 2
          // volcli:   tiles { [t0, t1 = 1 + t0, t2, t3 = 1 + t0] : t2 >= 2 + t0 }: none
          // volcli:   tiles { [t0, t1 = 1 + t0, t2, t3] : t2 >= 2 + t0 and t3 >= 2 + t0 }: none
          // volcli:   tiles { [t0, t1, t2 = 1 + t0, t3 = 1 + t0] : t1 >= 2 + t0 }: 5
          // volcli:   tiles { [t0, t1, t2 = 1 + t0, t3] : t1 >= 2 + t0 and t3 >= 2 + t0 }: 6
          // volcli:   tiles { [t0, t1, t2, t3 = 1 + t0] : t1 >= 2 + t0 and t2 >= 2 + t0 }: none
          %w = affine.load %a[%t - 1, %i, %j - 1, %k] : memref<20x50x50x50xf32>
          // volcli: mars %a produced, read here: 1, 3, 4, 6, 7, 9, 10, 11, 16, 17, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47
          // volcli: mars %a read, read here: none
          %e = affine.load %a[%t - 1, %i, %j + 1, %k] : memref<20x50x50x50xf32>
          // volcli: mars %a produced, read here: 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47
          // volcli: mars %a read, read here:
          // volcli:   tiles { [t0, t1 = 1 + t0, t2 = 1 + t0, t3 = 1 + t0] }: 1
          // volcli:   tiles { [t0, t1 = 1 + t0, t2 = 1 + t0, t3] : t3 >= 2 + t0 }: none
          // volcli:   tiles { [t0, t1 = 1 + t0, t2, t3 = 1 + t0] : t2 >= 2 + t0 }: 3
          // volcli:   tiles { [t0, t1 = 1 + t0, t2, t3] : t2 >= 2 + t0 and t3 >= 2 + t0 }: none
          // volcli:   tiles { [t0, t1, t2 = 1 + t0, t3 = 1 + t0] : t1 >= 2 + t0 }: 5
          // volcli:   tiles { [t0, t1, t2 = 1 + t0, t3] : t1 >= 2 + t0 and t3 >= 2 + t0 }: none
          // volcli:   tiles { [t0, t1, t2, t3 = 1 + t0] : t1 >= 2 + t0 and t2 >= 2 + t0 }: 7
          %u = affine.load %a[%t - 1, %i, %j, %k - 1] : memref<20x50x50x50xf32>
          // volcli: mars %a produced, read here: 3, 4, 9, 10, 12, 13, 14, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47
          // volcli: mars %a read, read here: none
          %d = affine.load %a[%t - 1, %i, %j, %k + 1] : memref<20x50x50x50xf32>
          %0 = arith.addf %c, %n : f32
          %1 = arith.addf %0, %s : f32
          %2 = arith.addf %1, %w : f32
          %3 = arith.addf %2, %e : f32
          %4 = arith.addf %3, %u : f32
          %5 = arith.addf %4, %d : f32
          // volcli: mars %a produced, written here: 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47
          affine.store %5, %a[%t, %i, %j, %k] : memref<20x50x50x50xf32>
        }
      }
    }
  }
  return
}
