// Tiles of a size that is a value, as a pipeline leaves them: minima that nothing needs, and a choice twice.
func.func @tiles(%m: memref<?xf32>, %n: index, %b: index, %last: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %size = arith.maxsi %b, %c1 : index
  %count = arith.ceildivsi %n, %size : index
  scf.for %t = %c0 to %count step %c1 {
    %begin = arith.muli %t, %size : index
    %rest = arith.subi %n, %begin : index
    %most = arith.minsi %rest, %size : index
    %width = arith.maxsi %most, %c0 : index
    %end = arith.addi %begin, %width : index
    %stop = arith.minsi %end, %n : index
    %is_last = arith.cmpi eq, %t, %last : index
    %inner = arith.select %is_last, %t, %c0 : index
    %chosen = arith.select %is_last, %inner, %stop : index
    %tile = memref.subview %m[%begin] [%width] [1] : memref<?xf32> to memref<?xf32, strided<[1], offset: ?>>
    scf.for %i = %begin to %chosen step %c1 {
      %x = memref.load %m[%i] : memref<?xf32>
    }
  }
  return
}
