"""Random scf.forall that insert slices into tensors, and whether their iterations collide."""

from __future__ import annotations

import random
from dataclasses import dataclass
from itertools import product

import volcli
from tests.oracles.interpreter.affine import Affine, map_text
from tests.oracles.interpreter.judgement import Judgement
from volcli.model.memory.checks.races.races import Races
from volcli.model.memory.loops.loops import Loops

SIZES = (64, 48)


@dataclass(frozen=True)
class Insert:
    """`%part into %shared[offsets] [sizes] [strides]`; the offsets are over the variables."""

    shared: int
    offsets: tuple[Affine, ...]
    sizes: tuple[int, ...]
    strides: tuple[int, ...]

    def elements(self, point: tuple[int, ...]) -> set[tuple[int, ...]]:
        """What iteration POINT inserts into."""
        lines = [
            [row.at(point) + k * stride for k in range(size)]
            for row, size, stride in zip(self.offsets, self.sizes, self.strides, strict=True)
        ]
        return set(product(*lines))


@dataclass(frozen=True)
class Forall:
    """An scf.forall over a box of COUNTS that inserts slices into so many shared tensors."""

    counts: tuple[int, ...]
    shared: int
    inserts: tuple[Insert, ...]

    @property
    def collides(self) -> bool:
        """Whether two iterations insert into one element of one tensor."""
        points = list(product(*map(range, self.counts)))
        return any(
            a.shared == b.shared and a.elements(p) & b.elements(q)
            for p, q in product(points, repeat=2)
            if p < q
            for a, b in product(self.inserts, repeat=2)
        )

    @property
    def text(self) -> str:
        kind = f"tensor<{'x'.join(map(str, SIZES))}xf32>"
        ivs = [f"%i{k}" for k in range(len(self.counts))]
        outs = ", ".join(f"%o{k} = %t" for k in range(self.shared))
        before: list[str] = []
        inside: list[str] = []
        for number, insert in enumerate(self.inserts):
            names: list[str] = []
            for dim, row in enumerate(insert.offsets):
                names.append(f"%a{number}_{dim}")
                map_ = map_text(len(ivs), [row])
                before.append(f"{names[-1]} = affine.apply {map_}({', '.join(ivs)})")
            part = f"tensor<{'x'.join(map(str, insert.sizes))}xf32>"
            before.append(f"%p{number} = tensor.empty() : {part}")
            window = f"[{', '.join(names)}] {list(insert.sizes)} {list(insert.strides)}"
            target = f"%o{insert.shared}{window} : {part} into {kind}"
            inside.append(f"tensor.parallel_insert_slice %p{number} into {target}")
        types = ", ".join([kind] * self.shared)
        bounds = ", ".join(map(str, self.counts))
        head = f"%r:{self.shared} = scf.forall ({', '.join(ivs)}) in ({bounds}) shared_outs({outs}) -> ({types}) {{"
        body = "\n".join([head, *before, "scf.forall.in_parallel {", *inside, "}", "}"])
        return f"func.func @f(%t: {kind}) {{\n{body}\nreturn\n}}\n"


def drawn_forall(seed: str) -> Forall:
    """The loop of SEED; its slices lie in their tensors."""
    chance = random.Random(seed)
    counts = tuple(chance.randint(1, 4) for _ in range(chance.choice([1, 1, 2])))
    shared = chance.choice([1, 1, 2])
    inserts: list[Insert] = []
    for _ in range(chance.choice([1, 1, 2])):
        rows = tuple(
            Affine(tuple(chance.choice([0, 0, 1, 2, 3, 4]) for _ in counts), chance.randint(0, 4))
            for _ in SIZES
        )
        sizes = tuple(chance.randint(1, 4) for _ in SIZES)
        strides = tuple(chance.choice([1, 1, 2, 3]) for _ in SIZES)
        inserts.append(Insert(chance.randrange(shared), rows, sizes, strides))
    return Forall(counts, shared, tuple(inserts))


def forall_judged(forall: Forall) -> list[Judgement]:
    """What `loops` and `races` say of FORALL is worth: both are exact."""
    memory = volcli.load(forall.text).units[0].models()[0].memory
    (loop,), (race,) = Loops(memory).all(), Races(memory).all()
    said = [
        ("loop", loop.kind.value, "carried", "parallel"),
        ("race", race.verdict.value, "race", "race-free"),
    ]
    return [
        Judgement(
            f"{kind} of inserts",
            "exact" if value == (bad if forall.collides else good) else "wrong",
            "",
            value,
        )
        for kind, value, bad, good in said
    ]
