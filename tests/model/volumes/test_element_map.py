"""The element map of a program is the transitive closure of its operations' maps (lemmas A.1 to A.5)."""

from __future__ import annotations

import islpy as isl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.shared.enumeration import Function, Point, box_points, function, pairs_of
from tests.shared.seeds import examples
from volcli.language.reads import rank_of
from volcli.model.volumes.maps.composed import VolumeUse

# -- lemma A.5 on random programs ----------------------------------------------------------------------

steps = st.lists(
    st.tuples(
        st.sampled_from(["pad", "slice", "insert", "add", "reverse", "concat"]),
        st.integers(0, 9),
        st.integers(0, 9),
    ),
    min_size=1,
    max_size=7,
)


def program(script: list[tuple[str, int, int]]) -> str:
    """A random SSA program on vectors of 4 elements, with shared and with dead values."""
    lines = ["%z = arith.constant 0.0 : f32", "%k = arith.constant dense<1.0> : tensor<4xf32>"]
    names = ["%a", "%b", "%k"]
    v = "tensor<4xf32>"
    for number, (kind, p, q) in enumerate(script):
        x, y, r, t = names[p % len(names)], names[q % len(names)], f"%v{number}", f"%t{number}"
        match kind:
            case "pad":
                lines += [
                    f"{t} = tensor.extract_slice {x}[{p % 2}] [3] [1] : {v} to tensor<3xf32>",
                    f"{r} = tensor.pad {t} low[{q % 2}] high[{1 - q % 2}] {{\n"
                    f"^bb0(%i: index): tensor.yield %z : f32\n}}"
                    f" : tensor<3xf32> to {v}",
                ]
            case "slice":
                lines += [
                    f"{t} = tensor.extract_slice {x}[{p % 2}] [2] [2] : {v} to tensor<2xf32>",
                    f"{r} = tensor.insert_slice {t} into {y}[{q % 3}] [2] [1] : tensor<2xf32> into {v}",
                ]
            case "insert":
                lines += [
                    f"%c{number} = arith.constant {q % 4} : index",
                    f"{r} = tensor.insert %z into {x}[%c{number}] : {v}",
                ]
            case "add":
                lines.append(f"{r} = arith.addf {x}, {y} : {v}")
            case "reverse":
                lines.append(
                    f"{r} = linalg.generic {{indexing_maps = [affine_map<(d0) -> (3 - d0)>,"
                    f" affine_map<(d0) -> (d0)>],"
                    f' iterator_types = ["parallel"]}} ins({x} : {v}) outs({y} : {v}) {{\n'
                    "^bb0(%x: f32, %y: f32):\n%s = arith.addf %x, %z : f32\n"
                    f"linalg.yield %s : f32\n}} -> {v}"
                )
            case _:
                lines += [
                    f"{t} = tensor.concat dim(0) {x}, {y} : ({v}, {v}) -> tensor<8xf32>",
                    f"{r} = tensor.extract_slice {t}[{p % 5}] [4] [1] : tensor<8xf32> to {v}",
                ]
        names.append(r)
    return function("%a: tensor<4xf32>, %b: tensor<4xf32>", "\n".join(lines), f"{names[-1]} : {v}")


def closure(f: Function, name: str) -> set[tuple[Point, VolumeUse, Point]]:
    """The closure of all operations' maps, element by element, restricted to live-outs and live-ins."""
    steps_of: dict[VolumeUse, dict[Point, set[tuple[VolumeUse, Point]]]] = {}
    for value in f.model.values():
        targets = f.model.maps.of_operation(value).targets
        if not targets:
            continue
        here = steps_of.setdefault(VolumeUse(value), {})
        for use, relation in targets.items():
            for r, x in pairs_of(relation):
                here.setdefault(r, set()).add((use, x))
    start = f.value(name)
    found: set[tuple[Point, VolumeUse, Point]] = set()
    for r in box_points(*(int(str(s)) for s in f.model.store.sizes(start))):
        pending, seen = [(VolumeUse(start), r)], {(VolumeUse(start), r)}
        while pending:
            use, x = pending.pop()
            if use not in steps_of:
                found.add((r, use, x))
                continue
            fresh = steps_of[use].get(x, set()) - seen
            seen |= fresh
            pending.extend(fresh)
    return found


@pytest.mark.slow
@settings(max_examples=examples(25))
@given(steps)
def test_one_pass_equals_the_transitive_closure(script: list[tuple[str, int, int]]) -> None:
    f = Function(program(script))
    name = f"%v{len(script) - 1}"
    found = f.model.maps.to_inputs(f.value(name))
    assert found.inexact is None
    one_pass = {(r, use, x) for use, relation in found.targets.items() for r, x in pairs_of(relation)}
    assert one_pass == closure(f, name)


@pytest.mark.slow
@settings(max_examples=examples(20))
@given(steps)
def test_one_pass_equals_isls_closure(script: list[tuple[str, int, int]]) -> None:
    """Lemma A.3 with isl's own transitive closure, where that says that it is exact."""
    f = Function(program(script))
    name = f"%v{len(script) - 1}"
    maps = f.model.maps
    everything = isl.UnionMap("{ }")
    for value in f.model.values():
        everything = everything.union(maps.union_map(maps.of_operation(value), {}))
    closed, exact = everything.transitive_closure()
    found = maps.union_map(maps.to_inputs(f.value(name)), {})
    inputs = everything.range().subtract(everything.domain())
    restricted = closed.intersect_domain(found.domain()).intersect_range(inputs)
    assert found.is_subset(restricted)
    if exact:
        assert found.is_equal(restricted)


# -- constants and texts -------------------------------------------------------------------------------

LAYER = function(
    "%t: tensor<4xf32>",
    """%cst0 = arith.constant 0.0 : f32
       %pad = tensor.pad %t low[1] high[1] {
       ^bb0(%i: index): tensor.yield %cst0 : f32
       } : tensor<4xf32> to tensor<6xf32>
       %e = tensor.empty() : tensor<6xf32>
       %act = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>],
           iterator_types = ["parallel"]} ins(%pad : tensor<6xf32>) outs(%e : tensor<6xf32>) {
       ^bb0(%x: f32, %y: f32):
         %m = arith.maximumf %x, %cst0 : f32
         linalg.yield %m : f32
       } -> tensor<6xf32>""",
    "%act : tensor<6xf32>",
)


def test_each_use_of_a_scalar_constant_is_a_volume_of_its_own() -> None:
    """Section 5.4: the activation's use of %cst0 must not hide which elements the padding made."""
    f = Function(LAYER)
    expected = {((r,), "t", (r - 1,)) for r in range(1, 5)}
    expected |= {((r,), "cst0_pad", ()) for r in (0, 5)}
    expected |= {((r,), "cst0_act", ()) for r in range(6)}
    assert f.inputs("%act") == expected


def test_inputs_are_in_the_order_of_arguments_then_constants() -> None:
    f = Function(function(
        "%a: tensor<2xf32>, %b: tensor<2xf32>",
        "%r = arith.addf %b, %a : tensor<2xf32>",
        "%r : tensor<2xf32>",
    ))  # fmt: skip
    targets = f.model.maps.to_inputs(f.value("%r")).targets
    assert [f.model.maps.volume_name(use) for use in targets] == ["a", "b"]


def test_an_input_maps_to_itself() -> None:
    f = Function(function("%a: tensor<2xf32>", "", "%a : tensor<2xf32>"))
    assert f.inputs("%a") == {((i,), "a", (i,)) for i in range(2)}


@pytest.mark.slow
@settings(max_examples=examples(20))
@given(steps)
def test_the_gist_is_the_map_within_its_context(script: list[tuple[str, int, int]]) -> None:
    """Lemma 4.12: intersected with the product of the index domains, the gist is the map again."""
    f = Function(program(script))
    value = f.value(f"%v{len(script) - 1}")
    maps, store = f.model.maps, f.model.store
    found = maps.to_inputs(value)
    gists = maps.gist(found).targets
    assert gists.keys() == found.targets.keys()
    for use, relation in found.targets.items():
        context = isl.Map.from_domain_and_range(store.domain(value), store.domain(use.volume))
        assert gists[use].intersect(context).is_equal(relation)


def test_the_gist_with_parameters() -> None:
    f = Function(function(
        "%t: tensor<?x?xf32>, %x: f32",
        """%p = tensor.pad %t low[1, 0] high[2, 0] {
           ^bb0(%i: index, %j: index): tensor.yield %x : f32
           } : tensor<?x?xf32> to tensor<?x?xf32>""",
        "%p : tensor<?x?xf32>",
    ))  # fmt: skip
    maps, store = f.model.maps, f.model.store
    value = f.value("%p")
    found = maps.to_inputs(value)
    for use, relation in maps.gist(found).targets.items():
        inside = isl.Map.from_domain_and_range(store.domain(value), store.domain(use.volume))
        whole = relation.intersect(inside.intersect_params(store.context()))
        assert whole.is_equal(maps.in_context(found).targets[use])


def test_a_printed_map_is_read_back() -> None:
    """Also where a parameter is called as an iterator is: `%n: index` and the batch dimension n."""
    f = Function(function(
        "%t: tensor<?x4xf32>, %u: tensor<4x?xf32>, %m: index, %n: index, %max: tensor<?x?xf32>",
        """%r = linalg.matmul ins(%t, %u : tensor<?x4xf32>, tensor<4x?xf32>)
             outs(%max : tensor<?x?xf32>) -> tensor<?x?xf32>
           %s = tensor.extract_slice %r[0, 0] [%m, %n] [1, 1] : tensor<?x?xf32> to tensor<?x?xf32>""",
        "%s : tensor<?x?xf32>",
    ))  # fmt: skip
    maps = f.model.maps
    found = maps.to_inputs(f.value("%s"))
    names = {
        u.volume: f.model.names_of_dimensions(u.volume) for u in (*found.targets, VolumeUse(f.value("%s")))
    }
    whole = maps.union_map(found, names)
    assert isl.UnionMap(str(whole)).is_equal(whole)
    for line in map(str, maps.named(found, names)):
        isl.Map(line)


def test_volumes_keep_apart_whose_names_become_equal() -> None:
    """`%a.b` and `%a_b` are two volumes, and `%c_r` is not the constant %c as %r uses it."""
    f = Function(function(
        "%a.b: tensor<2xf32>, %a_b: tensor<3xf32>",
        "%r = tensor.concat dim(0) %a.b, %a_b : (tensor<2xf32>, tensor<3xf32>) -> tensor<5xf32>",
        "%r : tensor<5xf32>",
    ))  # fmt: skip
    maps = f.model.maps
    found = maps.to_inputs(f.value("%r"))
    assert len({maps.volume_name(use) for use in found.targets}) == 2


def test_a_result_of_rank_0() -> None:
    f = Function(function("%a: tensor<3xf32>, %o: tensor<f32>", """%r = linalg.generic {
        indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]}
        ins(%a : tensor<3xf32>) outs(%o : tensor<f32>) {
      ^bb0(%x: f32, %y: f32):
        %s = arith.addf %x, %y : f32
        linalg.yield %s : f32
      } -> tensor<f32>""", "%r : tensor<f32>"))  # fmt: skip
    assert f.inputs("%r") == {((), "a", (i,)) for i in range(3)} | {((), "o", ())}
    assert rank_of(f.value("%r")) == 0
