// RUN: volcli annotate %s -p infer-shapes,element-maps
// Sizes and offsets that affine maps compute.

// A tile at the end of a row may be smaller than the others.
// volcli: shape %row: [row_d0]
func.func @last_tile(%row: tensor<?xf32>, %i: index) -> tensor<?xf32> {
  %zero = arith.constant 0 : index
  %n = tensor.dim %row, %zero : tensor<?xf32>
  %start = affine.apply affine_map<(d0) -> (d0 * 32)>(%i)
  %size = affine.min affine_map<(d0)[s0] -> (s0 - d0 * 32, 32)>(%i)[%n]
  // volcli: shape %tile: [min(-32 * i + row_d0, 32)]
  // volcli: map %tile assuming index arithmetic does not overflow:
  // volcli:   [i] -> { tile[d0] -> row[d0' = 32i + d0] }
  %tile = tensor.extract_slice %row[%start] [%size] [1] : tensor<?xf32> to tensor<?xf32>
  return %tile : tensor<?xf32>
}

// The digits of a linear index: the block x floordiv 15, and x floordiv 3 mod 5 and x mod 3 within it.
func.func @digits(%blocks: tensor<8x5x3xf32>, %x: index) -> f32 {
  %d:3 = affine.delinearize_index %x into (8, 5, 3) : index, index, index
  // volcli: map %element:
  // volcli:   [x] -> { element[] -> blocks[d0, d1, d2 = x - 15d0 - 3d1] : -14 + x <= 15d0 <= x }
  %element = tensor.extract %blocks[%d#0, %d#1, %d#2] : tensor<8x5x3xf32>
  return %element : f32
}

// And back: the position in the flat tensor is the one that the digits came from.
func.func @position(%flat: tensor<120xf32>, %x: index) -> f32 {
  %d:2 = affine.delinearize_index %x into (40, 3) : index, index
  %p = affine.linearize_index disjoint [%d#0, %d#1] by (40, 3) : index
  // volcli: map %element:
  // volcli:   [x] -> { element[] -> flat[d0 = x] }
  %element = tensor.extract %flat[%p] : tensor<120xf32>
  return %element : f32
}
