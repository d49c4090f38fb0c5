"""Small integer programs: one operation on operands in chosen ranges, or a few at random; and their text."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from tests.oracles.arith.execute import BINARY, CASTS, EXTENDED, FLAGS, Step, all_numbers, bits, kind
from tests.oracles.arith.runs import Branch, Loop, Region, Statement
from tests.oracles.interpreter.arithmetic import PREDICATES

COMPARED = "arith.cmpi {predicate}, {operands} : {source}"
SMALL = (1, 3, 4, 8)
INDEX_NAMES: Mapping[str, str] = {
    "addi": "add", "subi": "sub", "muli": "mul", "divsi": "divs", "divui": "divu", "ceildivsi": "ceildivs",
    "ceildivui": "ceildivu", "floordivsi": "floordivs", "remsi": "rems", "remui": "remu", "maxsi": "maxs",
    "maxui": "maxu", "minsi": "mins", "minui": "minu", "shli": "shl", "shrsi": "shrs", "shrui": "shru",
    "andi": "and", "ori": "or", "xori": "xor",
}  # fmt: skip
"""What the index dialect calls the operations of arith."""


@dataclass(frozen=True)
class Program:
    """`func.func @f(arguments) { steps }`; the arguments have so many bits each.

    `domains` are the numbers of arguments that the first `guards` steps let pass: others need not be tried.
    """

    arguments: Mapping[str, int]
    steps: tuple[Statement, ...]
    domains: Mapping[str, range]
    guards: int
    ending: tuple[str, ...] = field(default=())

    @property
    def text(self) -> str:
        arguments = ", ".join(f"{name}: {kind(width)}" for name, width in self.arguments.items())
        lines = [f"  {written(step)}" for step in self.steps]
        return "\n".join([f"func.func @f({arguments}) {{", *lines, *self.ending, "  return", "}", ""])

    @property
    def results(self) -> tuple[str, ...]:
        """What it computes but for constants and guards, inside of branches and loops too, as it is written."""
        return tuple(name for name, _ in _computed(self.steps[self.guards :]))

    def width_of(self, name: str) -> int:
        """The bits of one of its results."""
        return dict(_computed(self.steps))[name]

    def ends(self, *ending: str) -> Program:
        """The same with other text at its end."""
        return replace(self, ending=ending)


def _computed(steps: Sequence[Statement]) -> Iterator[tuple[str, int]]:
    for step in steps:
        match step:
            case Branch():
                yield from _computed((*step.then.steps, *step.otherwise.steps))
                yield from ((name, step.width) for name in step.results)
            case Loop():
                yield step.counter, step.counter_width
                yield from ((name, step.width) for name in step.carried)
                yield from _computed(step.body.steps)
                yield from ((name, step.width) for name in step.results)
            case Step(name="constant"):
                pass
            case Step():
                yield from zip(step.results, step.widths, strict=True)


def written(step: Statement) -> str:
    """STEP as text."""
    if not isinstance(step, Step):
        return _branch(step) if isinstance(step, Branch) else _loop(step)
    results = f"{', '.join(step.results)} = " if step.results else ""
    operands, source, target = ", ".join(step.operands), kind(step.source), kind(step.target)
    match step.name:
        case "constant":
            number = {0: "false", 1: "true"}[step.number] if step.target == 1 else f"{step.number} : {target}"
            return f"{results}arith.constant {number}"
        case "assert":
            return f'cf.assert {operands}, "it holds"'
        case "select":
            return f"{results}arith.select {operands} : {target}"
        case "cmpi" if step.dialect == "index":
            return f"{results}index.cmp {step.predicate}({operands})"
        case "cmpi":
            return f"{results}arith.cmpi {step.predicate}, {operands} : {source}"
        case name if step.dialect == "index":
            return f"{results}index.{INDEX_NAMES[name]} {operands}"
        case "addui_extended":
            return f"{results}arith.addui_extended {operands} : {source}, i1"
        case name if name in CASTS:
            return f"{results}arith.{name} {operands}{_flags(step)} : {source} to {target}"
        case name:
            return f"{results}arith.{name} {operands}{_flags(step)} : {source}"


def _branch(step: Branch) -> str:
    kinds = ", ".join([kind(step.width)] * len(step.results))
    then, otherwise = _region(step.then, kinds), _region(step.otherwise, kinds)
    return f"{', '.join(step.results)} = scf.if {step.condition} -> ({kinds}) {{\n{then} }} else {{\n{otherwise} }}"


def _loop(step: Loop) -> str:
    kinds = ", ".join([kind(step.width)] * len(step.results))
    carried = ", ".join(f"{a} = {b}" for a, b in zip(step.carried, step.initial, strict=True))
    counted = f" : {kind(step.counter_width)}" if step.counter_width else ""
    return (
        f"{', '.join(step.results)} = scf.for {step.counter} = {step.low} to {step.high} step {step.step} "
        f"iter_args({carried}) -> ({kinds}){counted} {{\n{_region(step.body, kinds)} }}"
    )


def _region(region: Region, kinds: str) -> str:
    lines = [written(each) for each in region.steps]
    return "\n".join(f"    {each}" for each in [*lines, f"scf.yield {', '.join(region.yields)} : {kinds}"])


def _flags(step: Step) -> str:
    if not step.flags:
        return ""
    return " exact" if step.flags == ("exact",) else f" overflow<{', '.join(step.flags)}>"


class Writer:
    """Writes the steps of a program one after the other."""

    def __init__(self, **arguments: int) -> None:
        self.arguments = {f"%{name}": width for name, width in arguments.items()}
        self.widths = dict(self.arguments)
        self.domains = {name: all_numbers(bits(width)) for name, width in self.arguments.items()}
        self.steps: list[Statement] = []
        self.guards = 0
        self._made = 0

    def add(self, name: str, *operands: str, target: int | None = None, **others: object) -> str:
        """The step NAME of OPERANDS, which is added; its first result."""
        source = self.widths[operands[-1]] if operands else 0
        target = source if target is None else target
        self._made += 1
        results = tuple(f"%r{self._made}{letter}" for letter in ("ab" if name in EXTENDED else "a"))
        step = Step(results, name, operands, source, target)
        self.steps.append(replace(step, **others))
        self.widths.update(zip(results, step.widths, strict=True))
        return results[0]

    def constant(self, number: int, width: int) -> str:
        """arith.constant."""
        return self.add("constant", target=width, number=number)

    def within(self, value: str, low: int, high: int) -> None:
        """It is asserted that LOW <= VALUE <= HIGH, of an argument."""
        self.domains[value] = range(low, high + 1)
        for predicate, end in (("sge", low), ("sle", high)):
            holds = self.add(
                "cmpi", value, self.constant(end, self.widths[value]), target=1, predicate=predicate
            )
            self.steps.append(Step((), "assert", (holds,), 1, 0))
        self.guards = len(self.steps)

    def region(self, write: Callable[[], Sequence[str]]) -> Region:
        """The steps that WRITE adds, which gives what they yield; their values end with it."""
        around, widths = self.steps, dict(self.widths)
        self.steps = []
        yields = tuple(write())
        found, self.steps, self.widths = Region(tuple(self.steps), yields), around, widths
        return found

    def branch(
        self, condition: str, then: Callable[[], str], otherwise: Callable[[], str], width: int
    ) -> str:
        """scf.if of CONDITION; its result, of WIDTH bits."""
        self._made += 1
        result = f"%r{self._made}i"
        regions = [self.region(lambda write=write: (write(),)) for write in (then, otherwise)]
        self.steps.append(Branch((result,), condition, regions[0], regions[1], width))
        self.widths[result] = width
        return result

    def loop(self, bounds: tuple[str, str, str], initial: str, body: Callable[[str, str], str]) -> str:
        """scf.for from one bound to another by a step, with a value that is carried; the last one."""
        self._made += 1
        counter, carried, result = (f"%{letter}{self._made}" for letter in "kxr")
        around = dict(self.widths)
        counted, width = self.widths[bounds[0]], self.widths[initial]
        self.widths |= {counter: counted, carried: width}
        region = self.region(lambda: (body(counter, carried),))
        self.widths = {**around, result: width}
        self.steps.append(Loop((result,), counter, *bounds, (carried,), (initial,), region, width, counted))
        return result

    def program(self) -> Program:
        """What was written."""
        return Program(self.arguments, tuple(self.steps), self.domains, self.guards)


# -- a few operations at random -------------------------------------------------------------------------


def compositions(seed: str, most: int = 3) -> Program:
    """Up to MOST random operations on two arguments of at most 4 bits, or of 8 in narrow ranges.

    What they are extended to may have more bits, but not 64: arithmetic on these is taken not to overflow.
    """
    chance = random.Random(seed)
    width = chance.choice((1, 3, 4, 4, 8))
    writer = Writer(a=width, b=width)
    for value in ("%a", "%b"):
        if width > 1 and chance.random() < (1.0 if width == 8 else 0.3):
            low = chance.choice((-(2 ** (width - 1)), -2, 0, 1, 2 ** (width - 1) - 4))
            writer.within(value, low, min(low + chance.randint(0, 3), 2 ** (width - 1) - 1))
    widths = chance.choice((SMALL, SMALL, (*SMALL, 33, 65, 128)))
    for _ in range(chance.randint(2, most)):
        any_operation(writer, chance, widths)
    return writer.program()


def any_operation(writer: Writer, chance: random.Random, widths: Sequence[int] = SMALL) -> None:
    """One more operation, on values that there are, or on a constant."""
    values = [name for name in writer.widths if writer.widths[name] in widths]
    left = chance.choice(values[-4:])
    width = writer.widths[left]
    right = chance.choice([each for each in values if writer.widths[each] == width])
    if chance.random() < 0.25:
        right = writer.constant(chance.choice(_numbers(width)), width)
    truths = [each for each in values if writer.widths[each] == 1]
    match chance.choice(
        ("binary", "binary", "binary", "cast", "cmpi", "select", "extended", "assert", "branch")
    ):
        case "cast":
            target = chance.choice(widths)
            names = _casts_between(width, target)
            if names:
                name = chance.choice(names)
                writer.add(name, left, target=target, flags=chance.choice(FLAGS.get(name, ((),))))
        case "cmpi":
            writer.add("cmpi", left, right, target=1, predicate=chance.choice(list(PREDICATES)))
        case "select" if truths:
            writer.add("select", chance.choice(truths), left, right)
        case "branch" if truths:
            name = chance.choice(BINARY)
            flags = chance.choice(FLAGS.get(name, ((),)))
            inside = partial(writer.add, name, left, right, flags=flags)
            writer.branch(chance.choice(truths), inside, lambda: right, width)
        case "extended" if width:
            writer.add(chance.choice(EXTENDED), left, right)
        case "assert" if truths:
            writer.steps.append(Step((), "assert", (chance.choice(truths),), 1, 0))
        case _:
            name = chance.choice(BINARY)
            flags = chance.choice(FLAGS.get(name, ((),)))
            dialect = chance.choice(("arith", "index")) if not width else "arith"
            writer.add(name, left, right, flags=flags if dialect == "arith" else (), dialect=dialect)


def _numbers(width: int) -> Sequence[int]:
    """Constants of WIDTH that are worth to be tried."""
    if width == 1:
        return (0, 1)
    half: int = 2 ** (bits(width) - 1)
    return (-half, -1, 0, 1, min(3, half - 1), min(6, half - 1), half - 1)


def _casts_between(source: int, target: int) -> Sequence[str]:
    if source == target:
        return ()
    if 0 in (source, target):
        return ("index_cast", "index_castui")
    return ("extsi", "extui") if target > source else ("trunci",)


WIDTHS = (1, 3, 8, 8, 16, 32, 33, 64, 65, 128, 0, 0)


def of_all_widths(seed: str, most: int = 20) -> Program:
    """A function of up to MOST operations on integers of all widths; some of narrow ones alone."""
    chance = random.Random(seed)
    widths = chance.choice((WIDTHS, WIDTHS, (1, 8, 0), (8, 4, 0), (32, 64, 0)))
    first, second = chance.choice(widths), chance.choice(widths)
    writer = Writer(a=first, b=first, c=second)
    count = chance.randint(3, most - 2)
    while len(writer.steps) < count:
        any_operation(writer, chance, widths)
    narrow = [name for name, width in writer.widths.items() if width > 1 and name not in writer.arguments]
    if narrow:
        writer.add(chance.choice(("index_cast", "index_castui")), narrow[-1], target=0)
    return writer.program()
