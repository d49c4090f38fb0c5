"""What an operation is, apart from names and places: a number that renaming and moving it do not change.

The number of an operation is a hash of its name, its attributes, the types of its results, the numbers of its
operands and that of the operation around it; of a block argument, that of its position, its type and the
operation that it belongs to. So `%y = arith.addi %x, %c1` has the same number in any function, whatever its
values are called; a loop of other bounds gives another number to all that stands in it.

`whole` is the number of an operation with all operations in it: of a loop, what it does.

Each number is computed once. An operation that needs its own result, as it may outside of functions, counts
by its name where it does, so the recursion ends.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

from xdsl.ir import Attribute, BlockArgument, Operation, OpResult, SSAValue
from xdsl.traits import IsolatedFromAbove

from volcli.language.interface import operation_name
from volcli.language.unchanged import cached_method
from volcli.limits import gate as limits

_NAMES = ("sym_name", "callee", "function_type", "arg_attrs", "res_attrs")
"""Attributes that are names of functions, or said of their arguments."""


class Fingerprints:
    """The numbers of operations and values of one module, as hexadecimal text."""

    def __init__(self) -> None:
        self._operations: dict[Operation, str] = {}

    def of(self, op: Operation) -> str:
        """The number of OP."""
        known = self._operations.get(op)
        if known is None:
            self._operations[op] = _hash(operation_name(op))  # what it is where its operands need it
            known = self._operations[op] = self._of_operation(op)
        return known

    @cached_method
    def whole(self, op: Operation) -> str:
        """The number of OP with all that stands in it."""
        if not op.regions:
            return self.of(op)
        return _hash(*(self.of(each) for each in op.walk()))

    @cached_method
    def form(self, op: Operation) -> str:
        """The number of OP without its operands: which argument of the function one is does not count."""
        around = _around(op)
        return _hash(*self._attributes(op), "" if around is None else self.form(around))

    def _of_operation(self, op: Operation) -> str:
        around = _around(op)
        operands = (self.of_value(operand) for operand in op.operands)
        return _hash(*self._attributes(op), *operands, "" if around is None else self.of(around))

    def _attributes(self, op: Operation) -> Iterator[str]:
        """The name, the attributes and the types of the results of OP."""
        yield operation_name(op)
        for name, value in sorted((op.attributes | op.properties).items()):
            if name not in _NAMES:
                yield f"{name}={self._text(value)}"
        yield from (self._text(result.type) for result in op.results)

    @cached_method
    def of_value(self, value: SSAValue) -> str:
        """The number of VALUE."""
        if isinstance(value, OpResult):
            return _hash("result", str(value.index), self.of(value.op))
        assert isinstance(value, BlockArgument)
        position, around = str(value.index), value.block.parent_op()
        if around is None or around.has_trait(IsolatedFromAbove):
            return _hash("argument", position, self._text(value.type))
        return _hash("variable", position, self.of(around))

    @cached_method
    def _text(self, attribute: Attribute) -> str:
        text = str(attribute)
        if len(text) > limits.FINGERPRINT_TEXT:
            text = f"{text[: limits.FINGERPRINT_TEXT]}...{len(text)}"
        return text


def _around(op: Operation) -> Operation | None:
    """The operation around OP in its function."""
    around = op.parent_op()
    return None if around is None or around.has_trait(IsolatedFromAbove) else around


def _hash(*parts: str) -> str:
    return hashlib.blake2b("\0".join(parts).encode("utf-8", "surrogateescape"), digest_size=8).hexdigest()
