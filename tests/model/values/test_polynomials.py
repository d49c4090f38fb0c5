"""Claims about products and quotients of values: what holds is proved, what does not has numbers."""

from __future__ import annotations

import pytest

import volcli
from volcli.model.values.terms.answers import Verdict

SCALED = """
func.func @f(%n: index, %m: index, %k: index, %b: index) {
  %c1 = arith.constant 1 : index
  %nb = arith.muli %n, %b : index
  %last = arith.addi %nb, %b : index
  %up = arith.ceildivsi %n, %b : index
  %covered = arith.muli %up, %b : index
  %down = arith.floordivsi %n, %b : index
  %whole = arith.muli %down, %b : index
  %rest = arith.remsi %n, %b : index
  %toward = arith.divsi %n, %b : index
  %again = arith.muli %toward, %b : index
  %udown = arith.divui %n, %b : index
  %uwhole = arith.muli %udown, %b : index
  %map = affine.apply affine_map<(d0)[s0] -> (d0 - (d0 mod s0))>(%n)[%b]
  %mk = arith.muli %m, %k : index
  %nmk = arith.muli %n, %mk : index
  %sum = arith.addi %n, %b : index
  %h, %l = affine.delinearize_index %n into (%m, %b) : index, index
  return
}
"""
LINEAR = """
func.func @f(%n: index, %b: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %size = arith.muli %n, %b : index
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %b step %c1 {
      %ib = arith.muli %i, %b : index
      %at = arith.addi %ib, %j : index
      "test.use"(%at) : (index) -> ()
    }
  }
  return
}
"""
TILES = """
func.func @f(%n: index, %b: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %tiles = arith.ceildivsi %n, %b : index
  scf.for %i = %c0 to %tiles step %c1 {
    %first = arith.muli %i, %b : index
    %left = arith.subi %n, %first : index
    %size = arith.minsi %b, %left : index
    "test.use"(%size) : (index) -> ()
  }
  scf.for %o = %c0 to %n step %b {
    %behind = arith.subi %n, %o : index
    %width = arith.minsi %b, %behind : index
    "test.use"(%width) : (index) -> ()
  }
  return
}
"""
BRANCHES = """
func.func @f(%n: index, %b: index, %c: i1) {
  %c0 = arith.constant 0 : index
  %nb = arith.muli %n, %b : index
  %ok = arith.cmpi sge, %nb, %c0 : index
  %q = scf.if %ok -> index {
    "test.use"(%nb) : (index) -> ()
    scf.yield %nb : index
  } else {
    scf.yield %c0 : index
  }
  %p = scf.if %c -> index {
    %d = arith.floordivsi %n, %b : index
    %w = arith.muli %d, %b : index
    scf.yield %w : index
  } else {
    scf.yield %n : index
  }
  cf.assert %ok, "both or none"
  %r = arith.muli %nb, %nb : index
  return
}
"""
ARGUMENTS = """
func.func @f(%n: index, %m: index, %b: index, %x: tensor<?x?xf32>) {
  %c1 = arith.constant 1 : index
  %p = arith.muli %n, %m : index
  %q = arith.addi %p, %c1 : index
  return
}
"""
POSITIVE = "%n >= 0 and %b >= 1"


@pytest.mark.sample(3)
@pytest.mark.parametrize(
    ("text", "claim", "assumed"),
    [
        (SCALED, "%nb >= %n", POSITIVE),
        (SCALED, "%last - 1 >= 0", POSITIVE),
        (SCALED, "%n <= %covered < %sum", "%b >= 1"),
        (SCALED, "%whole <= %n < %whole + %b", "%b >= 1"),
        (SCALED, "%whole >= %n > %whole + %b", "%b <= -1"),
        (SCALED, "%rest = %n - %again", "%b >= 1"),
        (SCALED, "0 <= %rest < %b", POSITIVE),
        (SCALED, "%uwhole <= %n", POSITIVE),
        (SCALED, "%uwhole = %whole", POSITIVE),
        (SCALED, "%map = %whole", ""),
        (SCALED, "%nmk >= %n", "%n >= 0 and %m >= 1 and %k >= 1"),
        (SCALED, "0 <= %l < %b", ""),
        (SCALED, "%l = %n - %whole", ""),
        (LINEAR, "0 <= %at < %size", ""),
        (TILES, "1 <= %size <= %b", "%b >= 1"),
        (TILES, "%first + %size <= %n", "%b >= 1"),
        (TILES, "1 <= %width <= %b", ""),
        (BRANCHES, "%p <= %n", "%b >= 1"),
        (LINEAR, "0 <= %i * %b + %j < %n * %b", ""),
        (ARGUMENTS, "%n * %m = %p and 2 * %m * 3 * %n + 6 = 6 * %q", ""),
        (ARGUMENTS, "%q >= 13", "%n * %m >= 12"),
        (ARGUMENTS, "%n >= 1 or %m >= 1 or %n <= -1", "%n * %m >= 12"),
        (ARGUMENTS, "dim(%x, 0) * dim(%x, 1) mod 4 = 0", "dim(%x, 0) * dim(%x, 1) mod 8 = 4"),
        (ARGUMENTS, "%n * %n >= %n", ""),
        (ARGUMENTS, "%n * %b < %m * %b", "%n < %m and %b >= 1"),
        (BRANCHES, "%q >= 0", ""),
        (BRANCHES, "%r >= %nb", ""),
    ],
)
def test_what_holds(text: str, claim: str, assumed: str) -> None:
    assert volcli.load(text, assume=[assumed] if assumed else []).compare(claim).verdict is Verdict.PROVED


@pytest.mark.sample(4)
@pytest.mark.parametrize(
    ("text", "claim", "assumed"),
    [
        (SCALED, "%nb > %n", POSITIVE),
        (SCALED, "%nb >= %n", "%b >= 1"),
        (SCALED, "%covered > %n", "%b >= 1"),
        (SCALED, "%whole = %again", "%b >= 1"),
        (SCALED, "%whole = %uwhole", "%b >= 1"),
        (SCALED, "%nmk >= %n", "%n >= 0 and %m >= 1"),
        (SCALED, "%whole <= %n", ""),
        (LINEAR, "%at < %size - 1", ""),
        (LINEAR, "%at >= %i + %j + 1", ""),
        (TILES, "%size = %b", "%b >= 1"),
        (TILES, "%size >= 2", "%b >= 2"),
        (TILES, "%width >= 2", ""),
        (BRANCHES, "%q > 0", ""),
        (LINEAR, "%i * %b + %j < (%n - 1) * 1 + %n * %b - %n", ""),
        (ARGUMENTS, "%n * %b < %m * %b", "%n < %m and %b >= 0"),
        (BRANCHES, "%r > %nb", ""),
    ],
)
def test_what_does_not_hold_has_numbers(text: str, claim: str, assumed: str) -> None:
    """The witness satisfies what is assumed: with it as an assumption, the claim never holds."""
    found = volcli.load(text, assume=[assumed] if assumed else []).compare(claim)
    assert found.verdict is Verdict.REFUTED
    assert found.witness
