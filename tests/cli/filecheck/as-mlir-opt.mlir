// Calls as they are written for mlir-opt, but for the tool's name.
// RUN: volcli opt %s -split-input-file -test-memref-dependence-check -verify-diagnostics > %t
// RUN: volcli opt -allow-unregistered-dialect %s -split-input-file --pass-pipeline='builtin.module(func.func(infer-shapes))' 2> %t | filecheck %s
// RUN: volcli opt %s --split-input-file --mlir-print-op-generic 2> %t | filecheck %s --check-prefix=GENERIC

// CHECK-NOT: expected
// CHECK: func.func @shifted
// CHECK: // -----
// CHECK: "test.op"
// GENERIC: "builtin.module"() ({
// GENERIC: "affine.store"
// GENERIC: // -----
// GENERIC: "builtin.module"() ({
func.func @shifted(%m: memref<10xf32>, %x: f32) {
  affine.for %i = 1 to 10 {
    // expected-remark@below {{dependence from 0 to 0 at depth 1 = false}}
    // expected-remark@below {{dependence from 0 to 0 at depth 2 = false}}
    // expected-remark@below {{dependence from 0 to 1 at depth 1 = [1, 1]}}
    // expected-remark@below {{dependence from 0 to 1 at depth 2 = false}}
    affine.store %x, %m[%i] : memref<10xf32>
    // expected-remark@below {{dependence from 1 to 0 at depth 1 = false}}
    // expected-remark@below {{dependence from 1 to 0 at depth 2 = false}}
    // expected-remark@below {{dependence from 1 to 1 at depth 1 = false}}
    // expected-remark@below {{dependence from 1 to 1 at depth 2 = false}}
    %y = affine.load %m[%i - 1] : memref<10xf32>
  }
  return
}

// -----

"test.op"() : () -> ()
