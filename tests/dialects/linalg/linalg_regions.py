"""Functions with the operations of linalg that write their body or their dimensions out."""

from __future__ import annotations

REGIONS = {
    "generic": """
#trait = {
  doc = "sums", indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> ()>,
    affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (0)>],
  iterator_types = ["parallel", "reduction"], library_call = "sum", note = 4 : i32
}
func.func @f(%a: tensor<?x4xf32>, %s: f32, %b: tensor<?xf32>, %c: tensor<1xi32>)
    -> (tensor<?xf32>, tensor<1xi32>) {
  %r:2 = linalg.generic #trait ins(%a, %s : tensor<?x4xf32>, f32) outs(%b, %c : tensor<?xf32>, tensor<1xi32>)
      attrs = {other} {
  ^bb0(%x: f32, %y: f32, %z: f32, %w: i32):
    %i = linalg.index 1 : index
    %j = arith.index_cast %i : index to i32
    %k = arith.addf %x, %y : f32
    linalg.yield %k, %j : f32, i32
  } -> (tensor<?xf32>, tensor<1xi32>)
  return %r#0, %r#1 : tensor<?xf32>, tensor<1xi32>
}
""",
    "generic without inputs": """
func.func @f(%a: memref<4xf32>, %b: memref<f32>) {
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      outs(%a : memref<4xf32>) {
  ^bb0(%o: f32):
    linalg.yield {note} %o : f32
  }
  linalg.generic {indexing_maps = [affine_map<() -> ()>], iterator_types = []} outs(%b : memref<f32>) {
  ^bb0(%o: f32):
    linalg.yield %o : f32
  }
  return
}
""".replace("{note} %o", "%o {note}"),
    "map": """
func.func @f(%a: tensor<4x?xf32>, %m: memref<4xf32>) -> (tensor<4x?xf32>, tensor<4x?xf32>, tensor<4x?xf32>) {
  %0 = linalg.map { arith.addf {fastmath = #arith.fastmath<fast>} } ins(%a, %a : tensor<4x?xf32>,
  tensor<4x?xf32>)
      outs(%a : tensor<4x?xf32>)
  %1 = linalg.map ins(%a, %a : tensor<4x?xf32>, tensor<4x?xf32>) outs(%a : tensor<4x?xf32>) {note}
      (%x: f32, %y: f32, %o: f32) {
    %z = arith.addf %y, %x : f32
    linalg.yield %z : f32
  }
  %2 = linalg.map outs(%a : tensor<4x?xf32>) (%o: f32) {
    %i = linalg.index 0 : index
    %j = arith.index_cast %i : index to i32
    %k = arith.sitofp %j : i32 to f32
    linalg.yield %k : f32
  }
  linalg.map { math.exp } ins(%m : memref<4xf32>) outs(%m : memref<4xf32>) {note}
  return %0, %1, %2 : tensor<4x?xf32>, tensor<4x?xf32>, tensor<4x?xf32>
}
""",
    "reduce": """
func.func @f(%a: tensor<4x?xf32>, %i: tensor<4x?xi32>, %b: tensor<4xf32>, %j: tensor<4xi32>, %m:
memref<4x5x6xf32>,
    %n: memref<5xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xi32>, tensor<4xf32>) {
  %0 = linalg.reduce { arith.addf } ins(%a : tensor<4x?xf32>) outs(%b : tensor<4xf32>) dimensions = [1]
  %1:2 = linalg.reduce ins(%a, %i : tensor<4x?xf32>, tensor<4x?xi32>) outs(%b, %j : tensor<4xf32>,
  tensor<4xi32>)
      dimensions = [1] {note} (%x: f32, %y: i32, %p: f32, %q: i32) {
    %z = arith.addf %x, %p : f32
    linalg.yield %z, %q : f32, i32
  }
  %2 = linalg.reduce ins(%a : tensor<4x?xf32>) outs(%b : tensor<4xf32>) dimensions = [1] (%x: f32, %o: f32) {
    %z = arith.subf %x, %o : f32
    linalg.yield %z : f32
  }
  linalg.reduce { arith.maximumf } ins(%m : memref<4x5x6xf32>) outs(%n : memref<5xf32>) dimensions = [0, 2]
  return %0, %1#0, %1#1, %2 : tensor<4xf32>, tensor<4xf32>, tensor<4xi32>, tensor<4xf32>
}
""",
    "transpose and broadcast": """
func.func @f(%a: tensor<4x?x6xf32>, %b: tensor<6x4x?xf32>, %m: memref<4x5xf32>, %n: memref<4x7x5xf32>)
    -> (tensor<6x4x?xf32>, tensor<4x?x6xf32>) {
  %0 = linalg.transpose ins(%a : tensor<4x?x6xf32>) outs(%b : tensor<6x4x?xf32>) permutation = [2, 0, 1]
  {note} %1 = linalg.broadcast ins(%a : tensor<4x?x6xf32>) outs(%a : tensor<4x?x6xf32>) dimensions = []
  linalg.broadcast ins(%m : memref<4x5xf32>) outs(%n : memref<4x7x5xf32>) dimensions = [1] {note} return %0,
  %1 : tensor<6x4x?xf32>, tensor<4x?x6xf32>
}
""",
    "softmax and Winograd": """
func.func @f(%a: tensor<4x4xf32>, %m: memref<4x4xf32>, %g: tensor<2x3x3x5xf32>, %h: tensor<6x6x5x2xf32>)
    -> (tensor<4x4xf32>, tensor<6x6x5x2xf32>) {
  %0 = linalg.softmax {note} dimension(1) ins(%a : tensor<4x4xf32>) outs(%a : tensor<4x4xf32>) ->
  tensor<4x4xf32> linalg.softmax dimension(0) ins(%m : memref<4x4xf32>) outs(%m : memref<4x4xf32>) %1 =
  linalg.winograd_filter_transform fmr(F_4_3) ins(%g : tensor<2x3x3x5xf32>) outs(%h : tensor<6x6x5x2xf32>)
      -> tensor<6x6x5x2xf32>
  return %0, %1 : tensor<4x4xf32>, tensor<6x6x5x2xf32>
}
""",
    "pack and unpack": """
func.func @f(%a: tensor<128x256xf32>, %b: tensor<8x16x8x32xf32>, %p: f32, %c: tensor<5x1xf32>, %t: index,
    %d: tensor<1x1x?x2xf32>)
    -> (tensor<8x16x8x32xf32>, tensor<128x256xf32>, tensor<1x1x?x2xf32>, tensor<5x1xf32>) {
  %0 = linalg.pack %a outer_dims_perm = [1, 0] inner_dims_pos = [0, 1] inner_tiles = [8, 32] into %b
      : tensor<128x256xf32> -> tensor<8x16x8x32xf32>
  %1 = linalg.unpack %0 outer_dims_perm = [1, 0] inner_dims_pos = [0, 1] inner_tiles = [8, 32] into %a {note}
      : tensor<8x16x8x32xf32> -> tensor<128x256xf32>
  %2 = linalg.pack %c padding_value(%p : f32) inner_dims_pos = [0, 1] inner_tiles = [%t, 2] into %d {note}
      : tensor<5x1xf32> -> tensor<1x1x?x2xf32>
  %3 = linalg.unpack %2 inner_dims_pos = [0, 1] inner_tiles = [%t, 2] into %c
      : tensor<1x1x?x2xf32> -> tensor<5x1xf32>
  return %0, %1, %2, %3 : tensor<8x16x8x32xf32>, tensor<128x256xf32>, tensor<1x1x?x2xf32>, tensor<5x1xf32>
}
""",
}
