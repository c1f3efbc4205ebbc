"""How sure the rules are of each item, which stretches a model should see, and how both answers become one."""

from operators.pdf.doubts.judge import judge
from operators.pdf.doubts.units import Book, Unit

__all__ = ["Book", "Unit", "judge"]
