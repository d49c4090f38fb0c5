"""All rules, and what has to be analysed for the codes that are wanted."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from volcli.diagnostics import CODES
from volcli.gate.findings.analysed import Analysed
from volcli.gate.findings.finding import Finding
from volcli.gate.findings.settings import Settings
from volcli.gate.records.recording import PASSES
from volcli.gate.rules.allocations import too_large
from volcli.gate.rules.bounds import out_of_bounds
from volcli.gate.rules.expectations import expectations
from volcli.gate.rules.races import race
from volcli.gate.rules.rule import Rule, said
from volcli.gate.rules.unanalysed import unanalysed
from volcli.gate.rules.unknown import unknown_accesses, unknown_races

_ACCESSES = ("check-accesses{findings-only=true}",)
_FLOW = ("memory-flow{findings-only=true}",)

_LIFETIME_CODES = ("V216", "V217", "V218")
_BY_RULES = (
    *("V203", "V207", "V212", "V214", *_LIFETIME_CODES, "V220", "V221", "V222", "V223"),
    *("V314", "V315", "V316"),
)
"""V223 is that of `gate/findings/ignores.py`, which looks at what all rules have found."""
_BY_PASSES = {
    "V201": ("infer-shapes",),
    "V202": ("infer-shapes",),
    "V204": _ACCESSES,
    "V205": (*_FLOW, "undefined-elements"),
    "V206": _FLOW,
    "V208": (*_ACCESSES, "check-races"),
    "V209": _ACCESSES,
    "V210": ("dead-code",),
    "V211": ("dead-code",),
    "V213": ("check-races",),
    "V215": ("check-races",),
    "V219": _FLOW,
}
_LIFETIMES = ("check-lifetimes",)
_ENDS = ("dealloc", "alloca", "realloc")
"""A function that has none of these words, nor foreign operations, ends the life of no memory."""

RULES: tuple[Rule, ...] = (
    Rule(("V203",), _ACCESSES, out_of_bounds),
    Rule(("V207",), ("check-races",), race),
    Rule(("V220", "V221", "V222"), (), expectations),
    Rule(("V212",), ("allocations",), too_large),
    Rule(("V314",), _ACCESSES, unknown_accesses),
    Rule(("V315",), ("check-races",), unknown_races),
    *(said(code, by=passes) for code, passes in _BY_PASSES.items()),
    *(said(code, by=_LIFETIMES, if_mentioned=_ENDS, or_foreign=True) for code in _LIFETIME_CODES),
    said("V214", by=("sparsity-regions",), if_mentioned=("volcli.facts", "volcli.domain")),
    Rule(("V316",), (), unanalysed),
    said(*(code for code in CODES if code not in (*_BY_RULES, *_BY_PASSES))),
)


def pipeline_for(settings: Settings, text: str, dialects: Iterable[str] = ()) -> str:
    """The passes that the rules need of which some code is wanted, in a file that is TEXT.

    Operations of DIALECTS of other packages, and those whose effects are declared, may do anything.
    """
    declared = (each.partition("=")[0].strip('" ') for each in settings.effects)
    foreign = [*declared, *(f"{each}." for each in dialects)]
    passes = [
        name
        for rule in RULES
        if settings.codes.intersection(rule.codes) and rule.concerns(text, foreign)
        for name in rule.passes
    ]
    if settings.record:
        passes = [*(name for name in passes if name not in (*_ACCESSES, *_FLOW)), *PASSES]
    return ",".join(dict.fromkeys(passes))


def findings(analysed: Analysed) -> Iterator[Finding]:
    """What the rules find of which some code is wanted."""
    for rule in RULES:
        if analysed.settings.codes.intersection(rule.codes):
            yield from rule.ask(analysed)
