"""Documents as other parsers than MinerU write them, in the form of MinerU's flat list."""

from __future__ import annotations

from typing import Any

from operators.pdf.other_parsers import docling, marker
from operators.pdf.other_parsers.entries import Entries


def entries_of(data: dict[str, Any]) -> tuple[str, Entries] | None:
    """The name of the form that a JSON object has, with its entries; None if it is of no other parser."""
    if data.get("schema_name") == "DoclingDocument":
        return "docling", docling.entries(data)
    if data.get("block_type") == "Document" and isinstance(data.get("children"), list):
        return "marker", marker.entries(data)
    return None
