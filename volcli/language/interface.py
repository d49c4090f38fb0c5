"""Questions put to operations that we do not own: one typed table per question, keyed on the op class."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any, Generic, TypeVar, cast
from weakref import WeakKeyDictionary, WeakSet

from xdsl.dialects.builtin import UnregisteredOp
from xdsl.ir import Operation

from volcli.diagnostics import internal
from volcli.diagnostics.counted import counted
from volcli.language.atoms import Dim
from volcli.language.declared import LikeAnother
from volcli.language.expressions import Expression
from volcli.language.reads import ElementReads, rank_of
from volcli.language.unchanged import kept_answer, once

OpT = TypeVar("OpT", bound=Operation)
R = TypeVar("R")
Fits = Callable[[Operation, Any], None]

refused: WeakSet[Operation] = WeakSet()
"""Invalid operations. They mean nothing, and cases rely on what is known of valid ones: none is asked."""


class Interface(Generic[R]):
    """A question; its cases are written beside each dialect, one function per kind of operation.

    The answer for an operation is that of the most derived class along its MRO that has a case, so that one
    case on a base class answers for every operation below it. The look-up is cached per class. None means
    that the operation is unknown: never "nothing depends", "nothing is bounded". An answer that costs
    something is KEPT where nothing changes the program (`volcli.language.unchanged`). What a case of another
    package answers is looked at by FITS, which raises TypeError: it is a mistake of that case then, and not
    one of whoever asks.

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

    def __init__(self, name: str, *, kept: bool = False, fits: Fits | None = None) -> None:
        self.name = name
        self.fits = fits
        self._is_kept = kept
        self._cases: dict[type[Operation], Callable[[Any], R]] = {}
        self._found: dict[type[Operation], Callable[[Any], R] | None] = {}
        self._failed: WeakKeyDictionary[Operation, str] = WeakKeyDictionary()

    def case(self, *kinds: type[OpT]) -> Callable[[Callable[[OpT], R]], Callable[[OpT], R]]:
        """Register the decorated function as the answer for KINDS.

        Raises ValueError if one of them has an answer already: two truths about one op are one too many.
        """

        def add(answer: Callable[[OpT], R]) -> Callable[[OpT], R]:
            is_foreign = internal.is_foreign(internal.package_of(answer))
            case = answer if self.fits is None or not is_foreign else _looked_at(answer, self.fits)
            for kind in kinds:
                if self._cases.setdefault(kind, case) is not case:
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


def _looked_at(case: Callable[[Any], R], fits: Fits) -> Callable[[Any], R]:
    """CASE, whose answers FITS looks at."""

    @functools.wraps(case)
    def answer(op: Operation) -> R:
        found = case(op)
        if found is not None:
            fits(op, found)
        return found

    return answer


def one_of(*kinds: type) -> Fits:
    """What looks at answers that are of one of these KINDS."""

    def fits(op: Operation, answer: Any) -> None:
        if not isinstance(answer, kinds):
            names = ", ".join(each.__name__ for each in kinds)
            raise TypeError(f"it returned {_kind(answer)}, not {names} or None")

    return fits


def each_of(kind: type) -> Fits:
    """What looks at answers that are a sequence of this KIND."""

    def fits(op: Operation, answer: Any) -> None:
        if not _is_list(answer, kind):
            raise TypeError(f"it returned {_kind(answer)}, not a list of {kind.__name__}")

    return fits


def sizes_fit(op: Operation, answer: Any) -> None:
    """Whether there are sizes for each result, and as many as it has dimensions."""
    _is_for_each_result(op, answer, Sequence)
    for result, sizes in zip(op.results, answer, strict=True):
        if len(sizes) != rank_of(result):
            returned, rank = counted(len(sizes), "size"), counted(rank_of(result), "dimension")
            raise TypeError(f"it returned {returned} of a result with {rank}")
        for size in sizes:
            if size is not None and not isinstance(size, Expression):
                raise TypeError(f"it returned the size {size!r}, not an Expression or None")
            _has_its_dimensions(size)


def reads_fit(op: Operation, answer: Any) -> None:
    """Whether there are reads for each result, of as many indices as it and operands have dimensions."""
    _is_for_each_result(op, answer, ElementReads)
    for result, reads in zip(op.results, answer, strict=True):
        for each in reads.alternatives:
            accesses = [*(read.access for read in each.reads), *each.bounds]
            indices = [(each.element, result), *((access.index, access.operand) for access in accesses)]
            for index, value in indices:
                if len(index) != rank_of(value):
                    raise TypeError(
                        f"it returned {counted(len(index), 'index', 'indices')} "
                        f"of a value with {counted(rank_of(value), 'dimension')}"
                    )
                for position in index:
                    _has_its_dimensions(position)


def _is_for_each_result(op: Operation, answer: Any, kind: type) -> None:
    if not _is_list(answer, kind):
        raise TypeError(f"it returned {_kind(answer)}, not a list with one {kind.__name__} for each result")
    if len(answer) != len(op.results):
        raise TypeError(
            f"it returned {counted(len(answer), 'answer')} for {counted(len(op.results), 'result')}"
        )


def _is_list(answer: Any, kind: type) -> bool:
    return isinstance(answer, Sequence) and all(isinstance(each, kind) for each in cast("list[Any]", answer))


def _kind(answer: Any) -> str:
    return type(answer).__name__


def _has_its_dimensions(expression: Any) -> None:
    """Raises TypeError for the size of a dimension that a value does not have."""
    for atom in expression.atoms() if isinstance(expression, Expression) else ():
        if isinstance(atom, Dim) and not 0 <= atom.dimension < rank_of(atom.value):
            raise TypeError(
                f"it returned {atom}, of a value with {counted(rank_of(atom.value), 'dimension')}"
            )


def _of_stand_in(case: Callable[[Any], R] | None) -> Callable[[Any], R] | None:
    """The CASE that an operation of another class has, for what is declared to be like it."""
    return None if case is None else lambda op: case(op.stand_in)


def operation_name(op: Operation) -> str:
    """The name of OP as its text says it, also where no dialect is registered for it."""
    if isinstance(op, UnregisteredOp):
        return op.op_name.data
    return op.name
