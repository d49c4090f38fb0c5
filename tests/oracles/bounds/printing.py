"""Programs as MLIR text, with or without operations that carry the queries."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from tests.oracles.bounds.nodes import (
    Ask,
    Block,
    Branch,
    Compare,
    Compute,
    Loop,
    Node,
    Opaque,
    While,
    names,
    types,
)
from tests.oracles.bounds.values import Value

Carrier = Callable[[Ask | Compare], Iterator[str]]


def silent(_: Ask | Compare) -> Iterator[str]:
    """No text for queries."""
    return iter(())


def reify(query: Ask | Compare) -> Iterator[str]:
    """Both constant bounds of a queried value, each with a use."""
    if isinstance(query, Ask):
        for side in ("LB", "UB"):
            yield from reify_one(query, side)


def reify_one(query: Ask, side: str) -> Iterator[str]:
    """One constant bound of a queried value, with a use. As in mlir-opt, LB is closed and UB is open."""
    bound = f"%q{query.number}_{side}"
    dim = "" if query.dim is None else f"dim = {query.dim} : i64, "
    attributes = f'{{{dim}type = "{side}", constant}}'
    yield f'{bound} = "test.reify_bound"({query.value}) {attributes} : ({query.value.type}) -> (index)'
    yield f'"test.some_use"({bound}) : (index) -> ()'


MNEMONIC = {"<": "LT", "<=": "LE", ">": "GT", ">=": "GE", "==": "EQ"}


def compare(query: Ask | Compare) -> Iterator[str]:
    """The comparison of two values."""
    if isinstance(query, Compare):
        attributes = f'{{cmp = "{MNEMONIC[query.cmp]}"}}'
        yield f'"test.compare"({query.lhs}, {query.rhs}) {attributes} : (index, index) -> ()'


def places(query: Ask | Compare) -> Iterator[str]:
    """An operation that does nothing, where a query is that is not at its value's definition."""
    if not query.direct:
        yield f'"test.place"() {{number = {query.number} : i64}} : () -> ()'


LEAST = 64
"""More than what an induction variable is below 0: where its elements begin."""


def opaques(block: Block, around: int = 0) -> Iterator[tuple[Opaque, int]]:
    """The arbitrary truths in BLOCK, and how many loops that count are AROUND each."""
    for node in block.nodes:
        match node:
            case Opaque():
                yield node, around
            case Branch():
                for side in (node.then, node.otherwise):
                    yield from opaques(side, around)
            case Loop():
                yield from opaques(node.body, around + 1)
            case While():
                for region in (node.before, node.after):
                    yield from opaques(region, around)
            case _:
                pass


def data_type(around: int) -> str:
    """tensor<?x?xi1>"""
    return f"tensor<{'?x' * around}i1>"


def opaque_lines(node: Opaque, ivs: Sequence[Value]) -> Iterator[str]:
    """An element of the argument that is for this truth alone, at the numbers of the iterations."""
    name = node.result.name
    for k, iv in enumerate(ivs):
        yield f"{name}_c{k} = arith.constant {LEAST} : index"
        yield f"{name}_i{k} = arith.addi {iv}, {name}_c{k} : index"
    index = ", ".join(f"{name}_i{k}" for k in range(len(ivs)))
    yield f"{name} = tensor.extract {name}_data[{index}] : {data_type(len(ivs))}"


def lines(block: Block, carrier: Carrier, terminator: str, ivs: Sequence[Value] = ()) -> Iterator[str]:
    """The text of BLOCK, indented, inside of loops with induction variables IVS."""
    for node in block.nodes:
        for line in node_lines(node, carrier, ivs):
            yield f"  {line}"
    if block.yields:
        yield f"  {terminator} {names(block.yields)} : {types(block.yields)}"


def node_lines(node: Node, carrier: Carrier, ivs: Sequence[Value]) -> Iterator[str]:
    """The text of one operation."""
    results = f"{names(node.results)} = " if node.results else ""
    match node:
        case Compute():
            yield from f"{results}{node.formula.text}".splitlines()
        case Opaque():
            yield from opaque_lines(node, ivs)
        case Branch():
            yield f"{results}scf.if {node.condition}{arrow(node)} {{"
            yield from lines(node.then, carrier, "scf.yield", ivs)
            yield "} else {"
            yield from lines(node.otherwise, carrier, "scf.yield", ivs)
            yield "}"
        case Loop():
            yield f"{results}{loop_head(node)} {{"
            yield from lines(
                node.body, carrier, "affine.yield" if node.affine else "scf.yield", [*ivs, node.iv]
            )
            yield "}"
        case While():
            yield from while_lines(node, carrier, results, ivs)
        case Ask() | Compare():
            yield from carrier(node)


def arrow(node: Branch | Loop) -> str:
    """-> (index, index)"""
    return f" -> ({types(node.results)})" if node.results else ""


def loop_head(node: Loop) -> str:
    """All of the operation up to its body."""
    pairs = ", ".join(f"{arg} = {init}" for arg, init in zip(node.carried, node.inits, strict=True))
    carried = f" iter_args({pairs})" if pairs else ""
    bounds = f"{node.iv} = {node.lower.text} to {node.upper.text} step {node.step.text}"
    return f"{'affine' if node.affine else 'scf'}.for {bounds}{carried}{arrow(node)}"


def while_lines(node: While, carrier: Carrier, results: str, ivs: Sequence[Value]) -> Iterator[str]:
    """The text of scf.while."""
    pairs = ", ".join(f"{arg} = {init}" for arg, init in zip(node.carried, node.inits, strict=True))
    condition, *forwarded = node.before.yields
    signature = f"({types(node.inits)}) -> ({types(node.results)})"
    yield f"{results}scf.while{f' ({pairs})' if pairs else ''} : {signature} {{"
    yield from lines(Block(node.before.nodes), carrier, "", ivs)
    types_of = f" {names(forwarded)} : {types(forwarded)}" if forwarded else ""
    yield f"  scf.condition({condition}){types_of}"
    arguments = ", ".join(f"{value}: {value.type}" for value in node.passed)
    yield f"}} do {{\n^bb0({arguments}):" if arguments else "} do {"
    yield from lines(Block(node.after.nodes), carrier, "", ivs)
    yielded = f" {names(node.after.yields)} : {types(node.after.yields)}" if node.after.yields else ""
    yield f"  scf.yield{yielded}"
    yield "}"
