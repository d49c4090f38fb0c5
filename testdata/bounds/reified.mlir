// The slides' programs for bounds that are put into the program, and a view whose sizes are operands.
func.func @test_case(%arg0: index, %arg1: index, %arg2: index) -> index {
  %0 = arith.addi %arg0, %arg1 : index
  %1 = arith.addi %0, %arg2 : index
  %r = "test.reify_bound"(%1) {type = "EQ"} : (index) -> index
  return %r : index
}

func.func @inserted(%arg0: tensor<?xf32>, %f: f32, %idx1: index, %idx2: index) -> index {
  %c0 = arith.constant 0 : index
  %0 = tensor.insert %f into %arg0[%idx1] : tensor<?xf32>
  %1 = tensor.insert %f into %0[%idx2] : tensor<?xf32>
  %dim = tensor.dim %1, %c0 : tensor<?xf32>
  return %dim : index
}

func.func @view(%m: memref<?x?xf32>, %o: index, %size0: index, %size1: index) -> (index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %s = memref.subview %m[%o, %o] [%size0, %size1] [1, 1] : memref<?x?xf32> to memref<?x?xf32, strided<[?, 1], offset: ?>>
  %height = memref.dim %s, %c0 : memref<?x?xf32, strided<[?, 1], offset: ?>>
  %width = memref.dim %s, %c1 : memref<?x?xf32, strided<[?, 1], offset: ?>>
  return %height, %width : index, index
}
