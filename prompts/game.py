"""Prompts of the game pipeline; constant, and sent with one screenshot each."""

from __future__ import annotations

from typing import ClassVar

from dataflow_ext.prompt import Prompt


class GameNumbersPrompt(Prompt):
    """Asks for the numbers on the three cards, from left to right.

    >>> "From LEFT to RIGHT" in GameNumbersPrompt().text
    True
    """

    template: ClassVar[str] = "game_numbers.md"


class GameLightPrompt(Prompt):
    """Asks for the colour of the light.

    >>> "GREEN, RED, or YELLOW" in GameLightPrompt().text
    True
    """

    template: ClassVar[str] = "game_light.md"


class GameCardPrompt(Prompt):
    """Asks which card the result picture marks as the correct one.

    >>> "0, 1, or 2" in GameCardPrompt().text
    True
    """

    template: ClassVar[str] = "game_card.md"
