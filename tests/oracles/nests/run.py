"""One run of a program: which access wrote each byte that an access reads, and what was in memory at the end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tests.oracles.interpreter.storage import Memory
from tests.oracles.nests.programs import WIDTH, Access, Alloc, Buffer, Effect, Free, Loop, Node, Program

Byte = tuple[Any, int]  # of a piece of memory
Instance = tuple[int, tuple[tuple[str, int], ...]]  # an access, and the values of the induction variables
Token = tuple[Instance, int]  # which of the bytes that an instance writes


@dataclass(frozen=True)
class Binding:
    """What the arguments are: a piece of memory, the byte at which it begins, and strides that are not static."""

    memory: Mapping[str, tuple[str, int]]
    strides: Mapping[str, tuple[int, ...]]
    aliased: frozenset[frozenset[str]] = frozenset()
    overlapping: frozenset[str] = frozenset()

    def is_excluded(self, assumptions: Sequence[str]) -> bool:
        """Whether ASSUMPTIONS say that arguments are not like this."""
        pairs = {f"{a} and {b} are different memory" for pair in self.aliased for a, b in _orders(pair)}
        layouts = {f"the layout of {name} does not overlap itself" for name in self.overlapping}
        return bool((pairs | layouts) & set(assumptions))


def _orders(pair: frozenset[str]) -> list[tuple[str, str]]:
    first, second = sorted(pair)
    return [(first, second), (second, first)]


@dataclass
class Outcome:
    """What a run shows."""

    reads: dict[Instance, tuple[Any, ...]] = field(default_factory=dict[Instance, Any])
    memory: Memory[Byte, Token] = field(default_factory=Memory[Byte, Token])
    events: list[Any] = field(default_factory=list[Any])
    touched: list[tuple[Instance, frozenset[Byte], bool]] = field(default_factory=list[Any])
    freed: set[Any] = field(default_factory=set[Any])

    def shown(self) -> tuple[Any, ...]:
        """All that somebody else could see: what is local to an iteration is gone."""
        kept = {byte: token for byte, token in self.memory.last.items() if not isinstance(byte[0], tuple)}
        return self.reads, kept, self.events


class Machine:
    """Runs the statements of PROGRAM for one BINDING of its arguments."""

    def __init__(self, program: Program, binding: Binding) -> None:
        self.outcome = Outcome()
        self._binding = binding
        self._views = {view.name: view for view in program.views}
        self._made: dict[str, Any] = {}
        self._runs(program.body, {})

    def _runs(self, nodes: Sequence[Node], at: dict[str, int]) -> None:
        for node in nodes:
            match node:
                case Loop():
                    for point in node.points:
                        self._runs(node.body, at | dict(zip(node.ivs, point, strict=True)))
                case Access():
                    self._access(node, at)
                case Alloc():
                    self._made[node.buffer.name] = self._fresh(node.buffer.name, at)
                case Free():
                    self._free(node)
                case Effect(kind):
                    self.outcome.events.append((kind, tuple(sorted(at.items()))))

    def _fresh(self, name: str, at: Mapping[str, int]) -> Any:
        """A piece of memory; what a loop allocates is another one in each iteration."""
        memory = (name, tuple(sorted(at.items()))) if at else name
        self.outcome.memory.release(lambda byte: byte[0] == memory)
        self.outcome.freed.discard(memory)
        return memory

    def _free(self, node: Free) -> None:
        memory = self._made[node.buffer.name]
        self.outcome.freed.add(memory)
        if not isinstance(memory, tuple):
            self.outcome.events.append(("free", memory))

    def _access(self, node: Access, at: Mapping[str, int]) -> None:
        values = tuple(at.values())
        touched = self._bytes(node.buffer, [row.at(values) for row in node.rows])
        instance: Instance = node.number, tuple(sorted(at.items()))
        if node.write:
            for k, byte in enumerate(touched):
                self.outcome.memory.write(byte, (instance, k))
        else:
            gone = any(byte[0] in self.outcome.freed for byte in touched)
            tokens = tuple(self.outcome.memory.read(byte) for byte in touched)
            self.outcome.reads[instance] = ("freed",) if gone else tokens
        self.outcome.touched.append((instance, frozenset(touched), node.write))

    def _bytes(self, buffer: Buffer, index: Sequence[int]) -> list[Byte]:
        """The bytes of one element, from the first one."""
        shift, root, width = 0, buffer.name, WIDTH[buffer.element]
        if buffer.name in self._views:
            shift, root = buffer.shift, str(buffer.base)
        memory, first = self._made.get(root), 0
        if memory is None:
            memory, first = self._binding.memory[root]
        steps = buffer.steps(self._binding.strides.get(buffer.name, ()))
        start = first + shift + width * sum(i * step for i, step in zip(index, steps, strict=True))
        return [(memory, start + k) for k in range(width)]


def conflicts(outcome: Outcome) -> list[tuple[Instance, Instance]]:
    """Pairs of instances, the earlier one first, that share a byte which one of them writes."""
    return [
        (first, second)
        for k, (first, some, writes) in enumerate(outcome.touched)
        for second, others, also in outcome.touched[k + 1 :]
        if (writes or also) and some & others
    ]
