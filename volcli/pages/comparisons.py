"""What `volcli diff` and `volcli validate` find, as a page: both programs side by side, and what differs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import zip_longest

from volcli.facts.differences import FunctionComparison, total
from volcli.gate.work.pieces import pieces_of
from volcli.limits import printing as limits
from volcli.pages.page import filled
from volcli.pages.views import anchor
from volcli.validation.results import ComparedFunction, StepResult, Validation

NumberedLine = tuple[int, str]


@dataclass(frozen=True)
class PairedLine:
    """A line of each of two programs, None where one has none; whether they are `alike` but for spaces."""

    before: NumberedLine | None
    after: NumberedLine | None
    alike: bool


@dataclass(frozen=True)
class FunctionPair:
    """What is known of a function, and its lines in both programs; so many lines are `cut`."""

    found: ComparedFunction
    id: str
    lines: Sequence[PairedLine]
    cut: int


@dataclass(frozen=True)
class ProgramPairView:
    """Two programs with names, and what is known of their functions."""

    title: str
    names: tuple[str, str]
    functions: Sequence[FunctionPair]
    reproducer: str | None = None


def diff_page(
    found: Sequence[FunctionComparison],
    names: tuple[str, str],
    texts: tuple[str, str],
    read_so: Sequence[str],
) -> str:
    """The page of what is FOUND of two programs with NAMES and TEXTS; READ_SO says how it is to be read."""
    functions = [ComparedFunction.of(each) for each in found]
    pairs = [ProgramPairView("", names, _pairs("", functions, texts))]
    said = [total(found), *read_so]
    title = f"{names[0]} and {names[1]}"
    return filled("comparison.html", title=title, pairs=pairs, pipelines=(), read_so=said)


def validation_page(found: Sequence[Validation]) -> str:
    """The page of pipelines: their passes, and the programs before and after those that are not equal."""
    pairs = [_step_view(each, step) for each in found for step in each.compared if any(step.texts)]
    title = ", ".join(dict.fromkeys(each.file for each in found))
    return filled("comparison.html", title=title, pairs=pairs, pipelines=found, read_so=())


def _step_view(found: Validation, step: StepResult) -> ProgramPairView:
    title = f"{found.file}: pass {step.number}, {step.title}"
    functions = _pairs(f"{found.file}:{step.number}:", step.functions, step.texts)
    return ProgramPairView(title, ("before", "after"), functions, step.reproducer)


def _pairs(prefix: str, functions: Sequence[ComparedFunction], texts: tuple[str, str]) -> list[FunctionPair]:
    before, after = (_functions(text) for text in texts)
    pairs: list[FunctionPair] = []
    for each in functions:
        lines = [*paired(before.get(each.function, ()), after.get(each.function, ()))]
        shown = lines[: limits.PAGE_LINES]
        pairs.append(FunctionPair(each, anchor(f"{prefix}@{each.function}"), shown, len(lines) - len(shown)))
    return pairs


def _functions(text: str) -> dict[str, Sequence[NumberedLine]]:
    """The lines of each function in TEXT."""
    lines = [*enumerate(text.split("\n"), 1)]
    pieces = pieces_of(text) or ()
    return {each.symbol.removeprefix("@").strip('"'): lines[each.first - 1 : each.last] for each in pieces}


def paired(before: Sequence[NumberedLine], after: Sequence[NumberedLine]) -> Iterator[PairedLine]:
    """The lines BEFORE and AFTER, those that are alike beside each other.

    >>> [each.alike for each in paired([(1, "a"), (2, "b")], [(1, "a"), (2, "c"), (3, "d")])]
    [True, False, False]
    """
    texts = ([text.strip() for _, text in lines] for lines in (before, after))
    for kind, a, b, c, d in SequenceMatcher(None, *texts, autojunk=False).get_opcodes():
        for left, right in zip_longest(before[a:b], after[c:d]):
            yield PairedLine(left, right, kind == "equal")
