"""Loops under conditions: how one counts, and how many iterations it has."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Counting:
    """%I begins as `first`, and goes on as `following`, %@k, while `condition`, %@c, holds: `low` to `high`.

    In each loop, @ stands for something new.
    """

    first: str
    condition: str
    following: str
    low: int
    high: int
    tested_behind: bool = False

    def lines(self, variable: str) -> tuple[list[str], list[str]]:
        """The operations of the condition, and of what follows, of the loop of this VARIABLE."""
        new = f"{variable[1:]}_"
        condition, following = (
            each.replace("%I", variable).replace("@", new).splitlines()
            for each in (self.condition, self.following)
        )
        return condition, following


_LESS = "%@c = arith.cmpi slt, %I, %n : index"
COUNTING = (
    Counting("%c_0", _LESS, "%@k = arith.addi %I, %c_1 : index", 0, 5),
    Counting("%c_1", "%@c = arith.cmpi sle, %I, %c_3 : index", "%@k = arith.addi %I, %c_2 : index", 1, 3),
    Counting("%c_5", "%@c = arith.cmpi sgt, %I, %c_1 : index", "%@k = arith.subi %I, %c_1 : index", 2, 5),
    Counting("%c_4", "%@c = arith.cmpi sge, %I, %c_0 : index", "%@k = arith.subi %I, %c_2 : index", 0, 4),
    Counting("%c_1", _LESS, "%@k = arith.muli %I, %c_2 : index", 1, 4),
    Counting("%c_0", "%@c = arith.cmpi ne, %I, %c_3 : index", "%@k = arith.addi %I, %c_1 : index", 0, 2),
    Counting("%c_0", _LESS, "%@k = arith.addi %I, %c_1 : index", 0, 5, tested_behind=True),
    Counting("%c_3", "%@c = arith.cmpi sgt, %I, %c_0 : index", "%@k = arith.subi %I, %c_1 : index", 0, 3,
             tested_behind=True),
    Counting("%c_0", "%@l = tensor.extract %d[%I] : tensor<6xi1>\n%@m = arith.cmpi slt, %I, %c_4 : index\n"
             "%@c = arith.andi %@l, %@m : i1", "%@k = arith.addi %I, %c_1 : index", 0, 3),
)  # fmt: skip
