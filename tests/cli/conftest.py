"""A driver that says what a test wants said: the shell is tested by itself."""

from __future__ import annotations

import sys
import types
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import pytest
from click.testing import CliRunner, Result

from volcli.cli import commands as cli
from volcli.diagnostics import Diagnostic, Place, UsageError
from volcli.frontend.text.source import Source


@dataclass
class FakeFact:
    """A fact with two columns, as volcli.facts.fact has them."""

    question: str
    value: str
    place: Place
    function: str = "@layer"
    op: str = "tensor.empty"
    columns: ClassVar[tuple[str, ...]] = ("value", "answer")
    answers: ClassVar[tuple[str, ...]] = ()
    answer: ClassVar[str] = "exact"
    needs_attention: ClassVar[bool] = False

    def rows(self) -> list[tuple[str, ...]]:
        return [(self.value, "{ [h, w] : 0 <= h <= 255 }"), (self.value, "second [bold]row[/bold]")]

    def to_json(self) -> dict[str, object]:
        return {"question": self.question, "value": self.value, "line": self.place.line}


@dataclass
class FakeParsed:
    source: Source


@dataclass
class FakeUnit:
    parsed: FakeParsed

    def models(self) -> list[Any]:
        return []


@dataclass
class FakeProgram:
    """A program of which nothing is known but what the test says."""

    source: Source
    diagnostics: list[Diagnostic] = field(default_factory=list)
    facts: list[FakeFact] = field(default_factory=list)
    ran: list[str] = field(default_factory=list)
    seconds: dict[str, float] = field(default_factory=dict)

    @property
    def units(self) -> list[FakeUnit]:
        return [FakeUnit(FakeParsed(self.source))]

    def check_names(self, of: Sequence[str]) -> None:
        pass

    def run(self, pipeline: str) -> FakeProgram:
        self.ran.append(pipeline)
        return self

    def text(self, annotate: str = "comments", reprint: bool = False, generic: bool = False) -> str:
        return f"annotate={annotate} reprint={reprint}\n{self.source.text}"

    def annotated(self) -> str:
        return f"// volcli: said\n{self.source.text}"


@dataclass
class Driver:
    """Files by name: the program of each, or what is raised; a name that is absent cannot be read."""

    files: dict[str, FakeProgram | Exception] = field(default_factory=dict)
    options: dict[str, Any] = field(default_factory=dict)

    def add(self, name: str, text: str = "module {}\n", said: Sequence[Diagnostic] = (), **more: Any) -> None:
        self.files[name] = FakeProgram(Source(name, text), list(said), **more)

    def read_source(self, path: str) -> Source:
        found = self.files.get(path, UsageError(Diagnostic("V100", f"cannot read '{path}'")))
        if isinstance(found, Exception):
            raise found
        return found.source

    def load_source(self, source: Source, **options: Any) -> FakeProgram:
        self.options = options
        found = self.files[source.name]
        assert isinstance(found, FakeProgram)
        return found


@pytest.fixture
def driver(monkeypatch: pytest.MonkeyPatch) -> Driver:
    """Stands for the driver and the files, and accepts every pipeline."""
    fake = Driver()
    module = types.ModuleType("volcli.loading.driver")
    module.load_source = fake.load_source  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "volcli.loading.driver", module)
    monkeypatch.setattr("volcli.frontend.text.source.read_source", fake.read_source)
    return fake


Shell = Callable[..., Result]


@pytest.fixture
def shell() -> Shell:
    """Call the command line in this process: shell("opt", "a.mlir")."""

    def call(*arguments: str, **more: Any) -> Result:
        return CliRunner().invoke(cli.volcli, list(arguments), **more)

    return call
