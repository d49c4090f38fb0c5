"""What a reshape's sizes are read from is no dead store."""

from __future__ import annotations

from pathlib import Path

from volcli.gate.policy.policy import Policy
from volcli.gate.run import run


def test_the_sizes_of_a_reshape_are_read(tmp_path: Path) -> None:
    file = tmp_path / "reshape.mlir"
    file.write_text("""
        func.func @matrix(%a: memref<?xf32>, %n: index, %m: index) -> memref<?x?xf32> {
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          %sizes = memref.alloc() : memref<2xindex>
          memref.store %n, %sizes[%c0] : memref<2xindex>
          memref.store %m, %sizes[%c1] : memref<2xindex>
          %r = memref.reshape %a(%sizes) : (memref<?xf32>, memref<2xindex>) -> memref<?x?xf32>
          memref.store %n, %sizes[%c1] : memref<2xindex>
          return %r : memref<?x?xf32>
        }""")
    assert [(each.code, each.line) for each in run([str(file)], Policy()).findings] == [("V206", 9)]
