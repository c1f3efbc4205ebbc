"""Mathematical expressions in plain text and LaTeX: read, evaluated and compared within fixed limits."""

from .comparison import same_expression
from .equations import Equation, equations_in
from .evaluation import evaluate

__all__ = ["Equation", "equations_in", "evaluate", "same_expression"]
