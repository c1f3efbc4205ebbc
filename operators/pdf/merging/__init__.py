"""Questions and answers of one document joined, by chapter, label and order."""

from operators.pdf.merging.entries import Entry
from operators.pdf.merging.rows import Merged, MergedRow, merge

__all__ = ["Entry", "Merged", "MergedRow", "merge"]
