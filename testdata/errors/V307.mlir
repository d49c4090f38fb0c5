// An operation whose custom syntax volcli does not know, and mlir-opt does.
// RUN: volcli opt %s
func.func @thread() -> index {
  %id = gpu.thread_id x
  gpu.barrier
  return %id : index
}
