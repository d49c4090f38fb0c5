"""How long the passes of symbolic tiling take, as processor time: the figures of the thesis, and a deep nest.

    python benchmarks/tiles.py

Each row is the least of three runs of the pass, without starting or parsing; `loops` are those that are made.
"""

from __future__ import annotations

import os
import re
import shlex
from pathlib import Path

import volcli

_FOLDER = Path(__file__).parents[1] / "testdata" / "symbolic"


def deep(count: int) -> str:
    """COUNT loops around the update of one element: they may be interchanged."""
    names = [f"%i{k}" for k in range(count)]
    kind = f"memref<{'x'.join('?' * count)}xf64>"
    sizes = ", ".join(f"%n{k}: index, %b{k}: index, %c{k}: index" for k in range(count))
    loops = [f"affine.for {name} = 0 to %n{k} {{" for k, name in enumerate(names)]
    body = [
        f"%x = affine.load %m[{', '.join(names)}] : {kind}",
        "%y = arith.addf %x, %x : f64",
        f"affine.store %y, %m[{', '.join(names)}] : {kind}",
    ]
    lines = [f"func.func @f(%m: {kind}, {sizes}) {{", *loops, *body, *["}" for _ in names], "return", "}"]
    return "\n".join(lines) + "\n"


def tiles() -> None:
    """Print the table."""
    cases: list[tuple[str, str, str]] = []
    for path in sorted(_FOLDER.glob("*.after.mlir")):
        text = path.with_name(path.name.replace(".after", "")).read_text()
        command = shlex.split(text.partition("\n")[0])
        cases.append((path.name.partition(".")[0], text, command[command.index("-p") + 1]))
    for count in (3, 4):
        sizes = ",".join(f"%{letter}{k}" for letter in "bc" for k in range(count))
        cases.append((f"{count} loops, twice", deep(count), f"tile-symbolic{{sizes={sizes} levels=2}}"))
    print("\nPasses of symbolic tiling")
    print(f"  {'':16} {'loops':>6} {'seconds':>8}")
    for name, text, pipeline in cases:
        seconds, loops = min(_run(text, pipeline) for _ in range(3))
        print(f"  {name:16} {loops:6} {seconds:8.2f}")


def _processor_time() -> float:
    """That of this process and of those that it has waited for."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def _run(text: str, pipeline: str) -> tuple[float, int]:
    program = volcli.loads(text)
    before = _processor_time()
    program.run(pipeline)
    spent = _processor_time() - before
    return spent, len(re.findall(r"scf\.(?:for|parallel) ", program.text()))


if __name__ == "__main__":
    tiles()
