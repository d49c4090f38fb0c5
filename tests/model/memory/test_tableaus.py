"""The tableaus of "MemRef dependence checks in MLIR", row by row, and those of random nests against isl."""

from __future__ import annotations

import islpy as isl
import pytest

import volcli
from tests.oracles.memory.ask import memory_of
from tests.oracles.memory.draw import programs
from volcli.model.memory.buffers.aliases import Alias
from volcli.model.memory.dependences.model import Memory
from volcli.model.memory.steps.composition import AtDepth, Composition, domain_set
from volcli.model.memory.steps.explanations import Pair
from volcli.model.memory.steps.tableaus import NoTableau, access_tableaus
from volcli.presburger.tableaus.tableau import Tableau
from volcli.report.formulas import conditions, formula, matrix, rows

DIM = isl.dim_type

SHIFTED = """func.func @kernel() {
  %0 = memref.alloc() : memref<10x10xf32>
  %cst = arith.constant 7.000000e+00 : f32
  affine.for %i = 0 to 9 {
    affine.for %j = 0 to 9 {
      affine.store %cst, %0[%i, %j] : memref<10x10xf32>
      %5 = affine.load %0[%i - 2, %j] : memref<10x10xf32>
    }
  }
  return
}"""
SLANTED = """func.func @kernel(%0: memref<10x10xf32>, %cst: f32) {
  affine.for %i0 = 0 to 10 {
    affine.for %i1 = 0 to 7 {
      affine.store %cst, %0[%i0 + 3 * %i1, 4 * %i0 + 5 * %i1] : memref<10x10xf32>
      %a = affine.load %0[%i0 + %i1, %i0 + 2 * %i1 + 3] : memref<10x10xf32>
    }
  }
  return
}"""
STORE, LOAD = 0, 1
Found = tuple[Composition, tuple[AtDepth, ...]]


def memory(text: str) -> Memory:
    (unit,) = volcli.load(text).units
    (model,) = unit.models()
    return model.memory


def composed(text: str, source: int, sink: int) -> Found:
    known = memory(text)
    (found,) = Pair(known, known.sites[source], known.sites[sink]).compositions()
    return found


def dumped(columns: str, *tableau: str) -> list[str]:
    """What MLIR dumps: the columns say all of the header, `VVNN` and `L` for locals."""
    kinds = {"V": "Value", "N": "None", "L": "Local"}
    dims = sum(c in "VN" for c in columns)
    head = f"Domain: 0, Range: {dims}, Symbols: 0, Locals: {columns.count('L')}"
    names = " ".join([*(kinds[c] for c in columns), "const"])
    return [head, f"{len(tableau)} constraints", f"({names})", *tableau]


def box(before: int, after: int, *highest: int) -> list[str]:
    """Rows for 0 <= x <= highest, with so many columns before the first and behind the last of them."""
    found: list[str] = []
    for k, high in enumerate(highest):
        for sign, constant in ((1, 0), (-1, high)):
            numbers = [0] * (before + len(highest) + after)
            numbers[before + k] = sign
            found.append(f"{' '.join(map(str, [*numbers, constant]))} >= 0")
    return found


@pytest.fixture(scope="module")
def shifted() -> Found:
    return composed(SHIFTED, STORE, LOAD)


@pytest.fixture(scope="module")
def slanted() -> Found:
    return composed(SLANTED, LOAD, STORE)


class TestFirstExample:
    """The store as the source, the load as the sink."""

    def test_source(self, shifted: Found) -> None:
        expected = ("1 0 -1 0 0 = 0", "0 1 0 -1 0 = 0", *box(0, 2, 8, 8))
        assert matrix(shifted[0].source) == dumped("VVNN", *expected)
        assert matrix(domain_set(shifted[0].source)) == dumped("VVLL", *expected)

    def test_sink(self, shifted: Found) -> None:
        expected = ("1 0 -1 0 -2 = 0", "0 1 0 -1 0 = 0", *box(0, 2, 8, 8))
        assert matrix(shifted[0].sink) == dumped("VVNN", *expected)
        assert matrix(domain_set(shifted[0].sink)) == dumped("VVLL", *expected)

    def test_inverse(self, shifted: Found) -> None:
        expected = ("-1 0 1 0 -2 = 0", "0 -1 0 1 0 = 0", *box(2, 0, 8, 8))
        assert matrix(shifted[0].inverse) == dumped("NNVV", *expected)

    def test_composition(self, shifted: Found) -> None:
        expected = ("-1 0 1 0 -2 = 0", "0 -1 0 1 0 = 0", *box(0, 0, 8, 8, 8, 8))
        assert matrix(shifted[0].composed) == dumped("VVVV", *expected)

    def test_ordering_constraints(self, shifted: Found) -> None:
        assert [rows(each.order) for each in shifted[1]] == [
            ["-1 0 1 0 -1 >= 0"],
            ["-1 0 1 0 0 = 0", "0 -1 0 1 -1 >= 0"],
            ["-1 0 1 0 0 = 0", "0 -1 0 1 0 = 0"],
        ]

    def test_dependence_polyhedron(self, shifted: Found) -> None:
        assert matrix(shifted[1][0].distances) == dumped("NN", "1 0 -2 = 0", "0 1 0 = 0")
        assert all(each.distances.points().is_empty() for each in shifted[1][1:])

    def test_formulas(self, shifted: Found) -> None:
        bounds = "0 <= %i' <= 8 and 0 <= %j' <= 8"
        assert (
            formula(shifted[0].sink)
            == f"{{ [%i', %j'] -> [m0, m1] : %i' = m0 + 2 and %j' = m1 and {bounds} }}"
        )
        assert formula(shifted[1][0].distances) == "{ [d1, d2] : d1 = 2 and d2 = 0 }"
        assert formula(shifted[1][1].distances) == "{ [d1, d2] : false }"
        assert conditions(shifted[1][1].order) == ["%i' = %i", "%j' >= %j + 1"]


class TestSecondExample:
    """The load as the source, the store as the sink, as in the paper's tableaus (E004-3)."""

    def test_relations(self, slanted: Found) -> None:
        bounds = box(0, 2, 9, 6)
        assert matrix(slanted[0].source) == dumped("VVNN", "1 1 -1 0 0 = 0", "1 2 0 -1 3 = 0", *bounds)
        assert matrix(slanted[0].sink) == dumped("VVNN", "1 3 -1 0 0 = 0", "4 5 0 -1 0 = 0", *bounds)

    def test_each_step(self, slanted: Found) -> None:
        src = dumped("VVNNNN", "1 1 -1 0 0 0 0 = 0", "1 2 0 -1 0 0 3 = 0", *box(0, 4, 9, 6))
        dst = dumped("NNNNVV", "0 0 -1 0 1 3 0 = 0", "0 0 0 -1 4 5 0 = 0", *box(4, 0, 9, 6))
        src_rows = ["1 1 0 0 -1 0 0 = 0", "1 2 0 0 0 -1 3 = 0", *box(0, 4, 9, 6)]
        dst_rows = ["0 0 1 3 -1 0 0 = 0", "0 0 4 5 0 -1 0 = 0", *box(2, 2, 9, 6)]
        both = [*src_rows[:2], *dst_rows[:2], *src_rows[2:], *dst_rows[2:]]
        end = ["-1 -1 1 3 0 = 0", "-1 -2 4 5 -3 = 0", *box(0, 0, 9, 6, 9, 6)]
        expected = [
            ("srcRel.appendRangeVar(2)", {"srcRel": src}),
            ("dstRel.insertDomainVar(0, 2)", {"dstRel": dst}),
            ("dstRel.mergeSymbolVars(srcRel)", {"srcRel": src, "dstRel": dst}),
            ("dstRel.mergeLocalVars(srcRel)", {"srcRel": src, "dstRel": dst}),
            ("srcRel.convertToLocal(SetDim, 2, 4)", {"srcRel": dumped("VVNNLL", *src_rows)}),
            ("dstRel.convertToLocal(SetDim, 2, 4)", {"dstRel": dumped("NNVVLL", *dst_rows)}),
            ("match the domains", {"srcRel": dumped("VVVVLL", *src_rows)}),
            ("match the ranges", {"dstRel": dumped("VVVVLL", *dst_rows)}),
            ("srcRel.append(dstRel)", {"srcRel": dumped("VVVVLL", *both)}),
            ("srcRel.removeRedundantLocalVars()", {"srcRel": dumped("VVVV", *end)}),
        ]
        steps = slanted[0].steps
        assert [(s.call, {n: matrix(t) for n, t in s.tableaus}) for s in steps] == expected
        assert matrix(slanted[0].composed) == dumped("VVVV", *end)

    def test_distances(self) -> None:
        """Exactly six of the store's (E004-1), and none at depth 2."""
        first, second, _ = composed(SLANTED, STORE, LOAD)[1]
        exact = isl.Set("{ [1, 1]; [2, 2]; [3, 3]; [5, -1]; [6, 0]; [7, 1] }")
        assert first.distances.points().is_equal(exact)
        assert second.distances.points().is_empty()
        assert composed(SLANTED, LOAD, STORE)[1][0].distances.points().is_equal(isl.Set("{ [2, -4] }"))


def access(body: str, arguments: str = "%n: index, %k: index, %m: memref<?xf32>") -> tuple[Tableau, ...]:
    """The tableaus of the first access in BODY."""
    known = memory(f"func.func @f({arguments}) {{\n{body}\nreturn\n}}")
    return access_tableaus(known, known.sites[0])


class TestColumns:
    def test_parameters_are_symbols(self) -> None:
        (found,) = access("affine.for %i = 0 to %n { %x = affine.load %m[%i + symbol(%k)] : memref<?xf32> }")
        expected = ["1 -1 1 0 0 = 0", "1 0 0 0 0 >= 0", "-1 0 0 1 -1 >= 0"]
        assert matrix(found)[:3] == [
            "Domain: 0, Range: 2, Symbols: 2, Locals: 0", "3 constraints", "(Value None Value Value const)"
        ]  # fmt: skip
        assert rows(found) == expected
        assert [column.label for column in found.columns] == ["%i", "m0", "%k", "%n"]

    def test_a_quotient_and_a_remainder_share_a_local(self) -> None:
        (found,) = access(
            "affine.for %i = 0 to 8 { %x = affine.load %m[%i floordiv 3, %i mod 3] : memref<9x9xf32> }",
            "%m: memref<9x9xf32>",
        )
        assert rows(found) == [
            "0 -1 0 1 0 = 0", "1 0 -1 -3 0 = 0", "1 0 0 -3 0 >= 0", "-1 0 0 3 2 >= 0", "1 0 0 0 0 >= 0",
            "-1 0 0 0 7 >= 0",
        ]  # fmt: skip

    def test_steps_are_counted_by_a_local(self) -> None:
        (found,) = access("affine.for %i = 2 to %n step 3 { %x = affine.load %m[%i] : memref<?xf32> }")
        assert rows(found)[:2] == ["1 -1 0 0 0 = 0", "1 0 0 -3 -2 = 0"]

    def test_several_bounds_are_rows(self) -> None:
        (found,) = access(
            "affine.for %i = max affine_map<(d0) -> (d0, 3)>(%n) to min affine_map<(d0) -> (d0, 9)>(%k) "
            "{ %x = affine.load %m[%i] : memref<?xf32> }"
        )
        assert conditions(found) == ["%i = m0", "%i >= %n", "3 <= %i <= 8", "%k >= %i + 1"]

    def test_a_step_from_the_larger_of_two_bounds_has_two_parts(self) -> None:
        found = access(
            "affine.for %i = max affine_map<(d0) -> (d0, 3)>(%n) to 30 step 4 "
            "{ %x = affine.load %m[%i] : memref<?xf32> }"
        )
        assert [conditions(each)[1] for each in found] == ["%i = %n + 4 * s0", "%i = 4 * s0 + 3"]

    def test_an_operation_s_own_loops_are_locals(self) -> None:
        (found,) = access(
            "affine.for %i = 0 to 8 step 4 { %x = affine.vector_load %m[%i] : memref<?xf32>, vector<4xf32> }"
        )
        assert conditions(found)[0] == "%i + e0 = m0"
        assert "0 <= e0 <= 3" in conditions(found)

    def test_an_equality_in_a_condition_is_one(self) -> None:
        (found,) = access(
            "affine.for %i = 0 to 8 { affine.for %j = 0 to 8 { affine.if affine_set<(d0, d1) : (d0 - d1 == 0)>(%i, %j)"
            " { %x = affine.load %m[%i] : memref<?xf32> } } }"
        )
        assert "%i = %j" in conditions(found)

    def test_the_else_branch_of_two_conditions_has_two_parts(self) -> None:
        body = """affine.for %i = 0 to 8 {
          affine.if affine_set<(d0) : (d0 - 2 >= 0, 5 - d0 >= 0)>(%i) {
          } else { %x = affine.load %m[%i] : memref<?xf32> }
        }"""
        known = memory(f"func.func @f(%m: memref<?xf32>) {{\n{body}\nreturn\n}}")
        found = access_tableaus(known, known.sites[0])
        assert len(found) == 2
        union = found[0].points().union(found[1].points())
        assert union.is_equal(isl.Set("{ [i, i] : 0 <= i <= 1 or 6 <= i <= 7 }"))

    @pytest.mark.parametrize(
        ("body", "why"),
        [
            (
                "%z = arith.muli %n, %n : index\n%x = memref.load %m[%z] : memref<?xf32>",
                "product of two unknowns",
            ),
            ("scf.for %i = %n to %n step %k { %x = memref.load %m[%i] : memref<?xf32> }", "step"),
        ],
    )
    def test_what_is_not_affine_is_said(self, body: str, why: str) -> None:
        with pytest.raises(NoTableau, match=why):
            access(body)


SEEDS = range(40)


@pytest.mark.sample(1)
@pytest.mark.parametrize("seed", SEEDS)
def test_random_nests(seed: int) -> None:
    """Every relation, composition and polyhedron of distances has exactly isl's points."""
    (program,) = programs(seed, 1)
    known = memory_of(program)
    for source in known.sites:
        for sink in known.sites:
            if source.is_write or sink.is_write:
                pair = Pair(known, source, sink)
                if pair.alias is Alias.SAME:
                    compare(pair)


def compare(pair: Pair) -> None:
    instances = pair.memory.instances
    relations = [instances.relation(site) for site in (pair.source, pair.sink)]
    if any(not relation.exact or relation.unstable for relation in relations):
        with pytest.raises(NoTableau):
            pair.relations()
        return
    found = list(pair.compositions())
    for site, parts in zip((pair.source, pair.sink), pair.relations(), strict=True):
        assert union([part.points() for part in parts]).is_equal(
            instances.relation(site).elements().wrap().flatten()
        )
    whole = relations[0].pairs(relations[1])
    assert union([c.composed.points() for c, _ in found]).is_equal(whole.wrap().flatten())
    for depth in range(1, pair.common + 2):
        expected = distances(whole, pair.common, depth)
        assert union([depths[depth - 1].distances.points() for _, depths in found]).is_equal(expected)


def union(parts: list[isl.Set]) -> isl.Set:
    first, *others = parts
    for other in others:
        first = first.union(other)
    return first


def distances(pairs: isl.Map, common: int, depth: int) -> isl.Set:
    for k in range(min(depth - 1, common)):
        pairs = pairs.equate(DIM.in_, k, DIM.out, k)
    if depth <= common:
        pairs = pairs.order_lt(DIM.in_, depth - 1, DIM.out, depth - 1)
    pairs = pairs.project_out(DIM.in_, common, pairs.dim(DIM.in_) - common)
    return pairs.project_out(DIM.out, common, pairs.dim(DIM.out) - common).deltas()
