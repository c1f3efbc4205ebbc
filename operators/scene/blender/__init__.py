"""Pictures of rooms by Blender, which runs as a program of its own and is never loaded into ours."""

from __future__ import annotations

from operators.scene.blender.client import BlenderPainter
from operators.scene.blender.process import BlenderError, program_of

__all__ = ["BlenderError", "BlenderPainter", "program_of"]
