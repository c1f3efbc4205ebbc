"""What there is to see of an annotated video: key frames, scene pictures with their times, videos of prefixes."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class StepMedia:
    """What there is of a step: paths relative to the input root (posix), times in seconds of the whole video.

    ``start_frame`` and ``end_frame`` are its two key frames, ``prefix_video`` shows the video from its beginning
    to the step's last key frame. None where there is no such file, or no time is told.
    """

    step_id: int
    start_frame: str | None = None
    end_frame: str | None = None
    clip_start: float | None = None
    clip_end: float | None = None
    prefix_video: str | None = None


@dataclass(frozen=True, slots=True)
class Scene:
    """A picture of the whole scene: its path relative to the input root, and its time in seconds of the video."""

    path: str
    time: float


@dataclass(frozen=True, slots=True)
class Media:
    """All pictures and videos of an item that are there; ``steps`` in the plan's order, ``scenes`` by time."""

    steps: list[StepMedia]
    scenes: list[Scene]

    def of(self, step_id: int) -> StepMedia:
        """What there is of a step: nothing, for one that is not known."""
        return next((each for each in self.steps if each.step_id == step_id), StepMedia(step_id))
