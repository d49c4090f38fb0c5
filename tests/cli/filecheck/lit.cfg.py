"""lit's configuration: `lit tests/cli/filecheck` runs each file's `// RUN:` lines in a shell."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import lit.formats

from volcli.lit import use_volcli

config = globals()["config"]  # lit puts it there

here = Path(__file__).parent
root = here.parents[2]

config.name = "volcli"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test"]
config.test_source_root = str(here)
# Outputs of the tests (%t) go where no commit finds them.
config.test_exec_root = os.environ.get("VOLCLI_LIT_OUTPUT", str(root / ".venv" / "lit"))
config.environment["PYTHONPATH"] = os.pathsep.join([str(root), str(root / "dialects")])
# The tools of this Python, whatever the caller's PATH finds first.
config.environment["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), config.environment["PATH"]])
# The command alone, and not a folder of that name in a path.
config.substitutions.append((r"(?<![\w/.-])volcli(?=\s)", f"{sys.executable} -m volcli"))
use_volcli(config)
