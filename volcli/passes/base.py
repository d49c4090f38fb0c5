"""What a pass is: a frozen dataclass of options that reads (or rewrites) a unit and leaves facts about it."""

from __future__ import annotations

import dataclasses
import typing
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache, partial
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from volcli import internal

if TYPE_CHECKING:  # `volcli passes --help` must not import xDSL
    from xdsl.ir import Operation

    from volcli.diagnostics import Diagnostic
    from volcli.facts.fact import Fact, Key, Where
    from volcli.frontend.parse.parser import ParsedModule
    from volcli.model.function import FunctionModel
    from volcli.model.memory.checks.callers import Callers
    from volcli.model.memory.flow.summaries import Summaries
    from volcli.model.values.assumptions import Assumption
    from volcli.presburger.conditions import Condition

T = TypeVar("T")

_REPORT_TO = "please report it to the authors of {}, with the input; --traceback shows where"


@dataclass
class Unit:
    """One chunk of one file, parsed, with what the passes that ran so far have said about it.

    `rewritten` says that some pass changed the IR: then the output is printed anew, and is not the user's
    text with annotations. `failed` says that a pass gave up: then nothing is printed, as by mlir-opt.
    `assume` are conditions on arguments that hold.
    """

    parsed: ParsedModule
    diagnostics: list[Diagnostic] = field(default_factory=list["Diagnostic"])
    facts: list[Fact] = field(default_factory=list["Fact"])
    rewritten: bool = False
    failed: bool = False
    budget: int | None = None
    assume: tuple[Condition, ...] = ()
    _models: list[FunctionModel] | None = None
    _called: Summaries | None = None
    _calling: Callers | None = None
    _current: Operation | None = None
    _operations: list[Operation] = field(default_factory=list["Operation"])
    _numbers: dict[Operation, int] = field(default_factory=dict["Operation", int])
    _lost: set[Operation] = field(default_factory=set["Operation"])
    _only: Operation | None = None
    _done: set[str] = field(default_factory=set[str])

    def models(self) -> list[FunctionModel]:
        """The functions of this unit, with what earlier passes have derived of them."""

        def note(model: FunctionModel | None) -> None:
            self._current = None if model is None else model.function
            internal.look_at(self._current)

        return _Visited([model for model in self._all_models() if self._is_shown(model.function)], note)

    def _is_shown(self, function: Operation) -> bool:
        return function not in self._lost and self._only in (None, function)

    def _all_models(self) -> list[FunctionModel]:
        from volcli.model.function import functions

        if self._models is None:
            self._models = [
                self._model(op, partial(self._structured, op)) for op in functions(self.parsed.module)
            ]
        return self._models

    def _model(self, function: Operation, structured: Callable[[], FunctionModel | None]) -> FunctionModel:
        from volcli.model.function import FunctionModel
        from volcli.presburger.budget import DEFAULT_OPERATIONS

        name_of, operations = self.parsed.names.of, self.budget or DEFAULT_OPERATIONS
        given = self._given(function)
        return FunctionModel(
            function,
            name_of,
            given,
            operations,
            structured=structured,
            calls=self._summaries,
            callers=self._callers,
        )

    def _callers(self) -> Callers:
        """What is passed to the functions of this unit."""
        from volcli.model.memory.checks.callers import Callers

        if self._calling is None:
            self._calling = Callers(self.parsed.module)
        return self._calling

    def _summaries(self) -> Summaries:
        """What the functions of this unit do to memory where they are called."""
        from volcli.model.memory.flow.summaries import Summaries
        from volcli.presburger.budget import DEFAULT_OPERATIONS

        if self._called is None:
            self._called = Summaries(self.parsed.names.of, self.budget or DEFAULT_OPERATIONS)
        return self._called

    def _structured(self, function: Operation) -> FunctionModel | None:
        """The model of a copy of FUNCTION with loops and branches in regions for those between blocks."""
        if not any(len(region.blocks) > 1 for region in function.regions):
            return None
        from volcli.model.structured.structure import structured

        made = structured(function, self.parsed.context.get_op)
        if made is None:
            return None
        self.parsed.stand_for(made.operations, made.values)
        return self._model(made.function, lambda: None)

    def where(self, model: FunctionModel, op: Operation) -> Where:
        """What a fact says of OP, an operation of MODEL's function, instead of OP itself."""
        from volcli.facts.fact import Where
        from volcli.language.interface import operation_name

        op = self.parsed.original(op)
        if op not in self._numbers:
            self._numbers[op] = len(self._operations)
            self._operations.append(op)
        return Where(model.name, operation_name(op), self.parsed.written_at(op), self._numbers[op])

    def operation(self, where: Where) -> Operation | None:
        """The operation that a fact of this unit is about; None if it says nothing of one."""
        return None if where.operation is None else self._operations[where.operation]

    def _given(self, function: Operation) -> Sequence[Assumption]:
        """What is assumed of FUNCTION's arguments."""
        if not self.assume:
            return ()
        from volcli.model.values.assumptions import given

        return given(function, self.parsed.names.of, self.assume)

    def suppose(self, conditions: Iterable[Condition]) -> None:
        """CONDITIONS on arguments hold; nothing that was derived without them is kept."""
        self.assume = (*self.assume, *conditions)
        self._models = self._called = self._calling = None
        self._done.clear()

    def run(self, each: Pass) -> None:
        """Apply a pass; an exception costs the answers about one function, which the pass is not shown again.

        A pass that only reads and has said all that it has to say of the program as it is, is not applied
        again. Raises UsageError where the pass cannot be carried out as it was asked for.
        """
        from volcli.diagnostics import UsageError

        name = str(each)
        if name in self._done:
            return
        self._done.add(name)  # a pass that rewrites forgets it
        internal.look_at(None)
        self._current, self._lost = None, set()
        facts, said = len(self.facts), len(self.diagnostics)
        while True:
            try:
                each.apply(self)
                break
            except UsageError:
                del self.facts[facts:]
                self._done.discard(name)
                raise
            except Exception as error:
                del self.facts[facts:], self.diagnostics[said:]
                with internal.at(self._current):
                    internal.remember(error, each.name)
                self.failed = self.failed or each.rewrites
                if each.rewrites or self._current is None:
                    break
                self._lost.add(self._current)
        self._lost = set()
        found = self.facts[facts:]
        del self.facts[facts:]
        self.keep(found)
        self.report_internal_errors()

    def keep(self, found: Iterable[Fact]) -> None:
        """Keep the facts that were FOUND together: one of a key that there was before takes its place."""
        numbers: Counter[Key] = Counter()
        known = {fact.key: position for position, fact in enumerate(self.facts)}
        for fact in found:
            key = fact.key
            number = numbers[key]
            numbers[key] += 1
            numbered = dataclasses.replace(fact, number=number) if number else fact
            position = known.get(key._replace(number=number) if number else key)
            if position is None:
                self.facts.append(numbered)
            else:
                self.facts[position] = numbered

    @contextmanager
    def aside(self, function: Operation) -> Generator[None, None, None]:
        """Within the block passes see only FUNCTION, and what they say is forgotten at its end."""
        before = self.facts, self.diagnostics, self._done, self._only
        self.facts, self.diagnostics, self._done, self._only = [], [], set(), function
        try:
            yield
        finally:
            self.facts, self.diagnostics, self._done, self._only = before

    def report_internal_errors(self) -> None:
        """Say what internal errors there were (V900), each at the operation that it was about."""
        from xdsl.ir import Operation

        from volcli.diagnostics import Diagnostic, Place

        for failure in internal.forget():
            place = failure.at
            if isinstance(place, str):
                place = self._first_of(place)
            if not isinstance(place, Place):
                op = place if isinstance(place, Operation) else self.parsed.module
                place = self.parsed.written_at(op)
            note = None if failure.package is None else _REPORT_TO.format(failure.package)
            diagnostic = Diagnostic("V900", f"unknown: {failure.what}", place, note, trace=failure.trace)
            if diagnostic not in self.diagnostics:
                self.diagnostics.append(diagnostic)

    def _first_of(self, dialect: str) -> Operation | None:
        """The first operation of DIALECT in the text."""
        from volcli.language.interface import operation_name

        named = (op for op in self.parsed.module.walk() if operation_name(op).startswith(f"{dialect}."))
        return next(named, None)

    def rewrote(self) -> None:
        """The IR has changed: it is printed anew, and nothing that was derived of it holds any more."""
        self.rewritten = True
        self._models = self._called = self._calling = None
        self._done.clear()


class _Visited(list[T]):
    """A list that tells NOTE which of its members the loop over it has come to, and None at the end."""

    def __init__(self, members: Iterable[T], note: Callable[[T | None], None]) -> None:
        super().__init__(members)
        self._note = note

    def __iter__(self) -> Iterator[T]:
        for member in super().__iter__():
            self._note(member)
            yield member
        self._note(None)


class Pass(ABC):
    """One analysis or rewriting of a unit. A subclass is a frozen dataclass whose fields are its options.

    The fields are the only place where options are spelled: the pipeline's text, `volcli passes`,
    docs/passes.md and the tests all read them. A field is a bool, an int, a str or a tuple[str, ...], with a
    default:

        @dataclass(frozen=True)
        class InferShapes(Pass):
            name = "infer-shapes"
            summary = "dimensions of results, from those of the operands"
            refine_types: bool = option(False, help="write proved dimensions into the types")

    is `infer-shapes{refine-types}` in a pipeline.
    """

    name: ClassVar[str]
    """The name in pipelines: mlir-opt's where the pass does what mlir-opt's does."""
    summary: ClassVar[str]
    """One line for `volcli passes`; the class's docstring tells the rest."""
    rewrites: ClassVar[bool] = False
    """Whether the pass may change the IR (its options may decide)."""

    @abstractmethod
    def apply(self, unit: Unit) -> None:
        """Append facts and diagnostics to UNIT; a pass that changes the IR also sets `unit.rewritten`."""

    def __str__(self) -> str:
        """This pass as a pipeline spells it, with the options that differ from their defaults."""
        spelled = [o.spell(getattr(self, o.field)) for o in options_of(type(self)) if o.differs(self)]
        return self.name + (f"{{{' '.join(spelled)}}}" if spelled else "")


def option(default: T, *, help: str) -> T:
    """A pass's option: the dataclass field with this default, and one line of help."""
    return field(default=default, metadata={"help": help})


@dataclass(frozen=True)
class Option:
    """An option of a pass, as read from its dataclass field."""

    name: str
    field: str
    kind: str
    default: object
    help: str

    def differs(self, owner: Pass) -> bool:
        """Whether OWNER's value is not the default."""
        return getattr(owner, self.field) != self.default

    def spell(self, value: object) -> str:
        """The option with VALUE as text that the pipeline parser reads back."""
        if self.kind == "bool":
            return self.name if value else f"{self.name}=false"
        if self.kind == "list":
            return f"{self.name}={','.join(_quoted(v) for v in typing.cast(Sequence[str], value))}"
        return f"{self.name}={_quoted(str(value))}"


_KINDS: dict[Any, str] = {bool: "bool", int: "int", str: "str", tuple[str, ...]: "list"}
_PLAIN = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+.%#@$:/*<>!^")


@cache
def options_of(kind: type[Pass]) -> tuple[Option, ...]:
    """The options of the pass KIND, in the order of its fields.

    Raises TypeError if a field is of a type that a pipeline's text cannot express: an error of the pass's
    author, which the tests find.
    """
    if not dataclasses.is_dataclass(kind):
        return ()
    types = typing.get_type_hints(kind)
    found: list[Option] = []
    for each in dataclasses.fields(kind):
        if types[each.name] not in _KINDS:
            raise TypeError(f"{kind.__name__}.{each.name}: an option is bool, int, str or tuple[str, ...]")
        name = each.name.replace("_", "-")
        help = str(each.metadata.get("help", ""))
        found.append(Option(name, each.name, _KINDS[types[each.name]], each.default, help))
    return tuple(found)


def _quoted(text: str) -> str:
    """TEXT, in quotes unless every character is plain; a text with both kinds of quote cannot be spelled."""
    if text and set(text) <= _PLAIN:
        return text
    quote = '"' if '"' not in text else "'"
    return f"{quote}{text}{quote}"
