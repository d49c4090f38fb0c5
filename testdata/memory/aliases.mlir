// RUN: volcli annotate %s -p dependences
// Two names of one buffer: what is written through one is read through the other, at the right distance.
memref.global "private" @table : memref<64xf32>

func.func @subview(%m: memref<16x16xf32>, %x: f32) {
  %v = memref.subview %m[2, 1] [8, 8] [1, 2] : memref<16x16xf32> to memref<8x8xf32, strided<[16, 2], offset: 33>>
  // volcli: %i carries RAW %v[%i, 3] -> %m[%i, 7], distance (2): (0) then (2) at [2, 7]
  affine.for %i = 0 to 6 {
    affine.store %x, %v[%i, 3] : memref<8x8xf32, strided<[16, 2], offset: 33>>
    %y = affine.load %m[%i, 7] : memref<16x16xf32>
  }
  return
}

func.func @one_global() {
  %a = memref.get_global @table : memref<64xf32>
  %b = memref.get_global @table : memref<64xf32>
  // volcli: %i carries RAW %b[%i + 3] -> %a[%i], distance (3): (0) then (3) at [3]
  affine.for %i = 0 to 60 {
    %x = affine.load %a[%i] : memref<64xf32>
    affine.store %x, %b[%i + 3] : memref<64xf32>
  }
  return
}

func.func @cast(%x: f32) {
  %m = memref.alloc() : memref<64xf32>
  %d = memref.cast %m : memref<64xf32> to memref<?xf32>
  // volcli: %i carries RAW %m[%i] -> %d[%i - 1], distance (1): (1) then (2) at [1]
  affine.for %i = 1 to 60 {
    %y = affine.load %d[%i - 1] : memref<?xf32>
    affine.store %y, %m[%i] : memref<64xf32>
  }
  return
}

func.func @collapsed(%m: memref<8x8xf32>, %x: f32) {
  %flat = memref.collapse_shape %m [[0, 1]] : memref<8x8xf32> into memref<64xf32>
  // volcli: %i carries RAW %flat[8 * %i + 12] -> %m[%i, 4], distance (1): (0) then (1) at [1, 4]
  affine.for %i = 0 to 7 {
    affine.store %x, %flat[%i * 8 + 12] : memref<64xf32>
    %y = affine.load %m[%i, 4] : memref<8x8xf32>
  }
  return
}

func.func @reinterpreted(%m: memref<64xf32>, %x: f32) {
  %matrix = memref.reinterpret_cast %m to offset: [4], sizes: [4, 8], strides: [8, 1] : memref<64xf32> to memref<4x8xf32, strided<[8, 1], offset: 4>>
  // volcli: %i carries RAW %matrix[%i, 4] -> %m[8 * %i], distance (1): (0) then (1) at [8]
  affine.for %i = 0 to 4 {
    affine.store %x, %matrix[%i, 4] : memref<4x8xf32, strided<[8, 1], offset: 4>>
    %y = affine.load %m[8 * %i] : memref<64xf32>
  }
  return
}
