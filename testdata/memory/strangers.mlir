// RUN: volcli annotate %s -p dependences
// Loops around operations that may do more than what can be seen, and loops whose iterations are unknown.
func.func private @fill(memref<8xf32>)
func.func private @pure() -> f32

func.func @called(%m: memref<8xf32>) {
  // volcli: %i: unknown: the memory effects of @fill are unknown
  affine.for %i = 0 to 8 {
    func.call @fill(%m) : (memref<8xf32>) -> ()
  }
  return
}

// What it does is not about the memory that it is given: it is given none.
func.func @called_without_memory(%m: memref<8xf32>) {
  // volcli: %i: unknown: the memory effects of @pure are unknown
  affine.for %i = 0 to 8 {
    %x = func.call @pure() : () -> f32
    affine.store %x, %m[%i] : memref<8xf32>
  }
  return
}

func.func @unknown_operation(%m: memref<8xf32>, %x: f32) {
  // volcli: %i: unknown: the memory effects of 'other.look' are unknown
  affine.for %i = 0 to 8 {
    affine.store %x, %m[%i] : memref<8xf32>
    "other.look"(%m) : (memref<8xf32>) -> ()
  }
  return
}

func.func @printed(%m: memref<8xf32>) {
  // volcli: %i: unknown: 'vector.print' prints in the order of the iterations
  affine.for %i = 0 to 8 {
    %x = affine.load %m[%i] : memref<8xf32>
    vector.print %x : f32
  }
  return
}

func.func @freed(%m: memref<8xf32>) {
  // volcli: %i: unknown: 'memref.dealloc' frees a buffer of all iterations
  affine.for %i = 0 to 8 {
    memref.dealloc %m : memref<8xf32>
  }
  return
}

// A buffer that is made and freed in each iteration is nobody else's.
func.func @made_and_freed(%x: f32) {
  // volcli: %i: parallel
  affine.for %i = 0 to 8 {
    %m = memref.alloc() : memref<8xf32>
    affine.store %x, %m[%i] : memref<8xf32>
    memref.dealloc %m : memref<8xf32>
  }
  return
}

func.func @while(%m: memref<?xindex>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // volcli: %i carries WAW %m[%i] -> %m[%j], distances [n] -> { [i] : i > 0 and -n < i < n }: (0) then (1, 0) at [0] for %n = 2
  // volcli: %i carries WAW %m[%j] -> %m[%i], distances [n] -> { [i] : i > 0 and -n < i <= 3 and i < n }: (0, 1) then (1) at [1] for %n = 2
  // volcli: %i carries WAW %m[%j] -> %m[%j], distances [n] -> { [i, j = 0] : i > 0 and -n < i < n }: (0, 0) then (1, 0) at [0] for %n = 2
  %last = scf.while (%i = %c0) : (index) -> index {
    %go = arith.cmpi slt, %i, %n : index
    scf.condition(%go) %i : index
  } do {
  ^bb0(%i: index):
    memref.store %i, %m[%i] : memref<?xindex>
    // volcli: %j: parallel
    affine.for %j = 0 to 4 {
      affine.store %i, %m[%j] : memref<?xindex>
    }
    %next = arith.addi %i, %c1 : index
    scf.yield %next : index
  }
  return
}

// A region that an unknown operation runs, perhaps more than once.
func.func @region(%m: memref<8xf32>, %x: f32) {
  // volcli: other.repeat: unknown: how often other.repeat runs its regions is unknown
  "other.repeat"() ({
    // volcli: %i: parallel
    affine.for %i = 0 to 8 {
      affine.store %x, %m[%i] : memref<8xf32>
    }
    "other.end"() : () -> ()
  }) : () -> ()
  return
}
