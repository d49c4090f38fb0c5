// RUN: volcli annotate %s -p "mars{tile='k:8, i:8, j:8; k:8, i:8'}"
// The factors of a matrix in place: pivots and multipliers are in tiles of (k, i), updates in tiles of (k, i, j); the sets
// depend on how far a tile is from the diagonal.
func.func @lu(%a: memref<120x120xf32>) {
  affine.for %k = 0 to 120 {
    affine.for %i = affine_map<(d0) -> (d0 + 1)>(%k) to 120 {
      // volcli: mars %a produced, tile k: 8, i: 8:
      // volcli:   1. { a[k, i, j = 1 + k] : 0 <= k <= 6 and 8 <= i <= 15 } to [t0, t1] -> { [c0 = t0, c1 = t1] }
      // volcli:   2. { a[k = 7, i, j = 8] : 16 <= i <= 23 } to [t0, t1] -> { [c0 = 14, c1 = 14] : t0 = 13 and t1 = 14; [c0 = 1 + t0, c1 = t1] : t1 >= 2 + t0 }
      // volcli:   3. { a[k, i = 1 + k, j = 1 + k] : 0 <= k <= 5 } to [t0] -> { [c0 = t0, c1] : t0 <= c1 <= 14 }
      // volcli:   4. { a[k, i, j = 1 + k] : 0 <= k <= 5 and 2 + k <= i <= 7 } to [t0] -> { [c0 = t0, c1 = t0] }
      // volcli:   5. { a[k = 6, i = 7, j = 7] } to [t0] -> { [c0 = t0, c1] : t0 < c1 <= 14 }
      // volcli:   6. { a[k = 7, i = 8, j = 8] } to [t0] -> { [c0 = 1 + t0, c1] : t0 < c1 <= 14 }
      // volcli:   7. { a[k = 7, i, j = 8] : 9 <= i <= 15 } to [t0] -> { [c0 = 1 + t0, c1 = 1 + t0] }
      // volcli:   8. { a[k, i, j = 1 + k] : 112 <= k <= 117 and k < i <= 119 } to { [c0 = 14, c1 = 14] }
      // volcli:   tiles { [t0, t1, t2 = t0] : t1 > t0 }: 1 set, of 1: 56
      // volcli:   tiles { [t0, t1, t2 = 1 + t0] : t1 >= 2 + t0; [t0 = 13, t1 = 14, t2 = 14] }: 1 set, of 2: 8
      // volcli:   tiles { [t0, t1 = t0, t2 = t0] : t0 <= 13 }: 3 sets, of 3: 6; 4: 21; 5: 1
      // volcli:   tiles { [t0, t1 = 1 + t0, t2 = 1 + t0] : t0 <= 12 }: 2 sets, of 6: 1; 7: 7
      // volcli:   tiles { [t0 = 14, t1 = 14, t2 = 14] }: 1 set, of 8: 27
      // volcli:   dependences with different linear parts move the footprints of tiles differently
      // volcli:   consumers are tiles of this nest
      // volcli:   for tiles { [t0, t1, t2] : t0 >= 0 and t1 <= 14 and t0 <= t2 <= t1 and t2 <= 1 + t0 }
      // volcli: mars %a produced, read here:
      // volcli:   tiles { [t0, t1, t2 = t0] : t1 > t0 }: none
      // volcli:   tiles { [t0, t1, t2 = 1 + t0] : t1 >= 2 + t0; [t0 = 13, t1 = 14, t2 = 14] }: none
      // volcli:   tiles { [t0, t1 = t0, t2 = t0] : t0 <= 13 }: 3, 5
      // volcli:   tiles { [t0, t1 = 1 + t0, t2 = 1 + t0] : t0 <= 12 }: 6
      // volcli:   tiles { [t0 = 14, t1 = 14, t2 = 14] }: 8
      // volcli: mars %a read, tile k: 8, i: 8:
      // volcli:   1. { a[d0 = 0, d1 = 0] } to { [t0 = 0, t1] : 0 <= t1 <= 14 }
      // volcli:   2. { a[d0, d1 = 0] : 8 <= d0 <= 15 } to { [t0 = 0, t1 = 1] }
      // volcli:   3. { a[d0, d1 = 0] : 0 < d0 <= 7 } to { [t0 = 0, t1 = 0] }
      // volcli:   tiles { [t0, t1] : t1 > 0 }: 2 sets, of 1: 1; 2: 8
      // volcli:   tiles { [t0, t1 = 0] }: 2 sets, of 1: 1; 3: 7
      // volcli:   no tile is whole inside the iterations
      // volcli:   for tiles { [t0 = 0, t1] : 0 <= t1 <= 14 }
      // volcli: mars %a read, read here: 1
      %p = affine.load %a[%k, %k] : memref<120x120xf32>
      // volcli: mars %a produced, read here:
      // volcli:   tiles { [t0, t1, t2 = t0] : t1 > t0 }: 1
      // volcli:   tiles { [t0, t1, t2 = 1 + t0] : t1 >= 2 + t0; [t0 = 13, t1 = 14, t2 = 14] }: 2
      // volcli:   tiles { [t0, t1 = t0, t2 = t0] : t0 <= 13 }: 4
      // volcli:   tiles { [t0, t1 = 1 + t0, t2 = 1 + t0] : t0 <= 12 }: 7
      // volcli:   tiles { [t0 = 14, t1 = 14, t2 = 14] }: 8
      // volcli: mars %a read, read here:
      // volcli:   tiles { [t0, t1] : t1 > 0 }: 2
      // volcli:   tiles { [t0, t1 = 0] }: 3
      %q = affine.load %a[%i, %k] : memref<120x120xf32>
      %r = arith.divf %q, %p : f32
      // volcli: mars %a produced, written here: 1
      affine.store %r, %a[%i, %k] : memref<120x120xf32>
      affine.for %j = affine_map<(d0) -> (d0 + 1)>(%k) to 120 {
        // volcli: mars %a produced, tile k: 8, i: 8, j: 8:
        // volcli:   1. { a[k, i] : 0 <= k <= 7 and 8 <= i <= 15 } to [t0, t1] -> { [c0 = t0, c1 = t1, c2] : t0 < c2 <= 14 }: 64
        // volcli:   the values come from tiles of another form
        // volcli:   consumers are tiles of this nest
        // volcli:   for tiles { [t0, t1] : t0 >= 0 and t0 < t1 <= 14 }
        // volcli:   not for 15 other tiles, at the ends of loops
        // volcli:   only whole tiles count as consumers
        // volcli: mars %a produced, read here: 1
        %u = affine.load %a[%i, %k] : memref<120x120xf32>
        // volcli: mars %a produced, tile k: 8, i: 8, j: 8:
        // volcli:   1. { a[k, i = 1 + k, j] : 0 <= k <= 6 and 8 <= j <= 15 } to { [t0 = 0, t1, t2 = 1] : 0 < t1 <= 14 }
        // volcli:   2. { a[k = 7, i = 8, j] : 16 <= j <= 23 } to { [t0 = 1, t1, t2 = 2] : 2 <= t1 <= 14 }
        // volcli:   3. { a[k = 7, i, j] : 16 <= i <= 23 and 16 <= j <= 23 } to { [t0 = 1, t1 = 2, t2 = 2] }
        // volcli:   tiles { [t0, t1 = t0, t2] }: 1 set, of 1: 56
        // volcli:   tiles { [t0, t1 = 1 + t0, t2] : t2 >= 2 + t0 }: 1 set, of 2: 8
        // volcli:   tiles { [t0, t1, t2] : t1 >= 2 + t0 and t2 >= 2 + t0 }: 1 set, of 3: 64
        // volcli:   dependences with different linear parts move the footprints of tiles differently
        // volcli:   for tiles { [t0, t1, t2] : t0 >= 0 and 2 + t0 <= t1 <= 14 and 2 + t0 <= t2 <= 14; [t0, t1 = 1 + t0, t2] : t0 >= 0 and 2 + t0 <= t2 <= 14; [t0, t1 = t0, t2] : t0 >= 0 and t0 < t2 <= 14 }
        // volcli:   not for 119 other tiles, at the ends of loops
        // volcli:   only whole tiles count as consumers
        // volcli: mars %a produced, read here:
        // volcli:   tiles { [t0, t1 = t0, t2] }: 1
        // volcli:   tiles { [t0, t1 = 1 + t0, t2] : t2 >= 2 + t0 }: 2
        // volcli:   tiles { [t0, t1, t2] : t1 >= 2 + t0 and t2 >= 2 + t0 }: none
        // volcli: mars %a read, tile k: 8, i: 8, j: 8:
        // volcli:   1. { a[d0 = 0, d1] : 8 <= d1 <= 15 } to { [t0 = 0, t1, t2 = 1] : 0 <= t1 <= 14 }
        // volcli:   2. { a[d0, d1] : 8 <= d0 <= 15 and 8 <= d1 <= 15 } to { [t0 = 0, t1 = 1, t2 = 1] }
        // volcli:   3. { a[d0, d1] : 0 < d0 <= 7 and 8 <= d1 <= 15 } to { [t0 = 0, t1 = 0, t2 = 1] }
        // volcli:   4. { a[d0 = 0, d1] : 0 < d1 <= 7 } to { [t0 = 0, t1, t2 = 0] : 0 <= t1 <= 14 }
        // volcli:   5. { a[d0, d1] : 8 <= d0 <= 15 and 0 < d1 <= 7 } to { [t0 = 0, t1 = 1, t2 = 0] }
        // volcli:   6. { a[d0, d1] : 0 < d0 <= 7 and 0 < d1 <= 7 } to { [t0 = 0, t1 = 0, t2 = 0] }
        // volcli:   tiles { [t0, t1, t2] : t1 > 0 and t2 > 0 }: 2 sets, of 1: 8; 2: 64
        // volcli:   tiles { [t0, t1 = 0, t2] : t2 > 0 }: 2 sets, of 1: 8; 3: 56
        // volcli:   tiles { [t0, t1, t2 = 0] : t1 > 0 }: 2 sets, of 4: 7; 5: 56
        // volcli:   tiles { [t0, t1 = 0, t2 = 0] }: 2 sets, of 4: 7; 6: 49
        // volcli:   no tile is whole inside the iterations
        // volcli:   for tiles { [t0 = 0, t1, t2] : 0 <= t1 <= 14 and 0 <= t2 <= 14 }
        // volcli: mars %a read, read here:
        // volcli:   tiles { [t0, t1, t2] : t1 > 0 and t2 > 0 }: 1
        // volcli:   tiles { [t0, t1 = 0, t2] : t2 > 0 }: 1
        // volcli:   tiles { [t0, t1, t2 = 0] : t1 > 0 }: 4
        // volcli:   tiles { [t0, t1 = 0, t2 = 0] }: 4
        %v = affine.load %a[%k, %j] : memref<120x120xf32>
        // volcli: mars %a produced, read here:
        // volcli:   tiles { [t0, t1 = t0, t2] }: none
        // volcli:   tiles { [t0, t1 = 1 + t0, t2] : t2 >= 2 + t0 }: none
        // volcli:   tiles { [t0, t1, t2] : t1 >= 2 + t0 and t2 >= 2 + t0 }: 3
        // volcli: mars %a read, read here:
        // volcli:   tiles { [t0, t1, t2] : t1 > 0 and t2 > 0 }: 2
        // volcli:   tiles { [t0, t1 = 0, t2] : t2 > 0 }: 3
        // volcli:   tiles { [t0, t1, t2 = 0] : t1 > 0 }: 5
        // volcli:   tiles { [t0, t1 = 0, t2 = 0] }: 6
        %w = affine.load %a[%i, %j] : memref<120x120xf32>
        %x = arith.mulf %u, %v : f32
        %y = arith.subf %w, %x : f32
        // volcli: mars %a produced, written here:
        // volcli:   tiles { [t0, t1, t2 = t0] : t1 > t0 }: 1
        // volcli:   tiles { [t0, t1, t2 = 1 + t0] : t1 >= 2 + t0; [t0 = 13, t1 = 14, t2 = 14] }: 2
        // volcli:   tiles { [t0, t1 = t0, t2 = t0] : t0 <= 13 }: 3, 4, 5
        // volcli:   tiles { [t0, t1 = 1 + t0, t2 = 1 + t0] : t0 <= 12 }: 6, 7
        // volcli:   tiles { [t0 = 14, t1 = 14, t2 = 14] }: 8
        // volcli: mars %a produced, written here:
        // volcli:   tiles { [t0, t1 = t0, t2] }: 1
        // volcli:   tiles { [t0, t1 = 1 + t0, t2] : t2 >= 2 + t0 }: 2
        // volcli:   tiles { [t0, t1, t2] : t1 >= 2 + t0 and t2 >= 2 + t0 }: 3
        affine.store %y, %a[%i, %j] : memref<120x120xf32>
      }
    }
  }
  return
}
