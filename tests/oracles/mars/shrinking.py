"""Smaller programs of the same kind: what a failure needs is what is left when nothing more can be removed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

from tests.oracles.mars.enumeration import (
    SUM,
    Access,
    Affine,
    If,
    Loop,
    Node,
    Program,
    Statement,
    execute,
    places,
)
from tests.oracles.mars.texts import Array
from tests.oracles.mars.tiles import Tiled, Tiling

Arrays = Mapping[str, Array]


def shrunk(
    tiled: Tiled, arrays: Arrays, fails: Callable[[Tiled, Arrays], bool], rounds: int = 400
) -> tuple[Tiled, Arrays]:
    """A smaller program and tiling that FAILS, too; at most ROUNDS are tried."""
    progress = True
    while progress:
        progress = False
        for each in _smaller(tiled):
            rounds -= 1
            if rounds < 0:
                return tiled, arrays
            used = {access.array for nest in each.program.nests for access in accesses(nest)}
            fewer = {name: array for name, array in arrays.items() if name in used}
            if used and is_inside(each.program, fewer) and fails(each, fewer):
                tiled, arrays, progress = each, fewer, True
                break
    return tiled, arrays


def is_inside(program: Program, arrays: Arrays) -> bool:
    """Whether all accesses are to elements of their arrays."""
    trace = execute(program)
    for number, place in trace.places.items():
        if place.access.array == SUM:
            continue
        sizes = arrays[place.access.array].sizes
        elements = [each[1] for each in trace.reads.get(number, ())]
        for element in (*elements, *trace.writes.get(number, {}).values()):
            if any(x < 0 or (size is not None and x >= size) for x, size in zip(element, sizes, strict=True)):
                return False
    return True


def accesses(node: Node) -> Iterator[Access]:
    if isinstance(node, Statement):
        yield from node.reads
        if node.write is not None:
            yield node.write
        return
    for child in (*node.body, *(node.otherwise if isinstance(node, If) else ())):
        yield from accesses(child)


def _smaller(tiled: Tiled) -> Iterator[Tiled]:
    program = tiled.program
    for k in range(len(program.nests)):
        if len(program.nests) > 1:
            nests = program.nests[:k] + program.nests[k + 1 :]
            yield _with_nests(tiled, nests)
    for k, nest in enumerate(program.nests):
        for each in _smaller_nodes(nest):
            if len(each) == 1 and isinstance(each[0], Loop):
                yield _with_nests(tiled, (*program.nests[:k], each[0], *program.nests[k + 1 :]))
    if program.times > 2:
        yield replace(tiled, program=replace(program, times=program.times - 1))
    if program.symbols:
        nests = tuple(_fixed(nest, program.symbols) for nest in program.nests)
        kept = tuple(nest for nest in nests if isinstance(nest, Loop))
        yield replace(tiled, program=Program(kept, times=program.times))
    for k, tiling in enumerate(tiled.tilings):
        for each in _smaller_tilings(tiling):
            yield replace(tiled, tilings=(*tiled.tilings[:k], each, *tiled.tilings[k + 1 :]))


def _with_nests(tiled: Tiled, nests: tuple[Loop, ...]) -> Tiled:
    result = replace(tiled, program=replace(tiled.program, nests=nests))
    used = {result.space(place) for place in places(result.program).values()}
    kept = {space[1] for space in used if space is not None}
    return replace(result, tilings=tuple(each for k, each in enumerate(tiled.tilings) if k in kept))


def _smaller_nodes(node: Node) -> Iterator[tuple[Node, ...]]:
    """What may stand in the place of NODE."""
    if isinstance(node, Statement):
        yield ()
        for k in range(len(node.reads)):
            yield (replace(node, reads=node.reads[:k] + node.reads[k + 1 :]),)
        if node.write is not None and node.reads:
            yield (replace(node, write=None),)
        for k, read in enumerate(node.reads):
            for each in _smaller_accesses(read):
                yield (replace(node, reads=(*node.reads[:k], each, *node.reads[k + 1 :])),)
        return
    if isinstance(node, If):
        yield node.body
        yield node.otherwise
        if node.otherwise:
            yield (replace(node, otherwise=()),)
        if len(node.conditions) > 1:
            for k in range(len(node.conditions)):
                yield (replace(node, conditions=node.conditions[:k] + node.conditions[k + 1 :]),)
    else:
        yield from _smaller_loops(node)
    for k, child in enumerate(node.body):
        for each in _smaller_nodes(child):
            yield (replace(node, body=(*node.body[:k], *each, *node.body[k + 1 :])),)
    if isinstance(node, If):
        for k, child in enumerate(node.otherwise):
            for each in _smaller_nodes(child):
                yield (replace(node, otherwise=(*node.otherwise[:k], *each, *node.otherwise[k + 1 :])),)


def _smaller_loops(loop: Loop) -> Iterator[tuple[Node, ...]]:
    if loop.step != 1:
        yield (replace(loop, step=1),)
    for bounds in ("lower", "upper"):
        forms: tuple[Affine, ...] = getattr(loop, bounds)
        if len(forms) > 1:
            yield from ((replace(loop, **{bounds: (form,)}),) for form in forms)
    (last, *others) = loop.upper
    if not others and not last.factors:
        yield (replace(loop, upper=(Affine((), last.constant // 2),)),)
        yield (replace(loop, upper=(last.plus(-1),)),)
    if len(loop.lower) == 1 and not loop.lower[0].factors and loop.lower[0].constant > 0:
        yield (replace(loop, lower=(Affine(),)),)


def _smaller_accesses(access: Access) -> Iterator[Access]:
    for k, form in enumerate(access.index):
        if len(form.factors) > 1:
            for factor in form.factors:
                yield replace(
                    access,
                    index=(
                        *access.index[:k],
                        Affine((factor,), form.constant),
                        *access.index[k + 1 :],
                    ),
                )


def _smaller_tilings(tiling: Tiling) -> Iterator[Tiling]:
    for k, (plane, size) in enumerate(tiling.planes):
        others = tiling.planes[:k], tiling.planes[k + 1 :]
        if len(tiling.planes) > 1:
            yield Tiling(others[0] + others[1])
        if len(plane.factors) > 1:
            yield Tiling((*others[0], (Affine(plane.factors[:1]), size), *others[1]))
        if size > 1:
            yield Tiling((*others[0], (plane, size // 2), *others[1]))


def _fixed(node: Node, symbols: Mapping[str, int]) -> Node:
    """NODE with numbers for SYMBOLS."""
    if isinstance(node, Statement):
        return node
    body = tuple(_fixed(child, symbols) for child in node.body)
    if isinstance(node, If):
        return replace(node, body=body, otherwise=tuple(_fixed(child, symbols) for child in node.otherwise))
    return replace(
        node,
        body=body,
        lower=tuple(_number(form, symbols) for form in node.lower),
        upper=tuple(_number(form, symbols) for form in node.upper),
    )


def _number(form: Affine, symbols: Mapping[str, int]) -> Affine:
    rest = tuple((name, factor) for name, factor in form.factors if name not in symbols)
    known = {name: value for name, value in symbols.items() if name in dict(form.factors)}
    constant = sum(factor * known.get(name, 0) for name, factor in form.factors)
    return Affine(rest, form.constant + constant)
