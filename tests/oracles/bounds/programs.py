"""Whole programs, their text, and what is true of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from tests.oracles.bounds.bits import HELPERS
from tests.oracles.bounds.execute import Execution
from tests.oracles.bounds.nodes import Ask, Block, Compare, walk
from tests.oracles.bounds.printing import Carrier, compare, data_type, lines, opaques, places, reify, silent
from tests.oracles.bounds.values import Value

RANGE = range(-12, 13)  # of index arguments: wide enough that whatever clamps them saturates


@dataclass(frozen=True)
class Query:
    """The least and the greatest value of PLACE (of its dimension DIM), or that it NEVER gets one.

    DIRECT queries are about all executions of the value's definition; the others stand in a block inside.
    """

    number: int
    place: str
    dim: int | None
    minimum: int | None
    maximum: int | None
    never: bool
    direct: bool


@dataclass(frozen=True)
class Comparison:
    """Whether LHS CMP RHS holds in all executions that reach the place AT: always, never or sometimes."""

    lhs: str
    cmp: str
    rhs: str
    at: int
    truth: str
    direct: bool


@dataclass(frozen=True)
class Program:
    """A function without results; its queries are operations of its body."""

    arguments: tuple[Value, ...]
    body: Block

    @property
    def text(self) -> str:
        """The program without its queries."""
        return self.mlir(silent)

    def with_reify_ops(self) -> str:
        """The program with both constant bounds of each queried value (LB closed, UB open)."""
        return self.mlir(reify)

    def with_compare_ops(self) -> str:
        """The program with its comparisons."""
        return self.mlir(compare)

    def with_places(self) -> str:
        """The program with `"test.place"() {number = ...}` where queries are that are not direct."""
        return self.mlir(places)

    def mlir(self, carrier: Carrier, name: str = "f") -> str:
        """The text; mlir-opt reads it with -allow-unregistered-dialect."""
        plain = [f"{value}: {value.type}" for value in self.arguments]
        data = [f"{node.result}_data: {data_type(around)}" for node, around in opaques(self.body)]
        arguments = ", ".join([*plain, *data])
        head = f"func.func @{name}({arguments}) {{"
        text = "\n".join([head, *lines(self.body, carrier, ""), "  return", "}", ""])
        return text + HELPERS if "func.call" in text else text

    def seen(self, domain: range = RANGE, limit: int | None = None) -> Mapping[int, set[int]]:
        """What each query can see if index arguments are in DOMAIN."""
        domains = {value: (0, 1) if value.type == "i1" else domain for value in self.arguments}
        return Execution(domains, limit).run(self.body)

    @cached_property
    def facts(self) -> Mapping[int, set[int]]:
        """What each query can see."""
        return self.seen()

    @property
    def queries(self) -> list[Query]:
        """The bounds that are asked for, and the truth."""
        found: list[Query] = []
        for node in walk(self.body):
            if isinstance(node, Ask):
                values = self.facts.get(node.number) or set()
                ends = (min(values), max(values)) if values else (None, None)
                found.append(Query(node.number, str(node.value), node.dim, *ends, not values, node.direct))
        return found

    @property
    def comparisons(self) -> list[Comparison]:
        """The comparisons that some execution reaches, and the truth."""
        truths = {(1,): "always", (0,): "never", (0, 1): "sometimes"}
        return [
            Comparison(str(node.lhs), node.cmp, str(node.rhs), node.number, truths[outcome], node.direct)
            for node in walk(self.body)
            if isinstance(node, Compare) and (outcome := tuple(sorted(self.facts.get(node.number, ()))))
        ]
