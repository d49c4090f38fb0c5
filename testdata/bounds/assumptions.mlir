// RUN: volcli annotate %s -p value-bounds,allocations --assume '%m <= 64'
// What holds of arguments is said in attributes, or with --assume; answers name what they needed.
// volcli: %n = %n, in [16, 64] assuming %m - %n >= 0 and %n - 1 >= 0 and %n mod 16 = 0 and %m <= 64
// volcli: %m = %m, in [16, 64] assuming %m - %n >= 0 and %n - 1 >= 0 and %n mod 16 = 0 and %m <= 64
func.func @batched(%n: index {volcli.assume = affine_set<(d0) : (d0 - 1 >= 0, d0 mod 16 == 0)>}, %m: index,
                   %x: tensor<?x?xf32> {volcli.assume = affine_set<(d0, d1) : (d0 - d1 == 0)>})
    attributes {volcli.assume = affine_set<(d0, d1) : (d1 - d0 >= 0)>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // volcli: %rows = dim(%x, 0), in [0, +inf]
  %rows = tensor.dim %x, %c0 : tensor<?x?xf32>
  // volcli: %columns = dim(%x, 1), in [0, +inf]
  %columns = tensor.dim %x, %c1 : tensor<?x?xf32>
  // volcli: %difference = 0 assuming dim(%x, 0) - dim(%x, 1) = 0
  %difference = arith.subi %rows, %columns : index
  // volcli: dim(%buffer, 0) = %n, in [16, 64] assuming %m - %n >= 0 and %n - 1 >= 0 and %n mod 16 = 0 and %m <= 64
  // volcli: %buffer has at most 64 elements, 256 bytes assuming %m - %n >= 0 and %m <= 64
  %buffer = memref.alloc(%n) : memref<?xf32>
  %fits = arith.cmpi sle, %rows, %n : index
  cf.assert %fits, "a batch is too large"
  // volcli: dim(%tile, 0) = dim(%x, 0), in [0, 64] assuming %m - %n >= 0 and %m <= 64 and cf.assert %fits
  // volcli: %tile has at most 64 elements, 256 bytes assuming %m - %n >= 0 and %m <= 64 and cf.assert %fits
  %tile = memref.alloc(%rows) : memref<?xf32>
  return
}
