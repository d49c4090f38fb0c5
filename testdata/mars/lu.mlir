// RUN: volcli annotate %s -p "mars{tile='k:8, i:8, j:8; k:8, i:8'}"
// The factors of a matrix in place: pivots and multipliers are in tiles of (k, i), updates in tiles of (k, i, j); the sets
// depend on how far a tile is from the diagonal.
func.func @lu(%a: memref<120x120xf32>) {
  affine.for %k = 0 to 120 {
    affine.for %i = affine_map<(d0) -> (d0 + 1)>(%k) to 120 {
      // volcli: mars %a produced, tile k: 8, i: 8:
      // volcli:   1. { a[k, i, j = 1 + k] : 0 <= k <= 6 and 8 <= i <= 15 } to { [t0 = 0, t1 = 1] }
      // volcli:   2. { a[k = 7, i = 8, j = 8] } to [t0] -> { [c0 = 1 + t0, c1] : t0 < c1 <= 14 }
      // volcli:   3. { a[k = 7, i, j = 8] : 9 <= i <= 15 } to [t0] -> { [c0 = 1 + t0, c1 = 1 + t0] }
      // volcli:   4. { a[k, i = 1 + k, j = 1 + k] : 0 <= k <= 5 } to [t0] -> { [c0 = t0, c1] : t0 <= c1 <= 14 }
      // volcli:   5. { a[k, i, j = 1 + k] : k >= 0 and 2 + k <= i <= 7 } to [t0] -> { [c0 = t0, c1 = t0] }
      // volcli:   6. { a[k = 6, i = 7, j = 7] } to [t0] -> { [c0 = t0, c1] : t0 < c1 <= 14 }
      // volcli:   tiles { [t0, t1, t2] : t0 >= 0 and t1 <= 14 and t0 <= t2 < t1 and t2 <= 1 + t0; [t0, t1 = 14, t2 = 14] : 13 <= t0 <= 14 }: 1 set, of 1: 56
      // volcli:   tiles { [t0, t1 = 1 + t0, t2 = 1 + t0] : 0 <= t0 <= 12 }: 2 sets, of 2: 1; 3: 7
      // volcli:   tiles { [t0, t1 = t0, t2 = t0] : 0 <= t0 <= 13 }: 3 sets, of 4: 6; 5: 21; 6: 1
      // volcli:   dependences with different linear parts move the footprints of tiles differently
      // volcli:   consumers are tiles of this nest
      // volcli: mars %a produced, read here:
      // volcli:   tiles { [t0, t1, t2] : t0 >= 0 and t1 <= 14 and t0 <= t2 < t1 and t2 <= 1 + t0; [t0, t1 = 14, t2 = 14] : 13 <= t0 <= 14 }: none
      // volcli:   tiles { [t0, t1 = 1 + t0, t2 = 1 + t0] : 0 <= t0 <= 12 }: 2
      // volcli:   tiles { [t0, t1 = t0, t2 = t0] : 0 <= t0 <= 13 }: 4, 6
      %p = affine.load %a[%k, %k] : memref<120x120xf32>
      // volcli: mars %a produced, read here:
      // volcli:   tiles { [t0, t1, t2] : t0 >= 0 and t1 <= 14 and t0 <= t2 < t1 and t2 <= 1 + t0; [t0, t1 = 14, t2 = 14] : 13 <= t0 <= 14 }: 1
      // volcli:   tiles { [t0, t1 = 1 + t0, t2 = 1 + t0] : 0 <= t0 <= 12 }: 3
      // volcli:   tiles { [t0, t1 = t0, t2 = t0] : 0 <= t0 <= 13 }: 5
      %q = affine.load %a[%i, %k] : memref<120x120xf32>
      %r = arith.divf %q, %p : f32
      // volcli: mars %a produced, written here: 1
      affine.store %r, %a[%i, %k] : memref<120x120xf32>
      affine.for %j = affine_map<(d0) -> (d0 + 1)>(%k) to 120 {
        // volcli: mars %a produced, tile k: 8, i: 8, j: 8:
        // volcli:   1. { a[k, i] : 0 <= k <= 7 and 0 <= i <= 7 } to [t0, t1] -> { [c0 = t0, c1 = t1, c2] }: 64
        // volcli:   tiles { [t0, t1] }: 1 set, of 1: 64
        // volcli:   the values come from tiles of another form
        // volcli:   consumers are tiles of this nest
        // volcli:   for tiles inside { [k, i, j] : k >= 0 and k < i <= 119 and k < j <= 119 }
        // volcli: mars %a produced, read here: 1
        %u = affine.load %a[%i, %k] : memref<120x120xf32>
        // volcli: mars %a produced, tile k: 8, i: 8, j: 8:
        // volcli:   1. { a[k = 15, i, j] : 24 <= i <= 31 and 16 <= j <= 23 } to { [t0 = 2, t1 = 3, t2 = 2] }
        // volcli:   2. { a[k = 15, i = 16, j] : 16 <= j <= 23 } to { [t0 = 2, t1, t2 = 2] }
        // volcli:   3. { a[k = 15, i, j] : 17 <= i <= 23 and 16 <= j <= 23 } to { [t0 = 2, t1 = 2, t2 = 2] }
        // volcli:   tiles { [t0, t1, t2] : t1 >= 2 + t0 }: 1 set, of 1: 64
        // volcli:   tiles { [t0, t1 = 1 + t0, t2] }: 2 sets, of 2: 8; 3: 56
        // volcli:   dependences with different linear parts move the footprints of tiles differently
        // volcli:   for tiles inside { [k, i, j] : k > 0 and k < i <= 119 and k < j <= 119 }
        // volcli: mars %a produced, read here:
        // volcli:   tiles { [t0, t1, t2] : t1 >= 2 + t0 }: none
        // volcli:   tiles { [t0, t1 = 1 + t0, t2] }: 2
        %v = affine.load %a[%k, %j] : memref<120x120xf32>
        // volcli: mars %a produced, read here:
        // volcli:   tiles { [t0, t1, t2] : t1 >= 2 + t0 }: 1
        // volcli:   tiles { [t0, t1 = 1 + t0, t2] }: 2, 3
        %w = affine.load %a[%i, %j] : memref<120x120xf32>
        %x = arith.mulf %u, %v : f32
        %y = arith.subf %w, %x : f32
        // volcli: mars %a produced, written here:
        // volcli:   tiles { [t0, t1, t2] : t0 >= 0 and t1 <= 14 and t0 <= t2 < t1 and t2 <= 1 + t0; [t0, t1 = 14, t2 = 14] : 13 <= t0 <= 14 }: 1
        // volcli:   tiles { [t0, t1 = 1 + t0, t2 = 1 + t0] : 0 <= t0 <= 12 }: 2, 3
        // volcli:   tiles { [t0, t1 = t0, t2 = t0] : 0 <= t0 <= 13 }: 4, 5, 6
        // volcli: mars %a produced, written here:
        // volcli:   tiles { [t0, t1, t2] : t1 >= 2 + t0 }: 1
        // volcli:   tiles { [t0, t1 = 1 + t0, t2] }: 2, 3
        affine.store %y, %a[%i, %j] : memref<120x120xf32>
      }
    }
  }
  return
}
