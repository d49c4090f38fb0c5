"""`make update`: rewrite what is generated and tested to be current. ARGS=--generated: only what no example is run for.

- testdata/: each .mlir file that has a first line `// RUN: volcli annotate %s -p PIPELINE ...` is annotated anew
  (analyses only: such a file is a fixed point of its own command);
- testdata/: NAME.mlir.after, what the first line of NAME.mlir, `// RUN: volcli opt %s -p PIPELINE`, prints;
- the charter of each room, its `__init__`: the rooms that its files import;
- docs/passes.md, from the passes;
- docs/decisions/README.md, from the decisions, after the paths of moved files in these;
- docs/limits.md, from volcli/limits;
- docs/pictures/, by the command above each picture in a document;
- README.md and the documents in docs/ that show the tool: the output of each command in a ```console block.

Read the diff before you commit it: it is what the change did.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
# In place of this folder, whose rooms have names of others: `language`, `runtime`.
sys.path[:1] = [str(ROOT), str(ROOT / "dialects")]

from tests.decisions_document import decisions_document, relocated  # noqa: E402 - the path comes first
from tests.limits_document import limits_document  # noqa: E402 - the path comes first
from tests.readme import DOCUMENTS, from_this_tree, rerun, rerun_example  # noqa: E402 - the path comes first
from tests.rooms import charters  # noqa: E402 - the path comes first

_RUN = re.compile(r"// RUN: (volcli annotate %s .*)")
_PICTURE = re.compile(
    r"\$ volcli (explain [^\n]*) --svg /dev/null\n(?:(?!```).*\n)*```\n\n!\[[^]]*\]\(([^)]*)\)"
)
_OPT = re.compile(r"// RUN: (volcli opt %s .*)")


def command_of(text: str) -> list[str] | None:
    """The arguments of volcli that an annotated file names in its first line, with %s for itself."""
    run = _RUN.match(text)
    return shlex.split(run[1])[1:] if run else None


def annotated_files(root: Path = ROOT) -> list[Path]:
    """The files of testdata/ that are fixed points of the command in their first line."""
    found = sorted((root / "testdata").rglob("*.mlir"))
    return [path for path in found if command_of(path.read_text(errors="replace")) is not None]


def rewritten_files(root: Path = ROOT) -> dict[Path, tuple[Path, list[str]]]:
    """The files of testdata/ with a NAME.mlir.after beside them: that, and the arguments that print it."""
    found: dict[Path, tuple[Path, list[str]]] = {}
    for after in sorted((root / "testdata").rglob("*.mlir.after")):
        path = after.with_name(after.name.replace(".after", ""))
        run = _OPT.match(path.read_text())
        assert run is not None, f"{path} has no line // RUN: volcli opt %s ..."
        name = str(path.relative_to(root))
        found[path] = after, [name if word == "%s" else word for word in shlex.split(run[1])[1:]]
    return found


def pictures(root: Path = ROOT) -> dict[Path, list[str]]:
    """The pictures of the documents, and the command that draws each: `![...](pictures/NAME)` below it."""
    found: dict[Path, list[str]] = {}
    for document in sorted((root / "docs").rglob("*.md")):
        for command, name in _PICTURE.findall(document.read_text()):
            found[(document.parent / name).resolve()] = shlex.split(command)
    return found


def volcli(*arguments: str) -> str:
    """What volcli prints; findings (exit code 1) are a result too."""
    ran = subprocess.run(
        [sys.executable, "-m", "volcli", *arguments],
        cwd=ROOT, env=from_this_tree(ROOT), stdout=subprocess.PIPE, text=True, check=False,
    )  # fmt: skip
    if ran.returncode > 1:
        raise SystemExit(f"volcli {shlex.join(arguments)}: exit code {ran.returncode}")
    return ran.stdout


def main() -> None:
    generate()
    if "--generated" not in sys.argv[1:]:
        run_examples()


def generate() -> None:
    """Write what follows from the sources: charters, tables of passes, decisions and limits."""
    for path, text in charters(ROOT).items():
        write(path, text)
    write(ROOT / "docs" / "passes.md", volcli("passes", "--format", "markdown"))
    for decision, text in list(relocated(ROOT)):
        write(decision, text)
    write(ROOT / "docs" / "decisions" / "README.md", decisions_document(ROOT))
    write(ROOT / "docs" / "limits.md", limits_document())


def run_examples() -> None:
    """Write what volcli prints of testdata and of the documents' commands: this takes 15 minutes."""
    for path in annotated_files():
        name = str(path.relative_to(ROOT))
        command = command_of(path.read_text())
        assert command is not None
        write(path, volcli(*(name if word == "%s" else word for word in command)))
    for after, words in rewritten_files().values():
        write(after, volcli(*words))
    for name in DOCUMENTS:
        document = ROOT / name
        write(document, rerun(document.read_text(), ROOT, from_this_tree(ROOT)))
    for path, command in pictures().items():
        volcli(*command, "--svg", str(path), "-o", os.devnull)
    adding = ROOT / "docs" / "adding.md"
    with tempfile.TemporaryDirectory() as folder:
        write(adding, rerun_example(adding.read_text(), Path(folder), from_this_tree(ROOT)))


def write(path: Path, text: str) -> None:
    if not path.exists() or path.read_text() != text:
        path.write_text(text)
        print(f"rewrote {path.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
