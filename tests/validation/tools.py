"""Tools for tests of `volcli validate`: one that prints what it is told to, and one that breaks a pass."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path

BEFORE = """func.func @f(%a: memref<8x8xf32>, %o: memref<8x8xf32>) {
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 8 {
      %x = affine.load %a[%i, %j] : memref<8x8xf32>
      affine.store %x, %o[%i, %j] : memref<8x8xf32>
    }
  }
  return
}
func.func @g(%x: f32) -> f32 {
  return %x : f32
}
"""
RENAMED = BEFORE.replace("%x", "%0")
SWAPPED = RENAMED.replace("%a[%i, %j]", "%a[%j, %i]")

_PRINTS = """#!{python}
import sys
sys.stderr.write({errors!r})
sys.stdout.write({output!r})
sys.exit({code})
"""

_BREAKS = r"""#!{python}
# mlir-opt, but that what canonicalize leaves has the subscripts of its last load exchanged.
import re, subprocess, sys

ran = subprocess.run([{mlir_opt!r}, *sys.argv[1:]], capture_output=True, text=True)


def broken(text):
    found = list(re.finditer(r"affine.load (%\w+)\[(%\w+), (%\w+)\]", text))
    if not found:
        return text
    load = found[-1]
    return text[: load.start()] + "affine.load %s[%s, %s]" % load.group(1, 3, 2) + text[load.end() :]


parts = re.split(r"(?=^// -----// IR Dump)", ran.stderr, flags=re.M)
names = ["(canonicalize)" in part.split("\n")[0] for part in parts]
wrong = names.index(True) if True in names else len(parts)
sys.stderr.write("".join(part if at < wrong else broken(part) for at, part in enumerate(parts)))
sys.stdout.write(broken(ran.stdout) if any("canonicalize" in word for word in sys.argv) else ran.stdout)
sys.exit(ran.returncode)
"""


def whole(text: str) -> str:
    """The functions of TEXT in a module, as tools print them."""
    aliases = "".join(line for line in text.splitlines(keepends=True) if line.startswith("#"))
    return f"{aliases}module {{\n{text.removeprefix(aliases)}}}\n"


def dump(title: str, text: str, *, failed: bool = False, of: str = "'builtin.module' operation") -> str:
    """What is printed after the pass TITLE, which ran on a module, or OF a function."""
    text = text if "func" in of or text.startswith("module") else whole(text)
    return f"// -----// IR Dump After {title.title()}{' Failed' * failed} ({title}) ({of}) //----- //\n{text}\n\n"


def printing(folder: Path, dumps: Sequence[str], output: str = "", *, words: str = "", code: int = 0) -> str:
    """A tool in FOLDER that prints DUMPS and WORDS to people, and OUTPUT, and ends with CODE."""
    errors = "".join(dumps) + words
    return _script(
        folder / "prints", _PRINTS.format(python=sys.executable, errors=errors, output=output, code=code)
    )


def breaking(folder: Path, mlir_opt: str) -> str:
    """MLIR_OPT in FOLDER, but that one of its passes is wrong."""
    text = _BREAKS.replace("{python}", sys.executable).replace("{mlir_opt!r}", repr(mlir_opt))
    return _script(folder / "breaks", text)


def _script(path: Path, text: str) -> str:
    path.write_text(text)
    path.chmod(0o755)
    return os.fspath(path)
