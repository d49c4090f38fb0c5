"""volcli from Python: a program, its functions, and typed answers to questions about them."""

from volcli.api.function import Function
from volcli.api.pictures import Picture
from volcli.api.program import Program
from volcli.api.values import Spot, Value

__all__ = ["Function", "Picture", "Program", "Spot", "Value"]
