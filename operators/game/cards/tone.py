"""How the whole screen's brightness changed from question to result, told by most of its pixels."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from dataflow_ext.ocr.engine import Pixels
    from operators.game.cards.pair import Plane
    from operators.game.cards.regions import Region, Row

#: A page that differs by less, in levels of 255, is as it was; a tone counts if it leaves less than this share.
_BETTER, _SHARE = 2.0, 0.7
#: By how much another kind of tone has to fit better than an earlier one, in levels.
_CLEARLY = 1.0


@dataclass(slots=True, frozen=True)
class Tone:
    """Result is ``gain`` times question plus ``offset``, in levels of 255; ``left`` is the usual difference
    that stays on the page, and ``on_cards`` whether the cards changed in the same way.

    ``offset`` is one number or one for each channel.
    """

    gain: float
    offset: Plane
    left: float = 0.0
    on_cards: bool = True

    def undone(self, picture: Pixels, row: Row) -> Plane:
        """The picture with the question's tone, as float32; ``row`` has the cards' places in it."""
        plain = picture.astype(np.float32)
        even = np.asarray(np.clip((plain - self.offset) / self.gain, 0.0, 255.0), np.float32)
        if not self.on_cards:
            for card in row.cards:
                even[card.inside] = plain[card.inside]
        return even


def tone_of(question: Pixels, result: Pixels, core: Region, row: Row) -> Tone:
    """The tone that fits most of the page around ``core``: of all, or of what lies behind the cards."""
    page = _page(question, result, core)
    cards = [_sample(question[card.inside], result[card.inside]) for card in row.cards]
    plain = best = Tone(1.0, np.zeros(1, np.float32))
    least = left = _left(plain, *page)
    if least >= _BETTER:
        for tone in _tones(*page):
            # The first kinds are the usual ones; a later kind must fit clearly better.
            if _left(tone, *page) < min(left - (_CLEARLY if best is not plain else 0.0), _SHARE * least):
                best, left = tone, _left(tone, *page)
    # One card or two may have marks, so that the second best tells.
    with_it, without = (sorted(_left(tone, *card) for card in cards)[1] for tone in (best, plain))
    return Tone(best.gain, best.offset, left, with_it <= without)


def _tones(before: Plane, after: Plane) -> Iterator[Tone]:
    """Darkened, lightened, shifted by channel, and any line where the page has enough tones to tell it."""
    for end in (0.0, 255.0):
        b, a = before - end, after - end
        if np.abs(b).mean() > 4.0:
            gain = float(np.clip(np.median(a[np.abs(b) > 8.0] / b[np.abs(b) > 8.0]), 0.2, 3.0))
            yield Tone(gain, np.array([end * (1.0 - gain)], np.float32))
    yield Tone(1.0, np.median(after - before, axis=0).astype(np.float32))
    if before.std() > 20.0:
        keep = np.ones(before.shape, bool)
        for _ in range(5):
            x, y = before[keep], after[keep]
            gain = float(np.clip(np.cov(x, y, bias=True)[0, 1] / max(1.0, float(x.var())), 0.2, 3.0))
            offset = float(np.median(y - gain * x))
            away = np.abs(after - gain * before - offset)
            keep = away <= max(3.0, 1.5 * float(np.median(away)))
        yield Tone(gain, np.array([offset], np.float32))


def _left(tone: Tone, before: Plane, after: Plane) -> float:
    """The usual difference that a tone leaves."""
    return float(np.median(np.abs(after - tone.gain * before - tone.offset)))


def _page(question: Pixels, result: Pixels, core: Region) -> tuple[Plane, Plane]:
    """Pixels outside the cards, a few thousand."""
    rest = np.ones(question.shape[:2], bool)
    rest[core.inside] = False
    step = max(1, round(max(rest.shape) / 250))
    few = np.s_[::step, ::step]
    chosen = rest[few]
    if not chosen.any():
        return _sample(question, result)
    return question[few][chosen].astype(np.float32), result[few][chosen].astype(np.float32)


def _sample(question: Pixels, result: Pixels) -> tuple[Plane, Plane]:
    step = max(1, round(max(question.shape[:2]) / 60))
    few = np.s_[::step, ::step]
    return question[few].reshape(-1, 3).astype(np.float32), result[few].reshape(-1, 3).astype(np.float32)
