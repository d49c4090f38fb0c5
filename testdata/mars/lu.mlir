// RUN: volcli annotate %s -p "mars{tile='k:8, i:8, j:8; k:8, i:8'}"
// The factors of a matrix in place: pivots and multipliers are in tiles of (k, i), updates in tiles of (k, i, j); the sets
// depend on how far a tile is from the diagonal.
func.func @lu(%a: memref<120x120xf32>) {
  affine.for %k = 0 to 120 {
    affine.for %i = affine_map<(d0) -> (d0 + 1)>(%k) to 120 {
      // volcli: mars %a produced, tile k: 8, i: 8:
      // volcli:   1. { a[k = 7, i = 8, j = 8] } to [t0] -> { [c0 = 1 + t0, c1] : 2 + t0 <= c1 <= 14 }
      // volcli:   2. { a[k = 7, i, j = 8] : 16 <= i <= 23 } to [t0, t1] -> { [c0 = 1 + t0, c1 = t1] }
      // volcli:   3. { a[k, i = 1 + k, j = 1 + k] : 8 <= k <= 14 } to [t0] -> { [c0 = t0, c1] : t0 < c1 <= 14 }
      // volcli:   4. { a[k, i, j = 1 + k] : 8 <= k <= 14 and 16 <= i <= 23 } to [t0, t1] -> { [c0 = t0, c1 = t1] }
      // volcli:   tiles { [t0, t1 = 1 + t0, t2 = 1 + t0] : 0 <= t0 <= 12 }: 1 set, of 1: 1
      // volcli:   tiles { [t0, t1, t2 = 1 + t0] : 0 <= t0 <= 12 and 2 + t0 <= t1 <= 14 }: 1 set, of 2: 8
      // volcli:   tiles { [t0, t1 = t0, t2 = t0] : 0 < t0 <= 13 }: 1 set, of 3: 7
      // volcli:   tiles { [t0, t1, t2 = t0] : 0 < t0 <= 13 and t0 < t1 <= 14 }: 1 set, of 4: 56
      // volcli:   dependences with different linear parts move the footprints of tiles differently
      // volcli:   consumers are tiles of this nest
      // volcli:   for tiles inside { [k, i] : k > 0 and k < i <= 119 }
      // volcli: mars %a produced, read here:
      // volcli:   tiles { [t0, t1 = 1 + t0, t2 = 1 + t0] : 0 <= t0 <= 12 }: 1
      // volcli:   tiles { [t0, t1, t2 = 1 + t0] : 0 <= t0 <= 12 and 2 + t0 <= t1 <= 14 }: none
      // volcli:   tiles { [t0, t1 = t0, t2 = t0] : 0 < t0 <= 13 }: 3
      // volcli:   tiles { [t0, t1, t2 = t0] : 0 < t0 <= 13 and t0 < t1 <= 14 }: none
      %p = affine.load %a[%k, %k] : memref<120x120xf32>
      // volcli: mars %a produced, read here:
      // volcli:   tiles { [t0, t1 = 1 + t0, t2 = 1 + t0] : 0 <= t0 <= 12 }: none
      // volcli:   tiles { [t0, t1, t2 = 1 + t0] : 0 <= t0 <= 12 and 2 + t0 <= t1 <= 14 }: 2
      // volcli:   tiles { [t0, t1 = t0, t2 = t0] : 0 < t0 <= 13 }: none
      // volcli:   tiles { [t0, t1, t2 = t0] : 0 < t0 <= 13 and t0 < t1 <= 14 }: 4
      %q = affine.load %a[%i, %k] : memref<120x120xf32>
      %r = arith.divf %q, %p : f32
      // volcli: mars %a produced, written here: 1
      affine.store %r, %a[%i, %k] : memref<120x120xf32>
      affine.for %j = affine_map<(d0) -> (d0 + 1)>(%k) to 120 {
        // volcli: mars %a produced, tile k: 8, i: 8, j: 8:
        // volcli:   1. { a[k, i] : 0 <= k <= 7 and 8 <= i <= 15 } to [t0, t1] -> { [c0 = t0, c1 = t1, c2] : t0 < c2 <= 14 }: 64
        // volcli:   tiles { [t0, t1] : t0 >= 0 and t0 < t1 <= 14 }: 1 set, of 1: 64
        // volcli:   the values come from tiles of another form
        // volcli:   consumers are tiles of this nest
        // volcli:   for tiles inside { [k, i, j] : k >= 0 and k < i <= 119 and k < j <= 119 }
        // volcli: mars %a produced, read here: 1
        %u = affine.load %a[%i, %k] : memref<120x120xf32>
        // volcli: mars %a produced: unknown: dependences with different linear parts move the footprints of tiles differently
        %v = affine.load %a[%k, %j] : memref<120x120xf32>
        %w = affine.load %a[%i, %j] : memref<120x120xf32>
        %x = arith.mulf %u, %v : f32
        %y = arith.subf %w, %x : f32
        // volcli: mars %a produced, written here:
        // volcli:   tiles { [t0, t1 = 1 + t0, t2 = 1 + t0] : 0 <= t0 <= 12 }: 1
        // volcli:   tiles { [t0, t1, t2 = 1 + t0] : 0 <= t0 <= 12 and 2 + t0 <= t1 <= 14 }: 2
        // volcli:   tiles { [t0, t1 = t0, t2 = t0] : 0 < t0 <= 13 }: 3
        // volcli:   tiles { [t0, t1, t2 = t0] : 0 < t0 <= 13 and t0 < t1 <= 14 }: 4
        affine.store %y, %a[%i, %j] : memref<120x120xf32>
      }
    }
  }
  return
}
