from __future__ import annotations

import importlib
from dataclasses import dataclass

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from volcli.diagnostics import UsageError
from volcli.passes import pipeline
from volcli.passes.base import Pass, Unit, option, options_of
from volcli.passes.pipeline import parse_pipeline, with_option
from volcli.passes.table import PASSES, QUESTIONS, find, find_question


@dataclass(frozen=True)
class Toy(Pass):
    """A pass with an option of each type."""

    name = "toy"
    summary = "takes one of each"
    deep: bool = option(False, help="a bool")
    tile_size: int = option(32, help="an int")
    of: str = option("", help="a str")
    values: tuple[str, ...] = option((), help="a list")

    def apply(self, unit: Unit) -> None:
        unit.rewritten = True


@dataclass(frozen=True)
class Bare(Pass):
    """A pass without options."""

    name = "bare-pass"
    summary = "takes nothing"

    def apply(self, unit: Unit) -> None:
        pass


@pytest.fixture(autouse=True)
def toys(monkeypatch: pytest.MonkeyPatch) -> None:
    def find_toy(name: str) -> type[Pass]:
        return Toy if name == "toy" else Bare if name == "bare-pass" else find(name)

    monkeypatch.setattr(pipeline, "find", find_toy)


@pytest.mark.sample(4)
@pytest.mark.parametrize(
    ("text", "passes"),
    [
        ("", []),
        ("  ", []),
        ("builtin.module()", []),
        ("toy", [Toy()]),
        ("toy{}", [Toy()]),
        ("toy,bare-pass", [Toy(), Bare()]),
        (" toy , bare-pass ", [Toy(), Bare()]),
        ("toy{deep}", [Toy(deep=True)]),
        ("toy{deep=false}", [Toy()]),
        ("toy{deep=1 of=%x}", [Toy(deep=True, of="%x")]),
        ("toy{deep,of=%x}", [Toy(deep=True, of="%x")]),
        ("toy{tile-size=64, of=%0#1 ,deep}", [Toy(deep=True, tile_size=64, of="%0#1")]),
        ("toy{tile-size=-0x10}", [Toy(tile_size=-16)]),
        ("toy{of='N >= 1, M = 2'}", [Toy(of="N >= 1, M = 2")]),
        ('toy{of="it\'s"}', [Toy(of="it's")]),
        ("toy{of=f(a, {b})}", [Toy(of="f(a, {b})")]),
        ("toy{values=a}", [Toy(values=("a",))]),
        ("toy{values=a,b,c deep}", [Toy(deep=True, values=("a", "b", "c"))]),
        ("toy{values=a,b,deep}", [Toy(deep=True, values=("a", "b"))]),
        ("toy{values=a,b,of=c}", [Toy(of="c", values=("a", "b"))]),
        ("builtin.module(func.func(toy{deep}),bare-pass)", [Toy(deep=True), Bare()]),
        ("any(toy)", [Toy()]),
    ],
)
def test_reads(text: str, passes: list[Pass]) -> None:
    assert parse_pipeline(text) == passes


@pytest.mark.sample(4)
@pytest.mark.parametrize(
    ("text", "code", "column", "says"),
    [
        ("toy,infer-shape", "V001", 5, "did you mean 'infer-shapes'?"),
        ("toy,,bare-pass", "V003", 5, "a pass's name, found ','"),
        ("toy,", "V003", 5, "found the end"),
        ("toy}", "V003", 4, "found '}'"),
        ("toy bare-pass", "V003", 5, "expected ',' or the end"),
        ("toy{deep", "V003", 4, "never closed"),
        ("func.func(toy", "V003", 10, "never closed"),
        ("toy(deep)", "V003", 1, "toy{option=value}"),
        ("toy{depe}", "V002", 5, "did you mean 'deep'?"),
        ("bare-pass{x}", "V002", 11, "has no options"),
        ("toy{deep deep}", "V002", 10, "given twice"),
        ("toy{deep=perhaps}", "V002", 10, "true or false, not 'perhaps'"),
        ("toy{tile-size=big}", "V002", 15, "an integer, not 'big'"),
        ("toy{tile-size}", "V002", 14, "'tile-size=VALUE'"),
        ("toy{of=}", "V003", 8, "expected a value"),
        ("toy{of='x}", "V003", 8, "quote is never closed"),
        ("toy{=x}", "V003", 5, "an option of toy"),
    ],
)
def test_refuses(text: str, code: str, column: int, says: str) -> None:
    with pytest.raises(UsageError) as refused:
        parse_pipeline(text)
    diagnostic = refused.value.diagnostic
    assert diagnostic.code == code
    assert diagnostic.place is not None
    assert diagnostic.place.column == column
    assert says in f"{diagnostic.message}\n{diagnostic.next_step}"


words = st.text(st.characters(codec="utf-8", exclude_characters="\"'", exclude_categories=["Cs"]))


@pytest.mark.slow
@given(st.booleans(), st.integers(), words, st.lists(words.filter(bool)))
@example(deep=False, size=0, of="0", values=["0", "of"])
def test_a_pass_spells_itself_as_the_pipeline_reads_it(
    deep: bool, size: int, of: str, values: list[str]
) -> None:
    toy = Toy(deep, size, of, tuple(values))
    assert parse_pipeline(str(toy)) == [toy]


@given(st.text("toy{}()=,'\" deptil-sz%x.1"))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        parse_pipeline(text)
    except UsageError as error:
        place = error.diagnostic.place
        assert place is not None
        assert 1 <= place.column <= len(text) + 1


def test_an_option_is_set_where_a_pass_has_it() -> None:
    assert with_option("toy{deep of=%x},bare-pass", "of", "%y") == "toy{deep of=%y},bare-pass"
    assert with_option("bare-pass", "of", "%y") == "bare-pass"


@pytest.mark.sample(4)
@pytest.mark.parametrize("name", PASSES)
def test_the_table_names_passes(name: str) -> None:
    module, _, attribute = PASSES[name].partition(":")
    kind = getattr(importlib.import_module(module), attribute)
    assert kind is find(name)
    assert kind.name == name
    assert kind.summary
    assert "\n" not in kind.summary
    assert kind.__doc__
    assert all(each.help for each in options_of(kind))
    assert parse_pipeline(str(kind())) == [kind()]


def test_a_question_is_a_pipeline() -> None:
    assert all(parse_pipeline(find_question(question)) for question in QUESTIONS)
    with pytest.raises(UsageError, match="no question 'shape'") as refused:
        find_question("shape")
    assert "did you mean 'shapes'?" in refused.value.diagnostic.next_step
