"""Which operations the engine executes, and why mlir-runner is no peer for some of them."""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Mapping

from volcli.execution import table
from volcli.loading.driver import dialect_factories

DIALECTS = (
    "affine",
    "arith",
    "bufferization",
    "cf",
    "func",
    "index",
    "linalg",
    "math",
    "memref",
    "scf",
    "tensor",
    "vector",
)
"""tosa and stablehlo have references of their own: tests/execution/test_tosa.py, test_stablehlo.py."""

_REASONS: Mapping[str, str] = {
    "the C library rounds it: tests/execution/test_runner.py compares it up to one unit in the last place": """
        linalg.erf linalg.exp linalg.log linalg.powf linalg.rsqrt linalg.tanh
        math.acos math.acosh math.asin math.asinh math.atan math.atan2 math.atanh math.cbrt math.cos math.cosh math.erf
        math.erfc math.exp math.exp2 math.expm1 math.fpowi math.log math.log10 math.log1p math.log2 math.powf math.rsqrt
        math.sin math.sincos math.sinh math.tan math.tanh""",
    "a pass of mlir-opt-22 for tests decomposes it: tests/execution/test_winograd.py": """
        linalg.winograd_filter_transform linalg.winograd_input_transform linalg.winograd_output_transform""",
    "mlir-opt-22 does not lower it": """
        affine.dma_start affine.dma_wait memref.dma_start memref.dma_wait
        bufferization.dealloc_tensor math.isinf math.isnormal tensor.bitcast tensor.concat linalg.fill_rng_2d""",
    "mlir-opt-22 expands it with its two bounds exchanged": "math.clampf",
    "mlir-opt-22 only makes it": "bufferization.dealloc",
}
UNREACHED = {name: reason for reason, names in _REASONS.items() for name in names.split()}


def executable() -> set[str]:
    """The names of the operations of DIALECTS that the engine executes."""
    found: set[str] = set()
    tables = (table.executions, table.scalars, table.branches)
    for name in DIALECTS:
        package = importlib.util.find_spec(f"volcli_dialects.{name}")
        assert package is not None
        if package.submodule_search_locations is not None:
            importlib.import_module(f"volcli_dialects.{name}.execution")
        kinds = dialect_factories()[name]().operations
        found |= {kind.name for kind in kinds if any(each.answers(kind) for each in tables)}
    return found
