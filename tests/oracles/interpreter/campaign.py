"""Campaigns: many random programs, what the answers about them are worth, and each failure as small as it gets."""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from tests.oracles.interpreter.judgement import FAILURES, WORTHS, Judgement

P = TypeVar("P")
SHOWN = 3  # complaints a program
INEXACT = ("sound", "loose", "unknown", "unchecked")


@dataclass(frozen=True)
class Campaign(Generic[P]):
    """Programs by their seeds, and judgements of them; both get the OPTIONS of the command line beside --seed."""

    description: str
    drawn: Callable[..., P]
    judged: Callable[..., Iterable[Judgement]]
    text: Callable[[P], str]
    reduced: Callable[[P, Callable[[P], bool]], P] = lambda program, _: program
    options: Mapping[str, Mapping[str, Any]] = field(default_factory=dict[str, Mapping[str, Any]])
    """Those of DRAWN, as arguments of `add_argument`."""
    judging: Mapping[str, Mapping[str, Any]] = field(default_factory=dict[str, Mapping[str, Any]])
    """Those of JUDGED."""

    def failures(self, program: P) -> list[Judgement]:
        """What is wrong with the answers about PROGRAM."""
        return [judgement for judgement in self.judged(program) if judgement.is_failure]

    def report(self, seed: str, program: P, found: Sequence[Judgement]) -> str:
        """The failures of one program, and a small program that fails in the same way as the first of them."""
        same = (found[0].kind, found[0].worth)
        small = self.reduced(
            program, lambda each: any((f.kind, f.worth) == same for f in self.failures(each))
        )
        lines = [f"\nseed {seed}: {len(found)} failures"]
        for complaint in self.failures(small)[:SHOWN]:
            lines += [
                f"  {complaint.worth}: {complaint.question}: {complaint.why}",
                f"    said {complaint.said}",
            ]
        return "\n".join([*lines, self.text(small)])

    def complaints(self, seeds: Iterable[str], **options: Any) -> str:
        """What is wrong with the answers about the programs of SEEDS, drawn with OPTIONS."""
        every = ((seed, self.drawn(seed, **options)) for seed in seeds)
        return "\n".join(
            self.report(seed, program, found) for seed, program in every if (found := self.failures(program))
        )

    def main(self) -> int:
        """The command line; 1 if an answer was wrong, called exact wrongly, or a crash."""
        asked = self.arguments()
        drawing, judging = (
            {name: getattr(asked, name) for name in of} for of in (self.options, self.judging)
        )
        judgements: Counter[tuple[str, str]] = Counter()
        reasons: Counter[str] = Counter()
        failing, spent = 0, 0.0
        for number in range(asked.programs):
            seed = f"{asked.seed}/{number}"
            program = self.drawn(seed, **drawing)
            started = time.process_time()
            found = list(self.judged(program, **judging))
            spent += time.process_time() - started
            judgements.update((each.kind, each.worth) for each in found)
            inexact = [each for each in found if each.worth in INEXACT]
            reasons.update(f"{each.kind}: {each.worth}: {each.why}" for each in inexact)
            if asked.inexact:
                for each in inexact:
                    print(f"\nseed {seed}: {each}\n{self.text(program)}", flush=True)
            bad = [each for each in found if each.is_failure]
            failing += bool(bad)
            if bad and failing <= asked.keep_going:
                print(self.report(seed, program, bad), flush=True)
        print(table(judgements))
        print(
            f"programs that fail: {failing} of {asked.programs}; {spent:.1f} s of processor time in volcli and in judging it"
        )
        for reason, count in reasons.most_common():
            print(f"  {count:5} {reason}")
        return 1 if failing else 0

    def arguments(self) -> argparse.Namespace:
        """What the command line asks for."""
        parser = argparse.ArgumentParser(
            description=self.description, formatter_class=argparse.RawDescriptionHelpFormatter
        )
        parser.add_argument("--programs", type=int, default=400, help="how many")
        parser.add_argument("--seed", type=int, default=0, help="what they are drawn from")
        parser.add_argument(
            "--keep-going", type=int, default=5, help="reduce and show so many failing programs"
        )
        parser.add_argument("--inexact", action="store_true", help="show inexact answers too, unreduced")
        for name, details in {**self.options, **self.judging}.items():
            parser.add_argument(details.get("flag", f"--{name}"), dest=name, **_without_flag(details))
        return parser.parse_args()


def _without_flag(details: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in details.items() if key != "flag"}


def table(judgements: Counter[tuple[str, str]]) -> str:
    """The counts by kind of question and by worth, with percentages; failures even if there are none."""
    lines: list[str] = []
    for kind in sorted({kind for kind, _ in judgements}):
        total = sum(count for (of, _), count in judgements.items() if of == kind)
        lines.append(f"{kind}: {total}")
        for worth in WORTHS:
            count = judgements[kind, worth]
            if count or worth in FAILURES:
                lines.append(f"  {worth:11} {count:6} {100 * count / total:6.2f} %")
    return "\n".join(lines)
