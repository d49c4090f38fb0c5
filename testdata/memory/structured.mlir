// RUN: volcli annotate %s -p dependences
// Operations of linalg on memrefs: their loops are in them, and the loops around them carry what is left.
#row = affine_map<(i, j) -> (i)>
#all = affine_map<(i, j) -> (i, j)>
func.func @one_buffer_for_all(%a: memref<16x8xf32>, %b: memref<16x8xf32>, %zero: f32) {
  %sum = memref.alloc() : memref<16xf32>
  // volcli: %t carries RAW %sum[d0] -> %sum[d0], distances { [t] : 0 < t <= 9 }: (0) then (1) at [0]
  // volcli: %t carries WAR %sum[d0] -> %sum[d0], distances { [t] : 0 < t <= 9 }: (0) then (1) at [0]
  // volcli: %t carries WAW %sum[d0] -> %sum[d0], distances { [t] : 0 < t <= 9 }: (0) then (1) at [0]
  affine.for %t = 0 to 10 {
    linalg.fill ins(%zero : f32) outs(%sum : memref<16xf32>)
    linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "reduction"]}
        ins(%a : memref<16x8xf32>) outs(%sum : memref<16xf32>) {
    ^bb0(%x: f32, %s: f32):
      %r = arith.addf %s, %x : f32
      linalg.yield %r : f32
    }
  }
  return
}

func.func @rows(%m: memref<64x8xf32>, %zero: f32) {
  // volcli: %i: parallel
  affine.for %i = 0 to 64 step 4 {
    %tile = memref.subview %m[%i, 0] [4, 8] [1, 1] : memref<64x8xf32> to memref<4x8xf32, strided<[8, 1], offset: ?>>
    linalg.fill ins(%zero : f32) outs(%tile : memref<4x8xf32, strided<[8, 1], offset: ?>>)
  }
  return
}

// Rows that overlap are filled with one value.
func.func @rows_that_overlap(%m: memref<68x8xf32>, %zero: f32) {
  // volcli: %i: parallel
  affine.for %i = 0 to 64 step 3 {
    %tile = memref.subview %m[%i, 0] [4, 8] [1, 1] : memref<68x8xf32> to memref<4x8xf32, strided<[8, 1], offset: ?>>
    linalg.fill ins(%zero : f32) outs(%tile : memref<4x8xf32, strided<[8, 1], offset: ?>>)
  }
  return
}

func.func @copied_forward(%m: memref<64xf32>) {
  // volcli: %i carries RAW %to[d0] -> %from[d0], distance (8): (0) then (8) at [8]
  affine.for %i = 0 to 48 step 8 {
    %from = memref.subview %m[%i] [8] [1] : memref<64xf32> to memref<8xf32, strided<[1], offset: ?>>
    %k = affine.apply affine_map<(d0) -> (d0 + 8)>(%i)
    %to = memref.subview %m[%k] [8] [1] : memref<64xf32> to memref<8xf32, strided<[1], offset: ?>>
    memref.copy %from, %to : memref<8xf32, strided<[1], offset: ?>> to memref<8xf32, strided<[1], offset: ?>>
  }
  return
}

func.func @tiles_of_a_product(%a: memref<32x16xf32>, %b: memref<16x32xf32>, %c: memref<32x32xf32>) {
  // volcli: %i: parallel, if %a and %c are different memory and %b and %c are different memory
  affine.for %i = 0 to 32 step 8 {
    // volcli: %k: reduction: combines %z[d0, d1] (addf), if %a and %c are different memory and %b and %c are different memory and reassoc of arith.addf
    affine.for %k = 0 to 16 step 4 {
      %x = memref.subview %a[%i, %k] [8, 4] [1, 1] : memref<32x16xf32> to memref<8x4xf32, strided<[16, 1], offset: ?>>
      %y = memref.subview %b[%k, 0] [4, 32] [1, 1] : memref<16x32xf32> to memref<4x32xf32, strided<[32, 1], offset: ?>>
      %z = memref.subview %c[%i, 0] [8, 32] [1, 1] : memref<32x32xf32> to memref<8x32xf32, strided<[32, 1], offset: ?>>
      linalg.matmul ins(%x, %y : memref<8x4xf32, strided<[16, 1], offset: ?>>, memref<4x32xf32, strided<[32, 1], offset: ?>>)
          outs(%z : memref<8x32xf32, strided<[32, 1], offset: ?>>)
    }
  }
  return
}
