"""What only shows when rows are seen beside each other: repeats, leaks, lengths."""

from __future__ import annotations

import re

from operators.game.easyr1.form import MAX_PIXELS, SCREEN_PIXELS
from operators.game.easyr1.problems import Findings
from operators.game.easyr1.row_check import Checked
from operators.game.easyr1.tokens import image_tokens

_EPISODE = re.compile(r".*?episode[ _-]?\d+", re.IGNORECASE)


class Across:
    """Compares the rows of one form of a data set, training rows first; holds some bytes a row."""

    def __init__(self, max_prompt_length: int) -> None:
        self.found = Findings()
        self._most = max_prompt_length
        self._first: dict[bytes, tuple[str, str, int, object]] = {}
        self._episodes: dict[str, str] = {}
        self._told: set[str] = set()
        self._long = 0
        self._longest: tuple[int, int, str] = (0, 0, "")

    def add(self, checked: Checked, split: str, name: str) -> None:
        """Compare a row with all before it."""
        for facts in checked.facts:
            self._compare(facts.content, checked, split, name)
        for path in checked.paths:
            self._compare_episode(path, checked.row, split, name)
        sizes = [(facts.width, facts.height) for facts in checked.facts]
        tokens = sum(image_tokens(*size) for size in sizes)
        if tokens >= self._most:
            self._long += 1
            ours = sum(image_tokens(*size, max_pixels=SCREEN_PIXELS) for size in sizes)
            self._longest = max(self._longest, (tokens, ours, name))

    def _compare(self, content: bytes, checked: Checked, split: str, name: str) -> None:
        first = self._first.setdefault(content, (split, name, checked.row, checked.answer))
        if first == (split, name, checked.row, checked.answer):
            return
        other, file, row, answer = first
        if other != split:
            why = f"the picture is that of row {row:,} of {file} too, so that it is tested on what was trained"
            self.found.add("picture-in-both", why, name, checked.row)
        elif answer != checked.answer:
            why = f"the picture is that of row {row:,}, but the answer is another"
            self.found.add("picture-contradicts", why, name, checked.row)
        else:
            self.found.add("row-repeated", f"the picture and the answer are those of row {row:,}", name, checked.row)

    def _compare_episode(self, path: str, row: int, split: str, name: str) -> None:
        match = _EPISODE.match(path)
        if match is None:
            return
        episode = match.group()
        if self._episodes.setdefault(episode, split) != split and episode not in self._told:
            self._told.add(episode)
            why = f"the episode {episode!r} has training rows and test rows; its rounds look much alike"
            self.found.add("episode-in-both", why, name, row)

    def finish(self) -> Findings:
        """All that was found, with one note on pictures that are too large for the prompt."""
        if self._long:
            tokens, ours, name = self._longest
            why = (
                f"{self._long:,} rows cost up to {tokens:,} image tokens with EasyR1's data.max_pixels={MAX_PIXELS}, "
                f"but data.max_prompt_length={self._most}; with data.max_pixels={SCREEN_PIXELS} it is {ours:,}"
            )
            self.found.add("prompt-long", why, name)
        return self.found
