"""The generated pages: commands, codes, questions and JSON of the reference, and notebooks."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path

import click

from docs.site.calls import PASS_CALLS, called
from docs.site.codes import codes_pages, codes_paths
from docs.site.notebooks import notebook_page, notebook_paths
from volcli.cli.commands import volcli
from volcli.passes.table import QUESTIONS, find
from volcli.runtime.shipped import SCHEMAS


def generated(root: Path) -> dict[str, str]:
    """The text of each generated page of the project in ROOT, by its path in docs/."""
    notebooks = {path: notebook_page(notebook, root) for path, notebook in notebook_paths(root).items()}
    return {**{path: page(root) for path, page in _PAGES.items()}, **codes_pages(root), **notebooks}


def generated_paths() -> set[str]:
    """The paths of the generated pages in docs/."""
    return {*_PAGES, *codes_paths().values(), "reference/codes/index.md", *notebook_paths(_ROOT)}


def _commands(_: Path) -> str:
    """Each command's help, as `--help` prints it."""
    parts = ["# Commands\n", _help(volcli, "volcli")]
    with click.Context(volcli, info_name="volcli") as group:
        for name in volcli.list_commands(group):
            command = volcli.get_command(group, name)
            assert command is not None
            parts.append(f"## `volcli {name}` {{ #{name} }}\n\n{_help(command, name, group)}")
    return "\n".join(parts)


def _help(command: click.Command, name: str, parent: click.Context | None = None) -> str:
    with click.Context(command, info_name=name, parent=parent, max_content_width=110) as context:
        return f"```text\n{command.get_help(context)}\n```\n"


def _questions(root: Path) -> str:
    """Each question of `analyze`: the pass that answers it, and its fields in JSON."""
    schemas = json.loads((root / "docs" / "facts.schema.json").read_text())["$defs"]
    names = {
        each["if"]["properties"]["question"]["const"]: each["then"]["$ref"].rpartition("/")[2]
        for each in schemas["fact"]["allOf"]
    }
    parts = [
        "# Questions\n\n`volcli analyze FILES --ask QUESTION,QUESTION` answers them as tables, with "
        "`--format json` as facts: each has the fields below, and those of [every fact](json.md). "
        "[The gallery](../gallery.md) has an example of each.\n"
    ]
    for question, pipeline in QUESTIONS.items():
        kind = find(pipeline.partition("{")[0])
        parts.append(
            f"## {question}\n\n{kind.summary[:1].upper()}{kind.summary[1:]}: the pass "
            f"[`{pipeline}`](../passes.md#{kind.name}).\n\n"
            f"{_fields(schemas.get(names.get(question, ''), {}))}"
        )
    return "\n".join(parts)


def _fields(schema: dict[str, object]) -> str:
    """A table of the properties that SCHEMA describes."""
    properties = schema.get("properties")
    if not isinstance(properties, dict) or not properties:
        return ""
    rows = [f"| `{name}` | {_cell(each.get('description', ''))} |" for name, each in properties.items()]
    return "| field | |\n|---|---|\n" + "\n".join(rows) + "\n"


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("<", "&lt;")


def _json(root: Path) -> str:
    """Each schema that is shipped, and its parts."""
    parts = ["# JSON\n\n`volcli schema NAME` prints a schema; each is versioned, and only grows.\n"]
    for name, path in SCHEMAS.items():
        schema = json.loads((root / path).read_text())
        parts.append(
            f"## {name}\n\n{schema.get('description', '')} "
            f"[{Path(path).name}](../{path.removeprefix('docs/')}) is {schema['title']}.\n\n{_fields(schema)}"
        )
        parts += [
            f"### {name}: {part}\n\n{described.get('description', '')}\n\n{_fields(described)}"
            for part, described in schema.get("$defs", {}).items()
            if "properties" in described
        ]
    return "\n".join(parts)


def _shown_call(command: str, root: Path) -> str:
    """COMMAND, the program that it names, and what it prints."""
    file = next(each for each in command.split() if each.endswith(".mlir"))
    text = re.sub(r"\A// RUN: .*\n\n?", "", (root / file).read_text())
    return f"An example, `{file}`:\n\n```mlir\n{text}```\n\n{called(command, root, whole=True)}\n"


_ROOT = Path(__file__).parents[2]
_PAGES: Mapping[str, Callable[[Path], str]] = {
    "reference/commands.md": _commands,
    "reference/questions.md": _questions,
    "reference/json.md": _json,
}

_SECTION = re.compile(r"^## `(?P<name>[\w-]+)`\n.*?(?=^## |\Z)", re.MULTILINE | re.DOTALL)
_RUN = re.compile(
    r"// RUN: volcli (?P<command>annotate|opt) %s -p (?P<quote>['\"]?)(?P<pass>[\w-]+)(\{.*?\})?(?P=quote)\n"
)


def with_examples(markdown: str, root: Path) -> str:
    """MARKDOWN, the page of passes, with an example of each."""
    examples = pass_examples(root)
    return _SECTION.sub(lambda section: section.group() + examples.get(section["name"], ""), markdown)


def pass_examples(root: Path) -> dict[str, str]:
    """For each pass the shortest file of testdata/ on which it alone is run, or a call."""
    found = {name: _shown_call(command, root) for name, command in PASS_CALLS.items()}
    for path in sorted((root / "testdata").rglob("*.mlir"), key=lambda path: (path.stat().st_size, path)):
        text = path.read_text(errors="replace")
        run = _RUN.match(text)
        if run is None or run["pass"] in found:
            continue
        after = path.with_name(f"{path.name}.after")
        shown = f"```mlir\n{text}```\n"
        if run["command"] == "opt" and not after.exists():
            continue
        if after.exists():
            shown += f"\nbecomes\n\n```mlir\n{after.read_text()}```\n"
        found[run["pass"]] = f"An example, `{path.relative_to(root)}`:\n\n{shown}\n"
    return found
