"""The extension for Visual Studio Code: what of it can be wrong without an editor."""

from __future__ import annotations

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# What JSON files hold has no type.
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from volcli import __version__


def extension(root: Path, name: str) -> Any:
    """The JSON file NAME of the extension."""
    return json.loads((root / "editors/vscode" / name).read_text())


def patterns(node: Any) -> Iterator[tuple[str, str]]:
    """The names and expressions of a grammar, in its order."""
    if isinstance(node, dict):
        if "match" in node:
            yield node.get("name", ""), node["match"]
        for each in node.values():
            yield from patterns(each)
    elif isinstance(node, list):
        for each in node:
            yield from patterns(each)


def test_its_version_and_its_files(root: Path) -> None:
    package = extension(root, "package.json")
    assert package["version"] == __version__
    assert package["contributes"]["configuration"]["properties"]["volcli.command"]["default"] == [
        "volcli",
        "lsp",
    ]
    (language,), (grammar,) = package["contributes"]["languages"], package["contributes"]["grammars"]
    for name in (language["configuration"], grammar["path"]):
        assert extension(root, name)
    assert f"volcli-{__version__}.vsix" in (root / "docs/editors/vscode.md").read_text()


def test_its_grammar_names_the_words_of_a_line(root: Path) -> None:
    """The first expression that matches a word is the one that colours it."""
    line = '%x:2 = "foo.bar"(%y) ^bb1 @f #map !alias -> (index, i32, 42) affine.for // c'
    kinds: dict[str, str] = {}
    rules = [each for each in patterns(extension(root, "syntaxes/mlir.tmLanguage.json")) if each[0]]
    at = 0
    while at < len(line):
        found = (
            (m, name) for name, rule in rules if (m := re.compile(rule).match(line, at)) and m.end() > at
        )
        match, kind = next(found, (None, ""))
        if match is not None:
            kinds[match[0]] = kind.split(".")[0]
        at = at + 1 if match is None else match.end()
    assert kinds == {
        "%x:2": "variable", '"foo.bar"': "string", "%y": "variable", "^bb1": "entity", "@f": "entity",
        "#map": "entity", "!alias": "support", "index": "support", "i32": "support", "42": "constant",
        "affine.for": "keyword", "// c": "comment",
    }  # fmt: skip
