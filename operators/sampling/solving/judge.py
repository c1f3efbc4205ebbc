"""A judge's word on an answer that rules cannot tell right from wrong."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from pydantic import BaseModel, ConfigDict, Field

from dataflow_ext import Prompt
from dataflow_ext.models import Model, Request
from dataflow_ext.models.errors import RefusedError, TruncatedReplyError, UnreadableReplyError
from dataflow_ext.models.structured.ask import ask_again
from dataflow_ext.models.structured.extract import extract_all
from dataflow_ext.models.structured.reply_schema import reply_schema
from dataflow_ext.report.parts import short
from operators.sampling.model.attempt import Verdict
from operators.verify.answer import Sameness

#: Calls for one verdict that can be read, and characters of its reason that are kept.
_MOST_CALLS, _REASON = 4, 300
#: Tokens of a verdict, for estimates.
_EXPECTED = 40

#: What leaves a verdict open without a fault of the answer: another call would say no more.
_NO_WORD = (RefusedError, TruncatedReplyError, UnreadableReplyError)


class Judged(BaseModel):
    """A judge's reply: why, in one sentence, and whether the two answers are the same."""

    model_config = ConfigDict(strict=True)

    reason: str = Field(description="one sentence")
    same: bool = Field(description="whether both answers are the same")


_SCHEMA = reply_schema(Judged)


@dataclass(slots=True)
class Judge:
    """Says of the answers to one question whether they are the gold answer; each different answer is asked once.

    Right is what was accepted twice, the second time with the answers changed over. A verdict that cannot be read is
    asked for again, of the judge; one that never can leaves the answer open.
    """

    model: Model
    system: Prompt
    row: Prompt
    question: str
    seed: int
    _known: dict[tuple[str, str, str], Verdict] = field(default_factory=dict)

    async def verdict(self, answer: str, gold: str, options: Sequence[str]) -> Verdict:
        """The verdict on an answer; calls are counted where it was first asked."""
        key = answer, gold, "\n".join(options)
        if key not in self._known:
            self._known[key] = found = await self._verdict(answer, gold, options)
            return found
        known = self._known[key]
        return Verdict(known.verdict, known.verdict_by, known.verdict_reason)

    async def _verdict(self, answer: str, gold: str, options: Sequence[str]) -> Verdict:
        calls = tokens = 0
        reason = ""
        for number, (first, second) in enumerate(((gold, answer), (answer, gold))):
            shown = {"question": self.question, "first": first, "second": second}
            prompt = self.row.fill(options=options, **{name: _as_data(text) for name, text in shown.items()})
            request = Request(
                prompt,
                system=self.system.text,
                seed=self.seed + number,
                json_schema=_SCHEMA.schema,
                schema_name=_SCHEMA.name,
                expect=_EXPECTED,
            )
            try:
                found = await ask_again(self.model, request, _read, _MOST_CALLS)
            except _NO_WORD as error:
                return self._told("unsure", f"the judge gave no verdict: {error}", calls + error.attempts, tokens)
            calls, tokens = calls + found.attempts, tokens + found.reply.tokens
            reason = found.value.reason
            if not found.value.same:
                if number:
                    return self._told("unsure", f"accepted once, then not: {reason}", calls, tokens)
                return self._told("no", reason, calls, tokens)
        return self._told("yes", reason, calls, tokens)

    def _told(self, verdict: Sameness, reason: str, calls: int, tokens: int) -> Verdict:
        return Verdict(verdict, self.model.name, short(" ".join(reason.split()), _REASON), calls, tokens)


def _as_data(text: str) -> str:
    """A text that ends no block of the prompt, whoever wrote it."""
    return text.replace("</", "< /")


def _read(text: str) -> Judged:
    """The last verdict in a reply; ValueError if there is none."""
    return _SCHEMA.read(extract_all(text)[-1].value)
