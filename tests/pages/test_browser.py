"""A page in Chromium: no message, every control does what it says, nothing is wider than the window."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from volcli.cli.commands import volcli

AXE = os.environ.get("VOLCLI_AXE", "")
"""The script of axe-core, which `make browse` fetches."""
pytestmark = pytest.mark.slow


@contextmanager
def opened(
    browser: Any, file: Path, place: str = "", width: int = 1000, scheme: str = "light"
) -> Iterator[Any]:
    """FILE at PLACE in a window; it fails if the page says anything, or asks for anything else."""
    window = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)
    tab = window.new_page()
    said: list[str] = []
    tab.on("console", lambda message: said.append(message.text))
    tab.on("pageerror", lambda error: said.append(str(error)))
    tab.on("request", lambda request: said.append(request.url) if "report.html" not in request.url else None)
    tab.goto(f"{file.as_uri()}{'#' * bool(place)}{place}")
    yield tab
    window.close()
    assert said == []


CONV = "pictures:testdata/linalg/conv_layer.mlir@krnl0"


def figure(tab: Any, title: str) -> Any:
    return tab.locator(".part[open] figure", has_text=title).first


@pytest.mark.parametrize("width", [400, 1000, 1600])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_is_wider_than_the_window(browser: Any, file: Path, width: int, scheme: str) -> None:
    with opened(browser, file, width=width, scheme=scheme) as tab:
        tab.click("#expand")
        tab.wait_for_timeout(300)
        assert tab.evaluate("document.documentElement.scrollWidth") <= width
        assert tab.text_content("#theme") == ("Dark" if scheme == "light" else "Light")


def test_a_link_opens_its_function_and_marks_its_line(browser: Any, file: Path) -> None:
    with opened(browser, file, "testdata/memory/shifted_rows.mlir:9") as tab:
        marked = tab.locator("li.target")
        assert "affine.load %m[%i - 2, %j]" in marked.text_content()
        tab.wait_for_timeout(300)
        assert 0 < marked.bounding_box()["y"] < 900
        assert tab.locator(".part[open]").count() == 1
        tab.locator("article.finding .code").click()
        assert "V203:testdata/memory/shifted_rows.mlir:9:12" in tab.url
        first = tab.locator(".part[open] .source > li").first
        first.click(position={"x": 10, "y": 8})
        assert tab.url.endswith("#testdata/memory/shifted_rows.mlir:1")


def test_a_link_to_the_end_of_an_open_page_shows_it(browser: Any, file: Path) -> None:
    with opened(browser, file) as tab:
        tab.click("#expand")
        tab.evaluate("location.hash = '#testdata/linalg/two_layers.mlir:33'")
        tab.wait_for_timeout(500)
        assert 0 < tab.locator("li.target").bounding_box()["y"] < 900


def test_lines_have_their_numbers(browser: Any, file: Path) -> None:
    """As they are shown: counters of CSS, which no script can read, are in what a screen reader says."""
    with opened(browser, file, "testdata/memory/shifted_rows.mlir@slanted") as tab:
        first, text = tab.locator(".part[open] .source").evaluate(
            "one => [one.dataset.first, one.firstElementChild.firstChild.data.trim()]"
        )
        assert first != "1"
        tree = tab.context.new_cdp_session(tab).send("Accessibility.getFullAXTree")["nodes"]
        by_name = {each["nodeId"]: each for each in tree}
        (row,) = (
            by_name[each["parentId"]]
            for each in tree
            if _said(each) == text and each["role"]["value"] == "StaticText"
        )
        (number,) = by_name[row["childIds"][0]]["childIds"]
        assert _said(by_name[number]) == first


def _said(node: Any) -> str:
    return node.get("name", {}).get("value", "").strip()


def test_sources_have_colours(browser: Any, file: Path) -> None:
    with opened(browser, file, CONV) as tab:
        words = tab.evaluate("""() => Object.fromEntries([...CSS.highlights].map(([kind, ranges]) =>
            [kind, [...ranges].map((each) => each.startContainer.data.slice(each.startOffset, each.endOffset))]))""")
        assert {"%ifm", "%act0"} <= set(words["value"])
        assert "@krnl0" in words["symbol"]
        assert "tensor<1x8x256x256xf32" in words["type"]


def test_long_facts_are_folded(browser: Any, file: Path) -> None:
    with opened(browser, file, CONV) as tab:
        fact = tab.locator(".part[open] .source details").first
        before = fact.bounding_box()["height"]
        fact.locator("summary").click()
        assert fact.bounding_box()["height"] > before
        tab.select_option("#facts", "none")
        assert not fact.is_visible()


def test_search_leaves_what_matches(browser: Any, file: Path) -> None:
    with opened(browser, file) as tab:
        tab.keyboard.press("/")
        tab.keyboard.type("conv_2d_nchw")
        tab.locator("#matches", has_text="match").wait_for()
        shown = tab.locator("section.file:not([hidden]) h2").all_text_contents()
        assert shown == [
            "testdata/linalg/conv_layer.mlir",
            "testdata/linalg/conv_layer_dynamic.mlir",
            "testdata/linalg/two_layers.mlir",
        ]
        assert tab.text_content("#matches") == "3 matches"
        tab.keyboard.press("Escape")
        assert tab.locator("section.file:not([hidden])").count() == 5
        tab.click("a[data-search=V203]")
        assert tab.input_value("#search") == "V203"
        assert tab.locator("article.finding:not([hidden])").count() == 1


def test_facts_are_chosen_by_question(browser: Any, file: Path) -> None:
    with opened(browser, file, CONV) as tab:
        for chosen, expected in (("none", set()), ("regions", {"regions"}), ("bounds", {"bounds"})):
            tab.select_option("#facts", chosen)
            kinds = tab.eval_on_selector_all(
                ".part[open] .source [data-q]", "all => all.filter(e => e.offsetParent).map(e => e.dataset.q)"
            )
            assert set(kinds) == expected
        tab.select_option("#facts", "all")
        assert tab.locator(".part[open] .source [data-q]:visible").count() > 5


def test_keys_move_open_and_change_the_theme(browser: Any, file: Path) -> None:
    with opened(browser, file) as tab:
        tab.keyboard.press("j")
        assert tab.evaluate("document.activeElement.className") == "finding error"
        tab.keyboard.press("j")
        tab.keyboard.press("o")
        assert tab.locator(".part[open]").count() == 1
        tab.keyboard.press("k")
        assert tab.evaluate("document.activeElement.className") == "finding error"
        tab.keyboard.press("e")
        assert tab.locator(".part:not([open])").count() == 0
        tab.keyboard.press("t")
        assert tab.evaluate("document.documentElement.dataset.theme") == "dark"
        tab.keyboard.press("?")
        assert tab.locator("#keys").evaluate("each => each.open")
        tab.uncheck("#use-keys")
        tab.click("#keys button")
        tab.keyboard.press("t")
        assert tab.evaluate("document.documentElement.dataset.theme") == "dark"


def test_regions_are_drawn_in_any_plane(browser: Any, file: Path) -> None:
    with opened(browser, file, CONV) as tab:
        regions = figure(tab, "Regions of %act0")
        regions.locator("svg").wait_for()
        assert sorted(regions.locator("text.letter").all_text_contents()) == list("ABBBBCCCC")
        labels = set(regions.locator("svg text:not(.letter)").all_text_contents())
        assert labels == {"h \\ w", "0", "1..254", "255"}
        regions.locator("select").first.select_option(label="f")
        assert regions.locator("svg").get_attribute("aria-label") == "f down, w to the right, at n = 0, h = 0"
        assert "A" not in regions.locator("text.letter").all_text_contents()
        regions.locator("input[type=range]").fill("100")
        assert "A" in regions.locator("text.letter").all_text_contents()
        regions.locator("input[type=number]").fill("255")
        regions.locator("input[type=number]").press("Tab")
        assert "A" not in regions.locator("text.letter").all_text_contents()
        assert regions.locator("li.gone").text_content().endswith("(not in this slice)")


def test_a_window_moves_with_the_element(browser: Any, file: Path) -> None:
    with opened(browser, file, CONV) as tab:
        field = figure(tab, "depends on in %ifm")
        field.locator("svg").wait_for()
        rows = field.locator("input[type=range]").nth(1)  # h
        for h, expected in ((0, "0..3"), (10, "19..23"), (255, "509..511")):
            rows.fill(str(h))
            assert expected in field.locator("svg text").all_text_contents()


def test_sizes_that_are_symbols_are_numbers_of_the_reader(browser: Any, file: Path) -> None:
    with opened(browser, file, "pictures:testdata/linalg/conv_layer_dynamic.mlir@krnl0") as tab:
        regions = figure(tab, "Regions of %act0")
        size = regions.locator("input[type=number]").first
        size.fill("40")
        size.press("Tab")
        labels = regions.locator("svg text").all_text_contents()
        assert "19" in labels or "18" in labels or "1..18" in labels


def test_what_is_under_the_pointer_is_said(browser: Any, file: Path) -> None:
    with opened(browser, file, CONV) as tab:
        regions = figure(tab, "Regions of %act0")
        regions.locator("svg").hover()
        assert "A dense" in (regions.locator("output").text_content() or "")


def test_commands_can_be_copied(browser: Any, file: Path) -> None:
    with opened(browser, file) as tab:
        tab.locator(".copy").first.click()
        assert tab.locator(".copy").first.text_content() in ("Copied", "Select it")


def test_all_functions_are_printed(browser: Any, file: Path) -> None:
    with opened(browser, file) as tab:
        tab.emulate_media(media="print")
        tab.evaluate("dispatchEvent(new Event('beforeprint'))")
        assert tab.locator(".part:not([open])").count() == 0
        assert tab.locator(".sets svg").count() == tab.locator(".sets").count()
        assert not tab.locator("header").is_visible()
        tab.evaluate("dispatchEvent(new Event('afterprint'))")
        assert tab.locator(".part[open]").count() == 0


@pytest.mark.skipif(not AXE, reason="needs axe-core (`make browse` fetches it)")
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [400, 1600])
def test_axe_finds_nothing(browser: Any, file: Path, scheme: str, width: int) -> None:
    with opened(browser, file, scheme=scheme, width=width) as tab:
        tab.click("#expand")
        tab.wait_for_timeout(500)
        tab.evaluate("dispatchEvent(new Event('beforeprint'))")  # draws all
        tab.evaluate(Path(AXE).read_text())
        found = tab.evaluate("axe.run().then(found => found.violations)")
        assert [(each["id"], each["nodes"][0]["html"][:200]) for each in found] == []


@pytest.mark.skipif(not AXE, reason="needs axe-core (`make browse` fetches it)")
def test_axe_finds_nothing_in_a_comparison(browser: Any, tmp_path: Path, root: Path) -> None:
    file = tmp_path / "report.html"
    programs = [str(root / "testdata" / "diff" / name) for name in ("smoothed.mlir", "smoothed_wrong.mlir")]
    CliRunner().invoke(volcli, ["diff", *programs, "--format", "html", "-o", str(file)])
    with opened(browser, file) as tab:
        tab.evaluate(Path(AXE).read_text())
        found = tab.evaluate("axe.run().then(found => found.violations)")
        assert [(each["id"], each["nodes"][0]["html"][:200]) for each in found] == []
