"""The answers of the question `mars`, read from their JSON and compared with an enumeration."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from unittest.mock import patch

import volcli
from tests.oracles.mars.enumeration import Point, Trace, execute
from tests.oracles.mars.layouts import LayoutCheck
from tests.oracles.mars.one_flow import Json, OneFlow, Wrong
from tests.oracles.mars.texts import Array, mlir
from tests.oracles.mars.tiles import (
    Flow,
    Space,
    Tiled,
    broken,
    by_tile,
    consumed,
    entangled,
    flows,
    without_order,
)
from volcli.model.mars.footprints.consumers import NotFinite
from volcli.model.mars.partition.answers import MarsAnswer
from volcli.model.mars.partition.uniform import Uniform

Text = tuple[str, dict[int, int]]
"""A program as MLIR, and the line of each of its accesses."""


@dataclass
class Report:
    """How many flows have an answer, and of which kinds; tiles, sets, elements and layouts that were compared."""

    exact: int = 0
    unknown: int = 0
    illegal: int = 0
    empty: int = 0
    only_whole: int = 0
    by_sizes: int = 0
    by_translation: int = 0
    layouts: int = 0
    tiles: int = 0
    sets: int = 0
    elements: int = 0
    reasons: Counter[str] = field(default_factory=Counter[str])

    @property
    def numbers(self) -> dict[str, int]:
        return {name: value for name, value in vars(self).items() if isinstance(value, int)}


class Comparison:
    """All answers about one program in one tiling."""

    def __init__(self, tiled: Tiled, arrays: Mapping[str, Array], text: Text | None = None) -> None:
        """TEXT is that of the program; None: its loops, as they are."""
        self.tiled, self.arrays = tiled, arrays
        self.text, self.line_of = text or mlir(tiled.program, arrays)
        self.trace: Trace = execute(tiled.program)
        self.report = Report()
        self.wrong: list[Wrong] = []

    @property
    def values(self) -> Mapping[str, int]:
        return self.tiled.program.symbols

    def of(self, facts: Sequence[Json], *, any_order: bool = False, report: Report | None = None) -> Report:
        """Compare the FACTS about tiles in lexicographic or ANY ORDER; what is wrong is in `wrong`.

        A REPORT counts them in place of the one of the comparison."""
        kept, self.report = self.report, report or self.report
        try:
            return self._of(facts, any_order=any_order)
        finally:
            self.report = kept

    def _of(self, facts: Sequence[Json], *, any_order: bool) -> Report:
        said = set[Flow]()
        answers = list(_grouped(facts))
        illegal = (without_order if any_order else broken)(self.tiled, self.trace)
        for fact, accesses in answers:
            if not fact["exact"]:
                self.report.unknown += 1
                self.report.reasons[re.sub(r"[-\d]+", "N", fact["reason"] or "")] += 1
                if "internal error" in (fact["reason"] or ""):
                    self.wrong.append(Wrong("internal error", fact["reason"]))
                if "illegal" in (fact["reason"] or "") and not any_order:
                    self._try(self._illegal, fact, illegal)
                array = fact["array"][1:].split("_of_")[0]
                said |= {flow for flow in flows(self.tiled, self.trace) if flow[0] == array}
                continue
            if fact["kind"] == "produced" and not fact["classes"]:
                self.report.empty += 1
                continue
            try:
                one = OneFlow(self.tiled, self.trace, self.arrays, self.line_of, fact, accesses)
            except Wrong as wrong:
                self.wrong.append(wrong)
                continue
            said.add((one.array, one.writer, one.space))
            assumed = any("order of tiles is legal" in each for each in fact["assumptions"])
            if any(space == one.space for _, space, _, _ in illegal):
                if assumed:
                    continue
                self.wrong.append(
                    Wrong("an illegal tiling has an answer", fact["array"], sorted(illegal)[:1])
                )
            else:
                self._try(self._check, one)
        for flow in flows(self.tiled, self.trace) - said:
            self._try(self._missing, flow)
        return self.report

    def _try(self, check: Any, *arguments: Any) -> None:
        try:
            check(*arguments)
        except Wrong as wrong:
            self.wrong.append(wrong)

    def _check(self, one: OneFlow) -> None:
        tiles, elements = one.check()
        LayoutCheck(one).check()
        self.report.exact += 1
        self.report.only_whole += one.fact["only_whole"]
        self.report.by_sizes += one.fact["by_sizes"]
        self.report.by_translation += one.is_relative
        self.report.layouts += one.fact["layout"] is not None
        self.report.tiles += tiles
        self.report.sets += len(one.fact["sets"])
        self.report.elements += elements

    def _missing(self, flow: Flow) -> None:
        """A flow without an answer carries nothing to other tiles, and nothing into tiles from between their loops."""
        array, writer, space = flow
        found = consumed(self.tiled, self.trace, array, writer, space)
        is_between = writer is not None and self.tiled.space(self.trace.places[writer]) is None
        tiles = found if is_between else by_tile(self.tiled, self.trace, found, writer, space)
        if tiles:
            raise Wrong("a flow is not answered", array, writer and self.line_of[writer], space, len(tiles))

    def _illegal(self, fact: Json, illegal: set[tuple[str, Space, Point, Point]]) -> None:
        """The tiles that break the order do so."""
        self.report.illegal += 1
        if "a tile that reads" in fact["reason"]:
            if not entangled(self.tiled, self.trace):
                raise Wrong("tiles that have an order are said to have none", fact["array"], fact["reason"])
            return
        named = [tuple(map(int, each.split(","))) for each in _TILES.findall(fact["reason"])]
        if not self.values and tuple(named) not in {(reader, writer) for _, _, reader, writer in illegal}:
            raise Wrong("a legal tiling is called illegal", fact["array"], fact["reason"])


_TILES = re.compile(r"the (?:later )?tile \(([-\d, ]+)\)")


def compared(tiled: Tiled, arrays: Mapping[str, Array], text: Text | None = None) -> Comparison:
    """What volcli answers about the program, or its TEXT, compared with its enumeration.

    Where the lexicographic order of tiles is illegal, the answers about any order are compared, too. Where tiles
    have translated sets by theory, so are the answers that are found without it, tile by tile.
    """
    comparison = Comparison(tiled, arrays, text)
    for any_order in (False, True):
        pipeline = f"mars{{tile='{tiled.text}' assume-noalias-args{' any-order' * any_order}}}"
        comparison.of(_facts(comparison.text, pipeline), any_order=any_order)
        if not comparison.report.illegal:
            break
    if comparison.report.by_translation:
        with patch.object(Uniform, "answer", _no_theory):
            comparison.of(_facts(comparison.text, pipeline), any_order=any_order, report=Report())
    return comparison


def _facts(text: str, pipeline: str) -> list[Json]:
    return [fact.to_json() for fact in volcli.loads(text).run(pipeline).facts]


def _no_theory(_: Uniform) -> MarsAnswer:
    raise NotFinite("the theory of translations is off")


def _grouped(facts: Sequence[Json]) -> Iterator[tuple[Json, list[Json]]]:
    """Each answer with those about its accesses."""
    for number, fact in enumerate(facts):
        if "access" not in fact:
            following = itertools.islice(facts, number + 1, None)
            yield fact, list(itertools.takewhile(lambda each: "access" in each, following))
