// Operations whose custom syntax volcli does not know, and mlir-opt does: in one line, they cannot be told apart.
// RUN: volcli opt %s
func.func @thread() -> index {
  gpu.barrier %id = gpu.thread_id x
  return %id : index
}
