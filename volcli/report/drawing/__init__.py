"""Pictures, in text and as SVG: iterations and their dependences, sets of points, the layers of a network.

Imports: `diagnostics`, `facts`, `language`, `model`, `presburger`, `report.lines`.
"""
