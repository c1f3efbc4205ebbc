"""What of a document's text came to be in rows, and what the rest is."""

from operators.pdf.coverage.account import Coverage, cover

__all__ = ["Coverage", "cover"]
