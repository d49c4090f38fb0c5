"""Answers about chains of structured operations compared with their execution."""

from __future__ import annotations

from collections.abc import Iterable

from tests.model.mars.checks import ProgramCheck
from tests.model.mars.operations import Chain, execute, mlir
from volcli.model.mars.footprints.dataflow import Flow
from volcli.model.mars.partition.answers import MarsAnswer, TileClass
from volcli.model.mars.tilings.schemes import TileScheme


class ChainCheck(ProgramCheck):
    """One chain in one scheme."""

    shift = 0

    def __init__(self, chain: Chain, scheme: str) -> None:
        self.text, places = mlir(chain)
        self.scheme = TileScheme.parse(scheme)
        self.trace = execute(chain)
        self.names = ("d0", "d1", "d2")
        self.statement_of = {line: number for number, line in places.items()}
        self.read_of = {line: (number, 0) for number, line in places.items()}
        self.nest_of = {number: number for number in places}
        self._load()

    def _all_are_there(self, found: Iterable[Flow]) -> None:
        said = {self.read_of[self._line(site)][0] for flow in found for site in flow.readers}
        assert said == {statement for statement, _ in self.trace.reads}, self.text

    def _of_each_access(self, flow: Flow, answered: MarsAnswer, one: TileClass) -> None:
        """All accesses of an operation are in one line."""
