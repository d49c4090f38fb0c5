"""Random operations on integers and truths."""

from __future__ import annotations

from tests.oracles.bounds.affine import applied, formula
from tests.oracles.bounds.nodes import Opaque
from tests.oracles.bounds.scope import Scope
from tests.oracles.bounds.values import Value

SCALED = [
    ("muli", [-3, -2, -1, 2, 3, 4]),
    ("floordivsi", [2, 3, 4, 5, -2]),
    ("shli", [0, 1, 2]),
    ("ceildivsi", [2, 3, 4, 5, -3]),
    ("divsi", [2, 3, 4, 5, -2]),
    ("remsi", [2, 3, 4, 5, -3]),
]
PREDICATES = ("slt", "sle", "sgt", "sge", "eq", "ne")


def clamp(scope: Scope) -> Value:
    """min and max of an argument, or of a sum or difference of two; or an argument's residue."""
    chance, raw = scope.chance, scope.raw
    argument = chance.choice(raw)
    if chance.random() < 0.2:
        return scope.written(formula("affine.apply", [("s0 mod 3", "$0 % 3")], [argument], 0))
    low = chance.randint(-3, 3)
    high = low + chance.randint(1, 6 - max(low, 1))
    operands, text = [argument], ("s0", "$0")
    if len(raw) > 1 and chance.random() < 0.25:
        sign = chance.choice("+-")
        operands, text = raw[:2], (f"s0 {sign} s1", f"$0 {sign} $1")
    bounds = [("affine.min", high), ("affine.max", low)]
    chance.shuffle(bounds)
    (first, limit), (second, other) = bounds
    value = scope.unlisted(formula(first, [text, (str(limit), str(limit))], operands, 0))
    return scope.written(formula(second, [("s0", "$0"), (str(other), str(other))], [value], 0))


def selected_constant(scope: Scope) -> Value:
    """A select among constants under an arbitrary truth."""
    if scope.chance.random() < 0.6 or not scope.truths:
        scope.write(Opaque(scope.counters.fresh("o", "i1")))
    condition = scope.truths[-1]
    first, second = scope.constant(scope.chance.randint(-4, 6)), scope.constant(scope.chance.randint(-2, 9))
    return select(scope, condition, first, second)


def select(scope: Scope, condition: Value, first: Value, second: Value) -> Value:
    """arith.select of two values of one type."""
    text = f"arith.select $0, $1, $2 : {first.type}"
    return scope.compute(text, "$1 if $0 else $2", condition, first, second, type=first.type)


def binary(scope: Scope) -> Value:
    """An operation of arith on two integers, one of them perhaps a constant."""
    left = scope.index()
    right = scope.index() if scope.chance.random() < 0.6 else scope.constant(scope.chance.randint(-4, 8))
    if scope.chance.random() < 0.2:
        left, right = right, left
    sums, extremes = ("addi", "subi"), ("minsi", "maxsi")
    return scope.arith(
        scope.chance.choice(sums if scope.modelled else (*sums, *sums, *extremes)), left, right
    )


def scaled(scope: Scope) -> Value:
    """An operation of arith on an integer and a constant that must not be 0, or must be small."""
    chance = scope.chance
    name, constants = chance.choice(SCALED[:2] if scope.modelled else SCALED)
    left = scope.index()
    return scope.arith(name, left, scope.constant(chance.choice(constants)))


def affine(scope: Scope) -> Value:
    """affine.apply, affine.min or affine.max."""
    chance = scope.chance
    operands = [scope.index() for _ in range(chance.randint(1, 2))]
    operation = chance.choice(["affine.apply", "affine.apply", "affine.min", "affine.max"])
    results = 1 if operation == "affine.apply" else chance.randint(1, 3)
    operands.sort(key=scope.may_be_symbol)
    first = sum(not scope.may_be_symbol(value) for value in operands)  # the others can be dims or symbols
    return scope.written(applied(chance, operation, operands, chance.randint(first, len(operands)), results))


def choice(scope: Scope) -> Value:
    """arith.select of two integers."""
    condition, first = scope.truth(), scope.index()
    return select(scope, condition, first, scope.other(first))


def comparison(scope: Scope) -> Value:
    """arith.cmpi, also of an argument with a constant."""
    predicate = scope.chance.choice(PREDICATES)
    if scope.raw and scope.chance.random() < 0.3:
        left, right = scope.chance.choice(scope.raw), scope.constant(scope.chance.randint(-3, 4))
    else:
        left = scope.index()
        right = scope.index() if scope.chance.random() < 0.5 else scope.constant(scope.chance.randint(-3, 8))
    return scope.compared(predicate, left, right)


def connective(scope: Scope) -> Value:
    """arith.andi, ori or xori of two truths, or a constant truth."""
    if scope.chance.random() < 0.1:
        which = scope.chance.choice(["true", "false"])
        return scope.compute(f"arith.constant {which}", str(int(which == "true")), type="i1")
    name = scope.chance.choice(("andi", "ori", "xori"))
    return scope.arith(name, scope.truth(), scope.truth())
