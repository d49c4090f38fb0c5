"""Two versions of a function, and what came of executing them on one input."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Attribute, Operation

from volcli.execution.code.code import Codes
from volcli.execution.memory.machine import Options
from volcli.execution.runs.inputs import Inputs
from volcli.execution.walking.sites import works_on_memory


@dataclass(frozen=True)
class Version:
    """A `function` of `module`, whose arguments are called `names`, without %."""

    module: ModuleOp
    function: Operation
    names: Sequence[str]
    _codes: dict[tuple[bool, bool], Codes] = field(
        default_factory=dict[tuple[bool, bool], Codes], repr=False, compare=False
    )

    def codes(self, options: Options) -> Codes:
        """What the function was compiled to: an execution of an instance leaves it."""
        return self._codes.setdefault((options.symbolic, options.demands), {})

    @cached_property
    def walks(self) -> bool:
        """Whether it works on memory, of which elements can be walked back to what wrote them."""
        return works_on_memory(self.function)

    @property
    def kinds(self) -> list[Attribute]:
        """The types of its arguments."""
        return [argument.type for argument in self.function.regions[0].blocks[0].args]

    @property
    def results(self) -> Sequence[Attribute]:
        """The types of its results."""
        return self.function.properties["function_type"].outputs.data  # type: ignore[attr-defined]


@dataclass(frozen=True)
class Discrepancy:
    """What differs in the execution of `inputs`, in the names of the first version.

    `output` is "result 0" or "argument %m", "definedness", "lifetimes" or "races" where the second version
    is undefined and the first is not, or "loops" where only the first one ends. `element` is the one of the
    output that alone was computed; None: all were.
    """

    output: str
    text: str
    inputs: Inputs
    element: tuple[int, ...] | None = None


@dataclass(frozen=True)
class Instance:
    """What came of executing both versions: the `discrepancies`, and the `steps` of it.

    `elements` were compared one by one, until a limit that `obstacle` says; without places all were.
    """

    inputs: Inputs
    discrepancies: tuple[Discrepancy, ...]
    steps: int
    is_defined: bool = True
    elements: int = 0
    obstacle: str | None = None


class Unlike(Exception):
    """The execution of an instance cannot be compared, and so of all others.

    `is_large` where it needs more steps or memory than a trial may use.
    """

    def __init__(self, why: str, *, is_large: bool = False) -> None:
        super().__init__(why)
        self.is_large = is_large
