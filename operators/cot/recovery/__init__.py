"""Whether a step is done once its recovery has been applied."""

from operators.cot.recovery.label import CONTINUE, RETRY, Label, label_of

__all__ = ["CONTINUE", "RETRY", "Label", "label_of"]
