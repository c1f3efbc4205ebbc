"""When to stop: a rule on how many attempts were made and how many succeeded, and the ways to each of its ends."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

Policy = Literal["fixed", "first", "second", "adaptive"]

#: Attempts that every question gets under ``adaptive``: with fewer an easy question would tell nothing of its rate.
ADAPTIVE_LEAST = 3


@dataclass(frozen=True, slots=True)
class Rule:
    """Stop once there are ``least`` attempts and ``successes`` among them, or ``cap`` attempts.

    >>> Rule(2, 2, 5).stops(2, 2), Rule(2, 2, 5).stops(1, 4), Rule(2, 2, 5).stops(0, 5)
    (True, False, True)
    """

    least: int
    successes: int
    cap: int

    def stops(self, successes: int, attempts: int) -> bool:
        """Whether no further attempt is made."""
        return attempts >= self.cap or (attempts >= self.least and successes >= self.successes)

    def wanted(self, successes: int, attempts: int) -> int:
        """How many further attempts are sure to be made, so that they can be under way together.

        >>> Rule(2, 2, 5).wanted(0, 0), Rule(2, 2, 5).wanted(0, 4), Rule(2, 2, 5).wanted(1, 2)
        (2, 1, 1)
        """
        if self.stops(successes, attempts):
            return 0
        return min(max(self.least - attempts, self.successes - successes, 1), self.cap - attempts)


def rule_of(policy: Policy, cap: int) -> Rule:
    """The rule of a policy; that of ``adaptive`` is for one question that may have ``cap`` attempts."""
    if policy == "fixed":
        return Rule(cap, 0, cap)
    if policy == "first":
        return Rule(1, 1, cap)
    least = min(2 if policy == "second" else ADAPTIVE_LEAST, cap)
    return Rule(least, 2, cap)


#: An end: successes and attempts when the rule stopped.
End = tuple[int, int]


@lru_cache(maxsize=4096)
def ways(rule: Rule, successes: int = 0, attempts: int = 0) -> Mapping[End, int]:
    """In how many orders of successes and failures each end is reached from here.

    >>> dict(ways(Rule(2, 2, 3)))
    {(2, 2): 1, (0, 3): 1, (1, 3): 3, (2, 3): 2}
    """
    ends: dict[End, int] = {}
    here = {successes: 1}
    while here:
        going: dict[int, int] = {}
        for had, count in sorted(here.items()):
            if rule.stops(had, attempts):
                ends[had, attempts] = count
                continue
            for after in (had, had + 1):
                going[after] = going.get(after, 0) + count
        here, attempts = going, attempts + 1
    return ends
