// RUN: volcli annotate %s -p sparsity-regions
// Triangular matrices by their domains: the element-wise product of an upper-right and an upper-left one.
func.func @product(%u: tensor<?x?xi32> {volcli.domain = affine_set<(i, j) : (j - i >= 0)>},
                   %v: tensor<?x?xi32> {volcli.domain = affine_set<(i, j)[m, n] : (n - i - j - 1 >= 0)>}) -> tensor<?x?xi32> {
  // volcli: regions %r assuming %u is zero except where -d0 + d1 >= 0 and %v is zero except where -d0 - d1 + s1 - 1 >= 0:
  // volcli:   dense        parametric  [u_d1] -> { r[d0, d1] : d0 <= d1 < u_d1 - d0 }
  // volcli:   static zero  parametric  [u_d1] -> { r[d0, d1] : (d1 >= u_d1 - d0 and d1 >= d0) or d1 < d0 }
  %r = arith.muli %u, %v : tensor<?x?xi32>
  return %r : tensor<?x?xi32>
}
