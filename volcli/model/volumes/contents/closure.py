"""Dependences that follow each other: the values of writes over what they are computed from in the end.

A write instance is computed from leaves, L, and from other write instances, D, which run before it. So

    V = L + D * V        (first D, then V)

has one solution V: no chain of instances that each run before the last one is endless. It is found for one
strongly connected component of the nodes at a time, each after those that it leads to: what these are
computed from is leaves then.

    c[i, j] += a[i, k] * b[k, j]    D = { [i, j, k] -> [i, j, k - 1] }    V = { [i, j, k] -> a[i, 0..k], ... }
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

import islpy as isl

from volcli.language.programs.graphs import components
from volcli.limits import volumes as limits
from volcli.model.volumes.contents.equations import Edges, NoForm, WriteEquations, following, together
from volcli.presburger.limits.budget import BudgetExceeded, budget
from volcli.presburger.sets.build import DIM
from volcli.presburger.sets.callbacks import maps_of
from volcli.presburger.sets.unwieldy import divisions


def solved(leaves: isl.UnionMap, before: isl.UnionMap) -> tuple[isl.UnionMap, str | None]:
    """V of LEAVES and what is BEFORE: a superset, and why it is not V."""
    edges = _by_node(before)
    values = {node: together(to.values()) for node, to in _by_node(leaves).items()}
    reasons: list[str] = []
    for nodes in components(edges, lambda node: edges.get(node, ())):
        values |= _of_component(nodes, values, edges, reasons)
    return together(values.values()), reasons[0] if reasons else None


def _of_component(
    nodes: Collection[str], values: Mapping[str, isl.UnionMap], edges: Edges, reasons: list[str]
) -> Mapping[str, isl.UnionMap]:
    """V of NODES, which lead to each other, and to others of known VALUES; what fails is added to REASONS."""
    own, inside = dict[str, isl.UnionMap](), Edges()
    for node in nodes:
        to = edges.get(node, {})
        outside = {each: relation for each, relation in to.items() if each not in nodes}
        own[node] = following(values.get(node, together(())), outside, values)
        inside[node] = {each: relation for each, relation in to.items() if each in nodes}
    if not any(inside.values()):
        return own
    has_divisions = any(divisions(each) for to in inside.values() for each in to.values())
    try:
        with budget(limits.CHAIN_OPERATIONS // (limits.DIVIDED_CHAINS if has_divisions else 1)):
            return WriteEquations(own, inside).solved()
    except NoForm as error:
        reasons.append(str(error))
    except BudgetExceeded as error:
        reasons.append(error.reason)
    return _at_most(own, inside)


def _at_most(leaves: Mapping[str, isl.UnionMap], inside: Edges) -> Mapping[str, isl.UnionMap]:
    """Supersets of V: each instance that depends on others is computed from any of their LEAVES."""
    every = together(leaves.values()).range().coalesce()
    found: dict[str, isl.UnionMap] = {}
    for node, to in inside.items():
        domain = together(to.values()).domain().coalesce()
        more = isl.UnionMap.from_domain_and_range(domain, every)
        found[node] = leaves[node].union(more).coalesce()
    return found


def _by_node(relations: isl.UnionMap) -> Edges:
    """RELATIONS by the names of what they lead from, and to."""
    found = Edges()
    for each in maps_of(relations):
        found.setdefault(each.get_tuple_name(DIM.in_), {})[each.get_tuple_name(DIM.out)] = each
    return found
