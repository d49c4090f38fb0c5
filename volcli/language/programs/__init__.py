"""Walks over a program that dialects and the analysis share: blocks, uses, bodies, numbers of elements.

Guarantees: what no question answers is unknown, never nothing.

Imports: `language.expressions`, `language.interface`, `language.loops`, `language.questions`,
`language.reads`, `language.unchanged`.
"""
