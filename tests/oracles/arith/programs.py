"""Small integer programs: one operation on operands in chosen ranges, or a few at random; and their text."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from tests.oracles.arith.execute import BINARY, CASTS, EXTENDED, FLAGS, Step, all_numbers, bits, kind
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
    steps: tuple[Step, ...]
    domains: Mapping[str, range]
    guards: int
    ending: tuple[str, ...] = field(default=())

    @property
    def text(self) -> str:
        arguments = ", ".join(f"{name}: {kind(width)}" for name, width in self.arguments.items())
        lines = [f"  {written(step)}" for step in self.steps]
        return "\n".join([f"func.func @f({arguments}) {{", *lines, *self.ending, "  return", "}", ""])

    def ends(self, *ending: str) -> Program:
        """The same with other text at its end."""
        return replace(self, ending=ending)


def written(step: Step) -> str:
    """STEP as text."""
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
        case "if":
            (chosen, *both), inner = step.operands, f"{step.results[0]}_inner"
            inside = written(
                Step((inner,), step.predicate, tuple(both), step.source, step.target, step.flags)
            )
            yielded = [f"scf.yield {each} : {target}" for each in (inner, both[1])]
            return f"{results}scf.if {chosen} -> ({target}) {{ {inside}\n {yielded[0]} }} else {{ {yielded[1]} }}"
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
        self.steps: list[Step] = []
        self.guards = 0

    def add(self, name: str, *operands: str, target: int | None = None, **others: object) -> str:
        """The step NAME of OPERANDS, which is added; its first result."""
        source = self.widths[operands[-1]] if operands else 0
        target = source if target is None else target
        widths = (
            (target, 1) if name == "addui_extended" else (target, target) if name in EXTENDED else (target,)
        )
        results = tuple(f"%r{len(self.steps)}{'abc'[k]}" for k in range(len(widths)))
        step = Step(results, name, operands, source, target)
        self.steps.append(replace(step, **others))
        self.widths.update(zip(results, widths, strict=True))
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

    def program(self) -> Program:
        """What was written."""
        return Program(self.arguments, tuple(self.steps), self.domains, self.guards)


# -- one operation --------------------------------------------------------------------------------------

RANGES: Mapping[int, Sequence[tuple[int, int] | None]] = {
    1: (None,),
    4: (None, (-8, -8), (-8, -6), (-1, 1), (0, 7), (2, 5), (-5, -2)),
    8: (None, (-128, -128), (-128, -126), (-1, 1), (100, 127), (0, 9), (3, 6), (-7, -3)),
}
CONSTANTS: Mapping[int, Sequence[int]] = {
    1: (0, 1),
    4: (-8, -1, 0, 1, 3, 7),
    8: (-128, -2, -1, 0, 1, 5, 8, 127),
}


def single_operations(width: int) -> Iterator[Program]:
    """Each operation of two operands of WIDTH bits, in all ranges, with constants, and of one value."""
    for name in BINARY:
        for flags in FLAGS.get(name, ((),)):
            yield from _with_operands(width, name, flags=flags)
    for predicate in PREDICATES:
        yield from _with_operands(width, "cmpi", target=1, predicate=predicate)
    for name in EXTENDED:
        yield from _with_operands(width, name)


def _with_operands(width: int, name: str, **others: object) -> Iterator[Program]:
    for left in RANGES[width]:
        for right in RANGES[width]:
            writer = Writer(a=width, b=width)
            for value, ends in (("%a", left), ("%b", right)):
                if ends is not None:
                    writer.within(value, *ends)
            writer.add(name, "%a", "%b", **others)
            yield writer.program()
        for number in CONSTANTS[width]:
            for swapped in (False, True):
                writer = Writer(a=width)
                if left is not None:
                    writer.within("%a", *left)
                operands = ("%a", writer.constant(number, width))
                writer.add(name, *(reversed(operands) if swapped else operands), **others)
                yield writer.program()
        writer = Writer(a=width)
        if left is not None:
            writer.within("%a", *left)
        writer.add(name, "%a", "%a", **others)
        yield writer.program()


def casts() -> Iterator[Program]:
    """Each cast between two widths, of all numbers and of those in a range."""
    for source in (1, 3, 4, 8):
        for target in (1, 3, 4, 8, 33, 64, 65, 128, 0):
            names = (
                ("index_cast", "index_castui")
                if target == 0
                else ("extsi", "extui")
                if target > source
                else ()
            )
            names = ("trunci",) if 0 < target < source else names
            for name in names:
                for flags in FLAGS.get(name, ((),)):
                    for ends in (None, (-2, 1), (0, 3)) if source > 1 else (None,):
                        writer = Writer(a=source)
                        if ends is not None:
                            writer.within("%a", *ends)
                        wide = writer.add(name, "%a", target=target, flags=flags)
                        if target > source and source > 1:
                            writer.add("trunci", wide, target=source - 1)
                        yield writer.program()
    for back in ("index_cast", "index_castui"):
        writer = Writer(a=8)
        writer.add(back, writer.add("index_cast", "%a", target=0), target=4)
        yield writer.program()


def index_operations() -> Iterator[Program]:
    """Each operation of the index dialect on two indices of four bits."""
    for there in ("index_cast", "index_castui"):
        for name in (*BINARY, "cmpi"):
            for predicate in PREDICATES if name == "cmpi" else ("",):
                writer = Writer(a=4, b=4)
                operands = [writer.add(there, value, target=0) for value in ("%a", "%b")]
                others = {"predicate": predicate, "target": 1} if predicate else {}
                writer.add(name, *operands, dialect="index", **others)
                yield writer.program()


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
            writer.add("if", chance.choice(truths), left, right, predicate=name, flags=flags)
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
