"""Whether the steps of a text without marks reach the answer that it is given: reached, contradicted or cannot tell."""

from operators.verify.reaching.verdict import Reach, reach

__all__ = ["Reach", "reach"]
