"""How large a page is, how long it takes to write, and how long a browser takes to show it.

    python benchmarks/pages.py [PATHS]

Seconds of writing are those of the processor, in one process; those of a browser are a clock's, in the
Chromium that is installed, if Playwright is, too (`make browse` installs it).
"""

from __future__ import annotations

import shutil
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from volcli.gate.policy.policy import Policy
from volcli.gate.run import run, works_for
from volcli.pages.page import report_page
from volcli.pages.recording import PageWork, records_of

ROOT = Path(__file__).parents[1]
DEFAULT = ("testdata/linalg", "testdata/memory", "testdata/mars")
_OPEN = """() => new Promise(done => {
  const begin = performance.now();
  document.querySelector("#expand").click();
  requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now() - begin)));
})"""


def _written(paths: list[str]) -> Iterator[tuple[str, str]]:
    begin = time.process_time()
    report = run(paths, Policy())
    checked = time.process_time()
    records = records_of([PageWork(each) for each in works_for(paths, Policy())])
    recorded = time.process_time()
    page = report_page(report, records, paths)
    rendered = time.process_time()
    yield "files", f"{len(report.files)}"
    yield "functions", f"{sum(len(each.functions) for each in report.files)}"
    yield "size of the page", f"{len(page.encode()) / 1000:.0f} kB"
    yield "findings", f"{checked - begin:.2f} s"
    yield "facts and pictures", f"{recorded - checked:.2f} s"
    yield "page", f"{rendered - recorded:.2f} s"
    yield from _shown(page)


def _shown(page: str) -> Iterator[tuple[str, str]]:
    """How long Chromium takes to load PAGE, and to open all of it; nothing without Chromium."""
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        return
    if chromium is None:
        return
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        file = Path(folder) / "report.html"
        file.write_text(page, encoding="utf-8")
        browser = playwright.chromium.launch(executable_path=chromium, args=["--headless", "--no-sandbox"])
        tab = browser.new_page()
        tab.goto(file.as_uri())
        loaded = tab.evaluate("performance.getEntriesByType('navigation')[0].loadEventEnd")
        opened = tab.evaluate(_OPEN)
        browser.close()
    yield "loaded by Chromium", f"{loaded / 1000:.2f} s"
    yield "all functions opened", f"{opened / 1000:.2f} s"


if __name__ == "__main__":
    for name, value in _written(sys.argv[1:] or [str(ROOT / each) for each in DEFAULT]):
        print(f"{name:24} {value:>10}")
