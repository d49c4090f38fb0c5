"""Steps that are parallel loops: their iterations write elements of their own, or reduce."""

from __future__ import annotations

from tests.execution.programs.draft import Draft, Step, Value
from tests.execution.programs.memory import allocated
from tests.execution.programs.support import FLOATS


def parallel_reduction(d: Draft) -> None:
    e = d.chance.choice(("i32", "f32", "i64"))
    low, high, step = (
        d.constant(n) for n in (d.chance.randint(-1, 1), d.chance.randint(1, 4), d.chance.randint(1, 2))
    )
    init, variable, name = d.scalar(e), Value(d.fresh(), "index", "index"), d.fresh()
    left, right = Value(d.fresh(), e, e), Value(d.fresh(), e, e)
    d.line(
        f"{name} = scf.parallel ({variable.name}) = ({low}) to ({high}) step ({step}) init ({init.name}) -> {e} {{"
    )
    with d.region(variable), d.parallel():
        d.body()
        d.line(f"scf.reduce({d.scalar(e).name} : {e}) {{")
        d.line(f"^bb0({left.name}: {e}, {right.name}: {e}):")
        with d.region(left, right):
            add = (
                "arith.addf" if e in FLOATS else d.chance.choice(("arith.addi", "arith.muli", "arith.maxsi"))
            )
            d.line(f"scf.reduce.return {d.defined(f'{add} {left.name}, {right.name} : {e}')} : {e}")
        d.line("}")
    d.line("}")
    d.add(Value(name, e, e))


def _own_elements(d: Draft, head: str, store: str) -> None:
    """A parallel loop over 3 by 2, each iteration of which writes one element of memory of its own."""
    e = d.element()
    target = allocated(d, e, (3, 2))
    i, j = Value(d.fresh(), "index", "index"), Value(d.fresh(), "index", "index")
    d.scopes[-1].remove(target)
    d.line(head.format(i=i.name, j=j.name))
    with d.region(i, j), d.parallel():
        d.body()
        d.line(f"{store} {d.scalar(e).name}, {target.name}[{i.name}, {j.name}] : {target.type}")
    d.line("}")
    d.add(target)


def parallel(d: Draft) -> None:
    zero, one, two, three = (d.constant(n) for n in (0, 1, 2, 3))
    head = f"scf.parallel ({{i}}, {{j}}) = ({zero}, {zero}) to ({three}, {two}) step ({d.chance.choice((one, two))}, {one}) {{{{"
    _own_elements(d, head, "memref.store")


def affine_parallel(d: Draft) -> None:
    upper = f"min({d.dimension(4)}, 3)" if d.chance.random() < 0.5 else "3"
    _own_elements(d, f"affine.parallel ({{i}}, {{j}}) = (0, 0) to ({upper}, 2) {{{{", "affine.store")


def forall(d: Draft) -> None:
    head = d.chance.choice(("(3, 2)", "(0, 0) to (3, 2) step (2, 1)"))
    sign = "in" if head == "(3, 2)" else "="
    _own_elements(d, f"scf.forall ({{i}}, {{j}}) {sign} {head} {{{{", "memref.store")


def affine_reduction(d: Draft) -> None:
    name, e = d.chance.choice(
        (
            ("addi", "i32"),
            ("muli", "i32"),
            ("minimumf", "f64"),
            ("andi", "i64"),
            ("addf", "f32"),
            ("ori", "i8"),
            ("maximumf", "f64"),
        )
    )
    variable = Value(d.fresh(), "index", "index")
    result = d.fresh()
    d.line(
        f'{result} = affine.parallel ({variable.name}) = (0) to (4) step ({d.chance.randint(1, 3)}) reduce ("{name}") -> ({e}) {{'
    )
    with d.region(variable), d.parallel():
        d.body()
        d.line(f"affine.yield {d.scalar(e).name} : {e}")
    d.line("}")
    d.add(Value(result, e, e))


STEPS: list[Step] = [
    parallel_reduction, parallel_reduction, parallel, affine_parallel, forall, forall, affine_reduction, affine_reduction,
]  # fmt: skip
