func.func @f() attributes {u.x = "s" : i32} { return }
// -----
func.func private @f(i32 {u.a}, tensor<4xf32>) -> (i32 {u.b = 1})
// -----
func.func @f(%a: !emitc.ptr<i32>, %b: !llvm.ptr, %c: !gpu.async.token, %d: !async.token) { return }
// -----
module @m attributes {dlti.dl_spec = #dlti.dl_spec<#dlti.dl_entry<index, 32>>} { }
// -----
llvm.func @f(%a: i32, %p: !llvm.ptr) -> i32 {
  %0 = llvm.add %a, %a : i32
  llvm.store %0, %p : i32, !llvm.ptr
  %1 = llvm.load %p : !llvm.ptr -> i32
  llvm.return %1 : i32
}
// -----
llvm.func internal @f() attributes {passthrough = ["noinline"]} { llvm.return }
// -----
llvm.mlir.global external constant @s("hello\00") {addr_space = 0 : i32}
// -----
llvm.mlir.global internal @g(42 : i64) : i64
// -----
llvm.func @printf(!llvm.ptr, ...) -> i32
llvm.func @f(%p: !llvm.ptr) {
  %0 = llvm.call @printf(%p) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr) -> i32
  %1 = llvm.getelementptr inbounds %p[0, 1] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(i32, i32)>
  %2 = llvm.mlir.constant(dense<0> : vector<4xi32>) : vector<4xi32>
  %3 = llvm.mlir.undef : !llvm.struct<(i32, array<4 x f32>)>
  %4 = llvm.icmp "eq" %0, %0 : i32
  llvm.cond_br %4, ^a, ^b(%0 : i32)
^a:
  llvm.return
^b(%x: i32):
  llvm.return
}
// -----
gpu.module @k {
  gpu.func @f(%a: memref<4xf32>) workgroup(%w: memref<4xf32, 3>) kernel {
    %x = gpu.thread_id x
    gpu.barrier
    gpu.return
  }
}
// -----
func.func @f(%n: index, %m: memref<8xf32>) {
  gpu.launch blocks(%a, %b, %c) in (%d = %n, %e = %n, %g = %n) threads(%h, %i, %j) in (%k = %n, %l = %n, %o = %n) {
    gpu.terminator
  }
  return
}
// -----
func.func @f(%a: vector<4xf32>, %m: memref<8xf32>, %i: index, %mask: vector<4xi1>) -> vector<4xf32> {
  %c = arith.constant 0.0 : f32
  %0 = vector.transfer_read %m[%i], %c {in_bounds = [true]} : memref<8xf32>, vector<4xf32>
  %1 = vector.fma %a, %0, %a : vector<4xf32>
  %2 = vector.maskedload %m[%i], %mask, %1 : memref<8xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  %3 = vector.shuffle %2, %1 [0, 1, 4, 5] : vector<4xf32>, vector<4xf32>
  %4 = vector.reduction <add>, %3 : vector<4xf32> into f32
  %5 = vector.broadcast %4 : f32 to vector<4xf32>
  vector.print %5 : vector<4xf32>
  return %5 : vector<4xf32>
}
// -----
func.func @f(%a: vector<4x4xf32>, %b: vector<4x4xf32>, %c: vector<4x4xf32>) -> vector<4x4xf32> {
  %0 = vector.contract {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %a, %b, %c : vector<4x4xf32>, vector<4x4xf32> into vector<4x4xf32>
  %1 = vector.extract %0[1] : vector<4xf32> from vector<4x4xf32>
  %2 = vector.insert %1, %0[2] : vector<4xf32> into vector<4x4xf32>
  %3 = vector.transpose %2, [1, 0] : vector<4x4xf32> to vector<4x4xf32>
  return %3 : vector<4x4xf32>
}
// -----
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%arg: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.matmul"]} in %arg : (!transform.any_op) -> !transform.any_op
    %1, %loops:3 = transform.structured.tile_using_for %0 tile_sizes [4, 4, 4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    %2 = transform.get_parent_op %1 {op_name = "func.func"} : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %2 { transform.apply_patterns.canonicalization } : !transform.any_op
    transform.yield
  }
}
// -----
pdl.pattern : benefit(1) {
  %t = pdl.type
  %o = pdl.operand : %t
  %0 = pdl.operation "foo.op"(%o : !pdl.value) -> (%t : !pdl.type)
  pdl.rewrite %0 { pdl.erase %0 }
}
// -----
pdl.pattern @p : benefit(1) {
  %0 = pdl.operation "foo.op"
  pdl.rewrite %0 with "rewriter"
}
// -----
func.func @f(%t: tensor<4xf32>) -> tensor<4xf32> {
  %0 = shape.shape_of %t : tensor<4xf32> -> tensor<1xindex>
  %1 = shape.const_shape [1, 2] : tensor<2xindex>
  return %t : tensor<4xf32>
}
// -----
func.func @f() {
  %t = async.execute { async.yield }
  async.await %t : !async.token
  return
}
// -----
emitc.func @f(%a: i32) -> i32 {
  %0 = emitc.add %a, %a : (i32, i32) -> i32
  %1 = emitc.call_opaque "foo"(%0) : (i32) -> i32
  emitc.return %1 : i32
}
// -----
emitc.include <"stdio.h">
emitc.global @g : i32 = 1
// -----
func.func @f(%a: i32) {
  %0 = "emitc.variable"() <{value = #emitc.opaque<"">}> : () -> !emitc.lvalue<i32>
  emitc.verbatim "x"
  return
}
// -----
ml_program.global private mutable @g(dense<0> : tensor<4xi32>) : tensor<4xi32>
func.func @f() -> tensor<4xi32> {
  %0 = ml_program.global_load @g : tensor<4xi32>
  return %0 : tensor<4xi32>
}
// -----
func.func @f(%a: tensor<4xf32>) -> tensor<4x!quant.uniform<i8:f32, 1.0:3>> {
  %0 = quant.qcast %a : tensor<4xf32> to tensor<4x!quant.uniform<i8:f32, 1.0:3>>
  %1 = quant.scast %0 : tensor<4x!quant.uniform<i8:f32, 1.0:3>> to tensor<4xi8>
  %2 = quant.dcast %0 : tensor<4x!quant.uniform<i8:f32, 1.0:3>> to tensor<4xf32>
  return %0 : tensor<4x!quant.uniform<i8:f32, 1.0:3>>
}
// -----
func.func @f(%a: tensor<4x2x!quant.uniform<u8<1:254>:f32:1, {1.0:3, 2.0}>>) { return }
// -----
func.func @f(%a: tensor<8x8xf32, #sparse_tensor.encoding<{map = (d0, d1) -> (d0 : dense, d1 : compressed)}>>) -> index {
  %0 = sparse_tensor.number_of_entries %a : tensor<8x8xf32, #sparse_tensor.encoding<{map = (d0, d1) -> (d0 : dense, d1 : compressed)}>>
  return %0 : index
}
// -----
spirv.module Logical GLSL450 { spirv.func @f() "None" { spirv.Return } }
// -----
func.func @f(%n: index) {
  omp.parallel { omp.terminator }
  omp.wsloop { omp.loop_nest (%i) : index = (%n) to (%n) step (%n) { omp.yield } }
  return
}
// -----
acc.routine @r func(@f)
func.func @f() { return }
// -----
irdl.dialect @d { irdl.type @t { %0 = irdl.any
 irdl.parameters(a: %0) } }
// -----
func.func @f(%a: index, %b: index) -> index {
  %0 = index.add %a, %b
  %1 = index.cmp slt(%a, %b)
  %2 = index.constant 4
  return %0 : index
}
// -----
func.func @f() -> i32 { %0 = ub.poison : i32
 return %0 : i32 }
// -----
func.func @f(%m: memref<8xf32>, %i: index, %v: f32) {
  %0 = memref.atomic_rmw addf %v, %m[%i] : (f32, memref<8xf32>) -> f32
  %1 = memref.generic_atomic_rmw %m[%i] : memref<8xf32> {
  ^bb0(%c: f32):
    memref.atomic_yield %c : f32
  }
  memref.assume_alignment %m, 16 : memref<8xf32>
  memref.prefetch %m[%i], read, locality<3>, data : memref<8xf32>
  return
}
// -----
func.func @f(%c: tensor<i1>, %a: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "tosa.cond_if"(%c, %a) ({
  ^bb0(%x: tensor<2xf32>):
    tosa.yield %x : tensor<2xf32>
  }, {
  ^bb0(%x: tensor<2xf32>):
    tosa.yield %x : tensor<2xf32>
  }) : (tensor<i1>, tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
// -----
func.func @f(%i: tensor<i32>) -> tensor<i32> {
  %0 = tosa.while_loop (%x = %i) : (tensor<i32>) -> tensor<i32> {
    %c = "tosa.const"() <{values = dense<3> : tensor<i32>}> : () -> tensor<i32>
    %g = tosa.greater_equal %c, %x : (tensor<i32>, tensor<i32>) -> tensor<i1>
    tosa.yield %g : tensor<i1>
  } do {
  ^bb0(%x: tensor<i32>):
    %c = "tosa.const"() <{values = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %s = tosa.add %x, %c : (tensor<i32>, tensor<i32>) -> tensor<i32>
    tosa.yield %s : tensor<i32>
  }
  return %0 : tensor<i32>
}
// -----
func.func @f(%x: tensor<1x4x4x2xi8>, %w: tensor<3x1x1x2xi8>, %b: tensor<3xi32>) -> tensor<1x4x4x3xi32> {
  %z = "tosa.const"() <{values = dense<3> : tensor<1xi8>}> : () -> tensor<1xi8>
  %r = tosa.conv2d %x, %w, %b, %z, %z {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x4x4x2xi8>, tensor<3x1x1x2xi8>, tensor<3xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x4x4x3xi32>
  return %r : tensor<1x4x4x3xi32>
}
// -----
"affine.parallel"() <{lowerBoundsGroups = dense<1> : tensor<1xi32>, lowerBoundsMap = affine_map<() -> (0)>, reductions = [], steps = [1], upperBoundsGroups = dense<1> : tensor<1xi32>, upperBoundsMap = affine_map<() -> (4)>}> ({
^bb0(%i: index):
  "affine.yield"() : () -> ()
}) : () -> ()
// -----
"func.func"() ({
^bb0(%a: i32):
  "func.return"(%a) : (i32) -> ()
}) {function_type = (i32) -> i32, sym_name = "f"} : () -> ()
// -----
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "linalg.generic"(%x, %x) ({
  ^bb0(%a: f32, %b: f32):
    "linalg.yield"(%a) : (f32) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1>, indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = [#linalg.iterator_type<parallel>], u.extra = 1} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// -----
func.func @f(%a: f32) -> i1 { %0 = "arith.cmpf"(%a, %a) {predicate = 1 : i64} : (f32, f32) -> i1
 return %0 : i1 }
// -----
func.func @f(%a: i32) -> i32 { %0 = "arith.addi"(%a, %a) : (i32, i32) -> i32
 %1 = "arith.constant"() {value = 5 : i32} : () -> i32
 return %0 : i32 }
// -----
func.func @f(%n: index) { "scf.for"(%n, %n, %n) ({
^bb0(%i: index):
  scf.yield
}) : (index, index, index) -> ()
 return }
// -----
func.func @f(%c: i1) { "scf.if"(%c) ({ scf.yield }, {}) : (i1) -> ()
 return }
// -----
func.func @f(%c: i1) { "cf.cond_br"(%c)[^a, ^b] {operand_segment_sizes = array<i32: 1, 0, 0>} : (i1) -> ()
^a:
 return
^b:
 return }
// -----
func.func @f() { %0 = memref.get_global @g : memref<2xi32>
 return }
memref.global "private" constant @g : memref<2xi32> = dense<[1, 2]>
// -----
memref.global @g : memref<2xi32> = uninitialized
memref.global @h : memref<2xi32> {alignment = 64 : i64}
// -----
func.func @f(%a: vector<4xi32>) -> vector<4xi32> { %0 = arith.addi %a, %a overflow<nsw, nuw> : vector<4xi32>
 %1 = arith.trunci %0 overflow<nsw> : vector<4xi32> to vector<4xi8>
 return %0 : vector<4xi32> }
// -----
func.func @f(%a: f32, %i: i32) -> f32 { %2 = math.fpowi %a, %i : f32, i32
 %s, %c = math.sincos %a : f32
 return %2 : f32 }
// -----
"stencil.apply"() : () -> ()
// -----
"csl.module"() : () -> ()
// -----
"snitch.x"() : () -> ()
// -----
"riscv.add"() : () -> ()
// -----
"accfg.setup"() : () -> ()
// -----
"memref_stream.generic"() : () -> ()
// -----
"dmp.swap"() : () -> ()
// -----
"mpi.init"() : () -> ()
// -----
"stim.x"() {a = !stim.q} : () -> ()
// -----
"qssa.x"() : () -> ()
// -----
"func.call"() {callee = @g} : () -> ()
func.func private @g()
// -----
func.func @f(%a: !riscv.reg<a0>, %b: !stencil.field<[0,64]xf64>) { return }
// -----
func.func @f(%a: !pdl.operation, %b: !transform.op<"scf.for">, %c: !transform.param<i64>) { return }
// -----
func.func @f(%a: !llvm.struct<"s", (i32, ptr)>, %b: !llvm.array<4 x i8>, %c: !llvm.ptr<3>, %d: !llvm.func<void (i32)>, %e: !llvm.void) { return }
// -----
func.func @f(%a: !spirv.array<4 x f32>, %b: !spirv.ptr<f32, Function>) { return }
// -----
func.func @f(%a: !shape.shape, %b: !shape.size, %c: !ml_program.token) { return }
// -----
func.func @f(%a: !nvgpu.device.async.token, %b: !amdgpu.tdm_base<f32>, %c: !emitc.opaque<"a">, %d: !emitc.array<2xi32>) { return }
// -----
func.func @f() {
  builtin.module {
    func.func @g() {
      return
    }
  }
  return
}
