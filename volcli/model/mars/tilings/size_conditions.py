"""Conditions on sizes that are symbols, as text: `s mod 2 = 1 and s >= 3`."""

from __future__ import annotations

import islpy as isl

from volcli.presburger.measures.counts import Residue
from volcli.presburger.measures.extremes import interval
from volcli.presburger.sets.build import DIM
from volcli.presburger.sets.names import parameters_of_space, without


def residues_text(residues: dict[str, Residue]) -> str:
    """`s mod 2 = 1`."""
    return " and ".join(f"{name} mod {each.period} = {each.remainder}" for name, each in residues.items())


def sizes_text(sizes: isl.Set, residues: dict[str, Residue]) -> str:
    """`s mod 2 = 1 and s >= 3`; isl's text, for several symbols that have to do with each other."""
    parts: list[str] = []
    for name, residue in residues.items():
        position = sizes.find_dim_by_name(DIM.param, name)
        low, high = _ends(sizes, name) if position >= 0 else (None, None)
        if low is not None and low == high:
            parts.append(f"{name} = {low}")
            continue
        if residue.period > 1:
            parts.append(f"{name} mod {residue.period} = {residue.remainder}")
        if low is not None and (low > residue.value(0) or residue.period == 1):
            parts.append(f"{name} >= {low}")
        if high is not None:
            parts.append(f"{name} <= {high}")
    text = " and ".join(parts)
    names = ", ".join(residues)
    said = isl.Set(f"[{names}] -> {{ : {text} }}")
    for name in residues:
        said = said.intersect(isl.Set(f"[{name}] -> {{ : {name} > 0 }}"))
    if sizes.is_equal(said):
        return text
    return str(sizes).partition(":")[2].rpartition("}")[0].strip()


def _ends(sizes: isl.Set, name: str) -> tuple[int | None, int | None]:
    """The least and the greatest value of a symbol."""
    sizes = without(sizes, *(n for n in parameters_of_space(sizes) if n != name))
    line = sizes.move_dims(DIM.set, 0, DIM.param, 0, 1)
    return interval(line, 0)
