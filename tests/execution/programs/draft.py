"""A program while it is written: its lines, and the values that are in scope with their sizes."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from tests.execution.programs.support import FLOATS, INTEGERS, Support, literal

DEEPEST = 3


@dataclass(frozen=True)
class Value:
    """An SSA value; `sizes` (None: a scalar) are those that it has when the program runs.

    `root` says of a memref which allocation it is in, by number, and how deep that is: 0 is constant.
    """

    name: str
    type: str
    element: str
    sizes: tuple[int, ...] | None = None
    root: tuple[int, int] = (0, 0)

    @property
    def kind(self) -> str:
        """`memref`, `tensor`, `vector` or `scalar`."""
        return "scalar" if self.sizes is None else self.type.partition("<")[0]

    @property
    def shape(self) -> tuple[int, ...]:
        """Its sizes; of a scalar none."""
        return self.sizes or ()

    @property
    def is_plain(self) -> bool:
        """Whether a memref has the layout of its sizes."""
        return "strided" not in self.type


@dataclass(frozen=True)
class Form:
    """What scalars are made to: `Form("vector<2x3x{}>", (2, 3)).of("i8")` is `vector<2x3xi8>`."""

    text: str = "{}"
    sizes: tuple[int, ...] | None = None

    def of(self, element: str) -> str:
        """The type with this ELEMENT."""
        return self.text.format(element)


SCALAR = Form()


@dataclass(frozen=True)
class Module:
    """The functions of a program, and the operations that call it."""

    name: str
    functions: Sequence[str]
    support: Support
    calls: Sequence[str]


Step = Callable[["Draft"], None]


class Draft:
    """One function, step by step. `pure` is the depth from which on memory may be written, in parallel loops."""

    def __init__(self, seed: str, name: str) -> None:
        self.chance = random.Random(seed)
        self.name = name
        self.support = Support()
        self.functions: list[str] = []
        self.scopes: list[list[Value]] = [[]]
        self.pure = 0
        self.roots = 0
        self.ended: set[int] = set()
        self.is_scalar = False
        self._lines: list[str] = []
        self._parameters: list[tuple[Value, str]] = []
        self._count = 0
        self._steps = 0

    # -- text ------------------------------------------------------------------------------------------

    def line(self, text: str) -> None:
        """Add a line."""
        self._lines.append("  " * len(self.scopes) + text)

    def fresh(self) -> str:
        """A name that no value has."""
        self._count += 1
        return f"%v{self._count}"

    def let(self, text: str, type: str, element: str = "", sizes: Sequence[int] | None = None) -> Value:
        """`%v = TEXT`, a value of this type that the next steps may use."""
        return self.add(Value(self.defined(text), type, element or type, _sizes(sizes)))

    def defined(self, text: str) -> str:
        """`%v = TEXT`, of which only the caller knows."""
        name = self.fresh()
        self.line(f"{name} = {text}")
        return name

    def add(self, value: Value) -> Value:
        """VALUE is in scope from now on."""
        self.scopes[-1].append(value)
        return value

    @contextmanager
    def region(self, *arguments: Value) -> Generator[None]:
        """A region with ARGUMENTS: what is defined in it ends with it."""
        self.scopes.append(list(arguments))
        yield
        self.scopes.pop()

    @contextmanager
    def apart(self) -> Generator[list[str]]:
        """The lines that are written meanwhile, which the caller puts where they belong."""
        before, self._lines = self._lines, []
        yield self._lines
        self._lines = before

    def put(self, lines: Sequence[str]) -> None:
        """Add LINES as they are."""
        self._lines += lines

    @contextmanager
    def parallel(self) -> Generator[None]:
        """No memory from outside is written."""
        before, self.pure = self.pure, len(self.scopes)
        yield
        self.pure = before

    # -- steps -----------------------------------------------------------------------------------------

    def perform(self, step: Step) -> None:
        """One step, unless there were too many."""
        self._steps += 1
        step(self)

    def step(self) -> None:
        """A random one."""
        from tests.execution.programs.steps import FLAT, STEPS

        is_flat = len(self.scopes) > DEEPEST or self._steps > 60
        self.perform(self.chance.choice(FLAT if is_flat else STEPS))

    def body(self) -> None:
        """A few steps."""
        for _ in range(self.chance.randint(1, 3)):
            self.step()

    def scalar_body(self) -> None:
        """A few steps on numbers alone."""
        from tests.execution.programs.steps import SCALARS

        before, self.is_scalar = self.is_scalar, True
        for _ in range(self.chance.randint(1, 3)):
            self.perform(self.chance.choice(SCALARS))
        self.is_scalar = before

    # -- values ----------------------------------------------------------------------------------------

    def element(self) -> str:
        """A type of numbers."""
        return self.chance.choice((*INTEGERS, *FLOATS))

    def form(self) -> Form:
        """That of a scalar mostly, or a tensor's or a vector's."""
        if self.is_scalar or self.chance.random() < 0.7:
            return SCALAR
        sizes = tuple(self.chance.randint(1, 3) for _ in range(self.chance.randint(1, 2)))
        kind = self.chance.choice(("vector", "tensor"))
        return Form(f"{kind}<{'x'.join(map(str, sizes))}x{{}}>", sizes)

    def found(self, wanted: Callable[[Value], bool]) -> Value | None:
        """A value in scope, the last ones more often."""
        values = [value for scope in self.scopes for value in scope if wanted(value)]
        return self.chance.choice(values[-6:]) if values else None

    def value(self, form: Form, element: str) -> Value:
        """A value of the type: one in scope, an argument of the function, or a constant."""
        kind = form.of(element)
        found = self.found(lambda value: value.type == kind) if self.chance.random() < 0.8 else None
        return found or (self.argument(element) if form is SCALAR else self.numbers(form, element))

    def scalar(self, element: str) -> Value:
        """The same of a scalar."""
        return self.value(SCALAR, element)

    def argument(self, element: str) -> Value:
        """A number that the caller passes."""
        value = Value(f"%a{len(self._parameters)}", element, element)
        self._parameters.append((value, literal(element, self.chance)))
        self.scopes[0].append(value)
        return value

    def numbers(self, form: Form, element: str) -> Value:
        """A tensor or vector of constants."""
        assert form.sizes is not None
        text = _nested(form.sizes, element, self.chance)
        kind = form.of(element)
        return self.let(f"arith.constant dense<{text}> : {kind}", kind, element, form.sizes)

    def constant(self, number: int, element: str = "index") -> str:
        """The name of a constant."""
        if element == "i1":
            return self.defined(f"arith.constant {'true' if number else 'false'}")
        if element in FLOATS:
            return self.defined(f"arith.constant {float(number)} : {element}")
        return self.defined(f"arith.constant {number} : {element}")

    def splat(self, form: Form, element: str, number: str) -> str:
        """NUMBER in every element."""
        if form is SCALAR:
            return self.defined(_constant(number, element))
        return self.defined(f"arith.constant dense<{number}> : {form.of(element)}")

    def index(self, size: int) -> str:
        """An index below SIZE."""
        if self.chance.random() < 0.3:
            return self.constant(self.chance.randrange(size))
        return self.defined(f"arith.remui {self.scalar('index').name}, {self.constant(size)} : index")

    def dimension(self, size: int) -> str:
        """An index below SIZE that affine takes for a dimension wherever this is."""
        return self.index(size) if len(self.scopes) == 1 else self.constant(self.chance.randrange(size))

    def indices(self, sizes: Sequence[int]) -> str:
        """An index for each of SIZES, joined by commas."""
        return ", ".join([self.index(size) for size in sizes])

    def lines(self) -> list[str]:
        """What is written so far."""
        return self._lines

    def constants(self) -> list[str]:
        """The arguments as constants instead."""
        return [f"{value.name} = {_constant(number, value.type)}" for value, number in self._parameters]

    # -- the end ---------------------------------------------------------------------------------------

    def finished(self) -> Module:
        """The function, which at its end shows what is in scope."""
        for value in self.scopes[0]:
            if value.root[0] not in self.ended or value.kind != "memref":
                self.show(value)
        self.line("return")
        arguments = ", ".join(f"{value.name}: {value.type}" for value, _ in self._parameters)
        text = "\n".join([f"func.func @{self.name}({arguments}) {{", *self._lines, "}"])
        names = [f"%{self.name}_{k}" for k in range(len(self._parameters))]
        given = zip(names, self._parameters, strict=True)
        calls = [f"{name} = {_constant(number, value.type)}" for name, (value, number) in given]
        kinds = ", ".join(value.type for value, _ in self._parameters)
        calls.append(f"func.call @{self.name}({', '.join(names)}) : ({kinds}) -> ()")
        return Module(self.name, [*self.functions, text], self.support, calls)

    def show(self, value: Value) -> None:
        """Print all bits of VALUE."""
        if value.kind == "vector":
            self._show_vector(value)
            return
        name, kind = value.name, value.type
        if value.sizes is not None:
            kind = self.support.shown_type(value.kind, len(value.sizes), value.element)
            if kind != value.type:
                name = self.defined(f"{value.kind}.cast {value.name} : {value.type} to {kind}")
        shower = self.support.shower(value.kind, len(value.shape), value.element)
        self.line(f"func.call @{shower}({name}) : ({kind}) -> ()")

    def _show_vector(self, value: Value) -> None:
        assert value.sizes is not None
        for at in _places(value.sizes):
            of = f"{value.name}[{', '.join(map(str, at))}] : {value.element} from {value.type}"
            name = self.defined(f"vector.extract {of}")
            self.show(Value(name, value.element, value.element))


def _constant(number: str, element: str) -> str:
    return f"arith.constant {number}" + (f" : {element}" if element != "i1" else "")


def _sizes(sizes: Sequence[int] | None) -> tuple[int, ...] | None:
    return None if sizes is None else tuple(sizes)


def _places(sizes: Sequence[int]) -> list[tuple[int, ...]]:
    found: list[tuple[int, ...]] = [()]
    for size in sizes:
        found = [(*at, i) for at in found for i in range(size)]
    return found


def _nested(sizes: Sequence[int], element: str, chance: random.Random) -> str:
    if not sizes:
        return re.sub(" :.*", "", literal(element, chance))
    return f"[{', '.join(_nested(sizes[1:], element, chance) for _ in range(sizes[0]))}]"
