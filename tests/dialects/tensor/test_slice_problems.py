"""Slices drawn at random: those, and only those, that mlir-opt 22 rejects are reported, with its message."""

from __future__ import annotations

import random

import pytest

from tests.dialects.problem_cases import Invalid, answers, said


def drawn(generator: random.Random, op: str) -> str:
    """A slice of two dimensions; about half of them do not lie inside, or have another type."""
    sizes = [generator.choice(("?", str(generator.randint(1, 6)))) for _ in range(2)]
    window = [[generator.randint(0, 6), generator.randint(0, 4), generator.randint(1, 3)] for _ in range(2)]
    kept = [size for _, size, _ in window if size != 1 or generator.random() < 0.5]
    if kept and generator.random() < 0.2:
        kept[generator.randrange(len(kept))] += 1
    lists = " ".join(str(list(numbers)) for numbers in zip(*window, strict=True))
    whole = f"tensor<{'x'.join(sizes)}xf32>"
    part = f"tensor<{''.join(f'{size}x' for size in kept)}f32>"
    if op == "extract_slice":
        body = f"%r = tensor.extract_slice %t{lists} : {whole} to {part}"
        return Invalid.within(f"%t: {whole}", body).text
    body = f"%r = tensor.insert_slice %s into %t{lists} : {part} into {whole}"
    return Invalid.within(f"%t: {whole}, %s: {part}", body).text


@pytest.mark.slow
@pytest.mark.parametrize("op", ["extract_slice", "insert_slice"])
def test_drawn_slices(op: str, mlir_opt: str) -> None:
    generator = random.Random(f"slices: {op}")
    texts = [drawn(generator, op) for _ in range(200)]
    asked = answers(mlir_opt, texts)
    rejected = sum(map(bool, asked))
    assert 40 < rejected < 160
    for text, answer in zip(texts, asked, strict=True):
        assert [one[1:] for one in said(text)] == answer, text
