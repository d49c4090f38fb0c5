// mlir-opt-22: accepts
// No operation at all.
