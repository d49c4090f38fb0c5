"""What `volcli check` is asked: which files, what of them is reported, and what they are compared with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from volcli.cli.completion import texts
from volcli.cli.parts import options, reports
from volcli.cli.parts.kept import kept_options, option_kept
from volcli.diagnostics import Diagnostic, Severity, UsageError
from volcli.diagnostics.selection import codes_of

if TYPE_CHECKING:
    from volcli.gate.policy.policy import CodeChoice, Policy
    from volcli.gate.report import Report
    from volcli.gate.run import Running


@dataclass(frozen=True)
class CheckRequest:
    """What the options of one call say; see their help."""

    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    fail_on: str | None = None
    exit_zero: bool = False
    exclude: tuple[str, ...] = ()
    force_exclude: bool = False
    require_reasons: bool = False
    unreadable: str | None = None
    profile: str | None = None
    allow_empty: bool = False
    config: str | None = None
    baseline: str | None = None
    revision: str | None = None
    update: bool = False
    facts: bool = False
    shard: str | None = None
    fix: bool = False
    fix_diff: bool = False
    unsafe_fixes: bool = False

    def check(self, paths: Sequence[str]) -> None:
        """Raises UsageError (V007) for what does not go together, or not with PATHS."""
        if self.revision is not None and "-" in paths:
            raise UsageError(Diagnostic("V007", "--diff REV: standard input has no revisions; name files"))
        if self.revision is not None and self.baseline is not None:
            raise UsageError(Diagnostic("V007", "--diff REV is a baseline of its own: omit --baseline"))
        if self.facts and not self.update:
            message = "--facts needs --update-baseline: a baseline that has facts is compared by them"
            raise UsageError(Diagnostic("V007", message))
        if self.shard is not None and (self.revision is not None or self.update):
            message = "--shard: a baseline is written, and --diff looks at, all files"
            raise UsageError(Diagnostic("V007", message))
        self._check_fixes(paths)

    def _check_fixes(self, paths: Sequence[str]) -> None:
        """Raises UsageError (V007) for what does not go together with fixes, or they not with PATHS."""
        asked = "--fix" if self.fix else "--fix-diff"
        if self.unsafe_fixes and not (self.fix or self.fix_diff):
            raise UsageError(Diagnostic("V007", "--unsafe-fixes needs --fix or --fix-diff"))
        if self.fix and self.fix_diff:
            raise UsageError(Diagnostic("V007", "--fix writes files, and --fix-diff writes none: omit one"))
        if (self.fix or self.fix_diff) and "-" in paths:
            message = f"{asked}: standard input is not a file that could be edited; name files"
            raise UsageError(Diagnostic("V007", message))
        if (self.fix or self.fix_diff) and self.update:
            message = f"{asked} with --update-baseline: fix first, and write the baseline then"
            raise UsageError(Diagnostic("V007", message))

    def policy(self, reading: options.Reading) -> Policy:
        """The policy, and what the command line wants beside it; READING says how files are read."""
        policy = reports.policy_in(self.config)
        return replace(
            policy,
            asked=_choice(self.select, self.ignore),
            asked_fail_on=None if self.fail_on is None else Severity(self.fail_on),
            excluded_here=self.exclude,
            force_exclude=self.force_exclude or policy.force_exclude,
            require_reasons=self.require_reasons or policy.require_reasons,
            unreadable=self.unreadable or policy.unreadable,
            asked_profile=self.profile,
            allow_empty=self.allow_empty or policy.allow_empty,
            assume=(*policy.assume, *reading.assume),
            effects=(*policy.effects, *reading.effects),
            via=reading.via if _is_given("via") else policy.via,
            operations=reading.budget if _is_given("budget") else policy.operations,
            timeout=reading.timeout if _is_given("timeout") else policy.timeout,
        )

    def with_baseline(self, policy: Policy) -> CheckRequest:
        """This, with the baseline of POLICY if it names none. Raises UsageError (V007) if one is missing."""
        baseline = None if self.revision is not None else policy.baseline_file(self.baseline)
        if self.update and baseline is None:
            note = 'name it: --baseline FILE, or baseline = "FILE" in the policy'
            raise UsageError(Diagnostic("V007", "--update-baseline needs a baseline", note=note))
        return replace(self, baseline=baseline)

    def report(self, paths: Sequence[str], policy: Policy, running: Running) -> Report:
        """What is found in PATHS."""
        from volcli.gate.run import run, run_shard

        if self.revision is not None:
            from volcli.gate.revision import run_since

            return run_since(self.revision, paths, policy, running)
        if self.shard is not None:
            from volcli.gate.shards import read_shard

            baseline = reports.baseline_in(self.baseline)
            return run_shard(read_shard(self.shard), paths, policy, baseline, running)
        return run(paths, policy, reports.baseline_in(self.baseline), running)


_option = option_kept(CheckRequest)
_OPTIONS = (
    _option(
        "--select",
        metavar="CODES",
        multiple=True,
        shell_complete=texts.complete_from(texts.codes),
        help="Report only these codes, such as 'V2,V104'.",
    ),
    _option(
        "--ignore",
        metavar="CODES",
        multiple=True,
        shell_complete=texts.complete_from(texts.codes),
        help="Omit these codes; the longer prefix wins.",
    ),
    _option(
        "--fail-on",
        type=click.Choice([each.value for each in Severity]),
        help="The least severity of a finding that makes the exit code 1.  [default: warning]",
    ),
    _option(
        "--exit-zero",
        is_flag=True,
        help="Findings do not make the exit code 1; what cannot be used makes it 2.",
    ),
    _option(
        "--unreadable",
        type=click.Choice(["error", "warning", "ignore"]),
        help="What a file is that cannot be read in full: an error (exit code 2), a warning, or counted.  "
        "[default: warning]",
    ),
    _option(
        "--profile",
        type=click.Choice(["pipelines", "tests"]),
        help="What the files are: dumps of a pipeline, or inputs of tests, broken or useless on purpose "
        "(without V1, V205, V206 and V208 to V211).  [default: pipelines]",
    ),
    _option(
        "--require-reasons",
        is_flag=True,
        help="Report comments that ignore findings and do not say why (V222).",
    ),
    _option(
        "--exclude",
        metavar="PATTERN",
        multiple=True,
        help="Omit files of folders that this fits, as in a .gitignore of the current folder. The policy's "
        "exclusions stay.",
    ),
    _option(
        "--force-exclude",
        is_flag=True,
        help="Omit excluded files also where PATHS name them, as pre-commit does.",
    ),
    _option(
        "--allow-empty",
        is_flag=True,
        help="Accept a folder without .mlir files, which is an error (V017) otherwise.",
    ),
    _option(
        "--config",
        metavar="FILE",
        type=click.Path(),
        help="The policy file; default: that of the folder or of the nearest one above it.",
    ),
    _option(
        "--baseline",
        metavar="FILE",
        type=click.Path(readable=False),
        help="Report only what is new or changed since FILE was written, and which facts are lost; default: "
        "that of the policy. '': without any.",
    ),
    _option("--update-baseline", "update", is_flag=True, help="Write the findings into the baseline."),
    _option(
        "--facts",
        is_flag=True,
        help="With --update-baseline: write facts, too; what is lost of them is found later (V230 to V235).",
    ),
    _option(
        "--diff",
        "revision",
        metavar="REV",
        help="Check only files that differ from git's revision REV, and report what is new or lost since; "
        "'main...' is the commit in which HEAD and main parted.",
    ),
    _option(
        "--fix",
        is_flag=True,
        help="Write the fixes of findings into the files, where the program is proved to stay equal; report "
        "the rest.",
    ),
    _option("--fix-diff", is_flag=True, help="Print what --fix would change, as a unified diff, only."),
    _option(
        "--unsafe-fixes",
        is_flag=True,
        help="Also make fixes after which fewer errors may happen, that need assumptions, or lose comments.",
    ),
    _option(
        "--shard",
        metavar="I/N",
        help="Check every N-th file only, beginning with the I-th; `volcli merge` merges the JSON results.",
    ),
)
check_request = kept_options(_OPTIONS)
"""The options whose values are in the `request` of a command."""


def _choice(select: Sequence[str], ignore: Sequence[str]) -> CodeChoice:
    """The codes that the command line asks for. Raises UsageError (V007) for what begins no code."""
    from volcli.gate.policy.policy import CodeChoice

    return CodeChoice(_codes(select, "--select"), _codes(ignore, "--ignore"))


def _is_given(option: str) -> bool:
    """Whether OPTION stands on the command line: then it wins over the policy."""
    source = click.get_current_context().get_parameter_source(option)
    return source is not None and source is not ParameterSource.DEFAULT


def _codes(given: Sequence[str], option: str) -> tuple[str, ...]:
    """The beginnings of codes in GIVEN. Raises UsageError (V007) for one that begins no code."""
    from volcli.gate.findings.finding import ALWAYS

    codes = tuple(code.strip().upper() for each in given for code in each.split(","))
    for code in codes:
        named = codes_of(code, f"{option}: ")
        if option == "--ignore" and all(name.startswith(ALWAYS) for name in named):
            message = f"{option}: {code} is always reported: volcli could not do its work"
            raise UsageError(Diagnostic("V007", message, note="omit it"))
    return codes
