"""Random systems for `systems`: functions of two or three arguments, of which small ones reach what is innermost."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from itertools import count

from tests.model.values.step_goals import Condition
from tests.model.values.systems import DIVISIONS, SMALL, Body, Operation, Region, System, executions


class _Writer:
    def __init__(self, chance: random.Random) -> None:
        self._chance = chance
        kind = chance.choice(("index", "index", "index", "i32", "i64"))
        self.system = System(
            kind, kind != "index" and chance.random() < 0.6, ["a", "b", "c"][: chance.choice((2, 2, 3))]
        )
        self._made = count()
        self._scopes: list[list[str]] = [list(self.system.arguments)]

    def written(self) -> System:
        system = self.system
        for each in system.arguments:
            if self._chance.random() < 0.75:
                relation = self._chance.choice((">=", ">=", ">=", ">", "<="))
                bound = self._constant(self._chance.choice((0, 1, 1, 2)))
                system.body.append(Region([(each, relation, bound)]))
        system.body += self._body(0)
        if self._chance.random() < 0.25:
            x, y = self._chance.sample(system.arguments, 2)
            relation = self._chance.choice((">=", ">=", "<=", "="))
            system.assumed = (
                relation,
                x,
                y,
                *(self._chance.choice((0, 1, 2)) for _ in range(2)),
                self._chance.choice((0, 0, 1, 3)),
            )
        return system

    def _body(self, depth: int) -> Body:
        body: Body = []
        for _ in range(self._chance.choice((1, 1, 2))):
            kind = self._chance.random()
            if kind < 0.25:
                body.append(Region([self._condition()]))
            elif kind < 0.6 or depth == 2:
                self._computed(body)
            elif kind < 0.85:
                body.append(self._loop(depth))
            else:
                conditions = [self._condition() for _ in range(self._chance.choice((1, 2)))]
                body.append(Region(conditions, body=self._inside(depth)))
        self._computed(body)
        return body

    def _inside(self, depth: int, *names: str) -> Body:
        self._scopes.append(list(names))
        body = self._body(depth + 1)
        self._scopes.pop()
        return body

    def _loop(self, depth: int) -> Region:
        low = (
            self._constant(self._chance.choice((0, 0, 0, 1, 2, 5)))
            if self._chance.random() < 0.7
            else self._pick()
        )
        step = (
            self._constant(self._chance.choice((1, 1, 2, 3)))
            if self._chance.random() < 0.5
            else self._chance.choice(self._names())
        )
        variable, high = f"i{next(self._made)}", self._pick()
        return Region(loop=(variable, low, high, step), body=self._inside(depth, variable))

    def _condition(self) -> Condition:
        relation = self._chance.choice((">=", ">=", ">", "=", "!=", "<=", "<"))
        other = (
            self._constant(self._chance.choice((0, 1, 1, 2, 3)))
            if self._chance.random() < 0.6
            else self._pick()
        )
        return self._pick(), relation, other

    def _names(self) -> list[str]:
        return [name for scope in self._scopes for name in scope]

    def _pick(self) -> str:
        if self._chance.random() < 0.8:
            return self._chance.choice(self._names())
        return self._constant(
            self._chance.choice(
                (0, 1, 2, 3, -1, -2, 4) if self._chance.random() < 0.93 else (1000003, 2**31 - 1, 2**20)
            )
        )

    def _constant(self, number: int) -> str:
        name = f"k{number}".replace("-", "m")
        self.system.constants[name] = number
        return name

    def _operation(self, body: Body, op: str, left: str, right: str) -> str:
        result = f"v{next(self._made)}"
        body.append(Operation(result, op, left, right))
        self._scopes[-1].append(result)
        return result

    def _sum(self, body: Body) -> str:
        found = self._pick()
        for _ in range(self._chance.choice((0, 1, 1, 2))):
            found = self._operation(body, self._chance.choice(("addi", "subi")), found, self._pick())
        return found

    def _computed(self, body: Body) -> None:
        kind = self._chance.random()
        if kind < 0.5:  # a product of sums, or a sum of products
            if kind < 0.4:
                self._operation(body, "muli", self._sum(body), self._sum(body))
                return
            products = [self._operation(body, "muli", self._pick(), self._pick()) for _ in range(2)]
            self._operation(body, self._chance.choice(("addi", "subi")), *products)
        elif kind < 0.65:
            self._operation(body, self._chance.choice(("minsi", "maxsi")), self._sum(body), self._sum(body))
        elif kind < 0.85:
            self._operation(body, self._chance.choice(DIVISIONS), self._sum(body), self._pick())
        else:
            self._sum(body)


def drawn(chance: random.Random) -> System:
    """A system of which small arguments reach the innermost operations."""
    while True:
        found = _Writer(chance).written()
        names = max(visible(found.body, []), key=len)
        if names and sum(set(names) <= point.keys() for point in executions(found, SMALL)) >= 4:
            return found


def visible(body: Body, names: Sequence[str]) -> Iterator[list[str]]:
    """What is made by the ends of blocks, with what is there around them."""
    known = [*names]
    for each in body:
        if isinstance(each, Operation):
            known.append(each.result)
        elif each.body is not None:
            yield from visible(each.body, [*known, *([each.loop[0]] if each.loop else [])])
    yield known
