"""What is told since a baseline: corpora of seeded defects, and of edits that change nothing.

A seeded defect is a file without findings (`before`), and the same with one mistake (`after`). Of those in
UNSEEN the mistake is one that no analysis of bounds, memory and zeros can see: another value is computed, at
the same places.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from tests.gate.seeded import DEFECTS, PROGRAMS
from tests.gate.worsened import worse
from volcli.gate.policy.policy import Policy
from volcli.gate.records.baseline import Baseline
from volcli.gate.run import found_in, run, updated, works_for

ROOT = Path(__file__).parents[2] / "testdata" / "check"
_ASKED_FOR = ("V204", "V212", "V214", "V215")
"""What a policy has to ask for, and a fact that is given with an argument."""
_MORE = {"V205": ("V206",)}
"""What else is found in a program."""
KNOWN = """
func.func @known(%m: memref<9xf32>) -> f32 {
  %v = affine.load %m[9] : memref<9xf32>
  return %v : f32
}
"""
UNSEEN = {
    "another operation": ("stored", "arith.addf %x, %w", "arith.subf %x, %w"),
    "another index in bounds": ("shifted", "load %m[%i]", "load %m[8 - %i]"),
    "another place of a result": ("tiles", "%m[%i floordiv 16]", "%m[6 - %i floordiv 16]"),
}


@dataclass(frozen=True)
class Seeded:
    """A defect of one file; `code` is how it is told."""

    name: str
    code: str
    before: str
    after: str


def functions(text: str) -> list[str]:
    """The functions of TEXT, each with what follows it up to the next one."""
    return re.split(r"(?m)^(?=func\.func)", text)


def _named(text: str, function: str) -> str:
    return next(each for each in functions(text) if re.match(rf"func\.func (private )?@{function}\b", each))


def of_programs() -> list[Seeded]:
    """Each defect of `seeded.py` in a file of its own, with the function that it calls."""
    found: list[Seeded] = []
    for each in DEFECTS:
        text = next(text for text in PROGRAMS.values() if f"@{each.function}(" in text)
        called = _named(text, "element") if each.function == "calling" else ""
        before = _named(text, each.function)
        found.append(
            Seeded(each.function, each.code, called + before, called + before.replace(each.old, each.new))
        )
    return found


def of_codes() -> list[Seeded]:
    """Each program of testdata/check: @silent, which is right, becomes what @fires is."""
    found: list[Seeded] = []
    for path in sorted(ROOT.glob("V2*.mlir")):
        if path.stem in _ASKED_FOR:
            continue
        parts = [each for each in functions(path.read_text()) if each.startswith("func.func")]
        others = "".join(each for each in parts if "@fires" not in each and "@silent" not in each)
        wrong, right = (
            "".join(each for each in parts if f"@{name}(" in each) for name in ("fires", "silent")
        )
        before, after = (others + re.sub(r"@(fires|silent)\b", "@f", each) for each in (right, wrong))
        found.append(Seeded(path.stem, path.stem, before, after))
    return found


def of_facts() -> list[Seeded]:
    """Each program of a fact that is lost."""
    found: list[Seeded] = []
    for path in sorted((ROOT / "since").glob("*.mlir")):
        before, after = path.read_text().split("// -----\n")
        found.append(Seeded(path.stem, path.stem, before, after))
    return found


def seeded_files() -> list[Seeded]:
    """All of them, and some beside a finding that is known, below other functions, and in a module."""
    found = [*of_programs(), *of_codes(), *of_facts()]
    hosts: tuple[Callable[[str], str], ...] = (
        lambda text: KNOWN + text,
        lambda text: text + KNOWN.replace("@known", "@later"),
        lambda text: f"module {{\n{KNOWN}{text}\n}}\n",
    )
    for number, each in enumerate(found[: 60 - len(found)]):
        host = hosts[number % len(hosts)]
        found.append(Seeded(f"{each.name}_in_{number}", each.code, host(each.before), host(each.after)))
    return found


# -- edits that change nothing ------------------------------------------------------------------------


def other_names(text: str) -> str:
    return re.sub(r"@(\w+)", r"@other_\1", re.sub(r"%([a-z]\w*)", r"%v_\1", text))


def numbered(text: str) -> str:
    """Names of values as mlir-opt prints them."""
    known: dict[str, str] = {}
    return re.sub(r"%(?!arg)([a-z]\w*)", lambda one: known.setdefault(one[0], f"%{len(known)}"), text)


def one_more_argument(text: str) -> str:
    """Each function that nothing calls has an argument before the others."""
    called = set(re.findall(r"call (@\w+)", text))

    def more(found: re.Match[str]) -> str:
        return found[0] if found[1] in called else f"{found[0]}%added: f32, "

    return re.sub(r"(?m)^func\.func (@\w+)\((?=%)", more, text)


def with_aliases(text: str) -> str:
    """The types of memory have aliases."""
    types = sorted(set(re.findall(r"memref<[\dx?]*x?f32>", text)))
    for number, each in enumerate(types):
        text = text.replace(each, f"!m{number}")
    return "".join(f"!m{number} = {each}\n" for number, each in enumerate(types)) + text


def reordered(text: str) -> str:
    """The functions from the last to the first, where they do not stand in a module."""
    return text if text.startswith("module") else "\n".join(reversed(functions(text)))


def split(text: str) -> str:
    """Each function in a chunk of its own, where none refers to another one."""
    return text if re.search(r"call @|^module|#\w+ =", text) else "// -----\n".join(functions(text))


def other_functions(text: str) -> str:
    return f"func.func @new(%n: index) -> index {{\n  return %n : index\n}}\n{text}"


HARMLESS: Mapping[str, Callable[[str], str]] = {
    "names": other_names,
    "numbers": numbered,
    "blank lines": lambda text: text.replace("\n", "\n\n"),
    "indented": lambda text: text.replace("\n  ", "\n        "),
    "comments": lambda text: re.sub(r"(?m)^( *)(?=\S)", r"\1// what follows\n\1", text),
    "order of functions": reordered,
    "in a module": lambda text: f"module {{\n{text}\n}}\n",
    "line ends": lambda text: text.replace("\n", "\r\n"),
    "other functions": other_functions,
    "in chunks": split,
    "order of operations": lambda text: text.replace(
        "  %c4 = arith.constant 4 : index\n  %c8 = arith.constant 8 : index\n",
        "  %c8 = arith.constant 8 : index\n  %c4 = arith.constant 4 : index\n",
    ),
    "one more argument": one_more_argument,
    "aliases": with_aliases,
    "names, then moved": lambda text: other_functions(other_names(text)),
}


# -- what is wrong ------------------------------------------------------------------------------------


def missed(folder: Path, step: int = 1, *, facts: bool = True) -> tuple[int, list[str]]:
    """Every STEP-th seeded defect in FOLDER: how many there are, and those that are not told, or more is."""
    seeded = seeded_files()[::step]
    baseline = known(folder, {f"{each.name}.mlir": each.before for each in seeded}, facts=facts)
    found = told(baseline, {f"{each.name}.mlir": each.after for each in seeded})
    wanted = {
        f"{each.name}.mlir": [("new", code) for code in (*_MORE.get(each.name, ()), each.code)]
        for each in seeded
    }
    said = {name: [(state, code) for state, code, _ in each] for name, each in found.items()}
    return len(seeded), [name for name, codes in wanted.items() if said.get(name) != codes]


def alarms(folder: Path, step: int = 1, *, facts: bool = True) -> tuple[int, list[str]]:
    """Each edit that changes nothing, of every STEP-th file with findings: how many, and what is told of them."""
    defects = [each for each in seeded_files() if not each.code.startswith("V23")][::step]
    baseline = known(folder, {f"{each.name}.mlir": each.after for each in defects}, facts=facts)
    count, wrong = 0, [] if baseline.findings else ["there are no findings"]
    for name, edit in HARMLESS.items():
        texts = {f"{each.name}.mlir": edit(each.after) for each in defects if edit(each.after) != each.after}
        count += len(texts)
        wrong += [f"{name}: {file}: {each}" for file, each in told(baseline, texts).items()]
    moved = {f"sub_{each.name}.mlir": each.after for each in defects}
    wrong += [f"moved: {file}: {each}" for file, each in told(baseline, moved).items()]
    return count + len(moved), wrong


def silent(folder: Path) -> tuple[int, list[str]]:
    """How many known findings are made worse or moved in FOLDER, and those of which nothing is told."""
    changes = worse()
    found = [
        name
        for name, (before, after) in changes.items()
        if not told(known(folder, before, facts=False), after)
    ]
    return len(changes), found


# -- runs ---------------------------------------------------------------------------------------------


def written(folder: Path, texts: Mapping[str, str]) -> None:
    """Have FOLDER hold TEXTS, and nothing else."""
    for old in folder.iterdir():
        old.unlink()
    for name, text in texts.items():
        (folder / name).write_text(text, newline="")


def known(folder: Path, texts: Mapping[str, str], *, facts: bool) -> Baseline:
    """The baseline of TEXTS in FOLDER."""
    written(folder, texts)
    empty = Baseline(str(folder), has_facts=facts)
    return updated(empty, found_in(works_for([str(folder)], Policy(), record=facts), Policy()))


def told(baseline: Baseline, texts: Mapping[str, str]) -> dict[str, list[tuple[str, str, str]]]:
    """What is told of TEXTS since BASELINE: state, code and message, by file."""
    folder = Path(baseline.folder)
    written(folder, texts)
    found: dict[str, list[tuple[str, str, str]]] = {}
    for each in run([str(folder)], Policy(), baseline).findings:
        found.setdefault(Path(each.file).name, []).append((each.state, each.code, each.message))
    return found
