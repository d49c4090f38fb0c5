"""Programs whose answers take seconds: not among testdata, all of which many tests ask everything of."""

from __future__ import annotations

TILES_OF_TILES = """
#size = affine_map<(d0)[s0, s1] -> (s0, s1 - d0)>
!view = memref<?x?xf32, strided<[?, 1], offset: ?>>

func.func @two_levels(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %c: memref<?x?xf32>, %bs: index, %cs: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.dim %a, %c0 : memref<?x?xf32>
  %k = memref.dim %a, %c1 : memref<?x?xf32>
  %n = memref.dim %b, %c1 : memref<?x?xf32>
  scf.for %i = %c0 to %m step %bs {
    %rows = affine.min #size(%i)[%bs, %m]
    scf.for %j = %c0 to %n step %bs {
      %columns = affine.min #size(%j)[%bs, %n]
      %ta = memref.subview %a[%i, 0] [%rows, %k] [1, 1] : memref<?x?xf32> to !view
      %tb = memref.subview %b[0, %j] [%k, %columns] [1, 1] : memref<?x?xf32> to !view
      %tc = memref.subview %c[%i, %j] [%rows, %columns] [1, 1] : memref<?x?xf32> to !view
      scf.for %ii = %c0 to %rows step %cs {
        %part = affine.min #size(%ii)[%cs, %rows]
        scf.for %jj = %c0 to %columns step %cs {
          %width = affine.min #size(%jj)[%cs, %columns]
          scf.for %l = %c0 to %k step %cs {
            %reduced = affine.min #size(%l)[%cs, %k]
            %ua = memref.subview %ta[%ii, %l] [%part, %reduced] [1, 1] : !view to !view
            %ub = memref.subview %tb[%l, %jj] [%reduced, %width] [1, 1] : !view to !view
            %uc = memref.subview %tc[%ii, %jj] [%part, %width] [1, 1] : !view to !view
            linalg.matmul ins(%ua, %ub : !view, !view) outs(%uc : !view)
          }
        }
      }
    }
  }
  return
}
"""
