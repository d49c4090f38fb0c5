"""The programs of `numbers_of_loops`, with some of their numbers computed by operations before, as masks are.

A term that is made of the loops (and of %loaded) becomes the elements of a tensor, which is stored as it is,
transposed, or with a dimension of size 1; other such terms may be computed from these.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from tests.oracles.elements import numbers_of_loops
from tests.oracles.elements.numbers_of_loops import COLUMNS, ROWS, Term, Text

OF_DATA = ("element", "extract")
STORED = {
    "as it is": ("(i, j)", f"{ROWS}x{COLUMNS}"),
    "transposed": ("(j, i)", f"{COLUMNS}x{ROWS}"),
    "expanded": ("(i, 0, j)", f"{ROWS}x1x{COLUMNS}"),
}


@dataclass
class TextWithInputs(Text):
    """A body in which some terms are arguments."""

    inputs: Mapping[Term, str] = field(default_factory=dict[Term, str])

    def name(self, term: Term) -> str:
        return self.inputs.get(term) or super().name(term)


@dataclass(frozen=True)
class Tensor:
    """A tensor %h whose elements are those of a term."""

    term: Term
    number: int
    stored: str

    @property
    def kind(self) -> str:
        return f"tensor<{STORED[self.stored][1]}x{self.term.kind}>"

    @property
    def map(self) -> str:
        """From the loops to its element."""
        return f"affine_map<(i, j) -> {STORED[self.stored][0]}>"


@dataclass(frozen=True)
class Program:
    """`r[d0, d1] = term`, of which TENSORS are computed before."""

    term: Term
    tensors: tuple[Tensor, ...]

    def mlir(self) -> str:
        """The program as text."""
        lines = [line for k, each in enumerate(self.tensors) for line in self._made(each, self.tensors[:k])]
        lines += self._generic(
            "%r", self.term, f"%e : tensor<{ROWS}x{COLUMNS}xi64>", "affine_map<(i, j) -> (i, j)>",
            self.tensors, ("%y", f"tensor<{ROWS}xi64>", "affine_map<(i, j) -> (i)>", "%a: i64"),
            ("%x", f"tensor<{COLUMNS}xi64>", "affine_map<(i, j) -> (j)>", "%b: i64"),
        )  # fmt: skip
        return numbers_of_loops.Program.function("i64", "\n".join(lines) + "\n")

    def _made(self, tensor: Tensor, before: tuple[Tensor, ...]) -> Iterator[str]:
        name, kind = f"%h{tensor.number}", tensor.term.kind
        plain = f"tensor<{ROWS}x{COLUMNS}x{kind}>"
        if tensor.stored != "expanded":
            yield f"  {name}e = tensor.empty() : {tensor.kind}"
            yield from self._generic(name, tensor.term, f"{name}e : {tensor.kind}", tensor.map, before)
            return
        yield f"  {name}e = tensor.empty() : {plain}"
        whole = "affine_map<(i, j) -> (i, j)>"
        yield from self._generic(f"{name}p", tensor.term, f"{name}e : {plain}", whole, before)
        sizes = f"[[0, 1], [2]] output_shape [{ROWS}, 1, {COLUMNS}]"
        yield f"  {name} = tensor.expand_shape {name}p {sizes} : {plain} into {tensor.kind}"

    @staticmethod
    def _generic(
        name: str, term: Term, out: str, out_map: str, before: tuple[Tensor, ...],
        *others: tuple[str, str, str, str],
    ) -> Iterator[str]:  # fmt: skip
        inside = set(term.terms())
        used = [tensor for tensor in before if tensor.term in inside]
        text = TextWithInputs(inputs={t.term: f"%n{t.number}" for t in used})
        result = text.name(term)
        ins = [*((f"%h{t.number}", t.kind, t.map, f"%n{t.number}: {t.term.kind}") for t in used), *others]
        maps = ", ".join([each[2] for each in ins] + [out_map])
        names, kinds = ", ".join(each[0] for each in ins), ", ".join(each[1] for each in ins)
        arguments = ", ".join([each[3] for each in ins] + [f"%o: {term.kind}"])
        yield f'  {name} = linalg.generic {{indexing_maps = [{maps}], iterator_types = ["parallel", "parallel"]}}'
        yield (f"    ins({names} : {kinds})" if ins else "   ") + f" outs({out}) {{"
        yield f"  ^bb0({arguments}):"
        yield "    %i0 = linalg.index 0 : index"
        yield "    %i1 = linalg.index 1 : index"
        yield from text.lines
        yield f"    linalg.yield {result} : {term.kind}"
        yield f"  }} -> {out.partition(' : ')[2]}"


def drawn(seed: int) -> Program:
    """The program of SEED."""
    chance, term = random.Random(-seed - 1), numbers_of_loops.drawn(seed).term
    pure = [
        each
        for each in dict.fromkeys(term.terms())
        if not any(inner.op in OF_DATA for inner in each.terms()) and each.op not in ("constant", "loaded")
    ]
    chosen = sorted(chance.sample(pure, min(len(pure), 3)), key=lambda each: len(list(each.terms())))
    stored = [chance.choice(list(STORED)) for _ in chosen]
    return Program(
        term, tuple(Tensor(t, k, how) for k, (t, how) in enumerate(zip(chosen, stored, strict=True)))
    )
