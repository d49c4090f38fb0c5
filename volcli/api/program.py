"""A program: one file, what passes have found in it, and its functions."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from time import perf_counter
from typing import TYPE_CHECKING, Any

from volcli.api.asking import unknown_name
from volcli.diagnostics import Diagnostic, UsageError, worst_exit_code
from volcli.diagnostics.counted import counted
from volcli.facts.fact import Fact, table
from volcli.frontend.parse.names import values_of
from volcli.frontend.parse.recursion import deep_recursion, no_collector_pauses
from volcli.frontend.text.annotate import annotate as annotate_text
from volcli.frontend.text.annotate import without_comments
from volcli.frontend.text.source import Source, join_chunks, join_printed
from volcli.passes.base import Unit
from volcli.passes.pipeline import parse_pipeline
from volcli.passes.selection import ALL
from volcli.passes.table import find_question
from volcli.runtime import progress

if TYPE_CHECKING:  # engines, printers and reports are imported when something is asked of them
    from volcli.api.function import Function
    from volcli.api.pictures import Picture
    from volcli.api.spots import Spot
    from volcli.facts.differences import FunctionComparison
    from volcli.model.values.terms.answers import Comparison

_OF_VALUES = ("to", "relative_to", "in_terms_of")
"""Options of passes that name values beside those that are asked of, also as `dim(%t, 0)`."""
VALUE_NAME = re.compile(r"%[\w$.-]+(?:#\d+)?")
"""The name of a value in a text."""


@dataclass(repr=False)
class Program:
    """One file: its chunks, with the facts of the passes that ran.

    A program is made by `volcli.load` and `volcli.loads`. `run` applies passes and keeps their `facts`;
    `function` gives a function, which answers questions about its values one by one.

    >>> import volcli
    >>> program = volcli.load("testdata/linalg/conv_layer.mlir")
    >>> program
    <Program testdata/linalg/conv_layer.mlir: 1 function, 0 facts>
    >>> program.run("sparsity-regions").run("sparsity-regions")
    <Program testdata/linalg/conv_layer.mlir: 1 function, 1 fact>
    >>> program.function("krnl0").regions("%act0").regions[0].count
    516128
    """

    source: Source
    units: list[Unit]
    assume: tuple[str, ...] = ()
    given: tuple[str, ...] = ()
    pipelines: list[str] = field(default_factory=list[str])
    reread: Callable[..., Program] | None = field(default=None, compare=False)
    """How a text that a pass wrote is read again."""
    options: Mapping[str, Any] = field(default_factory=dict[str, Any], compare=False)
    """How its own text was read."""
    seconds: dict[str, float] = field(default_factory=dict[str, float], compare=False)
    """How long each pass took."""

    def __reduce__(self) -> tuple[Callable[..., Program], tuple[object, ...]]:
        """A pickled program is its text: it is read and analysed anew where it is loaded.

        Raises TypeError for one that a pass has rewritten, of which the places are those of its old text.
        """
        if self.reread is None or any(unit.rewritten for unit in self.units):
            raise TypeError("a rewritten Program cannot be pickled: send program.mlir(), and volcli.loads it")
        how = {**self.options, "assume": self.assume, "given": self.given}
        claims = tuple(fact.subject for fact in self.facts if fact.question == "comparisons")
        return _unpickled, (self.reread, self.source, how, tuple(self.pipelines), claims)

    # -- functions -------------------------------------------------------------------------------------

    @property
    def functions(self) -> tuple[Function, ...]:
        """The functions, in the order of the text."""
        from volcli.api.function import Function

        return tuple(Function(unit, model.function) for unit in self.units for model in unit.models())

    def function(self, name: str) -> Function:
        """The function called NAME, with or without its @; of several chunks, the first that has one.

        Raises UsageError (V005), with the nearest name, if there is none.

        >>> import volcli
        >>> volcli.load("testdata/linalg/conv_layer.mlir").function("@krnl0")
        <Function @krnl0: %ifm, %wgt -> %act0>
        """
        for function in self.functions:
            if function.name == name.removeprefix("@"):
                return function
        names = [f"@{function.name}" for function in self.functions]
        raise unknown_name("function", f"@{name.removeprefix('@')}", names)

    def at(self, line: int, column: int | None = None) -> Spot:
        """The operation that begins in LINE; if there are several, the last that begins at or before COLUMN.

        Raises UsageError (V010), with the nearest lines, if none begins there.

        >>> import volcli
        >>> spot = volcli.load("testdata/linalg/conv_layer.mlir").at(7)
        >>> spot.op, [value.name for value in spot.values]
        ('tensor.pad', ['%pad0', '%n', '%c', '%h', '%w'])
        """
        from volcli.api.spots import spots_at

        return spots_at(self.units, self.source.name, line, column)[0]

    def picture(
        self, source: int | tuple[int, int], sink: int | tuple[int, int] | None = None, **numbers: int
    ) -> Picture:
        """How iterations depend on each other: the accesses at SOURCE and at SINK, lines or (line, column).

        Without SINK, all pairs of the access at SOURCE. NUMBERS are those of parameters, and of loops of
        which one iteration is drawn. Raises UsageError: V010 without an access there, V011 without a
        picture, V005 for the number of something else.

        >>> import volcli
        >>> program = volcli.load("testdata/memory/shifted_rows.mlir")
        >>> program.picture(8, 9)
        <Picture affine.store %m[%i, %j] -> affine.load %m[%i - 2, %j]>
        """
        from volcli.api.pictures import picture_of

        spots = [spot if isinstance(spot, tuple) else (spot, None) for spot in (source, sink) if spot]
        return picture_of(self.units, self.source.name, spots, numbers)

    # -- passes ----------------------------------------------------------------------------------------

    def run(self, pipeline: str) -> Program:
        """Run the passes of PIPELINE over every chunk; returns this program.

        What was said before is not said twice: to run a pipeline again changes nothing.

        Raises UsageError for an unknown pass or option (V001, V002, V003) or value (V005).
        """
        passes = parse_pipeline(pipeline)
        for each in passes:
            self.check_names(getattr(each, "of", ()))
            others = (text for name in _OF_VALUES for text in getattr(each, name, ()))
            self.check_names([name for text in others for name in VALUE_NAME.findall(text)])
        with deep_recursion(), no_collector_pauses(), progress.shown_in_notebook():
            steps = [(unit, each) for unit in self.units for each in passes]
            for unit, each in progress.each(steps, "passes"):
                begin = perf_counter()
                unit.run(each)
                self.seconds[each.name] = self.seconds.get(each.name, 0) + perf_counter() - begin
        ran = [str(each) for each in passes if not each.changes]
        self.pipelines += [name for name in dict.fromkeys(ran) if name not in self.pipelines]
        return self

    def check_names(self, of: str | Sequence[str]) -> None:
        """Raises UsageError (V005) if one of OF is the name of a value that no chunk has."""
        for name in (of,) if isinstance(of, str) else of:
            if name not in ("", ALL) and not self._has_value(name):
                known = [
                    unit.parsed.names.of(v) for unit in self.units for v in values_of(unit.parsed.module)
                ]
                raise unknown_name("value", name, known, self.source.name)

    def _has_value(self, name: str) -> bool:
        return any(
            unit.parsed.names.find(model.function, name) is not None
            for unit in self.units
            for model in unit.models()
        )

    def compare(self, claim: str, number: int = 1) -> Comparison:
        """Decide a CLAIM about index values and sizes, as `%a < %b + 1`; it becomes a fact, too.

        Raises UsageError, in line NUMBER of the claims: V009 if it cannot be read, V005 if a value is not
        in the program.
        """
        from volcli.passes.analyses.compare_values import decide

        with deep_recursion():
            fact = decide(claim, self.units, number)
        for unit in self.units:
            unit.report_internal_errors()
        return fact.found

    def diff(
        self,
        after: Program,
        function: str | None = None,
        *,
        compare: str = "operations",
        reassociate: bool = False,
        assume_finite: bool = False,
        executed: bool = True,
    ) -> list[FunctionComparison]:
        """Whether AFTER, a rewritten version of this program, computes the same.

        For each function, or the one called FUNCTION, it says whether each output is equal: made by the same
        "operations", or as COMPARE says the same function of arguments ("arithmetic"), or computed from the
        same elements of the inputs ("sources"). With REASSOCIATE sums, products and extrema of floats may be
        in another order.

        A product with a structural zero is 0, for floats if operations have the flags for it, or with
        ASSUME_FINITE. What is unknown is EXECUTED on small inputs.

        Raises UsageError (V005) if neither program has that FUNCTION, ValueError if no level has that name.

        >>> import volcli
        >>> one = volcli.load("testdata/linalg/conv_layer.mlir")
        >>> [each.verdict for each in one.diff(volcli.loads(one.text(reprint=True)))]
        ['equal']
        """
        from volcli.api.differences import differences
        from volcli.facts.levels import COMPARED, Comparing

        if compare not in COMPARED:
            raise ValueError(f"{compare!r} is none of {', '.join(COMPARED)}")
        comparing = Comparing(compare, reassociate)
        with deep_recursion(), no_collector_pauses():
            return differences(
                self.units,
                after.units,
                function,
                comparing=comparing,
                assume_finite=assume_finite,
                executed=executed,
            )

    @property
    def diagnostics(self) -> list[Diagnostic]:
        """The diagnostics so far, in the order of the chunks."""
        return [diagnostic for unit in self.units for diagnostic in unit.diagnostics]

    @property
    def facts(self) -> list[Fact]:
        """The facts so far, in the order of the chunks."""
        return [fact for unit in self.units for fact in unit.facts]

    @property
    def exit_code(self) -> int:
        """0 clean, 1 findings, 2 unusable input."""
        return worst_exit_code(self.diagnostics)

    def table(self, question: str) -> Any:
        """The facts that answer QUESTION as a data frame of pandas (the extra `pandas`): a row for each.

        Its columns are the fields of the facts in JSON, as `lb.constant`. Raises UsageError (V004).

        >>> import volcli
        >>> bounds = volcli.load("testdata/bounds/matmul_tile.mlir").table("bounds")
        >>> bounds.loc[bounds.value == "%width", ["lb.constant", "ub.constant"]].values.tolist()
        [[2, 9]]
        """
        import pandas  # pyright: ignore[reportMissingTypeStubs, reportMissingImports]

        self.run(find_question(question))
        found = [fact.to_json() for fact in self.facts if fact.question == question]
        return pandas.json_normalize(found)  # pyright: ignore[reportUnknownMemberType]

    def to_json(self) -> dict[str, Any]:
        """The facts and diagnostics as docs/facts.schema.json describes them."""
        from volcli.report.files import FileReport
        from volcli.report.json_report import envelope

        return envelope([FileReport(self.source.name, self.diagnostics, self.facts)])

    def text(self, annotate: str = "comments", *, reprint: bool = False, generic: bool = False) -> str:
        """The program as text, without the comments of its source.

        That is the source's own text, or one printed anew where a pass rewrote it (or REPRINT, or GENERIC: in
        generic form). ANNOTATE says how the facts are written: "comments" (lines `// volcli:`), "attributes"
        (discardable `volcli.*` attributes, which means printing anew), or "none". Chunks are separated as by
        mlir-opt; one without any operation is an empty module, and one that a pass has refused is left out.
        """
        pieces = [self._chunk_text(u, annotate, reprint, generic) for u in self.units if not u.failed]
        return join_printed(pieces)

    def annotated(self) -> str:
        """The source's own text, with only its `// volcli:` lines changed.

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

            with with_attributes(unit):
                return _reprinted(unit, generic)
        if unit.rewritten or reprint or generic:
            return self._printed(unit, annotate, generic)
        said = _annotations(unit) if annotate == "comments" else {}
        return annotate_text(unit.parsed.source.text, said, comments=False)

    def _printed(self, unit: Unit, annotate: str, generic: bool) -> str:
        """The module printed anew, and, for comments, analysed again as it now stands."""
        text = _reprinted(unit, generic)
        if annotate == "none" or not self.pipelines:
            return text
        assert self.reread is not None, "a rewritten program has no source"
        how = {"budget": unit.budget, "timeout": unit.timeout, "effects": self.options.get("effects", ())}
        again = self.reread(Source(unit.parsed.source.name, text), **how)
        again.units[0].suppose(unit.assume)
        again.units[0].give(unit.given)
        return again.run(",".join(self.pipelines)).text()

    # -- notebooks -------------------------------------------------------------------------------------

    def __repr__(self) -> str:
        functions = sum(len(unit.models()) for unit in self.units)
        counts = [(functions, "function"), (len(self.facts), "fact")]
        said = ", ".join(counted(number, word) for number, word in counts)
        return f"<Program {self.source.name}: {said}>"

    def _repr_html_(self) -> str:
        """Its facts as tables."""
        from html import escape

        facts = groupby(self.facts, key=lambda fact: (fact.question, fact.columns))
        tables = [f"<h4>{escape(question)}</h4>{table(list(same))}" for (question, _), same in facts]
        return f"<p>{escape(repr(self))}</p>{''.join(tables)}"


def _reprinted(unit: Unit, generic: bool) -> str:
    """UNIT's module through our own printer, without comments."""
    from volcli.frontend.print.printer import print_module

    return without_comments(print_module(unit.parsed, generic=generic))


def _annotations(unit: Unit) -> dict[int, list[str]]:
    """What is said above each line of UNIT's source, counted from 1."""
    source = unit.parsed.source
    lines: dict[int, list[str]] = defaultdict(list)
    for fact in unit.facts:
        if fact.place.file == source.name:
            lines[fact.place.line - source.first_line + 1] += fact.annotation()
    return lines


def _unpickled(
    read: Callable[..., Program],
    source: Source,
    how: Mapping[str, Any],
    pipelines: Sequence[str],
    claims: Sequence[str],
) -> Program:
    """The program in SOURCE, READ as HOW says, with what PIPELINES find, and whether CLAIMS hold."""
    program = read(source, **how).run(",".join(pipelines))
    for number, claim in enumerate(claims, 1):
        program.compare(claim, number)
    return program
