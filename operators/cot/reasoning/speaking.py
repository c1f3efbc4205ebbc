"""How goals and facts of a plan are spoken of within a sentence."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from operators.cot.anchors import spoken, without_stop
from operators.cot.support.facts import Fact
from operators.cot.tasks.fields import one_line


@lru_cache(maxsize=1 << 14)
def bare(text: str) -> str:
    """A text on one line without the stop at its end, as it is named within a sentence."""
    return without_stop(one_line(text)).rstrip("。！？")


def quoted(text: str) -> str:
    """A text without its stop in quotation marks."""
    return f'"{bare(text)}"'


def series(texts: Sequence[str]) -> str:
    """Several texts in quotation marks, in their order.

    >>> series(["Open it", "Go in", "Sit down"])
    '"Open it", then "Go in", and finally "Sit down"'
    """
    each = [f'"{text}"' for text in texts]
    return ", and finally ".join((", then ".join(each[:-1]), each[-1])) if len(each) > 2 else ", then ".join(each)


def state_of(fact: Fact) -> str:
    """What something is left as.

    >>> state_of(Fact("spatial", "inside", ("tube", "tire"), False)), state_of(Fact("affordance", "soft", ("tube",)))
    ('the tube not inside the tire', 'the tube soft')
    """
    first, *others = (f"the {spoken(each)}" for each in fact.objects)
    negated = "" if fact.truth else "not "
    if len(others) > 1:
        return f"{', '.join((first, *others[:-1]))} and {others[-1]} {negated}{spoken(fact.name)}"
    return " ".join((first, f"{negated}{spoken(fact.name)}", *others))
