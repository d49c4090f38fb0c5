// RUN: volcli opt %s -p "tile{sizes=0,0,16,16}" | filecheck %s
// RUN: volcli opt %s -p "tile{sizes=0,0,16,16 loops=scf.forall}" | filecheck %s --check-prefix=PARALLEL

// A layer of 256 x 256 elements, of a source of 512 x 512 with padding: the tiles 1 to 14 need none.
// CHECK:       affine_map<()[s0] -> (s0 * 32 - 1)>
// CHECK-LABEL: func.func @layer
// CHECK-NOT:   tensor<1x3x515x515xf32>
// CHECK:       %[[ONE:.*]] = arith.constant 1 : index
// CHECK:       %[[END:.*]] = arith.constant 15 : index
// The left edge, then the inside.
// CHECK:       scf.for %qh = %[[ONE]] to %[[END]] step %[[ONE]]
// CHECK:         tensor.pad {{.*}} low[0, 0, 0, 1] high[0, 0, 0, 0]
// CHECK:       scf.for %qh = %[[ONE]] to %[[END]] step %[[ONE]]
// CHECK-NEXT:    scf.for %qw = %[[ONE]] to %[[END]] step %[[ONE]]
// CHECK:           %[[H:.*]] = affine.apply {{.*}}[%qh]
// CHECK:           %[[SOURCE_H:.*]] = affine.apply {{.*}}[%qh]
// CHECK-NEXT:      %[[SOURCE_W:.*]] = affine.apply {{.*}}[%qw]
// CHECK-NEXT:      tensor.extract_slice %ifm[0, 0, %[[SOURCE_H]], %[[SOURCE_W]]] [1, 3, 35, 35] [1, 1, 1, 1]
// CHECK-NOT:       tensor.pad
// CHECK:           scf.yield

// PARALLEL-LABEL: func.func @layer
// PARALLEL:       scf.forall (%qh, %qw) = (1, 1) to (15, 15) step (1, 1)
// PARALLEL-NOT:     tensor.pad
// PARALLEL:         tensor.parallel_insert_slice
func.func @layer(%ifm: tensor<1x3x512x512xf32>, %wgt: tensor<8x3x5x5xf32>) -> tensor<1x8x256x256xf32> {
  %zero = arith.constant 0.0 : f32
  %padded = tensor.pad %ifm low[0, 0, 1, 1] high[0, 0, 2, 2] {
  ^bb0(%n: index, %c: index, %h: index, %w: index):
    tensor.yield %zero : f32
  } : tensor<1x3x512x512xf32> to tensor<1x3x515x515xf32>
  %empty = tensor.empty() : tensor<1x8x256x256xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x8x256x256xf32>) -> tensor<1x8x256x256xf32>
  %conv = linalg.conv_2d_nchw_fchw {strides = dense<2> : tensor<2xi64>}
      ins(%padded, %wgt : tensor<1x3x515x515xf32>, tensor<8x3x5x5xf32>)
      outs(%zeros : tensor<1x8x256x256xf32>) -> tensor<1x8x256x256xf32>
  return %conv : tensor<1x8x256x256xf32>
}
