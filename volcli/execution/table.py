"""How operations execute: the table that dialects fill, one function for each kind of operation.

There are three questions, and an operation has a case of one of them:

* `scalars`: the operation computes numbers from numbers, element by element where they are tensors. The case
  gives a function of numbers; tensors, vectors, terms and poison are the engine's work.
* `executions`: any other operation. The case gives a function of the machine, the regions and the operands
  that returns the result, a tuple of several, or None; with regions, it may return the results as a sequence,
  one too. A region is a function: of the arguments of its block, what its terminator yields (None: it has no
  block).
* `branches`: a terminator that chooses the next block. The case gives a function of the operands that returns
  which successor it is, and the values passed.

Each case looks at the operation once, before it runs: attributes are read there, and not in the function that
it returns.

    @scalars.case(MyAddOp)
    def add(op: MyAddOp) -> Scalar:
        return Scalar(operator.add, operator.add)

Where there is nothing to prepare, `performs` takes the function itself, of the operation, the machine, the
regions and the operands.

Nothing here imports numpy, so that a dialect may import it without cost.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

from xdsl.ir import Operation

from volcli.language.declared import LikeAnother
from volcli.language.interface import Interface, operation_name

OpT = TypeVar("OpT", bound=Operation)

Perform = Callable[..., Any]
"""Of the machine, the bodies of the regions and the operands: the result, a tuple of several, or None."""
Jump = Callable[..., tuple[int, Sequence[Any]]]
"""Of the operands: the number of the successor, and what is passed to its block."""


@dataclass(frozen=True)
class Scalar:
    """A function of numbers.

    `number` is applied to `int`s and to numpy's floats; it may raise Undefined. `block`, where given, does
    the same on arrays of the operands' dtypes, for all elements at once; where it is not, `number` is applied
    to each. `term` names the operation where floats are terms (None: the name of the operation), and has the
    first `term_operands` of the operands (None: all; others decide nothing of floats).
    `chooses`: the first operand alone decides, and the others may be anything, as of a selection.
    `determined` are the operands that must not be poison, or the operation is undefined: divisors.
    """

    number: Callable[..., Any]
    block: Callable[..., Any] | None = None
    term: str | None = None
    term_operands: int | None = None
    determined: tuple[int, ...] = ()
    chooses: bool = False


scalars = Interface[Scalar]("scalars")
executions = Interface[Perform]("executions")
branches = Interface[Jump]("branches")
vectorized = Interface[bool]("vectorized")
"""Operations that take each region twice: as a function of numbers, and of arrays (None: it has none)."""

on_vectors_in_memory = Interface[bool]("on_vectors_in_memory")
"""Operations that execute on memory of vectors, too, whose sizes are the last ones of a `MemoryView`."""


def performs(*kinds: type[OpT]) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """The decorated function performs an operation of KINDS: OP, and what a `Perform` is given."""

    def add(perform: Callable[..., Any]) -> Callable[..., Any]:
        executions.case(*kinds)(lambda op: partial(perform, op))
        return perform

    return add


def nothing(*_: object) -> None:
    """The execution of what a program does not see, such as a prefetch."""


_providers: list[Callable[[str], None]] = []


def provided_by(provide: Callable[[str], None]) -> None:
    """From now on, PROVIDE imports the cases of a dialect, by its name, before one of its operations runs."""
    _providers.append(provide)


def prepare(operations: Iterable[Operation]) -> None:
    """Import the cases of the dialects of OPERATIONS."""
    names: set[str] = set()
    for op in operations:
        meant = op.stand_in.walk() if isinstance(op, LikeAnother) else (op,)
        names.update(operation_name(each).partition(".")[0] for each in meant)
    for provide in _providers:
        for name in sorted(names):
            provide(name)


def knows(op: Operation) -> bool:
    """Whether some dialect says how OP executes."""
    return any(table.answers(type(op)) for table in (scalars, executions, branches))
