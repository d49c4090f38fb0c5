"""volcli in tests that lit runs: substitutions for a `lit.cfg.py`.

    from volcli.lit import use_volcli

    use_volcli(config)

Then `// RUN: %volcli-validate %s --pipeline "-my-pass" --tool my-opt` is a test that fails where a pass
changes what a function computes, or is not known not to, and `%volcli` is the command itself.
"""

from __future__ import annotations

import shlex
import sys
from typing import Any


def use_volcli(config: Any) -> None:
    """Add `%volcli-validate` and `%volcli` to the substitutions of CONFIG, lit's object, for this Python."""
    python = shlex.quote(sys.executable)
    config.substitutions += [
        ("%volcli-validate", f"{python} -m volcli validate --strict --no-cache --reproducers ''"),
        ("%volcli", f"{python} -m volcli"),
    ]
