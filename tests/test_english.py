"""The sentences that users read have the field's words in plain word order: messages, passes and documents.

Each pattern is a phrase that has been in them, and has a better form. A message is a text of several words in the
code that is not a docstring; the words of mlir-opt's own diagnostics are left as they are.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from volcli.passes.table import PASSES, find

BETTER = {
    r"(?<!there )(?<!There )\b(?:is|are|was|were|be) no (?!longer\b|more\b|later\b)": "is not a ...",
    r"\bbehind\b": "after",
    r"\b[Nn]obody\b": "unknown; no caller",
    r"\b[Ss]o many\b": "as many as; at most; a number of",
    r"\b(?:leave|leaves|take|takes)\b[^.;:]{0,30}\baway\b": "omit; remove",
    r"\bpessimistic": "conservative",
    r"\banew\b": "again; rewrite",
    r"\b(?:which|that|what) nothing\b": "never; uninitialized; undetermined",
    r"\bwhat is (?:said|known|asked|stated) of\b": "facts about; questions about",
    r"\bknown of\b": "known about",
    r"\bmeets?\b|\bmet\b": "share an element; reach",
    r"\bsa(?:y|ys|id) of\b": "state about",
    r"\bis (?:always )?said\b": "is reported; is stated",
    r"\bgo(?:es)? to (?:the same|one|an?other) (?:element|buffer)": "access the same element",
    r"\bhands? on\b": "pass on",
    r"\bin one another\b|\bin each other\b": "nested",
    r"\btableaus?\b(?! of\b)": "constraint matrices",
}
IN_MLIR_OPTS_WORDS = ("problems.py", "frontend/check", "frontend/parse", "passes/mlir_opt")


def wrong(text: str) -> list[str]:
    """The phrases of TEXT that have a better form, with it."""
    found = ((re.search(pattern, text), better) for pattern, better in BETTER.items())
    return [f"'{match[0]}': {better}" for match, better in found if match is not None]


@cache
def parsed(path: Path) -> ast.Module:
    """PATH's code, for all tests that read it."""
    return ast.parse(path.read_text())


def messages(path: Path) -> Iterator[tuple[int, str]]:
    """The texts of three words or more in PATH that are not docstrings, with their lines; fields are `{}`."""
    tree = parsed(path)
    statements = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    parts = {id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in node.values}
    for node in ast.walk(tree):
        if id(node) in statements or id(node) in parts:
            continue
        if isinstance(node, ast.JoinedStr):
            pieces = (part.value if isinstance(part, ast.Constant) else "{}" for part in node.values)
            text = "".join(map(str, pieces))
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            text = node.value
        else:
            continue
        if len(text.split()) >= 3:
            yield node.lineno, text


COUNTED = [
    "argument",
    "block",
    "burst",
    "byte",
    "constraint",
    "coordinate",
    "cycle",
    "dimension",
    "element",
    "error",
    "fact",
    "file",
    "finding",
    "function",
    "instance",
    "iteration",
    "line",
    "loop",
    "operand",
    "operation",
    "pair",
    "parameter",
    "part",
    "pass",
    "piece",
    "place",
    "point",
    "program",
    "region",
    "row",
    "set",
    "shard",
    "size",
    "step",
    "symbol",
    "tile",
    "time",
    "value",
    "warning",
]
PLURAL = re.compile(rf" (?:more |other )?(?:{'|'.join(COUNTED)})e?s\b(?! it\b)")
AT_MOST = re.compile(r"(?:more than|at most|at least| x) $")
IN_MLIR_OPTS_WORDS_TOO = (*IN_MLIR_OPTS_WORDS, "affine/syntax.py", "cf/__init__.py")


def plurals(path: Path) -> Iterator[tuple[int, str]]:
    """The texts in PATH in which a plural follows a number that may be 1, or an ending is chosen for it.

    Limits are more than 1. `counted` writes a number with a noun.
    """
    for node in ast.walk(parsed(path)):
        if not isinstance(node, ast.JoinedStr):
            continue
        for before, field, after in zip(
            [ast.Constant(""), *node.values], node.values, node.values[1:], strict=False
        ):
            texts = [
                str(part.value) if isinstance(part, ast.Constant) else None for part in (before, field, after)
            ]
            is_limit = AT_MOST.search(texts[0] or "") or ast.unparse(field).isupper()
            if texts[1] is None and PLURAL.match(texts[2] or "") and not is_limit:
                yield node.lineno, ast.unparse(node)
            if texts[0] is None and re.fullmatch(r" [a-z -]+", texts[1] or "") and _is_ending(after):
                yield node.lineno, ast.unparse(node)


def _is_ending(part: ast.expr) -> bool:
    """Whether PART of a text is an `s`, or none."""
    parts = {each.value for each in ast.walk(part) if isinstance(each, ast.Constant)}
    return not isinstance(part, ast.Constant) and not parts.isdisjoint({"s", "es", "ies"})


@pytest.mark.slow
def test_numbers_agree_with_their_nouns(root: Path) -> None:
    found = [
        f"{path.relative_to(root)}:{line}: {text}"
        for folder in ("volcli", "dialects")
        for path in sorted((root / folder).rglob("*.py"))
        if not any(part in str(path.relative_to(root)) for part in IN_MLIR_OPTS_WORDS_TOO)
        for line, text in plurals(path)
    ]
    assert found == []


def test_no_document_has_one_of_several(root: Path) -> None:
    """What the documents and the annotated programs show is output."""
    one = re.compile(rf"(?<![\w.,*/+-] )(?<![\w.,^-])1{PLURAL.pattern}")
    paths = [root / "README.md", *(root / "docs").glob("*.md"), *(root / "testdata").rglob("*.mlir")]
    found = [
        f"{path.relative_to(root)}:{number}: {line.strip()}"
        for path in paths
        for number, line in enumerate(path.read_text(errors="replace").splitlines(), 1)
        if one.search(line)
    ]
    assert found == []


@pytest.mark.parametrize(
    ("text", "is_wrong"),
    [
        ("f'{count} elements'", True),
        ("f'in {count} more places'", True),
        ("f'{count} file{\"s\" * (count != 1)}'", True),
        ('f\'{count} file{"" if count == 1 else "s"}\'', True),
        ("f'{counted(count, \"element\")}'", False),
        ("f'more than {most} elements'", False),
        ("f'{SUFFIX} files'", False),
        ("f'{name} has files'", False),
    ],
)
def test_which_texts_have_a_number_before_a_plural(tmp_path: Path, text: str, is_wrong: bool) -> None:
    path = tmp_path / "texts.py"
    path.write_text(text)
    assert bool(list(plurals(path))) is is_wrong


@pytest.mark.slow
def test_messages(root: Path) -> None:
    found = [
        f"{path.relative_to(root)}:{line}: {phrase}: {text}"
        for folder in ("volcli", "dialects")
        for path in sorted((root / folder).rglob("*.py"))
        if not any(part in str(path.relative_to(root)) for part in IN_MLIR_OPTS_WORDS)
        for line, text in messages(path)
        for phrase in wrong(text)
    ]
    assert found == []


def test_help(root: Path) -> None:
    """The docstring of a command is its help."""
    found = [
        f"{path.relative_to(root)}: {phrase}"
        for path in sorted((root / "volcli" / "cli").glob("*.py"))
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.FunctionDef) and any("command" in ast.unparse(d) for d in node.decorator_list)
        for phrase in wrong(ast.get_docstring(node) or "")
    ]
    assert found == []


def test_documents(root: Path) -> None:
    """The README and the guides; a decision is the text of its day."""
    paths = [root / "README.md", *sorted((root / "docs").rglob("*.md"))]
    found = [
        f"{path.relative_to(root)}:{number}: {phrase}: {line}"
        for path in paths
        if path.parent.name != "decisions"
        for number, line in enumerate(path.read_text().split("\n"), 1)
        for phrase in wrong(line)
    ]
    assert found == []


@pytest.mark.parametrize("name", PASSES)
def test_passes(name: str) -> None:
    """A pass's docstring is its documentation."""
    assert wrong(find(name).__doc__ or "") == []
