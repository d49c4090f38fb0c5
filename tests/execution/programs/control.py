"""Steps of control: loops, branches, calls and blocks, with other steps inside."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from tests.execution.programs.draft import Draft, Step, Value


def _pairs(names: Sequence[str], values: Sequence[Value]) -> str:
    return ", ".join(f"{name} = {value.name}" for name, value in zip(names, values, strict=True))


def _names(values: Sequence[Value]) -> str:
    return ", ".join(value.name for value in values)


def _types(values: Sequence[Value]) -> str:
    return ", ".join(value.type for value in values)


def _carried(d: Draft) -> list[Value]:
    return [d.scalar(d.element()) for _ in range(d.chance.randint(1, 2))]


def _like(d: Draft, values: Sequence[Value]) -> list[Value]:
    return [d.scalar(value.type) for value in values]


def _arguments(d: Draft, values: Sequence[Value]) -> list[Value]:
    return [Value(d.fresh(), value.type, value.type) for value in values]


def _results(d: Draft, values: Sequence[Value]) -> str:
    """The start of an operation with a result like each of VALUES, which are in scope after it."""
    return f"{d.fresh()}:{len(values)} = "


def _add_results(d: Draft, start: str, values: Sequence[Value]) -> None:
    name = start.partition(":")[0]
    for k, value in enumerate(values):
        d.add(Value(f"{name}#{k}", value.type, value.type))


def _loop(d: Draft, head: str, variable: Value, ending: str, kind: str) -> None:
    carried = _carried(d)
    arguments, start = _arguments(d, carried), _results(d, carried)
    passed = _pairs([a.name for a in arguments], carried)
    d.line(f"{start}{head} iter_args({passed}) -> ({_types(carried)}){ending} {{")
    with d.region(variable, *arguments):
        d.body()
        results = _like(d, carried)
        d.line(f"{kind}.yield {_names(results)} : {_types(carried)}")
    d.line("}")
    _add_results(d, start, carried)


def for_loop(kind: str, d: Draft) -> None:
    """`scf.for` over numbers of a type, perhaps read as unsigned."""
    low = d.chance.randint(-3, 2) if kind in ("index", "i32") else d.chance.randint(0, 2)
    bounds = [
        d.constant(n, kind.split()[-1]) for n in (low, low + d.chance.randint(0, 5), d.chance.randint(1, 2))
    ]
    unsigned, _, of = kind.rpartition(" ")
    variable = Value(d.fresh(), of, of)
    head = f"scf.for {unsigned} {variable.name} = {bounds[0]} to {bounds[1]} step {bounds[2]}"
    _loop(d, head, variable, "" if of == "index" else f" : {of}", "scf")


def affine_for(d: Draft) -> None:
    n = d.dimension(4)
    bounds = d.chance.choice((
        ("0", "4"), ("-1", "3"), ("0", f"min affine_map<(i) -> (i + 1, 3)>({n})"),
        (f"max affine_map<(i) -> (-i, i - 2)>({n})", "3"), (f"affine_map<(i) -> (i floordiv 2)>({n})", f"affine_map<(i) -> (i + 2)>({n})"),
    ))  # fmt: skip
    variable = Value(d.fresh(), "index", "index")
    head = f"affine.for {variable.name} = {bounds[0]} to {bounds[1]} step {d.chance.randint(1, 2)}"
    _loop(d, head, variable, "", "affine")


def while_loop(d: Draft) -> None:
    carried = [d.add(Value(d.constant(0, "i32"), "i32", "i32")), *_carried(d)]
    limit, one = d.constant(d.chance.randint(0, 4), "i32"), d.constant(1, "i32")
    before, after, start = _arguments(d, carried), _arguments(d, carried), _results(d, carried)
    passed = _pairs([a.name for a in before], carried)
    d.line(f"{start}scf.while ({passed}) : ({_types(carried)}) -> ({_types(carried)}) {{")
    with d.region(*before):
        goes_on = d.defined(f"arith.cmpi slt, {before[0].name}, {limit} : i32")
        d.body()
        results = [before[0], *_like(d, carried[1:])]
        d.line(f"scf.condition({goes_on}) {_names(results)} : {_types(carried)}")
    d.line("} do {")
    with d.region(*after):
        d.line(f"^bb0({', '.join(f'{a.name}: {a.type}' for a in after)}):")
        d.body()
        next_one = Value(d.defined(f"arith.addi {after[0].name}, {one} : i32"), "i32", "i32")
        results = [next_one, *_like(d, carried[1:])]
        d.line(f"scf.yield {_names(results)} : {_types(carried)}")
    d.line("}")
    _add_results(d, start, carried)


def _branches(d: Draft, head: str, count: int, heads: Sequence[str], kind: str) -> None:
    results = _carried(d)
    start = _results(d, results)
    d.line(f"{start}{head.replace('RESULTS', _types(results))}")
    for text in heads[:count]:
        d.line(text)
        with d.region():
            d.body()
            d.line(f"{kind}.yield {_names(_like(d, results))} : {_types(results)}")
    d.line("}")
    _add_results(d, start, results)


def scf_if(d: Draft) -> None:
    _branches(d, f"scf.if {d.scalar('i1').name} -> (RESULTS)", 2, ("{", "} else {"), "scf")


def if_without_results(d: Draft) -> None:
    d.line(f"scf.if {d.scalar('i1').name} {{")
    with d.region():
        d.body()
    d.line("}")


def affine_if(d: Draft) -> None:
    condition = d.chance.choice(
        ("i - 1 >= 0", "i mod 2 == 0", "i - 2 >= 0, 5 - i >= 0", "-i + 3 >= 0", "i - 2 <= 1")
    )
    head = f"affine.if affine_set<(i) : ({condition})>({d.dimension(5)}) -> (RESULTS)"
    _branches(d, head, 2, ("{", "} else {"), "affine")


def index_switch(d: Draft) -> None:
    _branches(
        d, f"scf.index_switch {d.index(4)} -> RESULTS", 3, ("case 1 {", "} case 3 {", "} default {"), "scf"
    )


def execute_region(d: Draft) -> None:
    """Blocks with a conditional branch, and one that joins."""
    result = d.scalar(d.element())
    e, name = result.type, d.fresh()
    condition = d.scalar("i1").name
    labels = [f"^{name[1:]}_{k}" for k in range(3)]
    d.line(f"{name} = scf.execute_region -> {e} {{")
    with d.region():
        d.line(f"cf.cond_br {condition}, {labels[0]}, {labels[2]}({result.name} : {e})")
        d.line(f"{labels[0]}:")
        with d.region():
            d.scalar_body()
            d.line(f"cf.br {labels[2]}({d.scalar(e).name} : {e})")
        argument = Value(d.fresh(), e, e)
        d.line(f"{labels[2]}({argument.name}: {e}):")
        with d.region(argument):
            d.scalar_body()
            d.line(f"scf.yield {d.scalar(e).name} : {e}")
    d.line("}")
    d.add(Value(name, e, e))


def blocks(d: Draft) -> None:
    """A call of a function of blocks: a loop and a switch."""
    name = f"{d.name}_blocks{len(d.functions)}"
    a, b = d.scalar("i32").name, d.scalar("i32").name
    sign = d.chance.choice(("slt", "ult", "ne", "eq"))
    d.functions.append(f"""func.func private @{name}(%x: i32, %y: i32) -> i32 {{
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %n = arith.constant {d.chance.randint(1, 5)} : i32
  cf.br ^head(%zero, %y : i32, i32)
^head(%i: i32, %s: i32):
  %more = arith.cmpi slt, %i, %n : i32
  cf.cond_br %more, ^body, ^end(%s : i32)
^body:
  %t = arith.muli %s, %x : i32
  %next = arith.addi %i, %one : i32
  cf.switch %i : i32, [
    default: ^head(%next, %t : i32, i32),
    1: ^other(%x : i32),
    3: ^other(%t : i32)
  ]
^other(%z: i32):
  %below = arith.cmpi {sign}, %z, %y : i32
  %u = arith.xori %z, %s : i32
  cf.cond_br %below, ^head(%next, %z : i32, i32), ^head(%next, %u : i32, i32)
^end(%r: i32):
  %true = arith.cmpi eq, %r, %r : i32
  cf.assert %true, "equal"
  return %r : i32
}}""")
    d.let(f"func.call @{name}({a}, {b}) : (i32, i32) -> i32", "i32")


def calls(d: Draft) -> None:
    """A function of a few steps, called directly and through a value."""
    name, e = f"{d.name}_callee{len(d.functions)}", d.element()
    inner = Draft(f"{d.chance.random()}", name)
    argument = Value("%x", e, e)
    with inner.region(argument):
        inner.scalar_body()
        result = inner.scalar(e)
        inner.line(f"return {result.name} : {e}")
    constants = inner.constants()
    text = [f"func.func private @{name}(%x: {e}) -> {e} {{", *constants, *inner.lines(), "}"]
    d.functions.append("\n".join(text))
    d.let(f"func.call @{name}({d.scalar(e).name}) : ({e}) -> {e}", e)
    value = d.defined(f"func.constant @{name} : ({e}) -> {e}")
    d.let(f"func.call_indirect {value}({d.scalar(e).name}) : ({e}) -> {e}", e)


def index_maps(name: str, d: Draft) -> None:
    expressions = (
        "i + j",
        "i * 3 - 2",
        "i floordiv 2",
        "j mod 3",
        "i ceildiv 4 + j",
        "-i",
        "(i + j * 2) mod 5",
    )
    count = 1 if name == "apply" else d.chance.randint(1, 3)
    results = ", ".join(d.chance.sample(expressions, count))
    d.let(
        f"affine.{name} affine_map<(i, j) -> ({results})>({d.scalar('index').name}, {d.scalar('index').name})",
        "index",
    )


def delinearize(d: Draft) -> None:
    name = d.fresh()
    d.line(f"{name}:2 = affine.delinearize_index {d.index(12)} into (3, 4) : index, index")
    d.add(Value(f"{name}#0", "index", "index"))
    d.add(Value(f"{name}#1", "index", "index"))


def linearize(d: Draft) -> None:
    disjoint = d.chance.choice(("", "disjoint "))
    d.let(f"affine.linearize_index {disjoint}[{d.index(3)}, {d.index(4)}] by (3, 4) : index", "index")


def alloca_scope(d: Draft) -> None:
    e, name = d.chance.choice(("i8", "i32", "f32", "f64")), d.fresh()
    d.line(f"{name} = memref.alloca_scope -> ({e}) {{")
    with d.region():
        d.body()
        d.line(f"memref.alloca_scope.return {d.scalar(e).name} : {e}")
    d.line("}")
    d.add(Value(name, e, e))


STEPS: list[Step] = [
    *(partial(for_loop, kind) for kind in ("index", "i32", "i8", "unsigned i8", "unsigned i64")),
    affine_for, affine_for, while_loop, while_loop, scf_if, if_without_results, affine_if, affine_if, index_switch, index_switch,
    execute_region, execute_region, blocks, blocks, calls, calls,
    alloca_scope, alloca_scope,
]  # fmt: skip
INDICES: list[Step] = [
    *(partial(index_maps, name) for name in ("apply", "apply", "min", "min", "max", "max")),
    delinearize, delinearize, linearize, linearize,
]  # fmt: skip
