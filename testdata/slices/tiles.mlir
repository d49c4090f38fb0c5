// RUN: volcli annotate %s -p compare-slices
// Even and odd columns never meet; neighbouring windows do; a tile is written where it was read.
func.func @strided(%t: tensor<16xf32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<3xf32>) {
  %even = tensor.extract_slice %t[0] [8] [2] : tensor<16xf32> to tensor<8xf32>
  // volcli: slices %even and %odd of %t are disjoint
  %odd = tensor.extract_slice %t[1] [8] [2] : tensor<16xf32> to tensor<8xf32>
  // volcli: slices %even and %window of %t overlap: both have [6]
  // volcli: slices %odd and %window of %t overlap: both have [7]
  %window = tensor.extract_slice %t[6] [3] [1] : tensor<16xf32> to tensor<3xf32>
  return %even, %odd, %window : tensor<8xf32>, tensor<8xf32>, tensor<3xf32>
}

func.func @tile(%t: tensor<128xf32>) -> tensor<128xf32> {
  %c0 = arith.constant 0 : index
  %c9 = arith.constant 9 : index
  %c128 = arith.constant 128 : index
  %r = scf.for %i = %c0 to %c128 step %c9 iter_args(%s = %t) -> (tensor<128xf32>) {
    %width = affine.min affine_map<(d0) -> (-d0 + 128, 9)>(%i)
    %rest = affine.apply affine_map<(d0) -> (-d0 + 128)>(%i)
    %least = arith.minsi %rest, %c9 : index
    %tile = tensor.extract_slice %s[%i] [%width] [1] : tensor<128xf32> to tensor<?xf32>
    // volcli: slices %tile and %written of %s are equal
    %written = tensor.insert_slice %tile into %s[%i] [%least] [1] : tensor<?xf32> into tensor<128xf32>
    scf.yield %written : tensor<128xf32>
  }
  return %r : tensor<128xf32>
}

func.func @halves(%m: memref<?x?xf32>, %n: index, %from: index) {
  %left = memref.subview %m[0, 0] [4, %n] [1, 1] : memref<?x?xf32> to memref<4x?xf32, strided<[?, 1]>>
  // volcli: slices %left and %right of %m are disjoint
  %right = memref.subview %m[0, %n] [4, %n] [1, 1] : memref<?x?xf32> to memref<4x?xf32, strided<[?, 1], offset: ?>>
  // volcli: slices %left and %column of %m overlap if %n > %from: both have [0, 0] at dim(%m, 1) = 1, dim(%m, 0) = 4, %from = 0, %n = 1
  // volcli: slices %right and %column of %m overlap if %n <= %from and 2 * %n > %from: both have [0, 1] at dim(%m, 1) = 2, dim(%m, 0) = 4, %from = 1, %n = 1
  %column = memref.subview %m[0, %from] [4, 1] [1, 1] : memref<?x?xf32> to memref<4x1xf32, strided<[?, 1], offset: ?>>
  return
}
