"""Functions of MLIR text, executed as the tests need them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation

import volcli
from volcli.execution.code.code import call
from volcli.execution.memory.machine import Machine, Options
from volcli.execution.memory.memory import AllocatedMemory, MemoryView, whole
from volcli.execution.numbers.values import Tensor
from volcli.execution.table import prepare


class Code:
    """The functions of a PROGRAM, to be called with values of `volcli.execution.numbers.values`. Raises Stopped."""

    def __init__(self, program: str | volcli.Program) -> None:
        loaded = volcli.loads(program) if isinstance(program, str) else program
        assert not [each for each in loaded.diagnostics if each.severity == "error"], loaded.diagnostics
        self.parsed = loaded.units[0].parsed
        module = self.parsed.module
        assert isinstance(module, ModuleOp)
        prepare(module.walk())
        self.module = module
        self.functions = {op.sym_name.data: op for op in module.walk() if isinstance(op, FuncOp)}
        self._codes: dict[Operation, Any] = {}

    def __call__(self, *arguments: Any, function: str = "f", options: Options | None = None) -> Sequence[Any]:
        machine = Machine(self.module, options)
        if options is None:
            machine.codes = self._codes  # those of other options differ
        with np.errstate(all="ignore"):
            return call(machine, self.functions[function], arguments)


def memory(*elements: Any, dtype: Any = np.float32) -> MemoryView:
    """Memory that holds ELEMENTS, each one written."""
    data = np.array(elements, dtype)
    return whole(
        AllocatedMemory(None, data.reshape(-1).copy(), np.zeros(data.size, np.uint8), is_heap=True),
        data.shape,
    )


def held(view: MemoryView) -> list[Any]:
    """What memory holds."""
    return view.array(view.allocation.data).tolist()


def tensor(elements: Any, dtype: Any = np.float32) -> Tensor:
    """A tensor of ELEMENTS."""
    return Tensor(np.array(elements, dtype))
