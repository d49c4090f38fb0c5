// The policy that this is checked with allows 1 KiB.
func.func @fires(%n: index) {
  %a = memref.alloc(%n) : memref<?xf32>
  memref.dealloc %a : memref<?xf32>
  return
}

func.func @silent(%n: index) {
  %width = affine.min affine_map<()[n] -> (n, 256)>()[%n]
  %a = memref.alloc(%width) : memref<?xf32>
  memref.dealloc %a : memref<?xf32>
  return
}
