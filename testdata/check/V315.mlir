// Left out unless it is selected: what is not proved. Two numbers that were loaded may be equal, or not. What
// memref.realloc and a clone copy, if they do, needs no order: each element is its own copy.
func.func @fires(%data: memref<64xindex>, %bins: memref<16xindex>) {
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  affine.parallel (%i) = (0) to (64) {
    %x = affine.load %data[%i] : memref<64xindex>
    %k = arith.remui %x, %c16 : index
    %old = memref.load %bins[%k] : memref<16xindex>
    %new = arith.addi %old, %c1 : index
    memref.store %new, %bins[%k] : memref<16xindex>
  }
  return
}

func.func @silent(%data: memref<64xi32>, %bins: memref<16xi32>) {
  %c1 = arith.constant 1 : i32
  %c16 = arith.constant 16 : i32
  affine.parallel (%i) = (0) to (64) {
    %x = affine.load %data[%i] : memref<64xi32>
    %r = arith.remui %x, %c16 : i32
    %k = arith.index_cast %r : i32 to index
    %old = memref.atomic_rmw addi %c1, %bins[%k] : (i32, memref<16xi32>) -> i32
  }
  %more = memref.realloc %bins : memref<16xi32> to memref<32xi32>
  %same = bufferization.clone %more : memref<32xi32> to memref<32xi32>
  return
}
