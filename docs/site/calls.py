"""What volcli prints where a code occurs: of a call, or of an input in testdata."""

from __future__ import annotations

import contextlib
import re
import shlex
from collections.abc import Mapping
from pathlib import Path

from click.testing import CliRunner

from volcli.cli.commands import volcli

_LAYER = "testdata/linalg/conv_layer.mlir"
_ROWS = "testdata/memory/shifted_rows.mlir"

CALLS: Mapping[str, str] = {
    "V001": f"opt {_LAYER} -p infer-shape",
    "V002": f"opt {_LAYER} -p 'infer-shapes{{refine=true}}'",
    "V003": f"opt {_LAYER} -p 'infer-shapes{{'",
    "V004": f"analyze {_LAYER} --ask size",
    "V005": f"explain {_LAYER} --value %act",
    "V006": f"opt {_ROWS} -p infer-shapes -o no/such/folder/out.mlir",
    "V007": f"opt {_LAYER} --pass infer-shapes",
    "V008": f"validate {_ROWS} --tool no-such-tool --pipeline -canonicalize",
    "V009": f"opt {_ROWS} -p value-bounds --assume 'N >'",
    "V010": f"explain {_ROWS} --at 1",
    "V011": f"explain {_LAYER} --value %act0 --set h=999",
    "V012": f"annotate {_LAYER} -p 'tile{{sizes=0,0,16,16}}'",
    "V013": f"check {_ROWS} --config no-such-policy.toml",
    "V014": f"check {_ROWS} --baseline no-such-baseline.json",
    "V015": "check testdata/check --diff no-such-revision",
    "V016": "merge testdata/check/V203.mlir",
    "V017": "check docs/concepts",
    "V018": "run testdata/diff/smoothed.mlir --input nonsense",
    "V100": "check no-such-file.mlir",
    "V101": "opt docs",
    "V240": "run testdata/check/V203.mlir --function fires",
    "V290": "opt testdata/errors/V110.mlir --verify-diagnostics",
    "V291": "annotate testdata/check/V203.mlir -p value-bounds --check",
}
"""A call for each code that no input alone causes."""

PASS_CALLS: Mapping[str, str] = {
    "infer-shapes": "opt testdata/linalg/conv_layer_dynamic.mlir -p infer-shapes",
    "layers": "analyze testdata/linalg/two_layers.mlir --ask layers",
    "simplify-bounds": "opt testdata/rewrites/bounds.mlir -p simplify-bounds",
    "undefined-elements": "check testdata/check/V205.mlir --no-cache --select V205",
    "check-lifetimes": "opt testdata/check/V216.mlir -p check-lifetimes --annotate none",
    "dead-code": "opt testdata/check/V210.mlir -p dead-code",
    "mark-parallel": f"opt {_ROWS} -p mark-parallel",
    "as-linalg": "opt testdata/tosa/network.mlir -p as-linalg",
    "partition": "opt testdata/rewrites/upsampling.mlir -p 'partition{assume-finite}'",
    "tile": "opt testdata/rewrites/stencil.mlir -p 'tile{sizes=32}'",
    "parallelize": "opt testdata/symbolic/blocks.mlir -p 'parallelize{processors=%b}'",
    "test-memref-dependence-check": "opt testdata/deviations/tiles.mlir -p test-memref-dependence-check",
    "test-affine-reify-value-bounds": "opt testdata/deviations/truncating.mlir "
    "-p test-affine-reify-value-bounds",
}
"""A call for each pass that no file of testdata runs alone."""

TOLD: Mapping[str, str] = {
    "V020": "`volcli validate layer.mlir --tool my-opt --pipeline '-my-pass'`, where `my-opt` ends with an "
    "error: what it printed before that is compared, and the exit code is 2.",
    "V241": "In [Validating a pipeline](../../validate.md#when-a-pass-is-wrong), affine-loop-fusion changes "
    "a convolution; the page has the smallest program that it changes.",
    "V317": "`volcli validate` compares the programs before and after a pass, and it is not proved that they "
    "are equal, nor that they differ: the line has the reason. "
    "[What it does not know](../../validate.md#what-it-does-not-know) lists the frequent reasons.",
    "V401": '`"test.reify_bound"(%i)` where mlir-opt fails, too: *could not reify bound*.',
    "V402": '`"test.compare"(%i, %j)` that holds for some values only: *unknown*.',
    "V403": '`"test.compare"(%i, %j)` that always holds: *true*. The text is mlir-opt\'s.',
    "V404": "`volcli opt FILE -p test-memref-dependence-check`: *dependence from 0 to 1 at depth 1 = false*. "
    "The text is mlir-opt's.",
    "V405": "`volcli opt FILE -p test-memref-dependence-check` where the check is not decided. "
    "The text is mlir-opt's.",
    "V900": "volcli contradicts itself, or a case of a plug-in raises an exception: the message has "
    "the question and the operation.",
    "V901": "The system ends a worker of `volcli check` that needs more memory than there is: the other "
    "files are checked.",
}
"""What is told of a code whose example needs another tool, or a mistake of volcli."""

UNSHOWN = {"V305": "it needs seconds", "V307": "it needs mlir-opt"}
"""Inputs that are shown, and not run."""


def called(command: str, root: Path, *, whole: bool = False) -> str:
    """What COMMAND of volcli reports in the folder ROOT, or the WHOLE of what it prints, as in a terminal."""
    with contextlib.chdir(root):
        ran = CliRunner().invoke(volcli, shlex.split(command))
    reported = ran.stdout if command.startswith("check ") and ran.exit_code < 2 else ran.stderr
    reported = f"{ran.stderr}{ran.stdout}" if whole else reported
    return f"```console\n$ volcli {command}\n{reported.rstrip()}\n```\n"


def command_of(path: Path, root: Path) -> str:
    """The command of the first line of PATH, an input of testdata/errors."""
    run = re.search(r"// RUN: volcli (.*)", path.read_text(errors="replace"))
    return (run[1] if run else "opt %s").replace("%s", str(path.relative_to(root)))
