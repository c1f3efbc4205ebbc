"""What was asked of each model in each step, and what that took."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields

from dataflow_ext.models.request import Reply


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

    def add(self, other: Usage) -> None:
        """Count what another one counted."""
        for field in fields(self):
            mine, its = getattr(self, field.name), getattr(other, field.name)
            known = mine is not None and its is not None
            both = (mine or its) if field.name == "local" else (mine + its if known else None)
            setattr(self, field.name, both)

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
