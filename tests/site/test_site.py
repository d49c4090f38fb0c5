"""The site: each code has its page, no link leads nowhere, and nothing is fetched from elsewhere."""

from __future__ import annotations

import posixpath
import re
import subprocess
import sys
import tomllib
from html.parser import HTMLParser
from urllib.parse import unquote

import pytest

from docs.site.calls import CALLS, TOLD, UNSHOWN
from docs.site.notebooks import notebook_page
from docs.site.pages import pass_examples
from tests.conftest import ROOT
from volcli.diagnostics import CODES
from volcli.diagnostics.codes import SITE
from volcli.passes.table import PASSES


class Page(HTMLParser):
    """What a page refers to, what it loads, and its anchors."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.anchors: set[str] = set()
        self.tags: set[str] = set()
        self.classes: set[str] = set()
        self.text = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        given = {name: value or "" for name, value in attrs}
        self.classes |= {*given.get("class", "").split()}
        self.anchors |= {given[name] for name in ("id", "name") if name in given}
        if given.get("data-md-component") == "source":  # Material's script asks for stars and releases
            self.loaded.append("https://api.github.com")
        if tag == "a" and "href" in given:
            self.links.append(given["href"])
        elif given.get("rel") not in ("canonical", "prev", "next"):
            self.loaded += [given[name] for name in ("src", "href") if name in given and tag != "a"]

    def handle_data(self, data: str) -> None:
        self.text += data


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Page]:
    """The pages of the site, built as `make docs` builds it."""
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(folder)]
    built = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stdout + built.stderr
    found = sorted(folder.rglob("*.*"))
    return {
        str(path.relative_to(folder)): Page(path.read_text() if path.suffix == ".html" else "")
        for path in found
    }


def test_each_code_has_an_example() -> None:
    """Add a program to testdata/check or testdata/errors, or a call."""
    files = {path.stem for name in ("check", "errors") for path in (ROOT / "testdata" / name).rglob("*.mlir")}
    assert set(CODES) - files == (CALLS.keys() | TOLD.keys()) - files
    assert CALLS.keys().isdisjoint(TOLD)


def test_each_pass_has_an_example() -> None:
    """Add a file to testdata that begins with `// RUN: volcli annotate %s -p PASS`, or a call."""
    assert PASSES.keys() - pass_examples(ROOT).keys() == set()


def test_the_site_has_one_address() -> None:
    urls = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["urls"]
    assert urls["Documentation"] == SITE
    assert CODES["V203"].page == f"{SITE}/reference/codes/V203.html"
    assert f"site_url: {SITE}/\n" in (ROOT / "mkdocs.yml").read_text()


@pytest.mark.slow
def test_programs_have_colours(site: dict[str, Page]) -> None:
    """Pygments finds the lexer of MLIR: values, types and symbols are words of their own."""
    assert {"nv", "kt", "nf"} <= site["tutorial.html"].classes


def test_each_code_has_a_page_that_shows_it(site: dict[str, Page]) -> None:
    """What volcli prints, on the page, has the code; where nothing is run, the page tells when it is reported."""
    for code in CODES.values():
        page = site[code.page.removeprefix(f"{SITE}/")]
        assert "what-to-do" in page.anchors
        is_printed = f" {code.name}: " in page.text.rpartition("$ volcli ")[2]
        assert is_printed or "The baseline is written" in page.text or code.name in {*TOLD, *UNSHOWN}, code


@pytest.mark.slow
def test_notebooks_are_executed(site: dict[str, Page]) -> None:
    """Tables, pictures and typeset sets are in their pages; what a cell raises would end the build."""
    layer, fusion, mars = (site[f"notebooks/{name}.html"] for name in ("layer", "fusion", "mars"))
    assert "sparse of degree 2" in layer.text
    assert {"svg", "math", "table"} <= layer.tags
    assert "wrong - different" in fusion.text
    assert {"svg", "math", "table", "img"} <= mars.tags


@pytest.mark.mlir
@pytest.mark.slow
def test_the_partitioned_layer_runs_faster() -> None:
    """By mlir-runner; the transposed convolution of the notebook 3 times, here with room for a busy machine."""
    page = notebook_page(ROOT / "docs" / "notebooks" / "layer.ipynb", ROOT)
    (ratio,) = re.findall(r"transposed convolution, .*? [\d.]+ +[\d.]+ +([\d.]+)  >=", page)
    assert float(ratio) > 1.5


@pytest.mark.slow
def test_each_link_leads_to_a_page_and_a_place_in_it(site: dict[str, Page]) -> None:
    broken: list[str] = []
    for path, page in site.items():
        for link in page.links:
            target, _, anchor = unquote(link).partition("#")
            if re.match(r"\w+:", target) or path == "404.html":
                continue
            leads = posixpath.normpath(posixpath.join(posixpath.dirname(path), target)) if target else path
            leads = f"{leads}/index.html".removeprefix("./") if target.endswith((".", "/")) else leads
            if leads not in site or (anchor and anchor not in site[leads].anchors):
                broken.append(f"{path}: {link}")
    assert broken == []


@pytest.mark.slow
def test_nothing_is_fetched_from_elsewhere(site: dict[str, Page]) -> None:
    loaded = {name for page in site.values() for name in page.loaded}
    assert loaded
    assert {name for name in loaded if re.match(r"(https?:)?//", name)} == set()
