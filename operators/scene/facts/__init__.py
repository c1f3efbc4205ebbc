"""What is measured in a room, for prompts and for checking what is said of it."""

from operators.scene.facts.checking import check_text
from operators.scene.facts.sheet import FactSheet, fact_sheet

__all__ = ["FactSheet", "check_text", "fact_sheet"]
