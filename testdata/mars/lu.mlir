// RUN: volcli annotate %s -p "mars{tile='k:1, i:8, j:8; k:1, i:8'}"
// The factors of a matrix in place: pivots and multipliers are in tiles of (k, i), updates in tiles of (k, i, j); the sets
// depend on how far a tile is from the diagonal. One step of k each: pivots and updates of several steps need each other.
func.func @lu(%a: memref<24x24xf32>) {
  affine.for %k = 0 to 24 {
    affine.for %i = affine_map<(d0) -> (d0 + 1)>(%k) to 24 {
      // volcli: mars %a produced, tile k: 1, i: 8:
      // volcli:   1. { a[k = 0, i, j = 1] : 8 <= i <= 15 } to { [c0 = 1, c1 = 1] }
      // volcli:   2. { a[k = 0, i = 1, j = 1] } to { [c0 = 1, c1] : 0 < c1 <= 2 }
      // volcli:   tiles { [t0, t1, t2 = 0] : t0 <= 6 and t1 > 0; [t0, t1 = 2, t2 = 1] : t0 >= 7 }, of which (0, 1, 0) is shown: 1 set, of 1: 8
      // volcli:   tiles { [t0, t1 = 1, t2 = 1] : t0 >= 7; [t0, t1 = 0, t2 = 0] : t0 <= 6 }, of which (0, 0, 0) is shown: 1 set, of 2: 1
      // volcli:   dependences with different linear parts move the footprints of tiles differently
      // volcli:   consumers are tiles of this nest
      // volcli:   for tiles { [t0, t1, t2 = 1] : 7 <= t0 <= 14 and 0 < t1 <= 2; [t0, t1, t2 = 0] : 0 <= t0 <= 6 and 0 <= t1 <= 2 }
      // volcli:   not for 7 other tiles, at the ends of loops
      // volcli:   only whole tiles count as consumers
      // volcli: mars %a produced, read here:
      // volcli:   tiles { [t0, t1, t2 = 0] : t0 <= 6 and t1 > 0; [t0, t1 = 2, t2 = 1] : t0 >= 7 }: none
      // volcli:   tiles { [t0, t1 = 1, t2 = 1] : t0 >= 7; [t0, t1 = 0, t2 = 0] : t0 <= 6 }: 2
      // volcli: mars %a read, tile k: 1, i: 8:
      // volcli:   1. { a[d0 = 0, d1 = 0] } to { [t0 = 0, t1] : 0 <= t1 <= 2 }
      // volcli:   2. { a[d0, d1 = 0] : 8 <= d0 <= 15 } to { [t0 = 0, t1 = 1] }
      // volcli:   3. { a[d0, d1 = 0] : 0 < d0 <= 7 } to { [t0 = 0, t1 = 0] }
      // volcli:   tiles { [t0, t1] : t1 > 0 }, of which (0, 1) is shown: 2 sets, of 1: 1; 2: 8
      // volcli:   tiles { [t0, t1 = 0] }: 2 sets, of 1: 1; 3: 7
      // volcli:   dependences with different linear parts move the footprints of tiles differently
      // volcli:   for tiles { [t0 = 0, t1] : 0 <= t1 <= 2 }
      // volcli: mars %a read, read here: 1
      %p = affine.load %a[%k, %k] : memref<24x24xf32>
      // volcli: mars %a produced, read here:
      // volcli:   tiles { [t0, t1, t2 = 0] : t0 <= 6 and t1 > 0; [t0, t1 = 2, t2 = 1] : t0 >= 7 }: 1
      // volcli:   tiles { [t0, t1 = 1, t2 = 1] : t0 >= 7; [t0, t1 = 0, t2 = 0] : t0 <= 6 }: none
      // volcli: mars %a read, read here:
      // volcli:   tiles { [t0, t1] : t1 > 0 }: 2
      // volcli:   tiles { [t0, t1 = 0] }: 3
      %q = affine.load %a[%i, %k] : memref<24x24xf32>
      %r = arith.divf %q, %p : f32
      // volcli: mars %a produced, written here:
      // volcli:   tiles { [t0, t1] : t1 >= -6 + t0 and t1 > 0; [t0, t1 = 2] : 9 <= t0 <= 15 }: 1
      // volcli:   tiles { [t0 = 16, t1 = 2]; [t0 = 8, t1 = 1]; [t0 = 0, t1 = 0] }: 2
      // volcli:   tiles { [t0 = 17, t1 = 2]; [t0 = 9, t1 = 1]; [t0 = 1, t1 = 0] }: 3
      // volcli:   tiles { [t0 = 18, t1 = 2]; [t0 = 10, t1 = 1]; [t0 = 2, t1 = 0] }: 4
      // volcli:   tiles { [t0 = 19, t1 = 2]; [t0 = 11, t1 = 1]; [t0 = 3, t1 = 0] }: 5
      // volcli:   tiles { [t0 = 20, t1 = 2]; [t0 = 12, t1 = 1]; [t0 = 4, t1 = 0] }: 6
      // volcli:   tiles { [t0 = 21, t1 = 2]; [t0 = 13, t1 = 1]; [t0 = 5, t1 = 0] }: 7
      // volcli:   tiles { [t0 = 22, t1 = 2]; [t0 = 14, t1 = 1]; [t0 = 6, t1 = 0] }: 8
      affine.store %r, %a[%i, %k] : memref<24x24xf32>
      affine.for %j = affine_map<(d0) -> (d0 + 1)>(%k) to 24 {
        // volcli: mars %a produced, tile k: 1, i: 8, j: 8:
        // volcli:   1. { a[k = 0, i] : 8 <= i <= 15 } to [t0, t1] -> { [c0 = t0, c1 = 2, c2] : t1 = 2 and t0 >= 9 and c2 <= 2 and 8c2 >= -6 + t0; [c0 = t0, c1 = t1, c2] : t1 >= -6 + t0 and c2 <= 2 and 8c2 >= -6 + t0 }
        // volcli:   2. { a[k = 0, i] : 0 < i <= 7 } to [t0, t1] -> { [c0 = 8, c1 = 1, c2] : t0 = 8 and t1 = 1 and 0 < c2 <= 2; [c0 = 0, c1 = 0, c2] : t0 = 0 and t1 = 0 and 0 <= c2 <= 2; [c0 = 16, c1 = 2, c2 = 2] : t0 = 16 and t1 = 2 }
        // volcli:   3. { a[k = 1, i] : 2 <= i <= 7 } to [t0, t1] -> { [c0 = 9, c1 = 1, c2] : t0 = 9 and t1 = 1 and 0 < c2 <= 2; [c0 = 1, c1 = 0, c2] : t0 = 1 and t1 = 0 and 0 <= c2 <= 2; [c0 = 17, c1 = 2, c2 = 2] : t0 = 17 and t1 = 2 }
        // volcli:   4. { a[k = 2, i] : 3 <= i <= 7 } to [t0, t1] -> { [c0 = 10, c1 = 1, c2] : t0 = 10 and t1 = 1 and 0 < c2 <= 2; [c0 = 2, c1 = 0, c2] : t0 = 2 and t1 = 0 and 0 <= c2 <= 2; [c0 = 18, c1 = 2, c2 = 2] : t0 = 18 and t1 = 2 }
        // volcli:   5. { a[k = 3, i] : 4 <= i <= 7 } to [t0, t1] -> { [c0 = 11, c1 = 1, c2] : t0 = 11 and t1 = 1 and 0 < c2 <= 2; [c0 = 3, c1 = 0, c2] : t0 = 3 and t1 = 0 and 0 <= c2 <= 2; [c0 = 19, c1 = 2, c2 = 2] : t0 = 19 and t1 = 2 }
        // volcli:   6. { a[k = 4, i] : 5 <= i <= 7 } to [t0, t1] -> { [c0 = 12, c1 = 1, c2] : t0 = 12 and t1 = 1 and 0 < c2 <= 2; [c0 = 4, c1 = 0, c2] : t0 = 4 and t1 = 0 and 0 <= c2 <= 2; [c0 = 20, c1 = 2, c2 = 2] : t0 = 20 and t1 = 2 }
        // volcli:   7. { a[k = 5, i] : 6 <= i <= 7 } to [t0, t1] -> { [c0 = 13, c1 = 1, c2] : t0 = 13 and t1 = 1 and 0 < c2 <= 2; [c0 = 5, c1 = 0, c2] : t0 = 5 and t1 = 0 and 0 <= c2 <= 2; [c0 = 21, c1 = 2, c2 = 2] : t0 = 21 and t1 = 2 }
        // volcli:   8. { a[k = 6, i = 7] } to [t0, t1] -> { [c0 = 14, c1 = 1, c2] : t0 = 14 and t1 = 1 and 0 < c2 <= 2; [c0 = 6, c1 = 0, c2] : t0 = 6 and t1 = 0 and 0 <= c2 <= 2; [c0 = 22, c1 = 2, c2 = 2] : t0 = 22 and t1 = 2 }
        // volcli:   tiles { [t0, t1] : t1 >= -6 + t0 and t1 > 0; [t0, t1 = 2] : 9 <= t0 <= 15 }, of which (0, 1) is shown: 1 set, of 1: 8
        // volcli:   tiles { [t0 = 16, t1 = 2]; [t0 = 8, t1 = 1]; [t0 = 0, t1 = 0] }, of which (0, 0) is shown: 1 set, of 2: 7
        // volcli:   tiles { [t0 = 17, t1 = 2]; [t0 = 9, t1 = 1]; [t0 = 1, t1 = 0] }, of which (1, 0) is shown: 1 set, of 3: 6
        // volcli:   tiles { [t0 = 18, t1 = 2]; [t0 = 10, t1 = 1]; [t0 = 2, t1 = 0] }, of which (2, 0) is shown: 1 set, of 4: 5
        // volcli:   tiles { [t0 = 19, t1 = 2]; [t0 = 11, t1 = 1]; [t0 = 3, t1 = 0] }, of which (3, 0) is shown: 1 set, of 5: 4
        // volcli:   tiles { [t0 = 20, t1 = 2]; [t0 = 12, t1 = 1]; [t0 = 4, t1 = 0] }, of which (4, 0) is shown: 1 set, of 6: 3
        // volcli:   tiles { [t0 = 21, t1 = 2]; [t0 = 13, t1 = 1]; [t0 = 5, t1 = 0] }, of which (5, 0) is shown: 1 set, of 7: 2
        // volcli:   tiles { [t0 = 22, t1 = 2]; [t0 = 14, t1 = 1]; [t0 = 6, t1 = 0] }, of which (6, 0) is shown: 1 set, of 8: 1
        // volcli:   the values come from tiles of another form
        // volcli:   consumers are tiles of this nest
        // volcli:   for tiles { [t0, t1] : t0 >= 0 and t1 <= 2 and 8t1 >= -6 + t0 }
        // volcli: mars %a produced, read here:
        // volcli:   tiles { [t0, t1] : t1 >= -6 + t0 and t1 > 0; [t0, t1 = 2] : 9 <= t0 <= 15 }: 1
        // volcli:   tiles { [t0 = 16, t1 = 2]; [t0 = 8, t1 = 1]; [t0 = 0, t1 = 0] }: 2
        // volcli:   tiles { [t0 = 17, t1 = 2]; [t0 = 9, t1 = 1]; [t0 = 1, t1 = 0] }: 3
        // volcli:   tiles { [t0 = 18, t1 = 2]; [t0 = 10, t1 = 1]; [t0 = 2, t1 = 0] }: 4
        // volcli:   tiles { [t0 = 19, t1 = 2]; [t0 = 11, t1 = 1]; [t0 = 3, t1 = 0] }: 5
        // volcli:   tiles { [t0 = 20, t1 = 2]; [t0 = 12, t1 = 1]; [t0 = 4, t1 = 0] }: 6
        // volcli:   tiles { [t0 = 21, t1 = 2]; [t0 = 13, t1 = 1]; [t0 = 5, t1 = 0] }: 7
        // volcli:   tiles { [t0 = 22, t1 = 2]; [t0 = 14, t1 = 1]; [t0 = 6, t1 = 0] }: 8
        %u = affine.load %a[%i, %k] : memref<24x24xf32>
        // volcli: mars %a produced, tile k: 1, i: 8, j: 8:
        // volcli:   1. { a[k = 0, i, j] : 8 <= i <= 15 and 8 <= j <= 15 } to { [t0 = 1, t1 = 1, t2 = 1] }
        // volcli:   2. { a[k = 0, i = 1, j] : 8 <= j <= 15 } to { [t0 = 1, t1, t2 = 1] : 0 < t1 <= 2 }
        // volcli:   tiles { [t0, t1, t2] : t1 >= -5 + t0 and t1 > 0 and t2 >= -5 + t0; [t0, t1 = 2, t2 = 2] : t0 >= 8 }, of which (0, 1, 1) is shown: 1 set, of 1: 64
        // volcli:   tiles { [t0, t1 = 0, t2] : t0 <= 6; [t0, t1 = 1, t2 = 2] : t0 >= 7 }, of which (0, 0, 1) is shown: 1 set, of 2: 8
        // volcli:   dependences with different linear parts move the footprints of tiles differently
        // volcli:   for tiles { [t0, t1, t2] : t0 >= 0 and t1 >= -5 + t0 and 0 < t1 <= 2 and t2 >= -5 + t0 and 0 < t2 <= 2; [t0, t1, t2 = 2] : t0 <= 14 and 0 < t1 <= 2 and t1 <= -6 + t0; [t0, t1 = 0, t2] : 0 <= t0 <= 6 and 0 < t2 <= 2 }
        // volcli:   not for 39 other tiles, at the ends of loops
        // volcli:   only whole tiles count as consumers
        // volcli: mars %a produced, read here:
        // volcli:   tiles { [t0, t1, t2] : t1 >= -5 + t0 and t1 > 0 and t2 >= -5 + t0; [t0, t1 = 2, t2 = 2] : t0 >= 8 }: none
        // volcli:   tiles { [t0, t1 = 0, t2] : t0 <= 6; [t0, t1 = 1, t2 = 2] : t0 >= 7 }: 2
        // volcli: mars %a read, tile k: 1, i: 8, j: 8:
        // volcli:   1. { a[d0 = 0, d1] : 8 <= d1 <= 15 } to { [t0 = 0, t1, t2 = 1] : 0 <= t1 <= 2 }
        // volcli:   2. { a[d0, d1] : 8 <= d0 <= 15 and 8 <= d1 <= 15 } to { [t0 = 0, t1 = 1, t2 = 1] }
        // volcli:   3. { a[d0, d1] : 0 < d0 <= 7 and 8 <= d1 <= 15 } to { [t0 = 0, t1 = 0, t2 = 1] }
        // volcli:   4. { a[d0 = 0, d1] : 0 < d1 <= 7 } to { [t0 = 0, t1, t2 = 0] : 0 <= t1 <= 2 }
        // volcli:   5. { a[d0, d1] : 8 <= d0 <= 15 and 0 < d1 <= 7 } to { [t0 = 0, t1 = 1, t2 = 0] }
        // volcli:   6. { a[d0, d1] : 0 < d0 <= 7 and 0 < d1 <= 7 } to { [t0 = 0, t1 = 0, t2 = 0] }
        // volcli:   tiles { [t0, t1, t2] : t1 > 0 and t2 > 0 }, of which (0, 1, 1) is shown: 2 sets, of 1: 8; 2: 64
        // volcli:   tiles { [t0, t1 = 0, t2] : t2 > 0 }, of which (0, 0, 1) is shown: 2 sets, of 1: 8; 3: 56
        // volcli:   tiles { [t0, t1, t2 = 0] : t1 > 0 }, of which (0, 1, 0) is shown: 2 sets, of 4: 7; 5: 56
        // volcli:   tiles { [t0, t1 = 0, t2 = 0] }: 2 sets, of 4: 7; 6: 49
        // volcli:   dependences with different linear parts move the footprints of tiles differently
        // volcli:   for tiles { [t0 = 0, t1, t2] : 0 <= t1 <= 2 and 0 <= t2 <= 2 }
        // volcli: mars %a read, read here:
        // volcli:   tiles { [t0, t1, t2] : t1 > 0 and t2 > 0 }: 1
        // volcli:   tiles { [t0, t1 = 0, t2] : t2 > 0 }: 1
        // volcli:   tiles { [t0, t1, t2 = 0] : t1 > 0 }: 4
        // volcli:   tiles { [t0, t1 = 0, t2 = 0] }: 4
        %v = affine.load %a[%k, %j] : memref<24x24xf32>
        // volcli: mars %a produced, read here:
        // volcli:   tiles { [t0, t1, t2] : t1 >= -5 + t0 and t1 > 0 and t2 >= -5 + t0; [t0, t1 = 2, t2 = 2] : t0 >= 8 }: 1
        // volcli:   tiles { [t0, t1 = 0, t2] : t0 <= 6; [t0, t1 = 1, t2 = 2] : t0 >= 7 }: none
        // volcli: mars %a read, read here:
        // volcli:   tiles { [t0, t1, t2] : t1 > 0 and t2 > 0 }: 2
        // volcli:   tiles { [t0, t1 = 0, t2] : t2 > 0 }: 3
        // volcli:   tiles { [t0, t1, t2 = 0] : t1 > 0 }: 5
        // volcli:   tiles { [t0, t1 = 0, t2 = 0] }: 6
        %w = affine.load %a[%i, %j] : memref<24x24xf32>
        %x = arith.mulf %u, %v : f32
        %y = arith.subf %w, %x : f32
        // volcli: mars %a produced, written here:
        // volcli:   tiles { [t0, t1, t2 = 0] : t0 <= 6 and t1 > 0; [t0, t1 = 2, t2 = 1] : t0 >= 7 }: 1
        // volcli:   tiles { [t0, t1 = 1, t2 = 1] : t0 >= 7; [t0, t1 = 0, t2 = 0] : t0 <= 6 }: 2
        // volcli: mars %a produced, written here:
        // volcli:   tiles { [t0, t1, t2] : t1 >= -5 + t0 and t1 > 0 and t2 >= -5 + t0; [t0, t1 = 2, t2 = 2] : t0 >= 8 }: 1
        // volcli:   tiles { [t0, t1 = 0, t2] : t0 <= 6; [t0, t1 = 1, t2 = 2] : t0 >= 7 }: 2
        affine.store %y, %a[%i, %j] : memref<24x24xf32>
      }
    }
  }
  return
}
