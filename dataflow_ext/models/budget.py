"""What a run may spend at most on models, in tokens and money, and what it was that each was asked and took."""

from __future__ import annotations

import asyncio
import re
import threading
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, fields, replace

from dataflow_ext.errors import OptionError
from dataflow_ext.models.errors import BudgetError
from dataflow_ext.models.request import Reply

_AMOUNT = re.compile(r"(\$?)\s*(\d+(?:\.\d+)?|\.\d+)\s*(k|M|G)?\s*(usd|tok|tokens?)?", re.IGNORECASE)
_SCALE = {"": 1, "k": 1_000, "m": 1_000_000, "g": 1_000_000_000}


@dataclass(frozen=True, slots=True)
class Budget:
    """The most that a run may spend: ``tokens`` (prompt and completion), ``usd``, either, or both.

    >>> Budget.parse("5usd"), Budget.parse("2Mtok"), Budget.parse("$0.50, 300ktok").usd
    (Budget(tokens=None, usd=5.0), Budget(tokens=2000000, usd=None), 0.5)
    """

    tokens: int | None = None
    usd: float | None = None

    @classmethod
    def parse(cls, text: str) -> Budget:
        """The budget that a text such as ``5usd``, ``2Mtok`` or ``5usd,2Mtok`` names."""
        tokens: int | None = None
        usd: float | None = None
        for part in text.split(","):
            match = _AMOUNT.fullmatch(part.strip())
            dollar, number, scale, unit = match.groups("") if match else ("", "", "", "")
            money = bool(dollar) or unit.lower() == "usd"
            if not number or (money and unit.lower().startswith("tok")) or not (money or unit):
                raise OptionError(
                    f"A budget is an amount with its unit, such as 5usd, 2Mtok or 5usd,2Mtok; not {text!r}."
                )
            amount = float(number) * _SCALE[scale.lower()]
            if money:
                usd = amount
            else:
                tokens = int(amount)
        return cls(tokens, usd)

    def __str__(self) -> str:
        parts = [f"{self.tokens:,} tokens"] if self.tokens is not None else []
        parts += [f"{self.usd:g} USD"] if self.usd is not None else []
        return " and ".join(parts) or "no limit"


@dataclass(frozen=True, slots=True)
class Cost:
    """Tokens and their price in US dollars."""

    tokens: int = 0
    usd: float = 0.0


class _Waiter:
    """A call that waits for room: what it expects to cost, and its event loop's future."""

    __slots__ = ("expected", "future", "let_in", "loop")

    def __init__(self, expected: Cost) -> None:
        self.expected, self.let_in = expected, False
        self.loop = asyncio.get_running_loop()
        self.future: asyncio.Future[None] = self.loop.create_future()

    def wake(self, error: BudgetError | None = None) -> None:
        """Let the call go on, or fail, on its own loop."""

        def done() -> None:
            if not self.future.done():
                self.future.set_exception(error) if error is not None else self.future.set_result(None)

        self.loop.call_soon_threadsafe(done)


class Purse:
    """A budget being spent: each call sets its expected cost aside, then pays its real one.

    What is set aside counts as spent, so that calls under way together do not overrun the budget by more
    than their estimates were wrong. A call that does not fit waits while others may still turn out cheaper,
    and fails with :class:`BudgetError` when none is left; so do all that come after it, however small, so
    that a run stops at a clear line. Several event loops may share a purse.
    """

    def __init__(self, budget: Budget) -> None:
        self.budget = budget
        self.spent = Cost()
        self.aside = Cost()
        self.closed = False
        #: Called after each change: before a call that was let in is made, and when it is paid.
        self.noted: Callable[[], None] = _nothing
        self._under_way = 0
        self._last = Cost()
        self._waiting: deque[_Waiter] = deque()
        self._lock = threading.Lock()

    async def take(self, expected: Cost, *, wait: bool = True) -> None:
        """Set the expected cost aside; every call that got it must :meth:`pay`.

        Without ``wait`` a call that does not fit fails at once: it may be a day until others have paid.
        """
        with self._lock:
            if not self._waiting and self._let_in(expected):
                return
            if self.closed or not wait:
                self._last = self._last if self.closed else expected
                raise self._used_up()
            waiter = _Waiter(expected)
            self._waiting.append(waiter)
        try:
            await waiter.future
        except asyncio.CancelledError:
            with self._lock:
                let_in = waiter.let_in
                if not let_in and waiter in self._waiting:
                    self._waiting.remove(waiter)
            if let_in:
                self.pay(expected, None)
            raise

    def pay(self, expected: Cost, real: Cost | None) -> None:
        """Replace what was set aside by what the call took; None if it took nothing."""
        with self._lock:
            self._under_way -= 1
            self.aside = Cost(self.aside.tokens - expected.tokens, self.aside.usd - expected.usd)
            if real is not None:
                self.spent = Cost(self.spent.tokens + real.tokens, self.spent.usd + real.usd)
            self.noted()
            while self._waiting:
                waiter = self._waiting[0]
                if waiter.future.done():  # it was cancelled
                    self._waiting.popleft()
                    continue
                if self._let_in(waiter.expected):
                    waiter.let_in = True
                    waiter.wake()
                elif self.closed:
                    waiter.wake(self._used_up())
                else:
                    return
                self._waiting.popleft()

    def _let_in(self, more: Cost) -> bool:
        """Set the cost aside if it fits; close for good if it does not although nothing is under way."""
        if self.closed:
            return False
        tokens = self.spent.tokens + self.aside.tokens + more.tokens
        usd = self.spent.usd + self.aside.usd + more.usd
        most = self.budget
        if (most.tokens is None or tokens <= most.tokens) and (most.usd is None or usd <= most.usd + 1e-9):
            self.aside = Cost(self.aside.tokens + more.tokens, self.aside.usd + more.usd)
            self._under_way += 1
            self.noted()
            return True
        if self._under_way == 0:
            self.closed, self._last = True, more
        return False

    def _used_up(self) -> BudgetError:
        return BudgetError(
            f"The budget of {self.budget} is used up: {self._words(self.spent)} spent, and the next call would take "
            f"about {self._words(self._last)}. Run again with a larger budget: what was paid for is kept."
        )

    def _words(self, cost: Cost) -> str:
        money = "" if self.budget.usd is None else f" ({cost.usd:.4f} USD)"
        return f"{cost.tokens:,} tokens{money}"


def _nothing() -> None:
    """Nobody keeps a record."""


@dataclass(slots=True)
class Usage:
    """What one model was asked and what that took.

    Of ``requests`` asked for, ``cached`` were answered by the request cache, ``shared`` by an identical call
    under way, and ``made`` by the model; ``failures`` ended in an error. ``retries`` are calls beyond the
    first, ``repairs`` requests that asked for a better reply. Tokens are those of the calls that were made,
    so they are what was paid (``cached_tokens`` are those of the prompts that the server had in its prefix
    cache); ``spared_tokens`` are those of replies that were remembered. ``usd`` and ``spared_usd`` are their
    price, None where it is not known. A ``local`` model has no tokens and no price.
    """

    requests: int = 0
    cached: int = 0
    shared: int = 0
    made: int = 0
    retries: int = 0
    repairs: int = 0
    failures: int = 0
    prompt_tokens: int = 0
    cached_tokens: int = 0
    completion_tokens: int = 0
    reasoning_tokens: int = 0
    spared_tokens: int = 0
    usd: float | None = 0.0
    spared_usd: float | None = 0.0
    local: bool = False

    @property
    def tokens(self) -> int:
        """Prompt and completion tokens that were paid."""
        return self.prompt_tokens + self.completion_tokens

    def retried(self) -> None:
        """Count one more try."""
        self.retries += 1

    def paid(self, reply: Reply, usd: float | None) -> None:
        """Count a reply that the model made for us."""
        self.made += 1
        self.prompt_tokens += reply.prompt_tokens
        self.cached_tokens += reply.cached_tokens
        self.completion_tokens += reply.completion_tokens
        self.reasoning_tokens += reply.reasoning_tokens
        self.usd = _sum(self.usd, usd)

    def spared(self, reply: Reply, usd: float | None) -> None:
        """Count a reply that was remembered."""
        self.cached += 1
        self.spared_tokens += reply.tokens
        self.spared_usd = _sum(self.spared_usd, usd)

    def add(self, other: Usage, times: int = 1) -> None:
        """Count what another one counted."""
        for field in fields(self):
            mine, its = getattr(self, field.name), getattr(other, field.name)
            known = mine is not None and its is not None
            both = (mine or its) if field.name == "local" else (mine + times * its if known else None)
            setattr(self, field.name, both)

    def since(self, before: Usage) -> Usage:
        """What was counted after an earlier state of it."""
        more = replace(self)
        more.add(before, -1)
        return more

    def __str__(self) -> str:
        """The figures in words, those that are zero left out."""
        counts = {"remembered": self.cached, "shared": self.shared, "made": self.made}
        counts |= {"retries": self.retries, "repairs": self.repairs, "failed": self.failures}
        parts = [f"{self.requests:,} request{'s' if self.requests != 1 else ''}"]
        parts += [f"{count:,} {word}" for word, count in counts.items() if count]
        if self.tokens:
            cached = f" ({self.cached_tokens:,} cached)" if self.cached_tokens else ""
            parts.append(f"{self.prompt_tokens:,} tokens in{cached}, {self.completion_tokens:,} out")
            parts.append("price not known" if self.usd is None else f"{self.usd:.4f} USD")
        if self.spared_tokens:
            worth = f" ({self.spared_usd:.4f} USD)" if self.spared_usd else ""
            parts.append(f"{self.spared_tokens:,} tokens{worth} not paid again")
        return "local, " * self.local + ", ".join(parts)

    def as_dict(self) -> dict[str, int | float | bool | None]:
        """The figures by name."""
        return asdict(self)


def _sum(total: float | None, more: float | None) -> float | None:
    return None if total is None or more is None else total + more


class Ledger:
    """A :class:`Usage` for each pair of a step and a model.

    >>> ledger = Ledger()
    >>> ledger.of("2. Ask", "m").requests += 3
    >>> ledger.of("3. Judge", "m").requests += 1
    >>> ledger.by_model()["m"].requests
    4
    """

    def __init__(self) -> None:
        self._entries: dict[tuple[str, str], Usage] = {}

    def of(self, step: str, model: str) -> Usage:
        """The figures of that step and model, to be counted on."""
        entry = self._entries.get((step, model))
        if entry is None:
            # setdefault: another thread may have been faster
            entry = self._entries.setdefault((step, model), Usage())
        return entry

    def entries(self) -> dict[tuple[str, str], Usage]:
        """All figures, by step and model, in the order in which they were first asked for."""
        return dict(self._entries)

    def taken(self) -> dict[tuple[str, str], Usage]:
        """All figures, which from now on are another ledger's to count."""
        entries, self._entries = self._entries, {}
        return entries

    def add(self, entries: Mapping[tuple[str, str], Usage]) -> None:
        """Count what another ledger counted."""
        for place, usage in entries.items():
            self.of(*place).add(usage)

    def by_model(self) -> dict[str, Usage]:
        """The figures of each model over all steps."""
        sums: dict[str, Usage] = {}
        for (_, model), usage in self.entries().items():
            sums.setdefault(model, Usage()).add(usage)
        return sums

    def total(self) -> Usage:
        """The figures of all steps and models, local ones left out."""
        total = Usage()
        for usage in self.entries().values():
            if not usage.local:
                total.add(usage)
        return total
