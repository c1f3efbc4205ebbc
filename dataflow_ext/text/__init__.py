"""Words of any text: tokens, stems, and what is general English."""

from __future__ import annotations

from importlib.resources import files


def rows(package: str, table: str) -> list[list[str]]:
    """The cells of each row of a table of words in a package's folder, without its head; rows may be left blank.

    >>> rows("dataflow_ext.text", "units.tsv")[0]
    ['m', 'm', '1']
    """
    text = files(package).joinpath(table).read_text(encoding="utf-8")
    return [line.split("\t") for line in text.splitlines()[1:] if line]
