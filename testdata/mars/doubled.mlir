// RUN: volcli annotate %s -p "mars{tile='i:4' assume-noalias-args}"
// a[i] and a[2 * i] have the same null space, none, and yet no tile reads what another one reads, moved.
func.func @doubled(%a: memref<200xf32>, %b: memref<100xf32>) {
  affine.for %i = 0 to 100 {
    // volcli: mars %a read, tile i: 4:
    // volcli:   1. { a[d0] : 0 <= d0 <= 3 } to { [t0 = 0] }
    // volcli:   2. { a[d0] : (d0) mod 2 = 0 and 4 <= d0 <= 6 } to { [t0] : 0 <= t0 <= 1 }
    // volcli:   3. { a[d0] : (1 + d0) mod 2 = 0 and 4 <= d0 <= 7 } to { [t0 = 1] }
    // volcli:   4. { a[d0] : (d0) mod 2 = 0 and 8 <= d0 <= 11 } to { [t0] : 0 < t0 <= 2 }
    // volcli:   5. { a[d0] : (d0) mod 2 = 0 and 12 <= d0 <= 14 } to { [t0 = 3]; [t0 = 1] }
    // volcli:   6. { a[d0] : (d0) mod 2 = 0 and 48 <= d0 <= 51 } to { [t0 = 12]; [t0 = 6] }
    // volcli:   7. { a[d0] : 49 <= d0 <= 102 and (((d0) mod 2 = 0 and d0 >= 100) or ((d0) mod 2 = 1 and d0 <= 51)) } to { [t0 = 12] }
    // volcli:   8. { a[d0] : (d0) mod 2 = 0 and 96 <= d0 <= 99 } to { [t0 = 24]; [t0 = 12] }
    // volcli:   9. { a[d0] : (d0) mod 2 = 0 and 52 <= d0 <= 54 } to { [t0 = 13]; [t0 = 6] }
    // volcli:   10. { a[d0] : 53 <= d0 <= 110 and (((d0) mod 2 = 0 and d0 >= 104) or ((d0) mod 2 = 1 and d0 <= 55)) } to { [t0 = 13] }
    // volcli:   tiles { [t0 = 0] }: 2 sets, of 1: 4; 2: 2
    // volcli:   tiles { [t0] : 0 < t0 <= 11 }: 4 sets, of 2: 2; 3: 2; 4: 2; 5: 2
    // volcli:   tiles { [t0 = 12] }: 3 sets, of 6: 2; 7: 4; 8: 2
    // volcli:   tiles { [t0] : t0 >= 13 }: 2 sets, of 9: 2; 10: 6
    // volcli:   dependences with different linear parts move the footprints of tiles differently
    // volcli:   for tiles inside { [i] : 0 <= i <= 99 }
    // volcli: mars %a read, read here:
    // volcli:   tiles { [t0 = 0] }: 1
    // volcli:   tiles { [t0] : 0 < t0 <= 11 }: 2, 3
    // volcli:   tiles { [t0 = 12] }: 6, 7
    // volcli:   tiles { [t0] : t0 >= 13 }: 9, 10
    %x = affine.load %a[%i] : memref<200xf32>
    // volcli: mars %a read, read here:
    // volcli:   tiles { [t0 = 0] }: 1, 2
    // volcli:   tiles { [t0] : 0 < t0 <= 11 }: 4, 5
    // volcli:   tiles { [t0 = 12] }: 7, 8
    // volcli:   tiles { [t0] : t0 >= 13 }: 10
    %y = affine.load %a[2 * %i] : memref<200xf32>
    %p = arith.mulf %x, %y : f32
    affine.store %p, %b[%i] : memref<100xf32>
  }
  return
}
