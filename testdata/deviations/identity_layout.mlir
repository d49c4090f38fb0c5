// mlir-opt-22: loses affine_map
// The identity, written with a symbol.
func.func private @f(memref<?xf32, affine_map<(d0)[s0] -> (d0)>>)
