"""A sheet on which SVG is drawn: shapes and labels on white, one file that needs no other one."""

from __future__ import annotations

from xml.etree import ElementTree as ET

COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#000000", "#f0e442")
"""Colours that people tell apart who see few (Okabe and Ito 2008)."""
LETTER = 7.2
"""The width of a letter, about."""


class Sheet:
    """WIDTH x HEIGHT, with a title."""

    def __init__(self, title: str, width: float, height: float) -> None:
        self.root = ET.Element("svg", {
            "xmlns": "http://www.w3.org/2000/svg", "viewBox": f"0 0 {width:.0f} {height:.0f}",
            "width": f"{width:.0f}", "height": f"{height:.0f}", "role": "img",
            "font-family": "sans-serif", "font-size": "13",
        })  # fmt: skip
        ET.SubElement(self.root, "title").text = title

    def shape(self, name: str, **attributes: str) -> ET.Element:
        return ET.SubElement(self.root, name, attributes)

    def label(
        self,
        text: str,
        x: float,
        y: float,
        anchor: str = "start",
        weight: str = "normal",
        fill: str = "#111111",
    ) -> None:
        label = self.shape("text", x=f"{x:.1f}", y=f"{y:.1f}", fill=fill)
        label.set("text-anchor", anchor)
        label.set("font-weight", weight)
        label.text = text

    def written(self) -> str:
        """The text of the file."""
        ET.indent(self.root)
        return ET.tostring(self.root, encoding="unicode") + "\n"


def ticks(first: int, last: int, most: int = 25) -> range:
    """At most 25 numbers, or MOST, or one, evenly spaced.

    >>> list(ticks(0, 9, 4))
    [0, 3, 6, 9]
    """
    return range(first, last + 1, -(-(last - first + 1) // max(1, min(most, 25))))
