// RUN: volcli opt %s -p "tile-symbolic{sizes=%b hyperplanes=j outermost=%i}"

// Program 1 of P. Suriana (2016), figures 2-1 to 2-3: blocks of %b iterations of the inner loop, outermost.
func.func @program_1(%m: memref<?x?xf64>, %U: index, %V: index, %b: index) {
  %one = arith.constant 1.0 : f64
  affine.for %i = 0 to affine_map<()[u] -> (u + 1)>()[%U] {
    affine.for %j = 0 to min affine_map<(i)[v] -> (2 * i + 1, v + 1)>(%i)[%V] {
      affine.store %one, %m[%i, %j] : memref<?x?xf64>
    }
  }
  return
}
