"""A large file is done function by function, and what a function does not depend on changes nothing."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from volcli.diagnostics import CODES
from volcli.gate.findings.settings import Settings
from volcli.gate.work.assembling import assembled, owners
from volcli.gate.work.cache import ResultCache
from volcli.gate.work.executor import Here
from volcli.gate.work.pieces import FilePiece, part_of, pieces_of
from volcli.gate.work.schedule import Schedule
from volcli.gate.work.work import FileResult, Work, checked

LOAD = """func.func {private} @{name}(%m: memref<9xf32>) -> f32 {{
  %c = arith.constant {index} : index
  %x = memref.load %m[%c] : memref<9xf32>
  return %x : f32
}}
"""
CALL = """func.func @{name}(%m: memref<9xf32>) -> f32 {{
  %x = call @{called}(%m) : (memref<9xf32>) -> f32
  return %x : f32
}}
"""
SETTINGS = Settings(frozenset(CODES), record=True)


def load(name: str, index: int = 3, private: str = "") -> str:
    return LOAD.format(name=name, index=index, private=private)


def call(name: str, called: str) -> str:
    return CALL.format(name=name, called=called)


def needed(text: str, symbol: str) -> set[str]:
    """The functions that SYMBOL depends on."""
    pieces = pieces_of(text) or []
    (one,) = (each for each in pieces if each.symbol == symbol)
    return {each.symbol for each in pieces if (each.first, each.last) in one.read}


def test_a_function_depends_on_what_it_calls_and_a_private_one_on_its_callers() -> None:
    text = load("a") + call("b", "a") + call("c", "b") + load("p", private="private") + call("q", "p")
    assert needed(text, "@a") == {"@a"}
    assert needed(text, "@b") == {"@a", "@b"}
    assert needed(text, "@c") == {"@a", "@b", "@c"}
    assert needed(text, "@p") == needed(text, "@q") == {"@p", "@q"}


def test_a_key_is_that_of_what_is_needed_and_of_no_line() -> None:
    def keys(text: str) -> dict[str, str]:
        return {each.symbol: each.key for each in pieces_of(text) or () if each.symbol}

    text = "#map = affine_map<(d0) -> (d0)>\n" + load("a") + call("b", "a") + load("c")
    same = keys(text)
    assert keys("\n// license\n\n" + text) == same
    assert keys(text.replace("(d0)>", "(d0 + 1)>")) == same  # nobody uses it
    assert keys(text.replace("@c", "@d"))["@a"] == same["@a"]
    other = keys(text.replace("constant 3", "constant 4", 1))
    assert [name for name in same if same[name] != other[name]] == ["@a", "@b"]
    used = "module {\n" + text.replace("return", "// #map\n  return", 1) + "}\n"
    assert keys(used)["@a"] != keys(used.replace("(d0)>", "(d0 + 1)>"))["@a"]
    assert keys(used)["@c"] != same["@c"]  # the module may have attributes


@pytest.mark.parametrize(
    "text",
    [
        '"test.op"() : () -> ()\n' + load("a"),
        load("a") + load("a"),
        load("a") + "// volcli: ignore V203 no function follows\n",
        load("a").replace("}", "// volcli: expect in-bounds\n}") + load("b"),
        "// volcli: ignore-file V203 all of it\n" + load("a"),
        "// expected-error@+2 {{bounds}}\n\n" + load("a"),
        load("a").replace("}", "// expected-error@+3 {{bounds}}\n}") + load("b"),
        "module {\n" + load("a") + "}\n}\n",
        "module {\n" + load("a")[:-2] + "}\n",
        load("a")[:-2] + "memref.global @b : memref<9xf32>\n",
        "{-# dialect_resources: {} #-}\n" + load("a"),
    ],
)
def test_what_may_be_about_several_functions_is_one_piece(text: str) -> None:
    assert pieces_of(text) is None


def test_chunks_are_split_by_themselves() -> None:
    text = load("a") + "// -----\n" + load("a") + call("b", "a") + "// -----\n" + '"t.op"() : () -> ()\n'
    assert [each.symbol for each in pieces_of(text) or ()] == ["@a", "@a", "@b", ""]


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    "file",
    ["bounds/private.mlir", "check/V203.mlir", "check/V208.mlir", "check/V220.mlir"],
)
def test_functions_one_by_one_are_the_whole(file: str) -> None:
    path = Path("testdata", file)
    work = Work(str(path), file, SETTINGS, path.read_bytes())
    pieces = pieces_of(path.read_text()) or []
    assert len(pieces) > 1
    whole = checked(work)
    found = owners([checked(replace(work, part=part_of([each]))) for each in pieces], pieces)
    assert found is not None
    assert assembled(file, pieces, found) == whole


ERRORS = [
    load("b").replace("constant 3", "constant"),
    load("b")[:-2],
    load("b").replace("%c]", "%c"),
    load("b").replace("f32 {", "f32 {\n}"),
    load("b") + "}\n",
    load("b").replace("memref.load", "memref.lod"),
    load("b").replace("load %m", 'load "%m'),
]


@pytest.mark.parametrize("broken", ERRORS)
@pytest.mark.parametrize("first", [True, False])
def test_an_error_of_syntax_costs_the_function_that_has_it(broken: str, first: bool) -> None:
    """The function that it calls, and those beside it, are found as ever, also the same in another group."""
    texts = [load("a", 9), broken, call("c", "a"), call("d", "b")]
    text = "".join(texts if first else [*texts[2:], *texts[:2]])
    work = Work("-", "-", SETTINGS, text.encode())
    pieces = pieces_of(text) or []
    assert [each.symbol for each in pieces] == (
        ["@a", "@b", "@c", "@d"] if first else ["@c", "@d", "@a", "@b"]
    )
    whole = checked(work)
    assert {"V203"} < {each.code for each in whole.findings} <= {"V103", "V110", "V203", "V301"}
    assert sum(each.code == "V301" for each in whole.findings) <= 1  # of the call of @b
    for groups in ([[each] for each in pieces], [pieces[:2], pieces[2:]], [pieces[::2], pieces[1::2]]):
        known: dict[FilePiece, FileResult] = {}
        for group in groups:
            found = owners([checked(replace(work, part=part_of(group)))], group)
            assert found is not None
            known.update(found)
        assert assembled("-", pieces, known) == whole


def test_what_follows_may_be_the_reason_of_an_error() -> None:
    """Where a function ends in the middle of a type, that is an error at what stands behind it."""
    text = load("a") + "func.func private @b() ->\n" + load("c")
    work = Work("-", "-", SETTINGS, text.encode())
    pieces = pieces_of(text) or []
    assert [each.symbol for each in pieces] == ["@a", "@b", "@c"]
    assert [checked(replace(work, part=part_of([each]))).separable for each in pieces] == [True, False, True]


@pytest.mark.slow
def test_one_change_in_a_large_file_costs_the_function_and_its_callers(tmp_path: Path) -> None:
    """Results are those without a cache, wherever functions are moved; groups do not depend on workers."""
    analysed: list[str] = []

    def noted(work: Work) -> FileResult:
        found = checked(work)
        analysed.extend(symbol for _, symbol in found.places)
        return found

    def run(text: str, cache: ResultCache | None) -> FileResult:
        analysed.clear()
        (tmp_path / "f.mlir").write_text(text)
        work = Work(str(tmp_path / "f.mlir"), "f.mlir", SETTINGS)
        (found,) = Schedule([work], Here(noted), cache, lambda done, every: None).results()
        return found

    functions = [load(f"f{n}", index=9 if n % 25 == 0 else n % 9) for n in range(110)]
    functions += [call("user", "f7"), call("user_of_user", "user")]
    cache = ResultCache(tmp_path / "cache", pytest.fail)
    first = run("".join(functions), cache)
    assert (len(analysed), len(first.functions)) == (112, 112)
    assert sum(each.code == "V203" for each in first.findings) == 5
    changed = ["\n// moved\n\n", *functions[60:], *functions[:60]]
    changed = [each.replace("constant 7", "constant 9") if "@f7(" in each else each for each in changed]
    second = run("".join(changed), cache)
    assert sorted(analysed) == ["f7", "user", "user_of_user"]
    assert second == run("".join(changed), None)
    assert len(analysed) == 112
    assert run("".join(changed), cache) == second
    assert analysed == []
    cache.close()
