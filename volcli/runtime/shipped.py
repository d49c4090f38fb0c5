"""Files that come with volcli and are not code: small programs to try it on, and the schemas of its JSON.

In an installed volcli they are in the folder `share` of the package; in its source tree they are where they
are worked on. pyproject.toml says the same to whoever builds the package.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

EXAMPLES: Mapping[str, str] = {
    "conv_layer.mlir": "testdata/linalg/conv_layer.mlir",
    "conv_layer_dynamic.mlir": "testdata/linalg/conv_layer_dynamic.mlir",
    "matmul_tile.mlir": "testdata/bounds/matmul_tile.mlir",
    "shifted_rows.mlir": "testdata/memory/shifted_rows.mlir",
    "smoothed.mlir": "testdata/diff/smoothed.mlir",
    "smoothed_fused.mlir": "testdata/diff/smoothed_fused.mlir",
    "smoothed_wrong.mlir": "testdata/diff/smoothed_wrong.mlir",
    "smoothed_passes.log": "testdata/diff/smoothed_passes.log",
    "tiles.mlir": "testdata/slices/tiles.mlir",
    "paper_004.mlir": "testdata/memory/paper_004.mlir",
    "scratch.mlir": "testdata/diff/scratch.mlir",
    "scratch_private.mlir": "testdata/diff/scratch_private.mlir",
    "upsampling.mlir": "testdata/rewrites/upsampling.mlir",
    "V203.mlir": "testdata/check/V203.mlir",
    "V213.mlir": "testdata/check/V213.mlir",
    "V314.mlir": "testdata/check/V314.mlir",
}
"""The programs that the help texts and guides use, and where they are in the source tree."""

SCHEMAS: Mapping[str, str] = {
    "facts": "docs/facts.schema.json",
    "coverage": "docs/coverage.schema.json",
    "diff": "docs/diff.schema.json",
    "validation": "docs/validation.schema.json",
    "findings": "docs/findings.schema.json",
}
"""The schemas: of what `analyze`, `coverage`, `diff` and `validate` print with --format json."""

_PACKAGE = Path(__file__).parents[1]
_SHARE = _PACKAGE / "share"


def example(name: str) -> str:
    """The text of the example NAME."""
    return _read(f"examples/{name}", EXAMPLES[name])


def finding_example(code: str) -> str | None:
    """A program with @fires, of which `volcli check` says CODE, and @silent, of which it does not.

    Of what is lost since a baseline it is the program before, and after `// -----` the one that is checked.
    None if CODE has no such program.
    """
    for name in (f"{code}.mlir", f"since/{code}.mlir"):
        with suppress(FileNotFoundError):
            return _read(f"findings/{name}", f"testdata/check/{name}")
    return None


def schema(name: str) -> str:
    """The text of the schema NAME."""
    return _read(f"{name}.schema.json", SCHEMAS[name])


def _read(installed: str, worked_on: str) -> str:
    path = _SHARE / installed
    return (path if path.exists() else _PACKAGE.parent / worked_on).read_text(encoding="utf-8")
