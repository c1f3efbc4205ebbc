"""How sure the rules are of each item, which stretches a model should see, and how both answers become one."""

from operators.pdf.doubts.document import Doubt
from operators.pdf.doubts.summary import HybridFigures, hybrid_figures, hybrid_summary

__all__ = ["Doubt", "HybridFigures", "hybrid_figures", "hybrid_summary"]
