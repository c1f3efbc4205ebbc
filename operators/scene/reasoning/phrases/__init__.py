"""How things are said, by topic; the text between braces is filled from what was measured."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from operators.scene.reasoning.phrases import adding, changing, ending, seeing, talking, why

PHRASES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {**seeing.PHRASES, **adding.PHRASES, **why.PHRASES, **changing.PHRASES, **ending.PHRASES, **talking.PHRASES}
)
