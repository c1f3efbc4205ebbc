"""Bad plans: gold plans that are changed so that exactly one condition more is broken, with the proof."""

# The tasks import the flaws, and the flaws how the tasks' texts are compared: whoever is first, tasks go first.
import operators.cot.tasks  # noqa: F401
