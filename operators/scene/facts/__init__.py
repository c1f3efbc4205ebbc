"""What is measured in a room, for prompts, claims and pages."""

from operators.scene.facts.sheet import FactSheet, fact_sheet

__all__ = ["FactSheet", "fact_sheet"]
