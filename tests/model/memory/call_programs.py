"""Programs with calls, and what their calls do: found by running them, one element at a time.

The interpreter knows the operations that the programs here have. It shares nothing with volcli but the parsed
text. Of each run of `@main` it keeps what each operation of @main reads and writes, in its iteration of the
loops of @main: what happens in a called function happens in the call.
"""

from __future__ import annotations

import contextlib
import operator
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from xdsl.ir import Block, Operation, SSAValue

from tests.oracles.interpreter.branches import taken
from volcli.language.interface import operation_name
from volcli.model.symbols import symbol_of


@dataclass(frozen=True)
class Instance:
    """One execution of an operation of @main: in which iterations of the loops around it."""

    op: Operation
    iteration: tuple[int, ...]


@dataclass
class Trace:
    """`touched`: who reads (False) or writes (True) which element, in time; `sources`: the flow of values."""

    touched: list[tuple[Instance, tuple[str, tuple[int, ...]], bool]] = field(default_factory=list[Any])
    sources: set[tuple[Instance | None, Instance, tuple[str, tuple[int, ...]]]] = field(
        default_factory=set[Any]
    )
    last: dict[tuple[str, tuple[int, ...]], Instance] = field(default_factory=dict[Any, Any])


_COMPARED = [operator.eq, operator.ne, operator.lt, operator.le, operator.gt, operator.ge]


class AssertionFailedError(Exception):
    """An assertion does not hold: the program ends."""


class Run:
    """A run of @main of MODULE, whose arguments are index values that are given by name, and other memory each."""

    def __init__(self, module: Operation, **numbers: int) -> None:
        self.trace = Trace()
        self._functions: dict[str, Any] = {
            symbol_of(op): op for op in module.walk() if operation_name(op) == "func.func"
        }
        self._buffers = 0
        main = self._functions["main"]
        entry = main.body.block
        self.main = main
        arguments = [
            numbers[arg.name_hint or ""] if str(arg.type) == "index" else self._argument(arg)
            for arg in entry.args
        ]
        self.failed = True
        with contextlib.suppress(AssertionFailedError):
            self._call(main, arguments, None)
            self.failed = False

    def _argument(self, value: SSAValue) -> Any:
        return f"%{value.name_hint}" if "memref" in str(value.type) else 0

    def _call(self, function: Any, arguments: list[Any], instance: Instance | None) -> list[Any]:
        values: dict[SSAValue, Any] = {}
        block, given = function.body.blocks[0], arguments
        while True:
            values.update(zip(block.args, given, strict=True))
            returned = self._block(block, values, (), instance)
            if not block.last_op.successors:
                return returned
            block, given = taken(block.last_op, values.__getitem__)

    def _block(
        self, block: Block, values: dict[SSAValue, Any], iteration: tuple[int, ...], instance: Instance | None
    ) -> list[Any]:
        for op in block.ops:
            now = instance or Instance(op, iteration)
            if op.next_op is None:
                return [values[each] for each in op.operands]
            results = self._run(op, values, iteration, instance, now)
            values.update(zip(op.results, results, strict=True))
        return []

    def _run(
        self,
        op: Operation,
        values: dict[SSAValue, Any],
        iteration: tuple[int, ...],
        instance: Instance | None,
        now: Instance,
    ) -> list[Any]:
        operands = [values[each] for each in op.operands]
        known: Any = op
        match operation_name(op):
            case "arith.constant":
                data = getattr(known.value, "value", None)
                return [getattr(data, "data", 0)]
            case "arith.addi":
                return [operands[0] + operands[1]]
            case "arith.subi":
                return [operands[0] - operands[1]]
            case "arith.muli":
                return [operands[0] * operands[1]]
            case "arith.cmpi":
                return [_COMPARED[known.predicate.value.data](*operands)]
            case "cf.assert":
                if not operands[0]:
                    raise AssertionFailedError
                return []
            case "scf.if":
                region = op.regions[0 if operands[0] else 1]
                return self._block(region.block, values, iteration, instance) if region.blocks else []
            case "memref.alloc":
                self._buffers += 1
                return [f"#{self._buffers}"]
            case "func.call":
                return self._call(self._functions[known.callee.string_value()], operands, now)
            case "memref.load":
                return [self._touch(now, operands[0], operands[1:], False)]
            case "memref.store":
                self._touch(now, operands[1], operands[2:], True)
                return []
            case _:
                return self._affine(op, operands, values, iteration, instance, now)

    def _affine(
        self,
        op: Operation,
        operands: list[Any],
        values: dict[SSAValue, Any],
        iteration: tuple[int, ...],
        instance: Instance | None,
        now: Instance,
    ) -> list[Any]:
        name = operation_name(op)
        if name == "affine.for":
            for number in _iterations(op, operands):
                values[op.regions[0].block.args[0]] = number
                self._block(op.regions[0].block, values, (*iteration, number), instance)
            return []
        if name == "affine.load":
            return [self._touch(now, operands[0], _index(op, operands[1:]), False)]
        if name == "affine.store":
            self._touch(now, operands[1], _index(op, operands[2:]), True)
            return []
        if name == "affine.apply":
            return _index(op, operands)
        raise NotImplementedError(name)

    def _touch(self, now: Instance, buffer: str, index: list[int], is_write: bool) -> float:
        element = buffer, tuple(index)
        self.trace.touched.append((now, element, is_write))
        if is_write:
            self.trace.last[element] = now
        elif (source := self.trace.last.get(element)) != now:
            self.trace.sources.add((source, now, element))
        return 0.0


def _evaluated(affine_map: Any, operands: list[int]) -> list[int]:
    dims = affine_map.num_dims
    return [each.eval(operands[:dims], operands[dims:]) for each in affine_map.results]


def _index(op: Operation, operands: list[int]) -> list[int]:
    stated: Any = op.properties.get("map") or op.attributes.get("map")
    return _evaluated(stated.data, operands)


def _iterations(op: Operation, operands: list[int]) -> Iterator[int]:
    known: Any = op.properties
    lower, upper = known["lowerBoundMap"].data, known["upperBoundMap"].data
    first = lower.num_dims + lower.num_symbols
    start = max(_evaluated(lower, operands[:first]))
    end = min(_evaluated(upper, operands[first : first + upper.num_dims + upper.num_symbols]))
    yield from range(start, end, known["step"].value.data)


def carried(trace: Trace, loop: Operation, depth: int) -> bool:
    """Whether two iterations of LOOP, in DEPTH others, go to one element, and one of them writes it."""
    inside = [
        (instance.iteration[: depth + 1], element, is_write)
        for instance, element, is_write in trace.touched
        if loop.is_ancestor(instance.op) and instance.op is not loop
    ]
    by_element: dict[Any, set[tuple[tuple[int, ...], bool]]] = {}
    for iteration, element, is_write in inside:
        if not element[0].startswith("#"):
            by_element.setdefault((iteration[:depth], element), set()).add((iteration, is_write))
    return any(
        any(is_write for _, is_write in touches) and len({iteration for iteration, _ in touches}) > 1
        for touches in by_element.values()
    )
