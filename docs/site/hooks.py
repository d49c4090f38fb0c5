"""What MkDocs calls: adds generated pages, points links out of docs/ at the repository, typesets formulas."""

from __future__ import annotations

import posixpath
import re
import sys
from pathlib import Path
from typing import Any

from latex2mathml.converter import convert
from mkdocs.structure.files import File, Files
from pygments.lexers import LEXERS

ROOT = Path(__file__).parents[2]
# As `python -m mkdocs` has it in the repository's root.
sys.path[:0] = [str(ROOT), str(ROOT / "dialects")]

from docs.site.pages import generated, with_examples  # noqa: E402 - the path comes first
from docs.site.sessions import SESSION  # noqa: E402

LEXERS["Session"] = SESSION

_LINK = re.compile(r"(?<=\]\()(?!\w+:|#)(?P<path>[^)#\s]+)(?=[)#])")
_FORMULA = re.compile(
    r'<(?P<tag>span|div) class="arithmatex">\\[(\[](?P<latex>.*?)\\[)\]]</(?P=tag)>', re.DOTALL
)


def on_files(files: Files, config: Any) -> Files:
    """The files of docs/ and the pages that follow from the code."""
    for path, text in generated(ROOT).items():
        files.append(File.generated(config, path, content=text))
    return files


def on_page_markdown(markdown: str, page: Any, config: Any, files: Files) -> str:
    """MARKDOWN with links that lead out of docs/ into the repository, and with an example for each pass."""
    folder = posixpath.dirname(page.file.src_uri)
    text = with_examples(markdown, ROOT) if page.file.src_uri == "passes.md" else markdown
    text = text.replace("```console\n", "```volcli-session\n")

    def outside(link: re.Match[str]) -> str:
        path = posixpath.normpath(posixpath.join("docs", folder, link["path"]))
        leaves = not path.startswith("docs/") or files.get_file_from_path(path.removeprefix("docs/")) is None
        exists = (ROOT / path).exists()  # a link that leads nowhere stays, and is reported
        return f"{config.repo_url}/blob/main/{path}" if leaves and exists else link["path"]

    return _LINK.sub(outside, text)


def on_page_content(html: str, **_: Any) -> str:
    """HTML with MathML in place of LaTeX, which a browser shows without a script."""
    return _FORMULA.sub(_typeset, html)


def _typeset(formula: re.Match[str]) -> str:
    latex = formula["latex"].replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
    return convert(latex, display="block" if formula["tag"] == "div" else "inline")
