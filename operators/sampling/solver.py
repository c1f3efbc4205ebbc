"""The attempts at one question: each a request of its own, with its verdict, until the policy's rule says enough."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from dataflow_ext import Prompt
from dataflow_ext.identity import short_hash
from dataflow_ext.models import Model, Reply, Request, complete
from dataflow_ext.models.errors import RefusedError, TruncatedReplyError, UnreadableReplyError
from dataflow_ext.models.structured.ask import ask_again
from dataflow_ext.models.structured.extract import extract_all
from dataflow_ext.models.structured.reply_schema import reply_schema
from dataflow_ext.well_formed import short
from operators.sampling.choices import moved, moved_gold
from operators.sampling.rates import BY_END, BY_RULES, Rule, Verdict
from operators.verify.answer import Option, Sameness
from operators.verify.equivalence import equivalent
from operators.verify.extraction import answer_in

#: Calls for one verdict that can be read, and characters of its reason that are kept.
_MOST_CALLS, _REASON = 4, 300
#: Tokens of a verdict, for estimates.
_EXPECTED_WORDS = 40

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
                expect=_EXPECTED_WORDS,
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


#: Tokens of a reply, for estimates.
_EXPECTED = 600
_THOUGHTS = re.compile(r"\s*+(?:<(?:think|thinking)>)?(?P<thoughts>.*?)</(?:think|thinking)>", re.DOTALL)
_OPEN_THOUGHTS = re.compile(r"\s*+<(?:think|thinking)>(?P<thoughts>.*)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Question:
    """What a solver is shown, and, for verdicts alone, the gold answer."""

    problem: str
    earlier: Sequence[str]
    choices: Sequence[Option]
    moves: bool
    pictures: Sequence[str]
    gold: str


@dataclass(frozen=True, slots=True)
class Shown:
    """A question as one attempt sees it, its options in that attempt's order, and the gold answer in their letters."""

    text: str
    options: Sequence[Option]
    gold: str


@dataclass(slots=True)
class Solver:
    """Asks ``model`` for attempts at one question, and says of each whether it is right.

    No two attempts are the same request: each has a seed of its own, and options stand in another order. A reply that
    is cut off or declined is a wrong attempt. ``records`` has what is known of each.
    """

    model: Model
    question: Question
    system: Prompt
    row: Prompt
    judge: Judge | None
    seed: int
    temperature: float | None
    max_tokens: int | None
    records: list[dict[str, Any]] = field(default_factory=list)

    @property
    def right(self) -> int:
        """Attempts that are right."""
        return sum(record["verdict"] == "yes" for record in self.records)

    @property
    def undecided(self) -> int:
        """Attempts of which nobody could tell."""
        return sum(record["verdict"] == "unsure" for record in self.records)

    async def until(self, rule: Rule) -> None:
        """Make attempts until the rule stops; those that it is sure to want are under way together.

        One that is undecided counts as a success here: that a judge fails must cost no further attempt.
        """
        while more := rule.wanted(self.right + self.undecided, len(self.records)):
            await self._attempts(range(len(self.records), len(self.records) + more))

    async def _attempts(self, numbers: Sequence[int]) -> None:
        shown = [self._shown(number) for number in numbers]
        replies = await asyncio.gather(*map(self._reply, shown, numbers), return_exceptions=True)
        for reply in replies:
            if isinstance(reply, BaseException):
                raise reply  # once all have come, as they are paid for
        for number, view, reply in zip(numbers, shown, replies, strict=True):
            assert isinstance(reply, Reply)  # noqa: S101 - the others were raised
            self.records.append(await self._record(number, view, reply))

    def _shown(self, number: int) -> Shown:
        choices, gold = self.question.choices, self.question.gold
        if self.question.moves:
            # From another place on for each question, or the first attempts would all see the printed order.
            places = (int(short_hash(self.question.problem), 16) + number) % len(choices)
            choices, gold = moved(choices, places), moved_gold(gold, choices, places)
        lines = [f"{option.letter}. {option.text}" for option in choices]
        text = self.row.fill(earlier=list(self.question.earlier), problem=self.question.problem, options=lines)
        return Shown(text, choices, gold)

    async def _reply(self, shown: Shown, number: int) -> Reply:
        request = Request(
            shown.text,
            system=self.system.text,
            images=tuple(self.question.pictures),
            seed=self.seed + number,
            temperature=self.temperature,
            max_tokens=self.max_tokens,
            expect=_EXPECTED,
        )
        try:
            return await complete(self.model, request)
        except RefusedError as error:
            if error.reply is None:
                raise
            return error.reply

    async def _record(self, number: int, shown: Shown, reply: Reply) -> dict[str, Any]:
        said, reasoning, source = parted(reply)
        found, verdict = await self._verdict(shown, said, reply.finish_reason)
        return {
            "attempt": number,
            "shown": shown.text,
            "options_shown": shown.options,
            "expected": shown.gold,
            "reply": said,
            "reasoning": reasoning,
            "reasoning_source": source,
            "finish_reason": reply.finish_reason,
            "found": found,
            **asdict(verdict),
            "solver": self.model.name,
            "prompt_tokens": reply.prompt_tokens,
            "completion_tokens": reply.completion_tokens,
            "seconds": reply.seconds,
        }

    async def _verdict(self, shown: Shown, said: str, ended: str) -> tuple[str | None, Verdict]:
        """The answer that was found, and the verdict on it."""
        if ended in ("length", "refusal"):
            why = "cut off at its token limit" if ended == "length" else "the model declined"
            return None, Verdict("no", BY_END, why)
        asked = self.question.problem
        found = answer_in(said, question=asked, options=shown.options)
        if found is None:
            return None, Verdict("no", BY_RULES, "the reply names no answer")
        same = equivalent(found.text, shown.gold, question=asked, options=shown.options)
        if same.verdict != "unsure" or self.judge is None:
            return found.text, Verdict(same.verdict, BY_RULES, same.reason)
        options = [f"{option.letter}. {option.text}" for option in shown.options]
        return found.text, await self.judge.verdict(found.text, shown.gold, options)


def parted(reply: Reply) -> tuple[str, str, str]:
    """What a reply says, the reasoning before it, and where that stood: a field of the server's, or ``think`` tags.

    >>> parted(Reply("<think>2 and 2</think> It is 4.")), parted(Reply("4", reasoning="2 + 2", reasoning_source="r"))
    (('It is 4.', '2 and 2', 'think'), ('4', '2 + 2', 'r'))
    """
    if reply.reasoning:
        return reply.text.strip(), reply.reasoning.strip(), reply.reasoning_source
    found = _THOUGHTS.match(reply.text) or _OPEN_THOUGHTS.match(reply.text)
    if found is None:
        return reply.text.strip(), "", ""
    return reply.text[found.end() :].strip(), found["thoughts"].strip(), "think"


def question_of(row: Mapping[str, Any]) -> Question:
    """The question in a row of the sampler's inputs."""
    names = ("problem", "earlier", "choices", "moves", "pictures", "gold")
    return Question(*(row[name] for name in names))
