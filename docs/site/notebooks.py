"""A page for each notebook of docs/notebooks: its cells, and what they show when the site is built."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient

_SHOWN = ("image/svg+xml", "text/html", "text/latex", "image/png", "text/plain")
"""The forms of an output, the best one first."""


def notebook_paths(root: Path) -> dict[str, Path]:
    """The notebooks of the project in ROOT, by the paths of their pages in docs/."""
    found = sorted((root / "docs" / "notebooks").glob("*.ipynb"))
    return {f"notebooks/{path.stem}.md": path for path in found}


def notebook_page(path: Path, root: Path) -> str:
    """The text of the page of the notebook PATH, executed in ROOT. Raises CellExecutionError."""
    notebook = nbformat.read(path, as_version=4)
    NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(root)}}).execute()
    parts = [part for cell in notebook.cells for part in _cell(cell)]
    return "\n\n".join(
        [*parts, f"This page is [{path.name}]({path.name}), executed when the site was built.\n"]
    )


def _cell(cell: Any) -> Iterator[str]:
    if cell.cell_type == "markdown":
        yield cell.source
        return
    yield f"```python\n{cell.source}\n```"
    printed = ""
    for output in cell.outputs:
        if output.output_type == "stream":
            printed += output.text if output.name == "stdout" else ""
        elif any(output.data.values()):  # not where progress was shown
            yield _output(output.data)
    if printed:
        language = "mlir" if re.match(r"(func\.func|module|#|//)", printed) else "text"
        yield f"```{language}\n{printed.rstrip()}\n```"


def _output(data: Any) -> str:
    """What a browser shows of the DATA of an output."""
    form = next(form for form in _SHOWN if form in data)
    text = "".join(data[form])
    match form:
        case "image/png":
            return f'<img alt="plot" src="data:image/png;base64,{text.strip()}">'
        case "text/latex":
            return text
        case "text/plain":
            return f"```text\n{text}\n```"
        case "image/svg+xml":
            return f'<div class="picture">{_on_one_line(text)}</div>'
        case _:
            shown = re.sub(r"<style.*?</style>", "", text, flags=re.DOTALL)
            shown = re.sub(r' (border="1" class="dataframe"|style="text-align: right;")', "", shown)
            return f'<div class="shown">{_on_one_line(shown)}</div>'


def _on_one_line(text: str) -> str:
    """TEXT, which is HTML, as Markdown takes it for one block."""
    return re.sub(r"\s*\n\s*", " ", text).strip()
