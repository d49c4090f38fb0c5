// RUN: volcli analyze %s --ask dependences --budget 1000000000000 --timeout 1

// Whether two elements of these remainders are the same: isl would answer in some hours.
func.func @hash(%table: memref<100000xf32>) {
  affine.for %i = 0 to 100000 {
    affine.for %j = 0 to 100000 {
      affine.for %k = 0 to 100000 {
        %x = affine.load %table[(%i * 3 + %j * 8881 - %k * 7) mod 65537] : memref<100000xf32>
        affine.store %x, %table[(%i * 1237 + %j * 4567 + %k) mod 99991] : memref<100000xf32>
      }
    }
  }
  return
}
