// RUN: volcli annotate %s -p 'value-bounds{in-terms-of=%tiles,%size}'
// The rows of a matrix in tiles: what a caller that knows the number of tiles and their size can say of the rest.
// volcli: %n in [16 * %tiles - 15, min(%size, 16 * %tiles)] (not exact: no one expression of these values is attained)
// volcli: %other is not expressible in terms of %tiles, %size: it depends on %other
func.func @rows(%n: index, %other: index) -> index {
  %c1 = arith.constant 1 : index
  %size = affine.max affine_map<(d0) -> (d0, 1)>(%n)
  %tiles = affine.apply affine_map<(d0) -> (d0 ceildiv 16)>(%n)
  // volcli: %padded = 16 * %tiles
  %padded = affine.apply affine_map<(d0) -> ((d0 ceildiv 16) * 16)>(%n)
  // volcli: %unused in [max(-%size + 16 * %tiles, 0), 15] (not exact: no one expression of these values is attained)
  %unused = affine.apply affine_map<(d0) -> ((d0 ceildiv 16) * 16 - d0)>(%n)
  // volcli: %before = %tiles - 1
  %before = arith.subi %tiles, %c1 : index
  // volcli: %sum is not expressible in terms of %tiles, %size: it depends on %n, %other
  %sum = arith.addi %padded, %other : index
  return %sum : index
}
