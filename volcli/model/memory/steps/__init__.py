"""A dependence step by step: the constraint matrices of "MemRef dependence checks in MLIR", and pictures."""
