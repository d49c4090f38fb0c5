"""The lines that MLIR prints in front of each dump of a program, and which of them a text begins with.

    // -----// IR Dump After CSEPass (cse) ('func.func' operation: @f) //----- //

After it stands what the pass ran on: the whole program with --mlir-print-ir-module-scope, one function
without it.
"""

from __future__ import annotations

import re

HEADER = re.compile(
    r"^// -----// IR Dump (?P<when>Before|After) (?P<name>.*?)(?P<failed> Failed)?"
    r"(?: \((?P<argument>[^()']*)\))?(?: \('[^']*' operation(?:: @[^)]*)?\))? //----- //$",
    re.MULTILINE,
)
_MARKER = "// -----"


def header_of(text: str) -> str | None:
    """Of which pass TEXT, one chunk of a log or a file of its own, is a dump; None if it is none.

    >>> header_of("// IR Dump After CSEPass (cse) //----- //\nmodule {\n}\n"), header_of("module {\n}\n")
    ('after cse', None)
    """
    text = text.lstrip()
    found = HEADER.match(text if text.startswith(_MARKER) else _MARKER + text)
    return None if found is None else f"{found['when'].lower()} {found['argument'] or found['name']}"
