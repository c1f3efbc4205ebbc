"""Mathematical expressions in plain text and LaTeX: read, evaluated and compared within fixed limits."""

from operators.verify.expressions.comparison import same_expression
from operators.verify.expressions.evaluation import evaluate

__all__ = ["evaluate", "same_expression"]
