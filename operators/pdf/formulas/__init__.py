"""Formulas of a text layer as LaTeX: signs by their fonts, places on a line, the tree of their parts."""

from operators.pdf.formulas.glyphs import Formula, Glyph, Rule, Stroke
from operators.pdf.formulas.page_formulas import find_formulas
from operators.pdf.formulas.signs import Family, drawn_family, family, sign_of

__all__ = ["Family", "Formula", "Glyph", "Rule", "Stroke", "drawn_family", "family", "find_formulas", "sign_of"]
