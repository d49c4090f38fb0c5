"""Small programs of loops over memory, and what they do, one element at a time.

Each buffer holds, for each element, how often each element of an input has gone into it: a bag. A store puts
there the sum of the bags of what it loads. That is all that `volcli.model.sources` claims to know.
"""

from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from tests.shared.recorded import Recorded
from volcli.execution.numbers.terms import FloatTerm
from volcli.execution.runs.inputs import Inputs

Bag = Counter[tuple[int, tuple[int, ...]]]
SIZE = 16


def executed(ranks: Sequence[int], text: str) -> list[dict[tuple[int, ...], Bag]]:
    """What is in each buffer in the end."""
    run = Recorded(text).run(Inputs(kind="terms"))
    assert run.stopped is None
    position, known = {f"b{k}": k for k in range(len(ranks))}, dict[Any, Bag]()

    def bag(term: Any) -> Bag:
        if not isinstance(term, FloatTerm) or term.name == "number":
            return Counter()
        if term not in known and term.name == "element":
            known[term] = Counter({(position[term.key[1]], term.key[2]): 1})
        elif term not in known:
            known[term] = sum(map(bag, term.operands), Counter())
        return known[term]

    arrays = (view.array(view.allocation.data) for view in run.arguments.values())
    return [{at: bag(array[at]) for at in np.ndindex(*array.shape)} for array in arrays]


def drawn(seed: int) -> tuple[list[int], str]:
    """The ranks of the buffers of a random program, and its text."""
    chance = random.Random(seed)
    ranks = [chance.choice((0, 1, 1, 2)) for _ in range(chance.choice((2, 3)))]
    kinds = [f"memref<{f'{SIZE}x' * rank}f32>" for rank in ranks]
    counter = itertools.count()

    def index(depth: int) -> str:
        factors = [0] * depth
        for _ in range(chance.choice((0, 1, 1, 1, 2)) if depth else 0):
            factors[chance.randrange(depth)] = chance.choice((1, 1, 1, 2))
        terms = [f"%i{k} * {f}" for k, f in enumerate(factors) if f]
        return " + ".join([*terms, str(chance.choice((0, 0, 0, 1, 2)))])

    def access(depth: int) -> str:
        buffer = chance.randrange(len(ranks))
        return f"%b{buffer}[{', '.join(index(depth) for _ in range(ranks[buffer]))}] : {kinds[buffer]}"

    def store(depth: int) -> Iterator[str]:
        target, total = access(depth), "%zero"
        sources = [access(depth) for _ in range(chance.choice((0, 1, 1, 2)))]
        if chance.random() < 0.5:
            sources.append(target)
        for source in sources:
            loaded, sum_ = f"%x{next(counter)}", f"%x{next(counter)}"
            yield f"{loaded} = affine.load {source}"
            yield f"{sum_} = arith.addf {total}, {loaded} : f32"
            total = sum_
        yield f"affine.store {total}, {target}"

    def nodes(depth: int) -> Iterator[str]:
        for _ in range(chance.choice((1, 1, 2))):
            kind = chance.random()
            if depth < 3 and kind < 0.55:
                lower = chance.choice((0, 0, 1))
                upper, step = lower + chance.choice((0, 1, 3, 3)), chance.choice((1, 1, 2))
                yield f"affine.for %i{depth} = {lower} to {upper} step {step} {{"
                yield from nodes(depth + 1)
                yield "}"
            elif depth and kind < 0.65:
                level, least = chance.randrange(depth), chance.randrange(4)
                yield f"affine.if affine_set<(d0) : (d0 - {least} >= 0)>(%i{level}) {{"
                yield from nodes(depth)
                yield "}"
            else:
                yield from store(depth)

    arguments = ", ".join(f"%b{b}: {kind}" for b, kind in enumerate(kinds))
    body = "\n".join(["%zero = arith.constant 0.0 : f32", *nodes(0), "return"])
    return ranks, f"func.func @f({arguments}) {{\n{body}\n}}\n"
