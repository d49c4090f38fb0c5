"""Options that several commands share; those that say how a program is read are one object, a `Reading`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

import click

from volcli.cli.completion.pipelines import complete_pipeline
from volcli.cli.parts.kept import kept_in
from volcli.limits.presburger import DEFAULT_SECONDS

if TYPE_CHECKING:
    from volcli.api.program import Program
    from volcli.cli.parts.console import LineOf
    from volcli.frontend.text.source import Source

C = TypeVar("C", bound=Callable[..., Any])


@dataclass(frozen=True)
class Reading:
    """How programs are read and analysed: a command with one of these options is given it as `reading`."""

    assume: tuple[str, ...] = ()
    given: tuple[str, ...] = ()
    effects: tuple[str, ...] = ()
    via: Any = "auto"
    budget: int | None = None
    timeout: float | None = DEFAULT_SECONDS

    def program(self, source: Source, *, split: bool = True) -> Program:
        """The program in SOURCE."""
        from volcli.loading.driver import load_source

        return load_source(
            source, split=split, budget=self.budget, timeout=self.timeout, via=self.via,
            assume=self.assume, given=self.given, effects=self.effects,
        )  # fmt: skip

    def lines(self, pipeline: str = "", claims: Sequence[str] = ()) -> LineOf:
        """The lines of the texts of a call, which diagnostics point at."""
        from volcli.cli.parts.console import lines_of_texts
        from volcli.passes.texts import ASSUMPTION, CLAIM, EFFECTS, GIVEN, PIPELINE

        lines = pipeline.splitlines() or [""]
        texts = {ASSUMPTION: self.assume, GIVEN: self.given, EFFECTS: self.effects, CLAIM: claims}
        return lines_of_texts({PIPELINE: lines, **texts})

    def check(self, pipeline: str = "", claims: Sequence[str] = ()) -> None:
        """Raise UsageError for what is wrong with the texts of a call, before a large file is read."""
        if pipeline:
            from volcli.passes.pipeline import parse_pipeline

            parse_pipeline(pipeline)
        if self.assume:
            from volcli.passes.assume import parse_assumptions

            parse_assumptions(self.assume)
        if self.given:
            from volcli.passes.given import parse_given

            parse_given(self.given)
        if self.effects:
            from volcli.loading.effects import parse_effects

            parse_effects(self.effects)
        for number, claim in enumerate(claims, 1):
            from volcli.passes.analyses.compare_values import parse_claim

            parse_claim(claim, number)


_kept = kept_in("reading", Reading)
"""Keeps the value of an option in the `reading` of its command."""


def pipeline(command: C) -> C:
    """-p PIPELINE."""
    return click.option(
        "-p", "--pass-pipeline", "pipeline", metavar="PIPELINE", default="",
        shell_complete=complete_pipeline,
        help="Passes to run in order, with their options in braces; `volcli passes` lists them.",
    )(command)  # fmt: skip


def split(command: C) -> C:
    """--split-input-file."""
    return click.option(
        "--split-input-file", "split", is_flag=True,
        help="Read the chunks between '// -----' lines as programs of their own.",
    )(command)  # fmt: skip


def output(command: C) -> C:
    """-o FILE."""
    return click.option(
        "-o", "--output", metavar="FILE", type=click.Path(allow_dash=True), default="-", show_default=False,
        help="Write the result to FILE, replacing it at once at the end; '-', the default, is stdout.",
    )(command)  # fmt: skip


def budget(command: C) -> C:
    """--budget N."""
    return click.option(
        "--budget", type=click.IntRange(min=1), metavar="N", default=None, expose_value=False, callback=_kept,
        help="Limit of integer-set operations per answer; beyond it, the answer is 'unknown' (V302).",
    )(command)  # fmt: skip


def timeout(command: C) -> C:
    """--timeout SECONDS, None for 0."""

    def unlimited(ctx: click.Context, parameter: click.Parameter, value: float) -> float | None:
        return _kept(ctx, parameter, value or None)

    return click.option(
        "--timeout", type=click.FloatRange(min=0), metavar="SECONDS", default=DEFAULT_SECONDS,
        show_default=True, expose_value=False, callback=unlimited,
        help="Limit of processor time per pass and function, if its sets are large: answers beyond it "
        "are 'unknown: time' (V305), and need not be so in the next run. 0: no limit.",
    )(command)  # fmt: skip


def always_split(command: C) -> C:
    """--split-input-file, of a command that does so in any case."""
    return click.option(
        "--split-input-file", is_flag=True, expose_value=False, hidden=True,
        help="Chunks between '// -----' lines are programs of their own in any case.",
    )(command)  # fmt: skip


def assume(command: C) -> C:
    """--assume CONDITION, any number of times."""
    return click.option(
        "--assume", metavar="CONDITION", multiple=True, expose_value=False, callback=_kept,
        help="What holds for arguments, such as 'N >= 1 and N mod 16 = 0' or 'dim(%t, 0) >= 4'; "
        "'@f:%n' is the %n of @f. Answers name the assumptions that they needed.",
    )(command)  # fmt: skip


def given(command: C) -> C:
    """--given FACT, any number of times."""
    return click.option(
        "--given", metavar="FACT", multiple=True, expose_value=False, callback=_kept,
        help="What is known about elements, such as '%a[i, j] = 0 : i < j', '%w[k] = 2 * k' or '%b is "
        "constant' (or "
        "sparse, or undefined). Answers name the facts that they needed.",
    )(command)  # fmt: skip


def effects(command: C) -> C:
    """--effects DECLARATION, any number of times."""
    return click.option(
        "--effects", metavar="DECLARATION", multiple=True, expose_value=False, callback=_kept,
        help="What operations of dialects that volcli does not know do, such as 'foo.barrier = none', "
        "'foo.dma = reads 0, writes 1', 'foo.launch = runs its region once', 'foo.copy = as linalg.copy' or "
        "'memory space L1 = plain'.",
    )(command)  # fmt: skip


def equality(command: C) -> C:
    """--compare LEVEL, --reassociate, --assume-finite: in which sense functions are to be equal."""
    for option in reversed((
        click.option(
            "--compare", type=click.Choice(["sources", "operations", "arithmetic"]), default="operations",
            show_default=True,
            help="What is to be equal: the elements that each element is computed from, the operations that "
            "make it, or its value, whatever operations make it.",
        ),
        click.option(
            "--reassociate", is_flag=True,
            help="Sums, products and extrema of floats may be in another order, as those of integers always "
            "may.",
        ),
        click.option(
            "--assume-finite", is_flag=True,
            help="Numbers are finite and signs of zeros do not matter: products with a structural zero may "
            "be omitted.",
        ),
    )):  # fmt: skip
        command = option(command)
    return command


def style(text: str, *others: str) -> Callable[[C], C]:
    """--format text, json or OTHERS, of which TEXT is the help."""
    return click.option(
        "--format", "style", type=click.Choice(["text", "json", *others]), default="text", show_default=True,
        help=text,
    )  # fmt: skip


def timing(command: C) -> C:
    """--timing."""
    return click.option(
        "--timing", is_flag=True,
        help="Report on stderr how long each pass took; what passes share is counted for the first one.",
    )(command)  # fmt: skip


def say_times(seconds: Mapping[str, float]) -> None:
    """Report on stderr how many SECONDS each pass took."""
    from volcli.report.aligned import aligned

    longest_first = sorted(seconds.items(), key=lambda each: -each[1])
    rows = [(name, f"{1000 * each:.1f}") for name, each in longest_first]
    for line in aligned([("pass", "ms"), *rows, ("all passes", f"{1000 * sum(seconds.values()):.1f}")]):
        click.echo(line, err=True)


def via(command: C) -> C:
    """--via DOOR."""
    return click.option(
        "--via", type=click.Choice(["auto", "xdsl", "mlir-opt"]), default="auto", show_default=True,
        expose_value=False, callback=_kept,
        help="How to read: natively (xdsl), through mlir-opt on PATH, or what cannot be read natively "
        "through mlir-opt if it is there (auto).",
    )(command)  # fmt: skip


def traceback(command: C) -> C:
    """--traceback: kept in the context, where the group that catches the error finds it."""

    def keep(ctx: click.Context, parameter: click.Parameter, value: bool) -> bool:
        ctx.meta["volcli.traceback"] = value
        return value

    return click.option(
        "--traceback", is_flag=True, callback=keep, help="Show where an internal error (V900) comes from.",
    )(command)  # fmt: skip
