"""Walks over a program that dialects and the analysis share: blocks, uses, bodies, numbers of elements.

Guarantees: what no question answers is unknown, never nothing.

Over 300 lines: `bodies.py` (one class, `Body`).

Imports: `language.declared`, `language.definitions`, `language.expressions`, `language.interface`,
`language.loops`, `language.memory`, `language.questions`, `language.reads`, `language.unchanged`.
"""
