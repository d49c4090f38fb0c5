"""A folder of --mlir-print-ir-tree-dir has a file for each pass: findings are told in the first of these.

    builtin_module_no-symbol-name/0_cse.mlir
    builtin_module_no-symbol-name/1_affine-loop-fusion.mlir        2 findings
    builtin_module_no-symbol-name/func_func_f/2_0_canonicalize.mlir
    builtin_module_no-symbol-name/3_lower-affine.mlir              the same 2

A file's name begins with the numbers of its pass and of the passes around it, and its text with the line of
the dump. What is told depends on all files of such a folder that are checked, and not on shards.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

from volcli.gate.findings.finding import AGAIN, Finding
from volcli.gate.findings.grounds import DUMP
from volcli.gate.findings.repeated import repeated
from volcli.gate.records.since import FileNow

_FILE = re.compile(r"(?P<tree>.*?builtin_module_[^/]*/)(?:.*/)?(?P<numbers>\d+(?:_\d+)*)_[^/]*")


def told_once(files: Sequence[FileNow]) -> list[FileNow]:
    """FILES in their order, of which those of one tree are dumps of one program."""
    trees: defaultdict[str, list[tuple[tuple[int, ...], int]]] = defaultdict(list)
    found = list(files)
    for at, file in enumerate(files):
        name = _FILE.fullmatch(file.name)
        before = (*file.findings, *file.ignored)
        every = [replace(each, ignored=None) if each.is_repeated else each for each in before]
        if name is not None and every and all(map(_is_of_one_dump, every)):
            trees[name["tree"]].append((tuple(map(int, name["numbers"].split("_"))), at))
            found[at] = _divided(file, every)
    for members in trees.values():
        order = [at for _, at in sorted(members)]
        again = repeated([found[at].findings for at in order])
        for at in order:
            first = {each: f"{AGAIN} {found[order[number]].name}" for each, number in again.items()}
            every = [replace(each, ignored=first.get(id(each))) for each in found[at].findings]
            found[at] = _divided(found[at], [*every, *found[at].ignored])
    return found


def _is_of_one_dump(finding: Finding) -> bool:
    """Whether FINDING is in a dump that begins its file."""
    return any(each.said.startswith(DUMP) and each.line == 1 for each in finding.rests_on)


def _divided(file: FileNow, findings: Sequence[Finding]) -> FileNow:
    """FILE with those of FINDINGS that are told and those that are ignored, by place."""
    every = sorted(findings, key=lambda each: (each.line or 0, each.column or 0, each.code, each.message))
    told, ignored = (tuple(each for each in every if (each.ignored is None) is so) for so in (True, False))
    return replace(file, findings=told, ignored=ignored)
