// RUN: volcli annotate %s -p infer-shapes,element-maps,sparsity-regions
// What volcli knows is structure. A condition on the index, inside the operation that selects, is structure:
func.func @by_index(%x: tensor<4xf32>) -> tensor<4xf32> {
  %zero = arith.constant 0.0 : f32
  // volcli: shape %kept: [4]
  // volcli: map %kept:
  // volcli:   { kept[d0] -> x[d0' = d0] : d0 <= 1 }
  // volcli:   { kept[d0] -> zero_kept[] : d0 >= 2 }
  // volcli: regions %kept:
  // volcli:   dense        2  { kept[d0] : d0 <= 1 }
  // volcli:   static zero  2  { kept[d0] : d0 >= 2 }
  %kept = tensor.generate {
  ^bb0(%i: index):
    %c2 = arith.constant 2 : index
    %first = arith.cmpi slt, %i, %c2 : index
    %element = tensor.extract %x[%i] : tensor<4xf32>
    %selected = arith.select %first, %element, %zero : f32
    tensor.yield %selected : f32
  } : tensor<4xf32>
  return %kept : tensor<4xf32>
}

// The same mask as a tensor of its own is structure, too, if a constant lists its truths.
#identity = affine_map<(i) -> (i)>
func.func @by_mask(%x: tensor<4xf32>) -> tensor<4xf32> {
  %zero = arith.constant 0.0 : f32
  %mask = arith.constant dense<[true, true, false, false]> : tensor<4xi1>
  %empty = tensor.empty() : tensor<4xf32>
  // volcli: shape %kept: [4]
  // volcli: map %kept:
  // volcli:   { kept[d0] -> x[d0' = d0] : d0 <= 1 }
  // volcli:   { kept[d0] -> zero_kept[] : d0 >= 2 }
  // volcli: regions %kept:
  // volcli:   dense        2  { kept[d0] : d0 <= 1 }
  // volcli:   static zero  2  { kept[d0] : d0 >= 2 }
  %kept = linalg.generic {indexing_maps = [#identity, #identity, #identity], iterator_types = ["parallel"]}
      ins(%mask, %x : tensor<4xi1>, tensor<4xf32>) outs(%empty : tensor<4xf32>) {
  ^bb0(%first: i1, %element: f32, %old: f32):
    %selected = arith.select %first, %element, %zero : f32
    linalg.yield %selected : f32
  } -> tensor<4xf32>
  return %kept : tensor<4xf32>
}

// x - x depends on x, although it is 0 whatever x is.
func.func @difference(%x: tensor<4xf32>) -> tensor<4xf32> {
  // volcli: shape %nothing: [4]
  // volcli: map %nothing:
  // volcli:   { nothing[d0] -> x[d0' = d0] }
  // volcli: regions %nothing:
  // volcli:   dense  4  { nothing[d0] }
  %nothing = arith.subf %x, %x : tensor<4xf32>
  return %nothing : tensor<4xf32>
}
