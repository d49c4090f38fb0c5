"""volcli: a static analyser of MLIR text.

    import volcli
    program = volcli.load("layer.mlir")          # or MLIR text itself
    program.run("infer-shapes,sparsity-regions")
    print(program.text())

says of each value in the program what is true of it: its shape, the elements it depends on, the regions of
it that are padding. Every answer is proved, or said to be unknown with the reason.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from volcli.driver import load

__all__ = ["__version__", "load"]

__version__ = "0.1.0"


def __getattr__(name: str) -> object:
    # Resolved on first use: `volcli --version` imports neither xDSL nor islpy.
    if name == "load":
        from volcli.driver import load

        return load
    raise AttributeError(f"module 'volcli' has no attribute {name!r}")
