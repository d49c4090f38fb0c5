// RUN: volcli annotate %s -p "mars{tile='i+j:8, j-i:8' assume-noalias-args}"
// Two dependences that no translation of a tile moves alike (figure 9): three sets on some tiles, four on others.
func.func @crossing(%a: memref<400xf32>, %b: memref<100x100xf32>) {
  affine.for %i = 0 to 100 {
    affine.for %j = 0 to 100 {
      // volcli: mars %a read, tile i + j: 8, -i + j: 8:
      // volcli:   1. { a[d0] : 201 <= d0 <= 207 } to { [t0 = 0, t1]; [t0, t1 = -1] }
      // volcli:   2. { a[d0 = 208] } to { [t0 = 1, t1]; [t0, t1 = -1] }
      // volcli:   3. { a[d0] : 209 <= d0 <= 215 } to { [t0 = 1, t1]; [t0, t1 = -2] }
      // volcli:   4. { a[d0] : 193 <= d0 <= 199 } to { [t0, t1 = 0]; [t0 = -1, t1] }
      // volcli:   5. { a[d0 = 200] } to { [t0, t1 = 0]; [t0 = 0, t1] }
      // volcli:   tiles { [t0, t1 = -t0] }: 3 sets, of 1: 7; 2: 1; 3: 7
      // volcli:   tiles { [t0, t1] : t1 > -t0 }: 4 sets, of 4: 7; 5: 1; 2: 1; 3: 7
      // volcli:   dependences with different linear parts move the footprints of tiles differently
      // volcli:   for tiles inside { [i, j] : 0 <= i <= 99 and 0 <= j <= 99 }
      // volcli: mars %a read, read here:
      // volcli:   tiles { [t0, t1 = -t0] }: 1, 2
      // volcli:   tiles { [t0, t1] : t1 > -t0 }: 4, 5
      %x = affine.load %a[%i - %j + 200] : memref<400xf32>
      // volcli: mars %a read, read here: 2, 3
      %y = affine.load %a[%i + %j + 200] : memref<400xf32>
      %p = arith.mulf %x, %y : f32
      affine.store %p, %b[%i, %j] : memref<100x100xf32>
    }
  }
  return
}
