"""Whether an operator can work in another process."""

from __future__ import annotations

import logging
import pickle
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dataflow_ext.operator import Operator

logger = logging.getLogger(__name__)


def can_leave(operator: Operator) -> bool:
    """Whether another process can have the operator; if pickling is what fails, the log says why."""
    why = why_not(operator)
    if why.startswith("it cannot be pickled"):
        logger.warning("%s stays in one process: %s.", type(operator).__name__, why)
    return not why


def why_not(operator: Operator) -> str:
    """Why another process cannot have the operator; empty if it can."""
    options = [type(getattr(operator, name)) for name in type(operator).model_fields]
    for cls in (type(operator), *options):
        if not _is_found_elsewhere(cls):
            return f"{cls.__name__} was typed in a notebook or at a prompt, where no other process finds it"
    try:
        pickle.dumps(operator)
    except Exception as error:
        return f"it cannot be pickled ({error})"
    return ""


def _is_found_elsewhere(cls: type) -> bool:
    """Whether another process can import the class: not if it was typed in a notebook or at a prompt."""
    return cls.__module__ != "__main__" or Path(getattr(sys.modules["__main__"], "__file__", None) or "").is_file()
