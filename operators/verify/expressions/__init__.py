"""Mathematical expressions in plain text and LaTeX: read, evaluated and compared within fixed limits."""

from .comparison import same_expression
from .evaluation import evaluate

__all__ = ["evaluate", "same_expression"]
