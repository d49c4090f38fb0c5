"""volcli: a static analyser of MLIR text.

    import volcli
    program = volcli.load("layer.mlir")          # volcli.loads reads the text itself
    program.function("f").bounds("%n")           # a typed answer, with isl's sets and maps
    program.run("infer-shapes,sparsity-regions")
    print(program.text())

says of each value in the program what is true of it: its shape, the elements it depends on, the regions of
it that are padding. Every answer is proved, or unknown with a stated reason.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from volcli.api.function import Function
    from volcli.api.program import Program
    from volcli.diagnostics import UsageError
    from volcli.gate.checking import check
    from volcli.loading.driver import load, loads
    from volcli.validation.calling import validate

__all__ = ["Function", "Program", "UsageError", "__version__", "check", "load", "loads", "validate"]

__version__ = "0.2.0"

_IN = {
    "Function": "volcli.api.function",
    "Program": "volcli.api.program",
    "UsageError": "volcli.diagnostics",
    "check": "volcli.gate.checking",
    "load": "volcli.loading.driver",
    "loads": "volcli.loading.driver",
    "validate": "volcli.validation.calling",
}


def __getattr__(name: str) -> object:
    # Resolved on first use: `volcli --version` imports neither xDSL nor islpy.
    if name in _IN:
        import importlib

        return getattr(importlib.import_module(_IN[name]), name)
    raise AttributeError(f"module 'volcli' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
