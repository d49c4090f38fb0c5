"""A function's code: its operations as one Python function, written once and compiled.

Each SSA value is a Python variable, each region of an operation a function inside the one that contains it,
and each operation a line that calls what its case gave. For

    func.func @f(%m: memref<8xf32>, %n: index) {
      scf.for %i = %c0 to %n step %c1 {
        %a = memref.load %m[%i] : memref<8xf32>
        ...

the text that is compiled is

    def function(machine, v0, v1):
        def r0(v2):
            v3 = p1(machine, v0, v2)
            ...
            return ()
        p0(machine, r0, v4, v1, v5)

Interpreting the same steps one by one takes four times as long: what is looked up at each step there is
looked up once here. A region of several blocks is a loop over the blocks, in the order that their terminators
choose.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, cast

import numpy as np
from xdsl.dialects.builtin import ShapedType
from xdsl.dialects.ub import UnreachableOp
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.traits import IsTerminator

from volcli.execution.code.repetition import Cycles, repeating_blocks
from volcli.execution.code.stated_sizes import with_stated_sizes
from volcli.execution.elements.elementwise import (
    beyond_numbers,
    chosen_memory,
    on_tensors,
    performed,
    with_terms,
)
from volcli.execution.memory.machine import Machine, Options
from volcli.execution.numbers.formats import SCALABLE, format_of, is_scalable, lanes_of
from volcli.execution.outcomes import LimitReached, OpaqueEvent, Stopped, Unsupported
from volcli.execution.table import (
    Scalar,
    branches,
    executions,
    on_vectors_in_memory,
    prepare,
    scalars,
    vectorized,
)
from volcli.language.declared import LikeAnother
from volcli.language.interface import operation_name, refused
from volcli.language.memory import is_memref
from volcli.limits import execution as limits

Body = Callable[..., Sequence[Any]]
"""A region: of the arguments of its block, the operands of its terminator."""
Codes = dict[Operation, Body]
"""What functions were compiled to, for one choice of `symbolic`, `traced` and `observed` of the options."""


def call(machine: Machine, function: Operation, arguments: Sequence[Any]) -> Sequence[Any]:
    """The results of FUNCTION, which has a body."""
    if (code := machine.codes.get(function)) is None:
        code = machine.codes[function] = compiled(function, machine.options)
    if machine.depth >= limits.NESTED_CALLS:
        raise LimitReached(function, f"calls are nested more than {limits.NESTED_CALLS} deep")
    machine.depth += 1
    before = len(machine.stack)
    results = code(machine, *arguments)
    machine.end_scope(function, before)
    machine.depth -= 1
    return results


def compiled(function: Operation, options: Options) -> Body:
    """The Python function of FUNCTION: of the machine and its arguments."""
    prepare(function.walk())
    writer = _Writer(options)
    writer.region(function.regions[0], "function", "machine")
    code = compile("\n".join(writer.lines), f"<{operation_name(function)}>", "exec")
    exec(code, writer.names)
    return writer.names["function"]


def run_each(
    machine: Machine, op: Operation, body: Body, iterations: range, carried: Sequence[Any]
) -> Sequence[Any]:
    """Run BODY, of OP, for each of ITERATIONS in turn; it is passed, and returns, what is CARRIED."""
    machine.takes_steps(op, count_of(iterations))
    stack = machine.stack
    depth = len(stack)
    iteration: int | None = None
    try:
        for iteration in iterations:
            carried = body(iteration, *carried)
            if len(stack) > depth:
                machine.end_scope(op, depth)
    except Stopped as stopped:
        stopped.inside(op, f"iteration {iteration}")
        raise
    return carried


def count_of(iterations: range) -> int:
    """How many numbers a range has; `len` is defined below 2^63 only."""
    return max(0, -((iterations.start - iterations.stop) // iterations.step))


def is_end(op: Operation) -> bool:
    """Whether OP ends its block: its operands are the results of the region, or choose the next block.

    `ub.unreachable` does not: it is executed, and nothing is afterwards.
    """
    return bool(op.successors) or (op.has_trait(IsTerminator) and not isinstance(op, UnreachableOp))


class _Writer:
    """The text of one function, and the objects that its names stand for."""

    def __init__(self, options: Options) -> None:
        self.lines: list[str] = []
        self.names: dict[str, Any] = {"beyond": beyond_numbers, "only": _only}
        self._symbolic = options.symbolic
        self._traced = options.traced
        self._observed = options.observed
        self._values: dict[SSAValue, str] = {}
        self._depth = 0
        self._count = 0

    # -- regions ---------------------------------------------------------------------------------------

    def region(self, region: Region, name: str, *first: str, blocks: bool = False) -> None:
        """Write REGION as the function NAME; `blocks`: on arrays, in the place of numbers."""
        if self._depth >= limits.NESTED_REGIONS:
            raise Unsupported(region.parent, f"regions are nested more than {limits.NESTED_REGIONS} deep")
        entry = region.blocks[0]
        self._line(f"def {name}({', '.join([*first, *map(self._name, entry.args)])}):")
        self._depth += 1
        if len(region.blocks) == 1 and not _jumps(entry):
            self._block(entry, blocks=blocks)
            self._end(entry)
        else:
            self._graph(region)
        self._depth -= 1

    def _graph(self, region: Region) -> None:
        """A region of several blocks: `at` is the block that runs next, `passed` what it is passed."""
        number = {block: k for k, block in enumerate(region.blocks)}
        repeating = repeating_blocks(region)
        cycles = self._new("s") if repeating else None
        if cycles is not None:
            headers = {number[h]: frozenset(map(number.__getitem__, c)) for h, c in repeating.items()}
            self._line(f"{cycles} = {self._object('r', Cycles)}({self._object('h', headers)})")
        self._line("at = 0")
        self._line(f"passed = {_tuple(map(self._name, region.blocks[0].args))}")
        self._line("while True:")
        self._depth += 1
        for block, k in number.items():
            self._line(f"if at == {k}:")
            self._depth += 1
            if block.args:
                self._line(f"{_tuple(map(self._name, block.args))} = passed")
            self._block(block, blocks=False)
            op = block.last_op
            if op is None or not op.successors:
                self._end(block)
            else:
                targets = [number[successor] for successor in op.successors]
                jump = self._object("j", _jumping(op, targets))
                self._line(f"at, passed = {jump}(machine, {_arguments(map(self._name, op.operands))})")
                if not repeating.keys().isdisjoint(op.successors):
                    self._line(f"{cycles}.jumps({self._object('o', op)}, {k}, at, passed)")
                self._line("continue")
            self._depth -= 1
        self._depth -= 1

    def _block(self, block: Block, *, blocks: bool) -> None:
        self._note(block.args)
        for op in block.ops:
            if op is block.last_op and is_end(op):
                break
            (self._on_arrays if blocks else self._operation)(op)
            self._note(op.results)
            if op in self._observed:
                done = _tuple(map(self._name, op.results))
                self._line(f"machine.observe({self._object('o', op)}, {done})")

    def _note(self, values: Sequence[SSAValue]) -> None:
        """Write a line that notes those of VALUES that are traced."""
        traced = [value for value in values if self._traced is None or value in self._traced]
        if traced:
            self._line(f"machine.note({self._object('n', traced)}, {_tuple(map(self._name, traced))})")

    def _end(self, block: Block) -> None:
        """What a region returns: the operands of its terminator, or what that does where it has a case."""
        op = block.last_op
        if op is not None and is_end(op) and executions.answers(type(op)):
            self._general(op, "return ")
        else:
            ends = op.operands if op is not None and is_end(op) else ()
            self._line(f"return {_tuple(map(self._name, ends))}")

    # -- operations ------------------------------------------------------------------------------------

    def _operation(self, op: Operation) -> None:
        op = op.stand_in if isinstance(op, LikeAnother) else op
        try:
            if any(is_scalable(each.type) for each in (*op.operands, *op.results)):
                raise Unsupported(op, SCALABLE)
            if not on_vectors_in_memory.answers(type(op)) and any(
                lanes_of(each.type) for each in (*op.operands, *op.results)
            ):
                raise Unsupported(op, f"{operation_name(op)} on memory of vectors is not executed")
            scalar = scalars(op)
            if scalar is None:
                self._general(op)
            elif scalar.chooses and any(map(is_memref, op.results)):
                self._called(op, chosen_memory(op, scalar), [])
            elif any(isinstance(result.type, ShapedType) for result in op.results):
                self._called(op, on_tensors(op, scalar), [])
            else:
                self._scalar(op, scalar)
        except Stopped as stopped:
            self._called(op, _stopping(op, stopped), [])

    def _scalar(self, op: Operation, scalar: Scalar) -> None:
        """A function of numbers: what is no number raises TypeError in it, and is looked at then."""
        results = ", ".join(map(self._name, op.results))
        operands = _arguments(map(self._name, op.operands))
        if self._symbolic:
            scalar_name = self._object("s", with_terms(op, scalar))
            self._line(f"{results} = {scalar_name}(machine, {operands})")
            return
        number, of = self._object("f", scalar.number), self._object("s", scalar)
        place = self._object("o", op)
        self._line(f"try: {results} = {number}({operands})")
        self._line(f"except TypeError: {results} = beyond(machine, {place}, {of}, ({operands},))")

    def _general(self, op: Operation, target: str = "") -> None:
        perform = performed(op)
        if perform is None:
            what = "is invalid" if op in refused else "has no execution"
            raise Unsupported(op, executions.failure(op) or f"{operation_name(op)} {what}")
        bodies: list[str] = []
        on_arrays = vectorized.answers(type(op))
        for region in op.regions:
            if not region.blocks:
                bodies.append("None")
                continue
            bodies.append(self._new("r"))
            self.region(region, bodies[-1])
            if on_arrays:
                bodies.append("None")
                if is_elementwise(region):
                    bodies[-1] = self._new("a")
                    self.region(region, bodies[-1], blocks=True)
        self._called(op, perform, bodies, target)

    def _called(
        self, op: Operation, perform: Callable[..., Any], bodies: Sequence[str], target: str = ""
    ) -> None:
        arguments = _arguments(["machine", *bodies, *map(self._name, op.operands)])
        names = list(map(self._name, op.results))
        target = f"{', '.join(names)} = " if names else target
        call = f"{self._object('p', with_stated_sizes(op, perform))}({arguments})"
        self._line(f"{target}only({call})" if len(names) == 1 and op.regions else f"{target}{call}")

    def _on_arrays(self, op: Operation) -> None:
        """OP of a body, applied to the numbers of all points at once."""
        scalar = scalars(op)
        if scalar is None:
            self._general(op)
            return
        results = ", ".join(map(self._name, op.results))
        block = self._object("b", _on_arrays(op, scalar))
        self._line(f"{results} = {block}({_arguments(map(self._name, op.operands))})")

    # -- names -----------------------------------------------------------------------------------------

    def _line(self, text: str) -> None:
        self.lines.append(" " * self._depth + text)

    def _name(self, value: SSAValue) -> str:
        return self._values.setdefault(value, f"v{len(self._values)}")

    def _new(self, kind: str) -> str:
        self._count += 1
        return f"{kind}{self._count}"

    def _object(self, kind: str, what: object) -> str:
        name = self._new(kind)
        self.names[name] = what
        return name


def is_elementwise(region: Region) -> bool:
    """Whether the one block of REGION computes numbers from numbers, one operation after the other."""
    return len(region.blocks) == 1 and all(
        (scalars.answers(type(op)) and not any(isinstance(each.type, ShapedType) for each in op.results))
        or (executions.answers(type(op)) and not op.operands and not op.regions)
        for op in region.blocks[0].ops
        if not (op is region.blocks[0].last_op and is_end(op))
    )


def _on_arrays(op: Operation, scalar: Scalar) -> Callable[..., Any]:
    """A function of arrays, or of arrays and numbers, for a case of scalars."""
    dtypes = [np.dtype(format_of(result.type).dtype) for result in op.results]
    block = scalar.block
    if block is None or object in dtypes:
        block = np.frompyfunc(scalar.number, len(op.operands), len(op.results))
    if len(dtypes) == 1:
        (dtype,) = dtypes
        return lambda *operands: np.asarray(block(*operands), dtype)
    return lambda *operands: [np.asarray(a, dtype) for a, dtype in zip(block(*operands), dtypes, strict=True)]


def _jumps(block: Block) -> bool:
    return block.last_op is not None and bool(block.last_op.successors)


def _jumping(op: Operation, targets: Sequence[int]) -> Callable[..., tuple[int, Sequence[Any]]]:
    """How OP, the terminator of a block, goes on: which block, and what that is passed."""
    choose = branches(op)

    def jump(machine: Machine, *operands: Any) -> tuple[int, Sequence[Any]]:
        machine.takes_steps(op, 1)
        if choose is None:
            raise Unsupported(op, f"{operation_name(op)} has no execution")
        successor, passed = choose(*operands)
        return targets[successor], passed

    return jump


def _stopping(op: Operation, found: Stopped) -> Callable[..., Any]:
    """How OP ends the execution: FOUND says why it, or an operation in it, is not executed."""
    inner, message = found.operation or op, found.message
    next_step = found.next_step if isinstance(found, Unsupported) else None

    def stop(machine: Machine, *operands: Any) -> None:
        if inner is not op:
            raise Unsupported(inner, message, next_step)
        raise OpaqueEvent(op, message, operands, machine.reached(operands), next_step)

    return stop


def _only(found: Any) -> Any:
    """The one result of an operation with regions, which may give what a region yields: a sequence of it."""
    return cast("Sequence[Any]", found)[0] if isinstance(found, list | tuple) else found


def _arguments(names: Iterable[str]) -> str:
    return ", ".join(names)


def _tuple(names: Iterator[str]) -> str:
    return f"({''.join(f'{name}, ' for name in names)})"
