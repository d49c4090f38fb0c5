"""What a tool printed after its passes: from stderr, a log, or the folder of --mlir-print-ir-tree-dir.

MLIR prints a line `// -----// IR Dump After Name (argument) ('builtin.module' operation) //----- //`, and
after it the operation that the pass ran on: the whole program with --mlir-print-ir-module-scope, one function
without it. What stands after that is what the tool says to people.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from volcli.frontend.text.dumps import HEADER

_ENDS = re.compile(r"^(?:\}.*|#-\})$", re.MULTILINE)
"""The lines with which a printed operation, or the resources behind it, can end."""
_NUMBERS = re.compile(r"^\d+(?:_\d+)*")


@dataclass(frozen=True)
class Dump:
    """The program, or one function of it, as the pass of this name left it, or failed to."""

    name: str
    argument: str
    text: str
    failed: bool = False

    @property
    def title(self) -> str:
        """What the pass is called on a command line, or, without such a name, in C++."""
        return self.argument or self.name


def dumps_in(said: str) -> tuple[list[Dump], str]:
    """The dumps after passes in what a tool SAID, and its other words.

    >>> found, words = dumps_in('''a.mlir:1:1: remark: hello
    ... // -----// IR Dump After CSEPass (cse) ('builtin.module' operation) //----- //
    ... module {
    ... }
    ...
    ... a.mlir:2:1: warning: bye
    ... ''')
    >>> [(dump.title, dump.text) for dump in found]
    [('cse', 'module {\\n}\\n')]
    >>> words
    'a.mlir:1:1: remark: hello\\na.mlir:2:1: warning: bye'
    """
    headers = [*HEADER.finditer(said)]
    ends = [*(each.start() for each in headers), len(said)][1:]
    words = [said[: headers[0].start()] if headers else said]
    found: list[Dump] = []
    for header, end in zip(headers, ends, strict=True):
        text = said[header.end() + 1 : end]
        cut = max((each.end() for each in _ENDS.finditer(text)), default=0)
        words.append(text[cut:])
        if header["when"] == "After":
            named = header["name"], header["argument"] or ""
            found.append(Dump(*named, f"{text[:cut]}\n", bool(header["failed"])))
    return found, "\n".join(each.strip() for each in words if each.strip())


def dumps_of_tree(folder: Path) -> list[Dump]:
    """The dumps in the FOLDER that --mlir-print-ir-tree-dir names, in the order in which passes ran.

    A file's name begins with the numbers of its pass and of the passes around it.
    """
    files = sorted(folder.rglob("*.mlir"), key=lambda path: (_numbers(path.name), str(path)))
    return [dump for path in files for dump in dumps_in(path.read_text("utf-8", "surrogateescape"))[0]]


def _numbers(name: str) -> tuple[int, ...]:
    found = _NUMBERS.match(name)
    return tuple(map(int, found[0].split("_"))) if found else ()


def passes_in(pipeline: str) -> Iterator[str]:
    """The passes in the text of a pass manager, each within the operations that it runs on.

    >>> list(passes_in("builtin.module(func.func(cse,tile{sizes=4,4}),inline)"))
    ['builtin.module(func.func(cse))', 'builtin.module(func.func(tile{sizes=4,4}))', 'builtin.module(inline)']
    """
    around: list[str] = []
    word, depth = "", 0
    for character in pipeline:
        depth += {"{": 1, "}": -1}.get(character, 0)
        if depth or character not in "(),":
            word += character
            continue
        if character == "(":
            around.append(word.strip())
        elif word.strip():
            yield "(".join([*around, word.strip()]) + ")" * len(around)
        if character == ")" and around:
            around.pop()
        word = ""
    if word.strip():
        yield "(".join([*around, word.strip()]) + ")" * len(around)
