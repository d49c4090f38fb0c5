"""Random functions of loops that carry tensors of f32: inserts, slices, copies, branches, selects, calls.

They are right where the number %n is what it is in an execution: loops up to that end at %n.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from tests.oracles.contents.whiles import COUNTING
from volcli.execution.runs.inputs import DEFAULT_SIZE

SIZE = 6
"""Of each tensor."""

KIND = f"tensor<{SIZE}xf32>"


def drawn(seed: int) -> str:
    """A module with a function @f of tensors %a, %b and numbers %x, %n that returns what its loops compute."""
    return _Drawing(random.Random(seed)).module()


@dataclass
class _Scope:
    """What may be used at a point: loop variables with their least and greatest values, tensors, numbers."""

    variables: list[tuple[str, int, int]] = field(default_factory=list[tuple[str, int, int]])
    tensors: list[str] = field(default_factory=list[str])
    numbers: list[str] = field(default_factory=list[str])

    def inside(self) -> _Scope:
        """The same, of a region in it."""
        return _Scope([*self.variables], [*self.tensors], [*self.numbers])


class _Drawing:
    def __init__(self, chance: random.Random) -> None:
        self._chance = chance
        self._lines: list[str] = []
        self._count = 0
        self._depth = 1

    def module(self) -> str:
        scope = _Scope([], ["%a", "%b"], ["%x", "%z"])
        self._line("%z = arith.constant 0.0 : f32")
        for number in range(-2, SIZE + 1):
            self._line(f"{_constant(number)} = arith.constant {number} : index")
        for _ in range(self._chance.randint(1, 2)):
            self._chance.choice((self._loop, self._loop, self._while))(scope)
        returned = scope.tensors[-2:]
        self._line(f"return {', '.join(returned)} : {', '.join([KIND] * len(returned))}")
        return "\n".join([_CALLED, _HEADER, *self._lines, "}", ""])

    def _line(self, text: str) -> None:
        self._lines.append("  " * self._depth + text)

    def _new(self, prefix: str) -> str:
        self._count += 1
        return f"%{prefix}{self._count}"

    def _tensor(self, scope: _Scope, text: str) -> None:
        name = self._new("t")
        self._line(f"{name} = {text}")
        scope.tensors.append(name)

    def _recent(self, names: Sequence[str]) -> str:
        """One of NAMES, mostly of the last ones."""
        return self._chance.choice(names[-2:] if self._chance.random() < 0.7 else names)

    # -- regions ---------------------------------------------------------------------------------------

    def _loop(self, scope: _Scope) -> None:
        """A loop of one or two tensors, perhaps of a number, too; of no iteration now and then."""
        low, high, step = self._chance.choice(
            [(0, 6, 1), (0, 4, 1), (1, 5, 1), (-2, 3, 1), (0, 6, 2), (1, 6, 3), (2, 2, 1)]
        )
        tensors = [self._recent(scope.tensors) for _ in range(self._chance.choice((1, 1, 2)))]
        numbers = [self._recent(scope.numbers)] if self._chance.random() < 0.3 else []
        variable, inner, first = self._new("i"), scope.inside(), self._count
        arguments = [self._new("c") for _ in (*tensors, *numbers)]
        inner.variables.append((variable, low, max(low, high - 1)))
        inner.tensors += arguments[: len(tensors)]
        inner.numbers += arguments[len(tensors) :]
        kinds = ", ".join([KIND] * len(tensors) + ["f32"] * len(numbers))
        carried = ", ".join(f"{a} = {v}" for a, v in zip(arguments, (*tensors, *numbers), strict=True))
        result = f"%r{first}"
        is_affine = self._chance.random() < 0.3
        bounds = f"{low} to {high} step {step}"
        if not is_affine:
            upper = "%n" if high == DEFAULT_SIZE else _constant(high)
            bounds = f"{_constant(low)} to {upper} step {_constant(step)}"
        name = "affine" if is_affine else "scf"
        count = len(tensors) + len(numbers)
        several = f":{count}" if count > 1 else ""
        self._line(
            f"{result}{several} = {name}.for {variable} = {bounds} iter_args({carried}) -> ({kinds}) {{"
        )
        self._body(inner, tensors=len(tensors), numbers=len(numbers), name=name)
        self._line("}")
        found = [f"{result}#{k}" if count > 1 else result for k in range(count)]
        scope.tensors += found[: len(tensors)]
        scope.numbers += found[len(tensors) :]

    def _while(self, scope: _Scope) -> None:
        """A loop under a condition that carries one or two tensors beside what counts."""
        tensors = [self._recent(scope.tensors) for _ in range(self._chance.choice((1, 1, 2)))]
        variable, result, inner = self._new("i"), self._new("r"), scope.inside()
        found, arguments = self._chance.choice(COUNTING), [self._new("c") for _ in tensors]
        inner.variables.append((variable, found.low, found.high))
        inner.tensors += arguments
        condition, following = found.lines(variable)
        carried = ", ".join(f"{a} = {v}" for a, v in zip(arguments, tensors, strict=True))
        kinds = ", ".join(["index", *[KIND] * len(tensors)])
        head = f"scf.while ({variable} = {found.first}, {carried}) : ({kinds}) -> ({kinds}) {{"
        self._line(f"{result}:{1 + len(tensors)} = {head}")
        first, second = [variable, *arguments], [variable, *arguments]
        if found.tested_behind:
            first = self._statements(inner, tensors=len(tensors), following=following)
            condition = [each.replace(f"{variable},", f"{first[0]},") for each in condition]
        self._lines += condition
        self._line(f"scf.condition({condition[-1].split(' = ')[0]}) {', '.join(first)} : {kinds}")
        self._line("} do {")
        self._line(f"^bb0({', '.join([f'{variable}: index', *(f'{each}: {KIND}' for each in arguments)])}):")
        if not found.tested_behind:
            second = self._statements(inner, tensors=len(tensors), following=following)
        self._line(f"scf.yield {', '.join(second)} : {kinds}")
        self._line("}")
        scope.tensors += [f"{result}#{k + 1}" for k in range(len(tensors))]

    def _body(
        self, scope: _Scope, *, tensors: int, numbers: int = 0, name: str = "scf", most: int = 3
    ) -> None:
        """Statements, and what is yielded."""
        given = self._statements(scope, tensors=tensors, numbers=numbers, most=most)
        kinds = ", ".join([KIND] * tensors + ["f32"] * numbers)
        self._line(f"  {name}.yield {', '.join(given)} : {kinds}")

    def _statements(
        self, scope: _Scope, *, tensors: int, numbers: int = 0, most: int = 3, following: Sequence[str] = ()
    ) -> list[str]:
        """Statements: so many of their tensors and numbers, after the %k of FOLLOWING if there is one."""
        self._depth += 1
        for _ in range(self._chance.randint(most > 1, most)):
            self._statement(scope)
        for _ in range(numbers):
            self._number(scope)
        given = [scope.tensors[-1], *(self._recent(scope.tensors) for _ in range(tensors - 1))]
        self._chance.shuffle(given)
        given += scope.numbers[len(scope.numbers) - numbers :]
        self._lines += following
        self._depth -= 1
        return [*(each.split(" = ")[0] for each in following), *given]

    def _branch(self, scope: _Scope) -> None:
        """A tensor of one of two regions, by a condition on a loop."""
        name, truth = self._new("t"), self._condition(scope)
        self._line(f"{name} = scf.if {truth} -> ({KIND}) {{")
        self._body(scope.inside(), tensors=1, most=1)
        self._line("} else {")
        self._body(scope.inside(), tensors=1, most=1)
        self._line("}")
        scope.tensors.append(name)

    def _switch(self, scope: _Scope) -> None:
        name, (variable, low, high) = self._new("t"), self._chance.choice(scope.variables)
        self._line(f"{name} = scf.index_switch {variable} -> {KIND}")
        self._line(f"case {self._chance.randint(low, high)} {{")
        self._body(scope.inside(), tensors=1, most=1)
        self._line("} default {")
        self._body(scope.inside(), tensors=1, most=1)
        self._line("}")
        scope.tensors.append(name)

    # -- statements ------------------------------------------------------------------------------------

    def _statement(self, scope: _Scope) -> None:
        kinds: list[Callable[[_Scope], None]] = [self._insert, self._insert, self._slices, self._copy]
        kinds += [self._sum, self._branch, self._select, self._call, self._switch, self._shifted]
        if len(scope.variables) < 2:
            kinds += [self._loop, self._loop, self._while]
        self._chance.choice(kinds)(scope)

    def _insert(self, scope: _Scope) -> None:
        number, index = self._number(scope), self._index(scope, SIZE - 1)
        self._tensor(scope, f"tensor.insert {number} into {self._recent(scope.tensors)}[{index}] : {KIND}")

    def _slices(self, scope: _Scope) -> None:
        """A slice of one tensor, into another one."""
        size, strides = self._chance.randint(1, 3), [self._chance.choice((1, 1, 2)) for _ in range(2)]
        at = [self._index(scope, SIZE - 1 - (size - 1) * stride) for stride in strides]
        name, kind = self._new("s"), f"tensor<{size}xf32>"
        source, target = self._recent(scope.tensors), self._recent(scope.tensors)
        self._line(
            f"{name} = tensor.extract_slice {source}[{at[0]}] [{size}] [{strides[0]}] : {KIND} to {kind}"
        )
        if self._chance.random() < 0.3:
            inserted = self._new("s")
            position = _constant(self._chance.randrange(size))
            self._line(f"{inserted} = tensor.insert {self._number(scope)} into {name}[{position}] : {kind}")
            name = inserted
        written = f"tensor.insert_slice {name} into {target}[{at[1]}] [{size}] [{strides[1]}]"
        self._tensor(scope, f"{written} : {kind} into {KIND}")

    def _copy(self, scope: _Scope) -> None:
        empty = self._new("e")
        self._line(f"{empty} = tensor.empty() : {KIND}")
        source = self._recent(scope.tensors)
        self._tensor(scope, f"linalg.copy ins({source} : {KIND}) outs({empty} : {KIND}) -> {KIND}")

    def _sum(self, scope: _Scope) -> None:
        left, right = self._recent(scope.tensors), self._recent(scope.tensors)
        self._tensor(scope, f"arith.addf {left}, {right} : {KIND}")

    def _select(self, scope: _Scope) -> None:
        left, right = self._recent(scope.tensors), self._recent(scope.tensors)
        self._tensor(scope, f"arith.select {self._condition(scope)}, {left}, {right} : {KIND}")

    def _call(self, scope: _Scope) -> None:
        operands = f"({self._recent(scope.tensors)}, {self._index(scope, SIZE - 1)})"
        self._tensor(scope, f"func.call @moved{operands} : ({KIND}, index) -> {KIND}")

    def _shifted(self, scope: _Scope) -> None:
        """Padding in front, as many elements as are cut off at the other end."""
        name, kind = self._new("s"), f"tensor<{SIZE + 1}xf32>"
        self._line(f"{name} = tensor.pad {self._recent(scope.tensors)} low[1] high[0] {{")
        self._line("^bb0(%p: index):")
        self._line("  tensor.yield %z : f32")
        self._line(f"}} : {KIND} to {kind}")
        self._tensor(scope, f"tensor.extract_slice {name}[0] [{SIZE}] [1] : {kind} to {KIND}")

    # -- numbers ---------------------------------------------------------------------------------------

    def _number(self, scope: _Scope) -> str:
        """A number: one that there is, an element, a sum of two, or one of two by a condition."""
        kind = self._chance.random()
        if kind < 0.2:
            return self._recent(scope.numbers)
        name = self._new("v")
        if kind < 0.7:
            index = self._index(scope, SIZE - 1)
            self._line(f"{name} = tensor.extract {self._recent(scope.tensors)}[{index}] : {KIND}")
        elif kind < 0.85:
            left, right = self._number(scope), self._number(scope)
            self._line(f"{name} = arith.addf {left}, {right} : f32")
        else:
            left, right = self._number(scope), self._number(scope)
            self._line(f"{name} = arith.select {self._condition(scope)}, {left}, {right} : f32")
        scope.numbers.append(name)
        return name

    def _condition(self, scope: _Scope) -> str:
        name = self._new("q")
        if not scope.variables:
            self._line(f"{name} = arith.cmpf olt, %x, %z : f32")
            return name
        variable, low, high = self._chance.choice(scope.variables)
        operator = self._chance.choice(("slt", "sge", "eq"))
        self._line(
            f"{name} = arith.cmpi {operator}, {variable}, {_constant(self._number_in(low, high))} : index"
        )
        return name

    def _number_in(self, low: int, high: int) -> int:
        return self._chance.randint(max(low, -2), min(high, SIZE))

    def _index(self, scope: _Scope, last: int) -> str:
        """A number of 0, ..., LAST: mostly one that moves with a loop."""
        fitting = [
            f"(d0) -> ({sign}d0 + {add})>({variable})"
            for variable, low, high in scope.variables
            for sign, least, most in (("", low, high), ("-", -high, -low))
            for add in range(-least, last - most + 1)
        ]
        plain = [variable for variable, low, high in scope.variables if low >= 0 and high <= last]
        if plain and self._chance.random() < 0.5:
            return self._chance.choice(plain)
        if not fitting or self._chance.random() < 0.2:
            return _constant(self._chance.randint(0, last))
        name = self._new("k")
        self._line(f"{name} = affine.apply affine_map<{self._chance.choice(fitting)}")
        return name


def _constant(number: int) -> str:
    return f"%m_{-number}" if number < 0 else f"%c_{number}"


_HEADER = f"func.func @f(%a: {KIND}, %b: {KIND}, %x: f32, %n: index, %d: tensor<6xi1>) -> ({KIND}, {KIND}) {{"
_CALLED = f"""
func.func private @moved(%s: {KIND}, %k: index) -> {KIND} {{
  %c0 = arith.constant 0 : index
  %v = tensor.extract %s[%c0] : {KIND}
  %w = tensor.insert %v into %s[%k] : {KIND}
  return %w : {KIND}
}}
"""
