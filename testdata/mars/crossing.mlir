// RUN: volcli annotate %s -p "mars{tile='i+j:8, j-i:8' assume-noalias-args}"
// Two dependences that no translation of a tile moves alike (figure 9): three sets on some tiles, four on others.
func.func @crossing(%a: memref<400xf32>, %b: memref<100x100xf32>) {
  affine.for %i = 0 to 100 {
    affine.for %j = 0 to 100 {
      // volcli: mars %a read, tile i + j: 8, -i + j: 8:
      // volcli:   1. { a[d0] : 193 <= d0 <= 200 } to { [t0, t1 = 0] : 0 < t0 <= 23 }
      // volcli:   2. { a[d0 = 208] } to { [t0, t1 = -1] : 0 < t0 <= 23; [t0 = 1, t1 = 0] }
      // volcli:   3. { a[d0] : 209 <= d0 <= 215 } to { [t0 = 1, t1] : -1 <= t1 <= 0; [t0, t1 = -2] : 2 <= t0 <= 22 }
      // volcli:   4. { a[d0] : 296 <= d0 <= 303 } to { [t0 = 12, t1] : -12 <= t1 <= 11 }
      // volcli:   5. { a[d0] : 201 <= d0 <= 207 } to { [t0, t1 = -1] : 0 < t0 <= 23 }
      // volcli:   6. { a[d0 = 216] } to { [t0 = 2, t1] : -1 <= t1 <= 1; [t0, t1 = -2] : 2 <= t0 <= 22 }
      // volcli:   7. { a[d0] : 217 <= d0 <= 223 } to { [t0 = 2, t1] : -2 <= t1 <= 1; [t0, t1 = -3] : 3 <= t0 <= 21 }
      // volcli:   8. { a[d0] : 289 <= d0 <= 295 } to { [t0 = 11, t1] : -10 <= t1 <= 10; [t0, t1 = -t0] : 11 <= t0 <= 12 }
      // volcli:   tiles { [t0, t1] : t1 >= -11 and ((t0 <= 11 and t1 >= 0) or (t0 >= 12 and t1 < 0)) }, of which (1, 0) is shown: 3 sets, of 1: 8; 2: 1; 3: 7
      // volcli:   tiles { [t0, t1] : t0 >= 12 and t1 >= 0 }, of which (12, 0) is shown: 2 sets, of 1: 8; 4: 8
      // volcli:   tiles { [t0, t1] : t0 <= 11 and -t0 < t1 < 0 }, of which (2, -1) is shown: 4 sets, of 5: 7; 2: 1; 6: 1; 7: 7
      // volcli:   tiles { [t0, t1 = -t0] : t0 <= 11 }, of which (1, -1) is shown: 3 sets, of 5: 7; 2: 1; 3: 7
      // volcli:   tiles { [t0 = 12, t1 = -12] }: 2 sets, of 8: 7; 4: 8
      // volcli:   dependences with different linear parts move the footprints of tiles differently
      // volcli:   for tiles { [t0, t1] : t1 >= -24 + t0 and -t0 <= t1 <= 23 - t0 and t1 < t0 }
      // volcli:   not for 50 other tiles, at the ends of loops
      // volcli:   only whole tiles count as consumers
      // volcli: mars %a read, read here:
      // volcli:   tiles { [t0, t1] : t1 >= -11 and ((t0 <= 11 and t1 >= 0) or (t0 >= 12 and t1 < 0)) }: 1
      // volcli:   tiles { [t0, t1] : t0 >= 12 and t1 >= 0 }: 1
      // volcli:   tiles { [t0, t1] : t0 <= 11 and -t0 < t1 < 0 }: 2, 5
      // volcli:   tiles { [t0, t1 = -t0] : t0 <= 11 }: 2, 5
      // volcli:   tiles { [t0 = 12, t1 = -12] }: 4, 8
      %x = affine.load %a[%i - %j + 200] : memref<400xf32>
      // volcli: mars %a read, read here:
      // volcli:   tiles { [t0, t1] : t1 >= -11 and ((t0 <= 11 and t1 >= 0) or (t0 >= 12 and t1 < 0)) }: 2, 3
      // volcli:   tiles { [t0, t1] : t0 >= 12 and t1 >= 0 }: 4
      // volcli:   tiles { [t0, t1] : t0 <= 11 and -t0 < t1 < 0 }: 6, 7
      // volcli:   tiles { [t0, t1 = -t0] : t0 <= 11 }: 2, 3
      // volcli:   tiles { [t0 = 12, t1 = -12] }: 4
      %y = affine.load %a[%i + %j + 200] : memref<400xf32>
      %p = arith.mulf %x, %y : f32
      affine.store %p, %b[%i, %j] : memref<100x100xf32>
    }
  }
  return
}
