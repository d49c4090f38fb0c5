"""Deep and broken texts: read, or refused with a place; never a crash, never a hang."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.shared.seeds import examples
from volcli.frontend.parse.context import make_context
from volcli.frontend.parse.parser import ParsedModule, parse
from volcli.frontend.print.printer import print_module
from volcli.frontend.text.source import Source
from volcli.loading.driver import load_source
from volcli.report.coverage import Coverage

Read = Callable[..., ParsedModule]

A = "func.func @a() {\n  return\n}\n"


NESTED = {
    "parentheses": ("#m = affine_map<(d0) -> (", "(", "d0", ")", ')>\n"t.a"() {m = #m} : () -> ()\n'),
    "arrays": ('"t.a"() {a = ', "[", "", "]", "} : () -> ()\n"),
    "dictionaries": ('"t.a"() {a = ', "{a = ", "1", "}", "} : () -> ()\n"),
    "types": ("func.func private @a(", "tuple<", "i32", ">", ")\n"),
    "literals": ('"t.a"() {a = dense<', "[", "1", "]", "> : tensor<1xi32>} : () -> ()\n"),
    "locations": ('"t.a"() : () -> () loc(', "fused[", "unknown", "]", ")\n"),
    "regions": ("", '"t.a"() ({', "", "}) : () -> ()", "\n"),
    "modules": ("", "module {", "", "}", "\n"),
}


@pytest.mark.sample(1)
@pytest.mark.parametrize("name", NESTED)
def test_ten_thousand_levels_are_refused(read: Read, name: str) -> None:
    before, opening, inside, closing, after = NESTED[name]
    parsed = read(before + opening * 10_000 + inside + closing * 10_000 + after + A)
    assert parsed.diagnostics[0].code == "V105"
    assert A in print_module(parsed)


def test_unclosed_nesting_is_refused(read: Read) -> None:
    assert [d.code for d in read("func.func @a() {" + "(" * 10_000).diagnostics] == ["V103"]
    assert [d.code for d in read("func.func private @a(" + "(" * 10_000).diagnostics] == ["V105"]


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    ("opening", "closing"),
    [
        ("scf.for %i{} = %n to %n step %n {{\n", "}\n"),
        ("affine.for %i{} = 0 to 4 {{\n", "}\n"),
        ("scf.if %c {{ // {}\n", "}\n"),
        ('"t.a"() ({{ ^bb0(%x{}: i32):\n', "}) : () -> ()\n"),
    ],
)
def test_two_hundred_regions_are_read(read: Read, opening: str, closing: str) -> None:
    body = "".join(opening.format(i) for i in range(200)) + closing * 200
    parsed = read(f"func.func @f(%n: index, %c: i1) {{\n{body}  return\n}}\n")
    assert not parsed.diagnostics
    again = read(print_module(parsed))
    assert not again.diagnostics
    assert len(list(again.module.walk())) == len(list(parsed.module.walk()))


@pytest.mark.slow
def test_two_hundred_pads_are_read(read: Read) -> None:
    lines = [
        f"  %p{i + 1} = tensor.pad %p{i} low[1] high[1] {{\n  ^bb0(%x: index):\n    tensor.yield %c : f32\n"
        f"  }} : tensor<{4 + 2 * i}xf32> to tensor<{6 + 2 * i}xf32>\n"
        for i in range(200)
    ]
    parsed = read(f"func.func @f(%p0: tensor<4xf32>, %c: f32) {{\n{''.join(lines)}  return\n}}\n")
    assert not parsed.diagnostics


def test_a_string_that_never_ends_takes_no_time(read: Read) -> None:
    (diagnostic,) = read('func.func @a() { "' + "a" * 100_000).diagnostics
    assert str(diagnostic.place) == "t.mlir:1:18"


MARKS = "( ) { } [ ] < > @a # #m ! ^bb0 % %0 %x:2 %x#1 {-# #-} -> : , = ? *"
TOKENS = [*MARKS.split(" "), "loc", "dense", "true", "0x", "1e400", "-1", "//"]
TOKENS += ['"', "\n", "func.func", "module", "return", '"t.a"()', "affine_map<(d0) -> (d0)>", "tensor<?xf32>"]
TOKENS += ["\u2028", "é", "\x00"]

TEXT = f"""{A}func.func @b(%x: tensor<?xf32>) -> i32 {{
  %0:2 = "t.a"(%x) ({{
  ^bb0(%i: index):
  }}) {{k = 1 : i32}} : (tensor<?xf32>) -> (i32, i32)
  return %0#1 : i32
}}
{A}"""

Edit = tuple[int, int, str]
EDITS = st.lists(st.tuples(st.integers(0, 250), st.integers(0, 3), st.sampled_from(TOKENS)), max_size=4)


@pytest.mark.slow
@settings(max_examples=examples(60))
@given(EDITS, st.integers(0, 2))
def test_no_text_raises(edits: list[Edit], cut: int) -> None:
    text = TEXT
    for position, deleted, inserted in edits:
        text = f"{text[:position]} {inserted} {text[position + deleted :]}"
    text = text[: len(text) // cut] if cut else text
    parsed = parse(Source("t.mlir", text), make_context({}))
    print_module(parsed)
    for op in parsed.unread:
        assert op.text == text[op.first : op.last]


@pytest.mark.slow
@pytest.mark.parametrize("depth", [360, 400, 600])
@pytest.mark.parametrize("name", ["regions", "modules"])
def test_what_is_read_is_looked_through(name: str, depth: int) -> None:
    """A depth at which a walk needs more of Python's stack than Python has by itself."""
    before, opening, inside, closing, after = NESTED[name]
    text = before + opening * depth + inside + closing * depth + after + A
    program = load_source(Source("t.mlir", text), via="xdsl")
    program.run("infer-shapes,value-bounds")
    assert {each.code for each in program.diagnostics} <= {"V105", "V309"}
    counted = Coverage()
    counted.add("t.mlir", [unit.parsed for unit in program.units])
    assert counted.histogram["func.func"] == 1


def test_modules_that_are_nested_too_deeply_are_said_once(read: Read) -> None:
    said = [(each.code, each.place) for each in read("module {\n" * 700 + "}\n" * 700).diagnostics]
    assert said
    assert len(said) == len(set(said))
