"""Programs that are tiled in tests, and by which sizes."""

from __future__ import annotations

LAYER = """\
func.func @f(%x: tensor<1x3x32x32xf32>, %w: tensor<4x3x5x5xf32>) -> tensor<1x4x16x16xf32> {
  %zero = arith.constant 0.0 : f32
  %slope = arith.constant 0.01 : f32
  %p = tensor.pad %x low[0, 0, 1, 1] high[0, 0, 2, 2] {
  ^bb0(%n: index, %c: index, %h: index, %v: index):
    tensor.yield %zero : f32
  } : tensor<1x3x32x32xf32> to tensor<1x3x35x35xf32>
  %e = tensor.empty() : tensor<1x4x16x16xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<1x4x16x16xf32>) -> tensor<1x4x16x16xf32>
  %y = linalg.conv_2d_nchw_fchw {strides = dense<2> : tensor<2xi64>}
      ins(%p, %w : tensor<1x3x35x35xf32>, tensor<4x3x5x5xf32>)
      outs(%i : tensor<1x4x16x16xf32>) -> tensor<1x4x16x16xf32>
  %r = linalg.generic {
      indexing_maps = [affine_map<(n, f, h, w) -> (n, f, h, w)>, affine_map<(n, f, h, w) -> (n, f, h, w)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%y : tensor<1x4x16x16xf32>) outs(%e : tensor<1x4x16x16xf32>) {
  ^bb0(%a: f32, %b: f32):
    %0 = arith.maximumf %a, %zero : f32
    %1 = arith.mulf %0, %slope : f32
    %2 = arith.addf %a, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<1x4x16x16xf32>
  return %r : tensor<1x4x16x16xf32>
}
"""
TWO_LAYERS = """\
func.func @f(%x: tensor<12x13x2xf32>, %w: tensor<3x3x2x4xf32>, %v: tensor<3x3x4x3xf32>) -> tensor<1x12x13x3xf32> {
  %zero = arith.constant 0.0 : f32
  %x1 = tensor.expand_shape %x [[0, 1], [2], [3]] output_shape [1, 12, 13, 2]
      : tensor<12x13x2xf32> into tensor<1x12x13x2xf32>
  %p = tensor.pad %x1 low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%n: index, %h: index, %k: index, %c: index):
    tensor.yield %zero : f32
  } : tensor<1x12x13x2xf32> to tensor<1x14x15x2xf32>
  %e = tensor.empty() : tensor<1x12x13x4xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<1x12x13x4xf32>) -> tensor<1x12x13x4xf32>
  %y = linalg.conv_2d_nhwc_hwcf ins(%p, %w : tensor<1x14x15x2xf32>, tensor<3x3x2x4xf32>)
      outs(%i : tensor<1x12x13x4xf32>) -> tensor<1x12x13x4xf32>
  %one = arith.constant 1.0 : f32
  %q = tensor.pad %y low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%n: index, %h: index, %k: index, %c: index):
    tensor.yield %one : f32
  } : tensor<1x12x13x4xf32> to tensor<1x14x15x4xf32>
  %d = tensor.empty() : tensor<1x12x13x3xf32>
  %j = linalg.fill ins(%one : f32) outs(%d : tensor<1x12x13x3xf32>) -> tensor<1x12x13x3xf32>
  %z = linalg.conv_2d_nhwc_hwcf ins(%q, %v : tensor<1x14x15x4xf32>, tensor<3x3x4x3xf32>)
      outs(%j : tensor<1x12x13x3xf32>) -> tensor<1x12x13x3xf32>
  return %z : tensor<1x12x13x3xf32>
}
"""
POOLED = """\
func.func @f(%x: tensor<1x15x15x2xi32>) -> tensor<1x8x8x2xi32> {
  %least = arith.constant -2147483648 : i32
  %p = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%n: index, %h: index, %k: index, %c: index):
    tensor.yield %least : i32
  } : tensor<1x15x15x2xi32> to tensor<1x17x17x2xi32>
  %window = tensor.empty() : tensor<3x3xi32>
  %e = tensor.empty() : tensor<1x8x8x2xi32>
  %i = linalg.fill ins(%least : i32) outs(%e : tensor<1x8x8x2xi32>) -> tensor<1x8x8x2xi32>
  %y = linalg.pooling_nhwc_max {strides = dense<2> : tensor<2xi64>}
      ins(%p, %window : tensor<1x17x17x2xi32>, tensor<3x3xi32>)
      outs(%i : tensor<1x8x8x2xi32>) -> tensor<1x8x8x2xi32>
  return %y : tensor<1x8x8x2xi32>
}
"""
DEPTHWISE = """\
func.func @f(%x: tensor<1x9x9x3xf32>, %w: tensor<3x3x3xf32>, %b: tensor<3xf32>) -> tensor<1x9x9x3xf32> {
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 2, 2, 0] high[0, 2, 2, 0] {
  ^bb0(%n: index, %h: index, %v: index, %c: index):
    tensor.yield %zero : f32
  } : tensor<1x9x9x3xf32> to tensor<1x13x13x3xf32>
  %e = tensor.empty() : tensor<1x9x9x3xf32>
  %i = linalg.broadcast ins(%b : tensor<3xf32>) outs(%e : tensor<1x9x9x3xf32>) dimensions = [0, 1, 2]
  %y = linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<2> : tensor<2xi64>}
      ins(%p, %w : tensor<1x13x13x3xf32>, tensor<3x3x3xf32>)
      outs(%i : tensor<1x9x9x3xf32>) -> tensor<1x9x9x3xf32>
  return %y : tensor<1x9x9x3xf32>
}
"""
TRANSPOSED = """\
func.func @f(%x: tensor<1x2x5x5xf32>, %w: tensor<3x2x4x4xf32>) -> tensor<1x3x10x10xf32> {
  %zero = arith.constant 0.0 : f32
  %s = tensor.empty() : tensor<1x2x13x13xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%s : tensor<1x2x13x13xf32>) -> tensor<1x2x13x13xf32>
  %spread = tensor.insert_slice %x into %zeros[0, 0, 2, 2] [1, 2, 5, 5] [1, 1, 2, 2]
      : tensor<1x2x5x5xf32> into tensor<1x2x13x13xf32>
  %e = tensor.empty() : tensor<1x3x10x10xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<1x3x10x10xf32>) -> tensor<1x3x10x10xf32>
  %y = linalg.conv_2d_nchw_fchw ins(%spread, %w : tensor<1x2x13x13xf32>, tensor<3x2x4x4xf32>)
      outs(%i : tensor<1x3x10x10xf32>) -> tensor<1x3x10x10xf32>
  return %y : tensor<1x3x10x10xf32>
}
"""
CHAIN = """\
func.func @f(%a: tensor<7x6xf32>, %b: tensor<6x9xf32>, %c: tensor<9x11xf32>, %r: tensor<11xf32>)
    -> tensor<11x7xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<7x9xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<7x9xf32>) -> tensor<7x9xf32>
  %ab = linalg.matmul ins(%a, %b : tensor<7x6xf32>, tensor<6x9xf32>) outs(%i : tensor<7x9xf32>) -> tensor<7x9xf32>
  %d = tensor.empty() : tensor<7x11xf32>
  %rows = linalg.broadcast ins(%r : tensor<11xf32>) outs(%d : tensor<7x11xf32>) dimensions = [0]
  %abc = linalg.matmul ins(%ab, %c : tensor<7x9xf32>, tensor<9x11xf32>)
      outs(%rows : tensor<7x11xf32>) -> tensor<7x11xf32>
  %t = tensor.empty() : tensor<11x7xf32>
  %y = linalg.transpose ins(%abc : tensor<7x11xf32>) outs(%t : tensor<11x7xf32>) permutation = [1, 0]
  return %y : tensor<11x7xf32>
}
"""
CONCATENATED = """\
func.func @f(%a: tensor<5x6xf32>, %b: tensor<7x6xf32>, %acc: tensor<12x6xf32>) -> tensor<12x6xf32> {
  %ab = tensor.concat dim(0) %a, %b : (tensor<5x6xf32>, tensor<7x6xf32>) -> tensor<12x6xf32>
  %y = linalg.add ins(%ab, %ab : tensor<12x6xf32>, tensor<12x6xf32>) outs(%acc : tensor<12x6xf32>) -> tensor<12x6xf32>
  return %y : tensor<12x6xf32>
}
"""
DYNAMIC = """\
func.func @f(%x: tensor<?x?xf32>, %w: tensor<3x3xf32>) -> tensor<?x?xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %h = tensor.dim %x, %c0 : tensor<?x?xf32>
  %v = tensor.dim %x, %c1 : tensor<?x?xf32>
  %p = tensor.pad %x low[1, 1] high[1, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<?x?xf32> to tensor<?x?xf32>
  %e = tensor.empty(%h, %v) : tensor<?x?xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
  %y = linalg.conv_2d ins(%p, %w : tensor<?x?xf32>, tensor<3x3xf32>) outs(%z : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %y : tensor<?x?xf32>
}
"""
PADDED = """\
func.func @f(%x: tensor<6x7xf32>) -> tensor<11x12xf32> {
  %one = arith.constant 1.0 : f32
  %p = tensor.pad %x low[2, 3] high[3, 2] {
  ^bb0(%i: index, %j: index):
    tensor.yield %one : f32
  } : tensor<6x7xf32> to tensor<11x12xf32>
  return %p : tensor<11x12xf32>
}
"""
USED_TWICE = """\
func.func @f(%x: tensor<8x8xf32>, %y: tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  %e = tensor.empty() : tensor<8x8xf32>
  %s = linalg.add ins(%x, %y : tensor<8x8xf32>, tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %m = linalg.matmul ins(%s, %s : tensor<8x8xf32>, tensor<8x8xf32>) outs(%x : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %s, %m : tensor<8x8xf32>, tensor<8x8xf32>
}
"""
NESTED = """\
func.func @f(%x: tensor<9x?xf32>, %w: tensor<9x9xf32>, %n: index) -> tensor<9x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %two = arith.constant 2.0 : f32
  %width = tensor.dim %x, %c1 : tensor<9x?xf32>
  %begin = tensor.empty(%width) : tensor<9x?xf32>
  %filled = linalg.fill ins(%two : f32) outs(%begin : tensor<9x?xf32>) -> tensor<9x?xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %filled) -> (tensor<9x?xf32>) {
    %d = tensor.dim %a, %c1 : tensor<9x?xf32>
    %e = tensor.empty(%d) : tensor<9x?xf32>
    %t = linalg.negf ins(%x : tensor<9x?xf32>) outs(%e : tensor<9x?xf32>) -> tensor<9x?xf32>
    %m = linalg.matmul ins(%w, %t : tensor<9x9xf32>, tensor<9x?xf32>)
        outs(%a : tensor<9x?xf32>) -> tensor<9x?xf32>
    scf.yield %m : tensor<9x?xf32>
  }
  return %r : tensor<9x?xf32>
}
"""
TWO_RESULTS = """\
func.func @f(%x: tensor<9x12xf32>) -> (tensor<9xf32>, tensor<9xi32>, tensor<9x12xf32>) {
  %least = arith.constant 0xFF800000 : f32
  %none = arith.constant -1 : i32
  %e = tensor.empty() : tensor<9xf32>
  %g = tensor.empty() : tensor<9xi32>
  %m = linalg.fill ins(%least : f32) outs(%e : tensor<9xf32>) -> tensor<9xf32>
  %n = linalg.fill ins(%none : i32) outs(%g : tensor<9xi32>) -> tensor<9xi32>
  %r:2 = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i)>],
      iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<9x12xf32>) outs(%m, %n : tensor<9xf32>, tensor<9xi32>) {
  ^bb0(%a: f32, %b: f32, %k: i32):
    %j = linalg.index 1 : index
    %ji = arith.index_cast %j : index to i32
    %c = arith.cmpf ogt, %a, %b : f32
    %s = arith.select %c, %a, %b : f32
    %t = arith.select %c, %ji, %k : i32
    linalg.yield %s, %t : f32, i32
  } -> (tensor<9xf32>, tensor<9xi32>)
  %h = tensor.empty() : tensor<9x12xf32>
  %y = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%x, %r#0 : tensor<9x12xf32>, tensor<9xf32>) outs(%h : tensor<9x12xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %d = arith.subf %a, %b : f32
    linalg.yield %d : f32
  } -> tensor<9x12xf32>
  return %r#0, %r#1, %y : tensor<9xf32>, tensor<9xi32>, tensor<9x12xf32>
}
"""
PROGRAMS = {
    "layer": (LAYER, "0,0,4,4"),
    "layer, sizes that do not divide": (LAYER, "0,3,5,7"),
    "layer, rows": (LAYER, "0,0,2,0"),
    "layer, one element": (LAYER, "1,1,8,16"),
    "two layers": (TWO_LAYERS, "0,4,4,0"),
    "two layers, other sizes": (TWO_LAYERS, "1,5,3,2"),
    "pooling": (POOLED, "0,3,2,0"),
    "depthwise, dilated": (DEPTHWISE, "0,2,3,1"),
    "transposed": (TRANSPOSED, "0,0,4,3"),
    "chain": (CHAIN, "4,3"),
    "concatenation": (CONCATENATED, "4,4"),
    "padding": (PADDED, "2,5"),
    "two results": (USED_TWICE, "4,3"),
}
