"""Questions put to operations that we do not own: one typed table per question, keyed on the op class."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar
from weakref import WeakKeyDictionary, WeakSet

from xdsl.dialects.builtin import UnregisteredOp
from xdsl.ir import Operation

from volcli.diagnostics import internal
from volcli.language.declared import LikeAnother
from volcli.language.unchanged import kept_answer, once

OpT = TypeVar("OpT", bound=Operation)
R = TypeVar("R")

refused: WeakSet[Operation] = WeakSet()
"""Invalid operations. They mean nothing, and cases rely on what is known of valid ones: none is asked."""


class Interface(Generic[R]):
    """A question; its cases are written beside each dialect, one function per kind of operation.

    The answer for an operation is that of the most derived class along its MRO that has a case, so that one
    case on a base class answers for every operation below it. The look-up is cached per class. None means
    that the operation is unknown: never "nothing depends", "nothing is bounded". An answer that costs
    something is KEPT where nothing changes the program (`volcli.language.unchanged`).

    >>> from xdsl.dialects.arith import ConstantOp
    >>> name = Interface[str]("name")
    >>> @name.case(ConstantOp)
    ... def constant(op: ConstantOp) -> str:
    ...     return "a constant"
    >>> name(ConstantOp.from_int_and_width(1, 32))
    'a constant'

    (A table and not a trait on the class: xDSL's ops share their `traits_def`, so an injected trait leaks
    into other classes; and not `match`: thirty times slower with 100 classes.)
    """

    def __init__(self, name: str, *, kept: bool = False) -> None:
        self.name = name
        self._is_kept = kept
        self._cases: dict[type[Operation], Callable[[Any], R]] = {}
        self._found: dict[type[Operation], Callable[[Any], R] | None] = {}
        self._failed: WeakKeyDictionary[Operation, str] = WeakKeyDictionary()

    def case(self, *kinds: type[OpT]) -> Callable[[Callable[[OpT], R]], Callable[[OpT], R]]:
        """Register the decorated function as the answer for KINDS.

        Raises ValueError if one of them has an answer already: two truths about one op are one too many.
        """

        def add(answer: Callable[[OpT], R]) -> Callable[[OpT], R]:
            for kind in kinds:
                if self._cases.setdefault(kind, answer) is not answer:
                    raise ValueError(f"{self.name}: {kind.__name__} is answered twice")
            self._found.clear()
            return answer

        return add

    def answers(self, kind: type[Operation]) -> bool:
        """Whether some case covers operations of class KIND."""
        return self._lookup(kind) is not None

    def __call__(self, op: Operation) -> R | None:
        """OP's answer by its most derived case, or None: the operation is unknown, or it is `refused`.

        A case that raises what is not a message of volcli's own has no answer for OP either: see `failure`.
        """
        case = self._lookup(type(op))
        if self._is_kept and case is not None and (known := kept_answer(self, op)) is not None:
            return known
        if case is None or (refused and op in refused) or (self._failed and op in self._failed):
            return None
        try:
            return once(self, op, case) if self._is_kept else case(op)
        except Exception as error:
            if internal.is_message(error):
                raise
            package = internal.package_of(case)
            where = f"'{self.name}' of {operation_name(op)}, a case of {package}"
            foreign = package if internal.is_foreign(package) else None
            with internal.at(op):
                self._failed[op] = internal.remember(error, where, foreign)
            return None

    def failure(self, op: Operation) -> str | None:
        """The internal error in the case for OP, if there was one."""
        return self._failed.get(op)

    def _lookup(self, kind: type[Operation]) -> Callable[[Any], R] | None:
        try:
            return self._found[kind]
        except KeyError:
            case = next((self._cases[k] for k in kind.__mro__ if k in self._cases), None)
            if case is None and issubclass(kind, LikeAnother):
                case = _of_stand_in(self._lookup(kind.LIKE))
            self._found[kind] = case
            return case


def _of_stand_in(case: Callable[[Any], R] | None) -> Callable[[Any], R] | None:
    """The CASE that an operation of another class has, for what is declared to be like it."""
    return None if case is None else lambda op: case(op.stand_in)


def operation_name(op: Operation) -> str:
    """The name of OP as its text says it, also where no dialect is registered for it."""
    if isinstance(op, UnregisteredOp):
        return op.op_name.data
    return op.name
