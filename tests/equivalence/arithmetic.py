"""Random functions of three i8 and what they are worth, in plain Python; mutants, and equal versions, of them.

None stands for poison. What divides by zero is undefined: the evaluation raises ZeroDivisionError.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

WIDTH = 8
SIZE = 1 << WIDTH
LEAST = -(SIZE >> 1)
PREDICATES = ("eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge")
BINARY = ("addi", "subi", "muli", "andi", "ori", "xori", "shli", "shrui", "shrsi", "maxsi", "minsi", "maxui",
          "minui", "divui", "divsi", "remui", "remsi")  # fmt: skip
VALUES = (0, 1, 2, 3, 7, 8, 100, 127, 128, 129, 254, 255)


@dataclass(frozen=True)
class Step:
    """`name` of operands, which are arguments (0 to 2), or steps (3 and more); or the constant `number`."""

    name: str
    operands: tuple[int, ...] = ()
    number: int = 0
    predicate: str = ""
    flags: frozenset[str] = frozenset()


Function = tuple[Step, ...]


def signed(a: int) -> int:
    return a - SIZE if a >= SIZE >> 1 else a


def _quotient(a: int, b: int) -> int:
    found = abs(a) // abs(b)
    return found if (a < 0) == (b < 0) else -found


_RAW: Mapping[str, Callable[[int, int], int]] = {
    "addi": lambda a, b: a + b, "subi": lambda a, b: a - b, "muli": lambda a, b: a * b,
    "andi": lambda a, b: a & b, "ori": lambda a, b: a | b, "xori": lambda a, b: a ^ b,
    "maxui": max, "minui": min, "divui": lambda a, b: a // b, "remui": lambda a, b: a % b,
    "maxsi": lambda a, b: max(a, b, key=signed), "minsi": lambda a, b: min(a, b, key=signed),
    "divsi": lambda a, b: _quotient(signed(a), signed(b)),
    "remsi": lambda a, b: signed(a) - signed(b) * _quotient(signed(a), signed(b)),
    "shli": lambda a, b: a << b, "shrui": lambda a, b: a >> b, "shrsi": lambda a, b: signed(a) >> b,
}  # fmt: skip


def _binary(step: Step, a: int, b: int) -> int | None:
    if step.name.startswith("sh") and b >= WIDTH:
        return None
    if step.name in ("divsi", "remsi") and (signed(a), signed(b)) == (LEAST, -1):
        raise ZeroDivisionError
    found = _RAW[step.name](a, b)
    if "nuw" in step.flags and not 0 <= found < SIZE:
        return None
    if "nsw" in step.flags and not LEAST <= _RAW[step.name](signed(a), signed(b)) < -LEAST:
        return None
    return found % SIZE


def _compared(predicate: str, a: int, b: int) -> int:
    if predicate[0] == "s":
        a, b = signed(a), signed(b)
    kind = predicate.removeprefix("s").removeprefix("u") if predicate not in ("eq", "ne") else predicate
    return int({"eq": a == b, "ne": a != b, "lt": a < b, "le": a <= b, "gt": a > b, "ge": a >= b}[kind])


def evaluated(function: Function, arguments: tuple[int, int, int]) -> int | None:
    """The value of the last step."""
    values: list[int | None] = [*arguments]
    for step in function:
        operands = [values[k] for k in step.operands]
        if step.name == "constant":
            values.append(step.number % SIZE)
        elif step.name == "choose":  # of a comparison of the first two
            one, other, yes, no = operands
            chosen = (
                None if one is None or other is None else (no, yes)[_compared(step.predicate, one, other)]
            )
            values.append(chosen)
        elif step.name.startswith("div") or step.name.startswith("rem"):
            one, other = operands
            if other is None:
                raise ZeroDivisionError
            values.append(None if one is None and other else _binary(step, one or 0, other))
        elif None in operands:
            values.append(None)
        else:
            values.append(_binary(step, *(each for each in operands if each is not None)))
    return values[-1]


def text(function: Function) -> str:
    """The function in MLIR."""
    names, lines = ["%a", "%b", "%c"], list[str]()
    for k, step in enumerate(function):
        operands = ", ".join(names[o] for o in step.operands)
        names.append(f"%{k}")
        if step.name == "constant":
            lines.append(f"%{k} = arith.constant {signed(step.number % SIZE)} : i8")
        elif step.name == "choose":
            one, other, yes, no = (names[o] for o in step.operands)
            lines.append(f"%p{k} = arith.cmpi {step.predicate}, {one}, {other} : i8")
            lines.append(f"%{k} = arith.select %p{k}, {yes}, {no} : i8")
        else:
            flags = f" overflow<{', '.join(sorted(step.flags))}>" if step.flags else ""
            lines.append(f"%{k} = arith.{step.name} {operands}{flags} : i8")
    body = "\n  ".join(lines)
    return f"func.func @f(%a: i8, %b: i8, %c: i8) -> i8 {{\n  {body}\n  return {names[-1]} : i8\n}}\n"


def drawn(seed: int, length: int = 5, *, divides: bool = False) -> Function:
    """A function of about LENGTH steps, whose last one uses the one before."""
    chance = random.Random(seed)
    names = [n for n in BINARY if divides or not n.startswith(("div", "rem"))]
    steps: list[Step] = []
    for _ in range(length):
        known = 3 + len(steps)
        pick = [chance.randrange(known) for _ in range(4)]
        pick[chance.randrange(2)] = known - 1
        kind = chance.random()
        if kind < 0.2:
            steps.append(Step("constant", number=chance.choice(VALUES)))
        elif kind < 0.35:
            steps.append(Step("choose", tuple(pick), predicate=chance.choice(PREDICATES)))
        else:
            name = chance.choice(names)
            can_overflow = name in ("addi", "subi", "muli") and chance.random() < 0.2
            flags = frozenset([chance.choice(("nsw", "nuw"))]) if can_overflow else frozenset[str]()
            steps.append(Step(name, tuple(pick[:2]), flags=flags))
    if steps[-1].name == "constant":
        steps.append(Step("addi", (len(steps) + 2, 0)))
    return tuple(steps)


def mutant(function: Function, seed: int) -> Function:
    """FUNCTION with one step that states something else."""
    chance = random.Random(seed)
    steps = list(function)
    k = chance.randrange(len(steps))
    step = steps[k]
    if step.name == "constant":
        steps[k] = replace(step, number=step.number + chance.choice((1, -1, 128)))
    elif step.name == "choose":
        other = chance.choice([p for p in PREDICATES if p != step.predicate])
        one, two, yes, no = step.operands
        swapped = replace(step, operands=(one, two, no, yes))
        steps[k] = chance.choice((replace(step, predicate=other), swapped))
    else:
        other = chance.choice([n for n in BINARY[:13] if n != step.name])
        choices = [replace(step, operands=step.operands[::-1]), replace(step, name=other, flags=frozenset())]
        if step.name in ("addi", "subi", "muli"):
            choices.append(replace(step, flags=step.flags ^ {"nsw"}))
        steps[k] = chance.choice(choices)
    return tuple(steps)


def rewritten(function: Function, seed: int) -> Function:
    """FUNCTION with steps that are computed in another way."""
    chance = random.Random(seed)
    steps: list[Step] = []
    new = [0, 1, 2]
    for step in function:
        operands = tuple(new[o] for o in step.operands)
        step = replace(step, operands=operands)
        if step.name in ("addi", "muli", "andi", "ori", "xori", "maxsi") and chance.random() < 0.5:
            step = replace(step, operands=operands[::-1])
        if step.name == "subi" and not step.flags and chance.random() < 0.7:
            steps.append(Step("constant", number=0))
            steps.append(Step("subi", (2 + len(steps), operands[1])))
            step = Step("addi", (2 + len(steps), operands[0]))
        elif step.name == "maxsi" and chance.random() < 0.7:
            step = Step("choose", (*operands, *operands), predicate="sge")
        elif step.name == "muli" and not step.flags and operands[0] == operands[1]:
            step = replace(step, operands=operands)
        steps.append(step)
        new.append(2 + len(steps))
    return tuple(steps)


def inputs(seed: int, count: int = 300) -> list[tuple[int, int, int]]:
    """Arguments at which functions are compared: extreme ones, and others."""
    chance = random.Random(seed)
    extreme = [(a, b, chance.choice(VALUES)) for a in VALUES for b in VALUES]
    return [
        *extreme,
        *((chance.randrange(SIZE), chance.randrange(SIZE), chance.randrange(SIZE)) for _ in range(count)),
    ]


def difference(before: Function, after: Function, seed: int = 0) -> tuple[int, int, int] | None:
    """Arguments for which AFTER does not refine BEFORE; None if none were found."""
    for each in inputs(seed):
        try:
            old = evaluated(before, each)
        except ZeroDivisionError:
            continue
        try:
            new = evaluated(after, each)
        except ZeroDivisionError:
            return each
        if old is not None and new != old:
            return each
    return None
