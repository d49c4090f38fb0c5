"""linalg.pack, unpack and softmax, which have no body: operations, sizes, reads, problems and executions."""
