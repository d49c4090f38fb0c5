"""Random functions of blocks: several returns, exits and latches, loops with two entries, endless loops."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

from tests.oracles.blocks.programs import BITS, MEMREF, SIZE, Block, Edge, Program

INDEX = "index"
OUTSIDE = {"%n": INDEX, "%k": INDEX, "%p": "i1", "%a": MEMREF, "%b": MEMREF}
CONSTANTS = [f"%c{c}" for c in range(SIZE)]


def drawn(seed: str, *, affine: bool = False) -> Program:
    """The program of SEED; if it is AFFINE, no loaded value decides what it does, and no block gets a buffer."""
    return _Drawing(Random(seed), affine).program()


@dataclass
class _Drawing:
    random: Random
    affine: bool = False
    fresh: int = 0
    kinds: dict[str, str] = field(default_factory=dict[str, str])

    def program(self) -> Program:
        count = self.random.randint(3, 7)
        targets = self._graph(count)
        blocks = [Block([])]
        for number in range(1, count):
            weights = [4, 0 if self.affine else 1]
            kinds = self.random.choices([INDEX, MEMREF], weights, k=self.random.randint(0, 2))
            blocks.append(Block([(f"%x{number}_{k}", kind) for k, kind in enumerate(kinds)]))
        dominators = _dominators(targets)
        own: list[dict[str, str]] = [{} for _ in blocks]
        for number in _in_order(dominators):
            visible = dict(OUTSIDE)
            for other in sorted(dominators[number] - {number}):
                visible |= own[other]
            mine = dict(blocks[number].arguments)
            self._fill(blocks[number], visible, mine, is_entry=number == 0)
            own[number] = mine
            self._end(blocks, number, targets[number], visible | mine)
        return Program(blocks)

    def _graph(self, count: int) -> list[list[int]]:
        """Where each block branches to; the entry is branched to by none."""
        found = [
            self._targets(count, self.random.choices([0, 1, 2, 3], [3, 2, 5, 1])[0] if number else 2)
            for number in range(count)
        ]
        if self.random.random() < 0.7:  # chains make loops that more than one block is in, and early returns
            for number in range(count - 1):
                if found[number] and number + 1 not in found[number]:
                    found[number][-1] = number + 1
            found[-1] = found[-1] or [1]
        if self.random.random() < 0.6:
            found[0] = [1]
        return found

    def _targets(self, count: int, ways: int) -> list[int]:
        return [self.random.randrange(1, count) for _ in range(ways)]

    def _name(self, prefix: str) -> str:
        self.fresh += 1
        return f"%{prefix}{self.fresh}"

    def _one(self, visible: dict[str, str], kind: str) -> str:
        names = [name for name, of in visible.items() if of == kind]
        if kind == MEMREF:  # what is local shows more than what the caller sees
            names += [name for name in names if name not in OUTSIDE] * 3
        if kind == INDEX and self.random.random() < 0.5:
            names = CONSTANTS[:2]
        return self.random.choice(names)

    def _fill(self, block: Block, visible: dict[str, str], mine: dict[str, str], *, is_entry: bool) -> None:
        for _ in range(self.random.choice([1, 2]) if is_entry else self.random.random() < 0.1):
            block.lines.append(f"{(name := self._name('m'))} = memref.alloc() : {MEMREF}")
            mine[name] = MEMREF
        for _ in range(self.random.randint(0, 4)):
            block.lines += self._statement(visible, mine, inside=False)
        for _ in range(self.random.randint(0, 2)):
            name, of = self._name("i"), self._index(visible | mine)
            block.lines.append(f"{name} = arith.addi {of}, %c{self.random.randint(1, 2)} : index")
            mine[name] = INDEX

    def _index(self, names: dict[str, str]) -> str:
        return self._one(names, INDEX)

    def _statement(self, visible: dict[str, str], mine: dict[str, str], *, inside: bool) -> list[str]:
        names = visible | mine
        kind = self.random.choices(["load", "store", "for"], [4, 4, 0 if inside else 1])[0]
        if kind == "for":
            variable = self._name("j")
            inner = mine | {variable: INDEX}
            body = [self._statement(visible, inner, inside=True) for _ in range(self.random.randint(1, 2))]
            end = self.random.choice(["%c2", "%c3", "%n"])
            return [
                f"scf.for {variable} = %c0 to {end} step %c1 {{",
                *(x for each in body for x in each),
                "}",
            ]
        buffer, index = self._one(names, MEMREF), self._one(names, INDEX)
        if kind == "store":
            return [f"memref.store %v, {buffer}[{index}] : {MEMREF}"]
        return [f"{self._name('l')} = memref.load {buffer}[{index}] : {MEMREF}"]

    def _end(self, blocks: list[Block], number: int, targets: list[int], names: dict[str, str]) -> None:
        block = blocks[number]
        block.targets = [self._edge(blocks, to, names) for to in targets]
        if len(targets) == 2:
            block.condition = self._condition(block, names)
        elif len(targets) == 3:
            block.condition = self._name("s")
            block.lines.append(f"{block.condition} = arith.index_cast {self._index(names)} : index to i32")

    def _edge(self, blocks: list[Block], to: int, names: dict[str, str]) -> Edge:
        return to, tuple(self._one(names, kind) for _, kind in blocks[to].arguments)

    def _condition(self, block: Block, names: dict[str, str]) -> str:
        kind = self.random.choices(["p", "bit", "less"], [1, 0 if self.affine else 3, 4])[0]
        if kind == "p":
            return "%p"
        arguments = [each for each, _ in block.arguments if names[each] == INDEX]
        asked = self.random.choice(arguments) if arguments else self._index(names)
        name = self._name("t")
        text = f"memref.load %q[{asked}] : {BITS}"
        if kind == "less":
            other = self.random.choice(["%n", "%k", *CONSTANTS])
            text = f"arith.cmpi slt, {asked}, {other} : index"
        block.lines.append(f"{name} = {text}")
        return name


def _dominators(targets: list[list[int]]) -> list[set[int]]:
    """The blocks that each block is only reached through, itself among them."""
    every = set(range(len(targets)))
    found = [{0}, *(set(every) for _ in targets[1:])]
    while True:
        now = [{0}]
        for number in range(1, len(targets)):
            before = [found[k] for k, to in enumerate(targets) if number in to]
            now.append({number} | (set.intersection(*before) if before else set()))
        if now == found:
            return found
        found = now


def _in_order(dominators: list[set[int]]) -> list[int]:
    """The blocks, each behind those that dominate it: what is never reached is dominated by all, or by itself."""
    return sorted(range(len(dominators)), key=lambda number: (len(dominators[number]), number))
