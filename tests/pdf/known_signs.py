"""The signs that formulas are read in."""

from __future__ import annotations

from dataflow_ext.text import rows


def known_signs() -> list[tuple[str, str]]:
    """All signs of the tables of encodings, each once, with their kinds."""
    tables = (rows("operators.pdf.formulas", f"tables/{name}_signs.tsv") for name in ("unicode", "tex"))
    return sorted({latex: kind for table in tables for *_, latex, kind in table}.items())
