// RUN: volcli annotate %s -p element-maps,sparsity-regions --given '%scale[i, j] = 0 : i < j' --given '%noise is constant' --given '@sums:%edge[i] is sparse : i < 2'
// Facts about elements: what the numbers of a constant are, and what the user knows of elements.

// Only the middle one of three weights is not 0: each element is computed from one of its input.
func.func @one_tap(%x: tensor<10xi32>) -> tensor<8xi32> {
  %w = arith.constant dense<[0, 1, 0]> : tensor<3xi32>
  %zeros = arith.constant dense<0> : tensor<8xi32>
  // volcli: map %taps:
  // volcli:   { taps[w] -> x[w' = 1 + w] }
  // volcli:   { taps[w] -> w[kw = 1] }
  // volcli:   { taps[w] -> zeros[w' = w] }
  // volcli: regions %taps:
  // volcli:   dense  8  { taps[w] }
  %taps = linalg.conv_1d ins(%x, %w : tensor<10xi32>, tensor<3xi32>) outs(%zeros : tensor<8xi32>) -> tensor<8xi32>
  return %taps : tensor<8xi32>
}

// A matrix of numbers, lower triangular: the elements of %x above the diagonal are not used, if they are finite.
func.func @triangular(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %l = arith.constant dense<[[1.0, 0.0, 0.0, 0.0], [2.0, 1.0, 0.0, 0.0], [3.0, 2.0, 1.0, 0.0], [4.0, 3.0, 2.0, 1.0]]> : tensor<4x4xf32>
  // volcli: map %kept assuming nnan, ninf:
  // volcli:   { kept[d0, d1] -> x[d0' = d0, d1' = d1] : d1 <= d0 }
  // volcli:   { kept[d0, d1] -> l[d0' = d0, d1' = d1] : d1 <= d0 }
  // volcli: regions %kept:
  // volcli:   dense                            10  { kept[d0, d1] : d1 <= d0 }
  // volcli:   static zero assuming nnan, ninf   6  { kept[d0, d1] : d1 > d0 }
  %kept = arith.mulf %x, %l : tensor<4x4xf32>
  return %kept : tensor<4x4xf32>
}

// The sign of a zero is that of %x: where an operation can tell it, %x is read.
func.func @sign(%x: tensor<4xf32>) -> tensor<4xf32> {
  %w = arith.constant dense<[0.0, 1.0, 0.0, 1.0]> : tensor<4xf32>
  %one = arith.constant dense<1.0> : tensor<4xf32>
  %p = arith.mulf %x, %w : tensor<4xf32>
  // volcli: map %inverse:
  // volcli:   { inverse[d0] -> x[d0' = d0] }
  // volcli:   { inverse[d0] -> w[d0' = d0] }
  // volcli:   { inverse[d0] -> one[d0' = d0] }
  // volcli: regions %inverse:
  // volcli:   dense                             2  { inverse[d0 = 3]; inverse[d0 = 1] }
  // volcli:   sparse in gaps, d0 mod 2 = 0      1  { inverse[d0 = 2] }
  // volcli:   sparse of degree 1, d0 mod 2 = 0  1  { inverse[d0 = 0] }
  %inverse = arith.divf %one, %p : tensor<4xf32>
  return %inverse : tensor<4xf32>
}

// One element of three is 1, the others are 0: a row of %t.
func.func @one_hot(%t: tensor<3x5xi32>) -> tensor<5xi32> {
  %h = arith.constant dense<[0, 0, 1]> : tensor<3xi32>
  %zeros = arith.constant dense<0> : tensor<5xi32>
  // volcli: map %row:
  // volcli:   { row[n] -> t[m = 2, n' = n] }
  // volcli:   { row[n] -> h[m = 2] }
  // volcli:   { row[n] -> zeros[n' = n] }
  // volcli: regions %row:
  // volcli:   dense  5  { row[n] }
  %row = linalg.vecmat ins(%h, %t : tensor<3xi32>, tensor<3x5xi32>) outs(%zeros : tensor<5xi32>) -> tensor<5xi32>
  return %row : tensor<5xi32>
}

// A fact of an attribute: %w[k] is k - 2, and so 0 at k = 2.
func.func @equal(%w: tensor<5xi32> {volcli.facts = {equal = affine_map<(k) -> (k - 2)>}}, %x: tensor<5xi32>) -> tensor<5xi32> {
  // volcli: map %weighed given: %w[d0] = d0 - 2:
  // volcli:   { weighed[d0] -> w[d0' = d0] : d0 >= 3 or d0 <= 1 }
  // volcli:   { weighed[d0] -> x[d0' = d0] : d0 >= 3 or d0 <= 1 }
  // volcli: regions %weighed given: %w[d0] = d0 - 2:
  // volcli:   dense        4  { weighed[d0] : d0 >= 3 or d0 <= 1 }
  // volcli:   static zero  1  { weighed[d0 = 2] }
  %weighed = arith.muli %w, %x : tensor<5xi32>
  return %weighed : tensor<5xi32>
}

// Facts of the command line: of an argument, and of what an operation without a case computes.
func.func @scaled(%x: tensor<6x6xi32>, %scale: tensor<6x6xi32>) -> (tensor<6x6xi32>, tensor<6x6xi32>) {
  %noise = "other.noise"(%x) : (tensor<6x6xi32>) -> tensor<6x6xi32>
  // volcli: map %upper given: %scale[i, j] = 0 : i < j:
  // volcli:   { upper[d0, d1] -> x[d0' = d0, d1' = d1] : d1 <= d0 }
  // volcli:   { upper[d0, d1] -> scale[d0' = d0, d1' = d1] : d1 <= d0 }
  // volcli: regions %upper given: %scale[i, j] = 0 : i < j:
  // volcli:   dense        21  { upper[d0, d1] : d1 <= d0 }
  // volcli:   static zero  15  { upper[d0, d1] : d1 > d0 }
  %upper = arith.muli %x, %scale : tensor<6x6xi32>
  // volcli: map %blurred (over-approximate: %noise may be read from memory, which may depend on any input) given: %scale[i, j] = 0 : i < j:
  // volcli:   { blurred[d0, d1] -> x[d0', d1'] : d1 <= d0 }
  // volcli:   { blurred[d0, d1] -> scale[d0', d1'] : d1 <= d0 }
  // volcli: regions %blurred (over-approximate: other.noise has no case) given: %scale[i, j] = 0 : i < j:
  // volcli:   dense        21  { blurred[d0, d1] : d1 <= d0 }
  // volcli:   static zero  15  { blurred[d0, d1] : d1 > d0 }
  %blurred = arith.muli %noise, %scale : tensor<6x6xi32>
  return %upper, %blurred : tensor<6x6xi32>, tensor<6x6xi32>
}

// What was padded elsewhere has an edge; here the upper one, of two rows.
func.func @sums(%edge: tensor<8xi32>) -> tensor<6xi32> {
  %ones = arith.constant dense<1> : tensor<3xi32>
  %zeros = arith.constant dense<0> : tensor<6xi32>
  // volcli: map %sums:
  // volcli:   { sums[w] -> edge[w'] : w <= w' <= 2 + w }
  // volcli:   { sums[w] -> ones[kw] }
  // volcli:   { sums[w] -> zeros[w' = w] }
  // volcli: regions %sums given: @sums:%edge[i] is sparse : i < 2:
  // volcli:   dense               4  { sums[w] : w >= 2 }
  // volcli:   sparse of degree 1  2  { sums[w] : w <= 1 }
  %sums = linalg.conv_1d ins(%edge, %ones : tensor<8xi32>, tensor<3xi32>) outs(%zeros : tensor<6xi32>) -> tensor<6xi32>
  return %sums : tensor<6xi32>
}

// What is undefined depends on nothing.
func.func @undefined(%x: tensor<4xi32> {volcli.facts = {undefined = affine_set<(i) : (i - 2 >= 0)>}}, %y: tensor<4xi32>) -> tensor<8xi32> {
  // volcli: map %both:
  // volcli:   { both[d0] -> x[d0' = d0] }
  // volcli:   { both[d0] -> y[d0' = -4 + d0] }
  // volcli: regions %both given: %x[d0] is undefined : d0 - 2 >= 0:
  // volcli:   dense   6  { both[d0] : d0 >= 4 or d0 <= 1 }
  // volcli:   static  2  { both[d0] : 2 <= d0 <= 3 }
  %both = tensor.concat dim(0) %x, %y : (tensor<4xi32>, tensor<4xi32>) -> tensor<8xi32>
  return %both : tensor<8xi32>
}
