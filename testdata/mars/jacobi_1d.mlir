// RUN: volcli annotate %s -p "mars{tile='t+i:s, t-i:s' assume-noalias-args}"
// Each point in time is the mean of three points before it; diamonds of any size. A tile of even size produces
// four sets, which other tiles read, and reads seven.
func.func @jacobi_1d(%a: memref<100x1000xf32>) {
  %third = arith.constant 0.333 : f32
  affine.for %t = 1 to 100 {
    affine.for %i = 1 to 999 {
      // volcli: mars %a produced, tile t + i: s, t - i: s:
      // volcli:   1. [s, o0, o1] -> { a[t, i] : i >= o0 - t and -s - o1 + t < i <= 2 - s - o1 + t and i <= -3 + s + o0 - t } to (0, 1)
      // volcli:   2. [s, o0, o1] -> { a[t, i] : 2t <= -3 + 2s + o0 + o1 and i >= -2 + s + o0 - t and 3 - 2s - o1 + t <= i <= 2 - s - o1 + t and i <= -o1 + t } to (0, 1), (1, 0)
      // volcli:   3. [s, o0, o1] -> { a[t, i] : 2t = -2 + 2s + o0 + o1 and 2i = o0 - o1 and s >= 2 } to (0, 1), (1, 0), (1, 1)
      // volcli:   4. [s, o0, o1] -> { a[t, i] : i >= -2 + s + o0 - t and 3 - s - o1 + t <= i <= -o1 + t and i < s + o0 - t } to (1, 0)
      // volcli:   if s mod 2 = 0 and s >= 4: 4 sets, of 1: s - 2; 2: 1; 3: 1; 4: s - 2
      // volcli:   if s = 2: 2 sets
      // volcli:   tiles { [t0, t1] : (t0 + t1) mod 2 = 0 } if s mod 2 = 1 and s >= 3: 4 sets, of 1: s - 2; 2: 1; 3: 1; 4: s - 2
      // volcli:   if s = 1: 1 set
      // volcli:   tiles { [t0, t1] : (1 + t0 + t1) mod 2 = 0 } if s mod 2 = 1 and s >= 3: 3 sets, of 1: s - 2; 2: 2; 4: s - 2
      // volcli:   if s = 1: 0 sets
      // volcli:   all tiles have the same sets, up to translation, if s mod 2 = 0
      // volcli:   if s mod 2 = 0 and s >= 4: a tile produces 4 sets, and reads 7 of other tiles
      // volcli:   if s mod 2 = 0 and s >= 4: in the order 1, 2, 3, 4: 3 bursts a tile, s + 1 in row-major order
      // volcli:   for tiles that are, with their consumers, inside { [t, i] : 2 <= t <= 99 and 2 <= i <= 997 }
      // volcli:   what these reads get elsewhere at the ends of loops is in no set
      // volcli: mars %a produced, read here:
      // volcli:   if s mod 2 = 0 and s >= 4: 2, 3, 4
      // volcli:   tiles { [t0, t1] : (t0 + t1) mod 2 = 0 } if s mod 2 = 1 and s >= 3: 2, 3, 4
      // volcli:   tiles { [t0, t1] : (1 + t0 + t1) mod 2 = 0 } if s mod 2 = 1 and s >= 3: 2, 4
      %l = affine.load %a[%t - 1, %i - 1] : memref<100x1000xf32>
      // volcli: mars %a produced, read here:
      // volcli:   if s mod 2 = 0 and s >= 4: 1, 3, 4
      // volcli:   tiles { [t0, t1] : (t0 + t1) mod 2 = 0 } if s mod 2 = 1 and s >= 3: 1, 3, 4
      // volcli:   tiles { [t0, t1] : (1 + t0 + t1) mod 2 = 0 } if s mod 2 = 1 and s >= 3: 1, 2, 4
      %c = affine.load %a[%t - 1, %i] : memref<100x1000xf32>
      // volcli: mars %a produced, read here:
      // volcli:   if s mod 2 = 0 and s >= 4: 1, 2, 3
      // volcli:   tiles { [t0, t1] : (t0 + t1) mod 2 = 0 } if s mod 2 = 1 and s >= 3: 1, 2, 3
      // volcli:   tiles { [t0, t1] : (1 + t0 + t1) mod 2 = 0 } if s mod 2 = 1 and s >= 3: 1, 2
      %r = affine.load %a[%t - 1, %i + 1] : memref<100x1000xf32>
      %lc = arith.addf %l, %c : f32
      %lcr = arith.addf %lc, %r : f32
      %mean = arith.mulf %lcr, %third : f32
      // volcli: mars %a produced, written here:
      // volcli:   if s mod 2 = 0 and s >= 4: 1, 2, 3, 4
      // volcli:   tiles { [t0, t1] : (t0 + t1) mod 2 = 0 } if s mod 2 = 1 and s >= 3: 1, 2, 3, 4
      // volcli:   tiles { [t0, t1] : (1 + t0 + t1) mod 2 = 0 } if s mod 2 = 1 and s >= 3: 1, 2, 4
      affine.store %mean, %a[%t, %i] : memref<100x1000xf32>
    }
  }
  return
}
