// mlir-opt-22: accepts
// Loop k is 5 long by %a and 6 by %b; mlir-opt compares sizes only where all types are static.
func.func @f(%a: tensor<?x5xf32>, %b: tensor<6x7xf32>, %c: tensor<?x7xf32>) -> tensor<?x7xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<?x5xf32>, tensor<6x7xf32>) outs(%c : tensor<?x7xf32>) -> tensor<?x7xf32>
  return %r : tensor<?x7xf32>
}
