"""What each fast path buys: the time of questions with and without it, and whether their answers are equal.

    python benchmarks/mechanisms.py [NAME...] [--files FILE...]

A mechanism is an attribute of a class that answers early, or None where it does not apply; `OFF` names it and
what stands in its place. Of `diff PASSES` the question is whether what PASSES make of a text is equal to it;
where they are OWN, each text names them after `-p`. The question FIX is what `check --fix` makes of many
copies of a text in one file.
Both times are the processor's, with those of workers, the least of some runs (`--runs`); texts are parsed
anew. A mechanism that gets no worse when it is off is to be deleted.
"""

from __future__ import annotations

import argparse
import inspect
import pkgutil
import re
import resource
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import volcli
from volcli.gate.findings.settings import Settings
from volcli.gate.work.fixed import FixWork, fixed, key_of
from volcli.gate.work.work import Work, checked
from volcli.model.mars.footprints.consumers import NotFinite

ROOT = Path(__file__).parent.parent / "testdata"
OWN = "the text's own passes"
FIX, COPIES = "fix", 40
_OWN = re.compile(r'-p "(.*)"')
_SYMBOL = re.compile(r"@(\w+)")


def _nothing(*_: object, **__: object) -> None:
    """It does not apply: the general way answers."""


def _no(*_: object, **__: object) -> bool:
    return False


def _all_of_it(source: object, _: object) -> object:
    return source


def _none(*_: object, **__: object) -> tuple[object, ...]:
    return ()


def _always_new(_: object, points: object, beside: object) -> tuple[object, object]:
    """Points that are equal to no others."""
    return points, object()


def _always_new_key(*_: object) -> object:
    """A question that is like no other one."""
    return object()


def _not_finite(*_: object) -> None:
    raise NotFinite("the theory of translations is off")


class Mechanism(NamedTuple):
    """The attribute at PLACE, `module:Class.attribute`, what it is without the mechanism, and who gains.

    FILES are the texts, if none are named."""

    place: str
    instead: Callable[..., Any]
    passes: str
    files: str = "memory/*"


OFF = {
    "ordinary buffers": Mechanism(
        "volcli.model.memory.flow.ordinary:OrdinaryBuffers.in_vain", _nothing, "memory-flow{findings-only}"
    ),
    "boxes": Mechanism(
        "volcli.model.memory.domains.domains:Domains.box", _nothing, "dependences,check-accesses"
    ),
    "relations of numbers": Mechanism(
        "volcli.model.memory.accesses.instances:Instances._in_box", _nothing, "dependences,memory-flow"
    ),
    "equal relations": Mechanism(
        "volcli.presburger.relations.contents:Contents.of", _always_new, "dependences,memory-flow"
    ),
    "pairs of numbers": Mechanism(
        "volcli.presburger.relations.relation:Relation.numbered", _nothing, "dependences"
    ),
    "equal pairs": Mechanism(
        "volcli.model.memory.dependences.equal_pairs:EqualPairs._alike", _nothing, "dependences"
    ),
    "equal nests": Mechanism(
        "volcli.model.memory.domains.domains:Domains._nest", _nothing, "dependences,memory-flow"
    ),
    "equal buffers": Mechanism(
        "volcli.model.memory.flow.solutions:Solutions._key", _always_new_key, "memory-flow"
    ),
    "plain accesses in boxes": Mechanism(
        "volcli.model.memory.checks.plain.inside:PlainAccesses.in_box", _nothing, "check-accesses"
    ),
    "plain accesses in ranges": Mechanism(
        "volcli.model.memory.checks.plain.inside:PlainAccesses.in_range", _nothing, "check-accesses"
    ),
    "plain accesses in loops": Mechanism(
        "volcli.model.memory.checks.plain.inside:PlainAccesses.in_loops", _nothing, "check-accesses"
    ),
    "questions alike": Mechanism(
        "volcli.model.values.contexts.renaming:Alike.is_without", _no, "value-bounds"
    ),
    "states reached before": Mechanism(
        "volcli.model.values.elimination.closure:ReachableStates._before", _nothing, "value-bounds"
    ),
    "long chains first": Mechanism(
        "volcli.model.values.elimination.elimination:Elimination._begin_behind", _nothing, "value-bounds"
    ),
    "definedness without tiles": Mechanism(
        "volcli.equivalence.undefined.meaning:Meaning._found_in",
        _nothing,
        "diff tile-symbolic{sizes=%a,%b,%b,%a levels=2 assume-noalias-args}",
    ),
    "remainders once": Mechanism(
        "volcli.model.values.trust.arithmetic:Arithmetic._leads_to", _none, "value-bounds,memory-flow"
    ),
    "no names of what overflows": Mechanism(  # what naming costs: OFF is quicker, and says less
        "volcli.model.values.trust.arithmetic:Arithmetic.assumptions", _none, "value-bounds,dependences"
    ),
    "contents between loops": Mechanism(
        "volcli.equivalence.backward.backward:Backward.prepare", _nothing, "diff mark-parallel"
    ),
    "mars by translations": Mechanism(
        "volcli.model.mars.partition.uniform:Uniform.answer", _not_finite, OWN, "mars/*"
    ),
    "mars of tiles one by one": Mechanism(
        "volcli.model.mars.partition:partitioning.enumerated", _nothing, OWN, "mars/*"
    ),
    "mars of moved examples": Mechanism(
        "volcli.model.mars.partition:partitioning._by_translation", _nothing, OWN, "mars/*"
    ),
    "fixes of single functions": Mechanism("volcli.gate.work:fixed._needed", _all_of_it, FIX, "errors/V206"),
}
"""The mechanisms by name."""


@contextmanager
def without(mechanism: Mechanism) -> Generator[None]:
    """Within the block MECHANISM is off."""
    module, _, path = mechanism.place.partition(":")
    owner_name, _, name = path.partition(".")
    owner = pkgutil.resolve_name(f"{module}.{owner_name}")
    before = inspect.getattr_static(owner, name)  # a static method as such
    setattr(owner, name, mechanism.instead)
    try:
        yield
    finally:
        setattr(owner, name, before)


def _seconds() -> float:
    """What this process and those that it has waited for have computed."""
    uses = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(each.ru_utime + each.ru_stime for each in uses)


def answers(text: str, passes: str) -> tuple[float, list[str]]:
    """The processor's seconds, and the facts and diagnostics of PASSES over TEXT."""
    if passes.startswith("diff "):
        return _differences(text, passes.removeprefix("diff "))
    if passes is FIX:
        return _fixed("".join(_SYMBOL.sub(rf"@\1_{k}", text) for k in range(COPIES)))
    own = _OWN.search(text) if passes is OWN else None
    passes = passes if own is None else own[1]
    began = _seconds()
    said = volcli.loads(text).run(passes)
    return _seconds() - began, [*map(str, said.facts), *map(str, said.diagnostics)]


def _differences(text: str, passes: str) -> tuple[float, list[str]]:
    program, before = volcli.loads(text).run(passes), volcli.loads(text)
    began = _seconds()
    found = before.diff(volcli.loads(program.text()))
    return _seconds() - began, [line for each in found for line in each.lines()]


def _fixed(text: str) -> tuple[float, list[str]]:
    work = Work("copies.mlir", "copies.mlir", Settings(frozenset(["V206"])), text.encode())
    wanted = frozenset(map(key_of, checked(work).findings))
    began = _seconds()
    found = fixed(FixWork(work, wanted))
    return _seconds() - began, found.after.decode().splitlines()


def compared(mechanism: Mechanism, texts: list[str], runs: int) -> tuple[float, float, int]:
    """The seconds with and without MECHANISM, and the texts whose answers are written otherwise."""
    answers(texts[0], mechanism.passes)  # the imports, which the first run alone would pay
    on = off = 0.0
    others = 0
    for text in texts:
        with_it, without_it = list[float](), list[float]()
        said, other = list[str](), list[str]()
        for _ in range(runs):
            seconds, said = answers(text, mechanism.passes)
            with_it.append(seconds)
            with without(mechanism):
                seconds, other = answers(text, mechanism.passes)
            without_it.append(seconds)
        on, off, others = on + min(with_it), off + min(without_it), others + (said != other)
    return on, off, others


def main() -> None:
    """Print a row for each mechanism."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--files", nargs="*", type=Path)
    parser.add_argument("--runs", type=int, default=3)
    arguments = parser.parse_args()
    print(f"{'mechanism':26} {'with':>8} {'without':>8} {'others':>6}")
    for name in arguments.names or OFF:
        files = arguments.files or sorted(ROOT.glob(f"{OFF[name].files}.mlir"))
        on, off, others = compared(OFF[name], [path.read_text() for path in files], arguments.runs)
        print(f"{name:26} {on:8.2f} {off:8.2f} {others:6}", flush=True)


if __name__ == "__main__":
    main()
