// RUN: volcli annotate %s -p value-bounds,allocations,check-accesses,dependences
// What all calls of a private function pass to it is known of its arguments.
// volcli: dim(%m, 0) = 16 assuming dim(%m, 0) = 16 for the calls of @shift in this file
// volcli: %n = %n, in [4, 16] assuming 4 <= %n <= 16 for the calls of @shift in this file
// volcli: %by = %by, in [4, 8] assuming 4 <= %by <= 8 for the calls of @shift in this file
// volcli: @shift needs %n <= dim(%m, 0) and 0 <= %by <= -4 + dim(%m, 0), which its callers fulfil
func.func private @shift(%m: memref<?xf32>, %n: index, %by: index) {
  // volcli: %i in [0, 3]
  // volcli: %i: parallel, if its arguments are as in the calls of @shift in this file
  affine.for %i = 0 to 4 {
    // volcli: read %m[%by + %i] in bounds, if its arguments are as in the calls of @shift in this file
    %v = affine.load %m[%i + symbol(%by)] : memref<?xf32>
    // volcli: write %m[%i] in bounds, if its arguments are as in the calls of @shift in this file
    affine.store %v, %m[%i] : memref<?xf32>
  }
  // volcli: %i in [0, 15] assuming 4 <= %n <= 16 for the calls of @shift in this file
  // volcli: %i: parallel
  affine.for %i = 0 to %n {
    // volcli: read %m[%i] in bounds, if its arguments are as in the calls of @shift in this file
    %v = affine.load %m[%i] : memref<?xf32>
    // volcli: write %m[%i] in bounds, if its arguments are as in the calls of @shift in this file
    affine.store %v, %m[%i] : memref<?xf32>
  }
  return
}

func.func @main(%k: index) {
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  // volcli: dim(%a, 0) = 16
  // volcli: %a has at most 16 elements, 64 bytes
  %a = memref.alloc(%c16) : memref<?xf32>
  // volcli: %i in [5, 8]
  // volcli: %i carries RAW %a[d0] -> %a[d0], distances (1), (2), (3): (5) then (6) at [4]
  // volcli: %i carries RAW %a[d0] -> %a[d0], distances (1), (2), (3): (5) then (6) at [6]
  // volcli: %i carries WAR %a[d0] -> %a[d0], distances (1), (2), (3): (5) then (6) at [4]
  // volcli: %i carries WAR %a[d0] -> %a[d0], distances (1), (2), (3): (5) then (6) at [5]
  // volcli: %i carries 1 more (1 WAW)
  affine.for %i = 5 to 9 {
    func.call @shift(%a, %c16, %i) : (memref<?xf32>, index, index) -> ()
  }
  func.call @shift(%a, %c4, %c4) : (memref<?xf32>, index, index) -> ()
  return
}
