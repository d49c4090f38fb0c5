"""The composition root: from a file to its program, through passes, to text and data.

This is the only module that knows `volcli_dialects`. A dialect's module (its operations and its cases) is
imported when the dialect first occurs in a file; other packages add dialects through the entry-point group
`volcli.dialects` (name = dialect, value = `package.module:dialect`, a function that makes it).

>>> program = load("func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> { return %a : tensor<4xf32> }")
>>> [str(size) for fact in program.run("infer-shapes").facts for size in fact.sizes]
['4']
"""

from __future__ import annotations

import importlib
import sys
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from importlib.metadata import entry_points
from pathlib import Path
from typing import TYPE_CHECKING, Any

from xdsl.ir import Dialect

from volcli import internal
from volcli.diagnostics import Diagnostic, UsageError, worst_exit_code
from volcli.expressions import number_values
from volcli.frontend.annotate import annotate as annotate_text
from volcli.frontend.annotate import without_comments
from volcli.frontend.context import make_context
from volcli.frontend.parser import ParsedModule, parse
from volcli.frontend.printer import print_module
from volcli.frontend.recursion import deep_recursion, no_collector_pauses
from volcli.frontend.source import Source, join_chunks, join_printed, read_source, split_chunks
from volcli.model.facts import Fact
from volcli.passes.base import Unit
from volcli.passes.pipeline import parse_pipeline
from volcli.passes.selection import ALL
from volcli.problems import problems_in
from volcli.report.files import FileReport
from volcli.report.json_report import envelope

if TYPE_CHECKING:
    from volcli.model.bounds.answers import Comparison

_OWN_DIALECTS = (
    "affine", "arith", "bufferization", "cf", "complex", "func", "index", "linalg", "math", "memref", "scf",
    "tensor", "test", "util", "vector",
)  # fmt: skip

_WHOLE_DIALECTS = frozenset(_OWN_DIALECTS) - {"test", "util"}
"""Those of which every operation of LLVM 22 is known."""


def load(
    path_or_text: str,
    *,
    split: bool = False,
    budget: int | None = None,
    via: str = "auto",
    assume: Sequence[str] = (),
) -> Program:
    """The program in a file ('-' is stdin), or in a text that holds a line break or a brace.

    `split` reads the chunks between `// -----` lines as programs of their own; `budget` bounds each query
    in isl operations. `via` is the door: "xdsl" reads natively, "mlir-opt" through that tool, "auto" natively
    and what that cannot read through mlir-opt, if it is on PATH. `assume` are conditions on arguments, as
    "N >= 1 and N mod 16 = 0". Raises UsageError if the file cannot be read (V100, V101, V102), or a condition
    cannot be used (V009).
    """
    is_text = "\n" in path_or_text or ("{" in path_or_text and not Path(path_or_text).exists())
    source = Source("-", path_or_text) if is_text else read_source(path_or_text)
    return load_source(source, split=split, budget=budget, via=via, assume=assume)


def load_source(
    source: Source,
    *,
    split: bool = False,
    budget: int | None = None,
    via: str = "auto",
    assume: Sequence[str] = (),
) -> Program:
    """The program in SOURCE; see `load`."""
    _forget()
    units: list[Unit] = []
    for chunk in split_chunks(source) if split else [source]:
        with deep_recursion():
            parsed = _read(chunk, via)
            number_values(parsed.module)
            problems = list(problems_in(parsed, dialect_factories().keys(), _WHOLE_DIALECTS))
        unknown = {problem.place for problem in problems}
        said = [one for one in parsed.diagnostics if one.code != "V306" or one.place not in unknown]
        said += problems
        units.append(Unit(parsed, diagnostics=said, budget=budget))
        units[-1].report_internal_errors()
    _forgive_empty_chunks(units)
    if assume:
        from volcli.passes.assume import assume as let_assume

        let_assume(assume, units)
    return Program(source, units, assume=tuple(assume))


def _forget() -> None:
    """Keep nothing of other programs: what a budget buys must not depend on them."""
    internal.forget()
    if (build := sys.modules.get("volcli.presburger.build")) is not None:  # else it has kept nothing
        build.forget()


def _forgive_empty_chunks(units: Sequence[Unit]) -> None:
    """That there is no operation is said of a whole file, and not of a chunk that holds only comments."""
    if any(unit.parsed.module.body.block.first_op is not None for unit in units):
        for unit in units:
            unit.diagnostics = [one for one in unit.diagnostics if one.code != "V107"]


def _read(source: Source, via: str) -> ParsedModule:
    """SOURCE through the door VIA; raises UsageError (V008) if mlir-opt is asked for and absent."""
    from volcli.frontend.mlir_opt import TOOLS, complete, find_tool, parse_through

    tool = None if via == "xdsl" else find_tool()
    if via == "mlir-opt":
        if tool is None:
            raise UsageError(Diagnostic("V008", f"no {' or '.join(TOOLS)} on PATH"))
        return parse_through(source, make_context(dialect_factories()), tool)
    parsed = parse(source, make_context(dialect_factories()))
    if parsed.unread and tool is not None:
        return complete(parsed, make_context(dialect_factories()), tool)
    return parsed


@dataclass
class Program:
    """One file: its chunks with what the passes that ran have found."""

    source: Source
    units: list[Unit]
    pipelines: list[str] = field(default_factory=list[str])
    assume: tuple[str, ...] = ()

    def run(self, pipeline: str) -> Program:
        """Run the passes of PIPELINE over every chunk; returns this program.

        Raises UsageError for an unknown pass or option (V001, V002, V003) or value (V005).
        """
        passes = parse_pipeline(pipeline)
        for each in passes:
            self._check_name(str(getattr(each, "of", "")))
        with deep_recursion(), no_collector_pauses():
            for unit in self.units:
                for each in passes:
                    unit.run(each)
        self.pipelines += [str(each) for each in passes if not each.rewrites]
        return self

    def _check_name(self, of: str) -> None:
        """Raises UsageError (V005) if OF is to be the name of a value, and no chunk has one."""
        if of in ("", ALL):
            return
        for unit in self.units:
            for model in unit.models():
                if unit.parsed.names.find(model.function, of) is not None:
                    return
        raise UsageError(Diagnostic("V005", f"no value {of} in {self.source.name}"))

    def compare(self, claim: str, number: int = 1) -> Comparison:
        """Decide a CLAIM about index values and sizes, as `%a < %b + 1`; it becomes a fact, too.

        Raises UsageError, in line NUMBER of the claims: V009 if it cannot be read, V005 if a value is not
        in the program.
        """
        from volcli.passes.compare_values import decide

        with deep_recursion():
            fact = decide(claim, self.units, number)
        for unit in self.units:
            unit.report_internal_errors()
        return fact.found

    @property
    def diagnostics(self) -> list[Diagnostic]:
        """What was said so far, in the order of the chunks."""
        return [diagnostic for unit in self.units for diagnostic in unit.diagnostics]

    @property
    def facts(self) -> list[Fact]:
        """The facts found so far, in the order of the chunks."""
        return [fact for unit in self.units for fact in unit.facts]

    @property
    def exit_code(self) -> int:
        """0 clean, 1 findings, 2 unusable input."""
        return worst_exit_code(self.diagnostics)

    def to_json(self) -> dict[str, Any]:
        """The facts and diagnostics as docs/facts.schema.json describes them."""
        return envelope([FileReport(self.source.name, self.diagnostics, self.facts)])

    def text(self, annotate: str = "comments", *, reprint: bool = False, generic: bool = False) -> str:
        """The program as text, without the comments of its source.

        That is the source's own text, or one printed anew where a pass rewrote it (or REPRINT, or GENERIC: in
        generic form). ANNOTATE says how the facts are written: "comments" (lines `// volcli:`), "attributes"
        (discardable `volcli.*` attributes, which means printing anew), or "none". Chunks are separated as by
        mlir-opt; one without any operation is an empty module, and one that a pass gave up on is left out.
        """
        pieces = [self._chunk_text(u, annotate, reprint, generic) for u in self.units if not u.failed]
        return join_printed(pieces)

    def annotated(self) -> str:
        """The source's own text, in which nothing changes but its `// volcli:` lines.

        Raises UsageError (V012) if a pass has rewritten the program: its text is another one.
        """
        for unit in self.units:
            if unit.rewritten or unit.failed:
                message = "a pass of this pipeline rewrites the program: its text cannot be annotated"
                raise UsageError(Diagnostic("V012", message))
        return join_chunks(annotate_text(unit.parsed.source.text, _annotations(unit)) for unit in self.units)

    def _chunk_text(self, unit: Unit, annotate: str, reprint: bool, generic: bool) -> str:
        if annotate == "attributes":
            from volcli.report.attributes import with_attributes

            with with_attributes(unit.facts):
                return without_comments(print_module(unit.parsed, generic=generic))
        if unit.rewritten or reprint or generic:
            return self._printed(unit, annotate, generic)
        said = _annotations(unit) if annotate == "comments" else {}
        return annotate_text(unit.parsed.source.text, said, comments=False)

    def _printed(self, unit: Unit, annotate: str, generic: bool) -> str:
        """The module printed anew, and, for comments, analysed again as it now stands."""
        text = without_comments(print_module(unit.parsed, generic=generic))
        analyses = [pipeline for pipeline in self.pipelines if "refine-types" not in pipeline]
        if annotate == "none" or not analyses:
            return text
        again = load_source(Source(unit.parsed.source.name, text), budget=unit.budget)
        again.units[0].suppose(unit.assume)
        return again.run(",".join(analyses)).text()


def _annotations(unit: Unit) -> dict[int, list[str]]:
    """What is said above each line of UNIT's source, counted from 1."""
    source = unit.parsed.source
    lines: dict[int, list[str]] = defaultdict(list)
    for fact in unit.facts:
        if fact.place.file == source.name:
            lines[fact.place.line - source.first_line + 1] += fact.annotation()
    return lines


@cache
def dialect_factories() -> dict[str, Callable[[], Dialect]]:
    """Per dialect with cases of ours (or of an entry point), what imports it and makes it."""
    own = {name: _lazily(partial(_own_factory, name)) for name in _OWN_DIALECTS}
    return own | {entry.name: _lazily(entry.load) for entry in entry_points(group="volcli.dialects")}


def _own_factory(name: str) -> Callable[[], Dialect]:
    return importlib.import_module(f"volcli_dialects.{name}").dialect


def _lazily(load: Callable[[], Callable[[], Dialect]]) -> Callable[[], Dialect]:
    """A factory that is itself imported only when it is called."""
    return lambda: load()()
