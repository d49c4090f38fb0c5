func.func @for(%n: index, %u: i32, %x: f32) -> f32 {
  scf.for %i = %n to %n step %n {
  }
  scf.for unsigned %i = %n to %n step %n {
    scf.yield
  } {x.y = 1 : i64}
  scf.for %i = %u to %u step %u : i32 {
    "t.use"(%i) : (i32) -> ()
  }
  %bare = scf.for unsigned %i = %u to %u step %u iter_args(%s = %x) -> f32 : i32 {
    %t = arith.addf %s, %s : f32
    scf.yield %t : f32
  }
  %i0 = arith.constant 0 : index
  %r:2 = scf.for %i = %n to %n step %n iter_args(%s = %x, %k = %i0) -> (f32, index) {
    scf.yield %s, %i : f32, index
  } {a, b = "b"}
  return %r#0 : f32
}
// -----
func.func @if(%c: i1, %x: f32, %y: f32) -> f32 {
  scf.if %c {
    "t.a"() : () -> ()
  }
  scf.if %c {
  } else {
    "t.a"() : () -> ()
    scf.yield
  } {x.y}
  %bare = scf.if %c -> f32 {
    scf.yield %x : f32
  } else {
    scf.yield %y : f32
  }
  %r:2 = scf.if %c -> (f32, i1) {
    scf.yield %bare, %c : f32, i1
  } else {
    %inner = scf.if %c -> (i1) {
      scf.yield %c : i1
    } else {
      scf.yield %c : i1
    }
    scf.yield %y, %inner : f32, i1
  }
  return %r#0 : f32
}
// -----
func.func @while(%c: i1, %x: f32, %n: i32) -> i32 {
  scf.while : () -> () {
    scf.condition(%c)
  } do {
    scf.yield
  }
  %r = scf.while (%a = %x, %b = %n) : (f32, i32) -> i32 {
    %d = "t.test"(%a, %b) : (f32, i32) -> i1
    scf.condition(%d) {x.y} %b : i32
  } do {
  ^bb0(%k: i32):
    scf.yield %x, %k : f32, i32
  } attributes {x.y = 2 : i32}
  %s:2 = scf.while (%a = %x) : (f32) -> (i32, f32) {
    scf.condition(%c) %n, %a : i32, f32
  } do {
  ^bb0(%k: i32, %l: f32):
    scf.yield %l : f32
  }
  return %r : i32
}
// -----
func.func @execute_region(%c: i1, %n: i32) -> i32 {
  scf.execute_region {
    scf.yield
  }
  %r = scf.execute_region -> i32 no_inline {
    cf.cond_br %c, ^bb1(%n : i32), ^bb2
  ^bb1(%k: i32):
    scf.yield %k : i32
  ^bb2:
    scf.yield %n : i32
  } {x.y}
  %s:2 = scf.execute_region -> (i32, i1) {
    scf.yield %r, %c : i32, i1
  }
  return %s#0 : i32
}
// -----
func.func @index_switch(%i: index, %n: i32, %x: f32) -> f32 {
  scf.index_switch %i
  default {
  }
  scf.index_switch %i {x.y}
  case 1 {
    scf.yield {x.y}
  }
  case -5 {
    "t.a"() : () -> ()
    scf.yield
  }
  default {
    scf.yield {x.y}
  }
  %r:2 = scf.index_switch %i -> i32, f32
  case 2 {
    scf.yield %n, %x : i32, f32
  }
  default {
    scf.yield %n, %x : i32, f32
  }
  return %r#1 : f32
}
// -----
func.func @parallel(%n: index, %x: f32, %c: i32) -> f32 {
  %i0 = arith.constant 0 : index
  scf.parallel (%i) = (%n) to (%n) step (%n) {
  }
  scf.parallel (%i, %j) = (%n, %i0) to (%n, %n) step (%n, %n) {
    "t.use"(%i, %j) : (index, index) -> ()
    scf.reduce
  } {x.y}
  %r:2 = scf.parallel (%i) = (%n) to (%n) step (%n) init (%x, %c) -> (f32, i32) {
    scf.reduce(%x, %c : f32, i32) {
    ^bb0(%l: f32, %m: f32):
      %s = arith.addf %l, %m : f32
      scf.reduce.return %s : f32
    }, {
    ^bb0(%l: i32, %m: i32):
      scf.reduce.return %l : i32
    }
  }
  %s = scf.parallel (%i) = (%n) to (%n) step (%n) init (%x) -> f32 {
    scf.reduce(%x : f32) {
    ^bb0(%l: f32, %m: f32):
      scf.reduce.return %l {x.y} : f32
    } {x.y = "z"}
  }
  return %r#0 : f32
}
// -----
func.func @forall(%n: index, %t: tensor<?x4xf32>, %o: tensor<10x4xf32>) -> tensor<10x4xf32> {
  scf.forall (%i) in (4) {
  }
  scf.forall () in () {
  }
  scf.forall (%i, %j) = (0, %n) to (8, %n) step (2, %n) {
    "t.use"(%i, %j) : (index, index) -> ()
    scf.forall.in_parallel {
    }
  } {mapping = [#gpu.thread<x>, #gpu.thread<y>], x.y}
  scf.forall (%i) = (0) to (%n) step (1) {
  } {mapping = [#gpu.block<linear_dim_0>]}
  %r = scf.forall (%i, %j) in (%n, 7) shared_outs(%s = %o) -> (tensor<10x4xf32>) {
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %t into %s[0, %j] [%n, 4] [1, %i] {x.y} : tensor<?x4xf32> into tensor<10x4xf32>
      tensor.parallel_insert_slice %t into %s[%i, 0] [%n, 4] [1, 1] : tensor<?x4xf32> into tensor<10x4xf32>
    }
  }
  %q:2 = scf.forall (%i) in (3) shared_outs(%a = %r, %b = %r) -> (tensor<10x4xf32>, tensor<10x4xf32>) {
  }
  return %q#1 : tensor<10x4xf32>
}
