// RUN: volcli annotate %s -p "mars{tile='i:4' assume-noalias-args}"
// a[i] and a[2 * i] have the same null space, none, and yet no tile reads what another one reads, moved.
func.func @doubled(%a: memref<200xf32>, %b: memref<100xf32>) {
  affine.for %i = 0 to 100 {
    // volcli: mars %a read, tile i: 4:
    // volcli:   1. { a[d0 = 54]; a[d0 = 52] } to { [t0 = 13]; [t0 = 6] }
    // volcli:   2. { a[d0 = 110]; a[d0 = 108]; a[d0 = 106]; a[d0 = 104]; a[d0 = 55]; a[d0 = 53] } to { [t0 = 13] }
    // volcli:   3. { a[d0 = 6]; a[d0 = 4] } to { [t0] : 0 <= t0 <= 1 }
    // volcli:   4. { a[d0 = 7]; a[d0 = 5] } to { [t0 = 1] }
    // volcli:   5. { a[d0 = 10]; a[d0 = 8] } to { [t0] : 0 < t0 <= 2 }
    // volcli:   6. { a[d0 = 14]; a[d0 = 12] } to { [t0 = 3]; [t0 = 1] }
    // volcli:   7. { a[d0] : 0 <= d0 <= 3 } to { [t0 = 0] }
    // volcli:   8. { a[d0 = 50]; a[d0 = 48] } to { [t0 = 12]; [t0 = 6] }
    // volcli:   9. { a[d0 = 102]; a[d0 = 100]; a[d0 = 51]; a[d0 = 49] } to { [t0 = 12] }
    // volcli:   10. { a[d0 = 98]; a[d0 = 96] } to { [t0 = 24]; [t0 = 12] }
    // volcli:   tiles { [t0] : t0 >= 13 }, of which (13) is shown: 2 sets, of 1: 2; 2: 6
    // volcli:   tiles { [t0] : 0 < t0 <= 11 }, of which (1) is shown: 4 sets, of 3: 2; 4: 2; 5: 2; 6: 2
    // volcli:   tiles { [t0 = 0] }: 2 sets, of 7: 4; 3: 2
    // volcli:   tiles { [t0 = 12] }: 3 sets, of 8: 2; 9: 4; 10: 2
    // volcli:   dependences with different linear parts move the footprints of tiles differently
    // volcli:   for tiles { [t0] : 0 <= t0 <= 24 }
    // volcli:   tiles of one class have sets of the same sizes, which may have other forms
    // volcli: mars %a read, read here:
    // volcli:   tiles { [t0] : t0 >= 13 }: 1, 2
    // volcli:   tiles { [t0] : 0 < t0 <= 11 }: 3, 4
    // volcli:   tiles { [t0 = 0] }: 7
    // volcli:   tiles { [t0 = 12] }: 8, 9
    %x = affine.load %a[%i] : memref<200xf32>
    // volcli: mars %a read, read here:
    // volcli:   tiles { [t0] : t0 >= 13 }: 2
    // volcli:   tiles { [t0] : 0 < t0 <= 11 }: 5, 6
    // volcli:   tiles { [t0 = 0] }: 3, 7
    // volcli:   tiles { [t0 = 12] }: 9, 10
    %y = affine.load %a[2 * %i] : memref<200xf32>
    %p = arith.mulf %x, %y : f32
    affine.store %p, %b[%i] : memref<100xf32>
  }
  return
}
