"""WordingJudge: whether words say what their marks prove, by a model; what does not is put from its claims by code."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import pyarrow as pa
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from dataflow_ext import Made, Operator, Prompt, RowError, progress
from dataflow_ext.claims import Checked, Sentence, check
from dataflow_ext.claims.vocabulary import prompt_text
from dataflow_ext.columns import Columns
from dataflow_ext.models import Model, Request, ask_again
from dataflow_ext.outcomes import Outcome, Record, made_of_rows, side_by_side
from operators.scene.claims.world import ROOM, RoomWorld
from operators.scene.model.records import BY_TABLE, TurnClaims, TurnText
from operators.scene.reasoning.english import form_problems, proven_again, taken_apart
from operators.scene.reasoning.turn import turns_of
from operators.scene.reasoning.voice import restated
from prompts import SceneWordingPrompt

#: Tokens of a reply for each sentence, about.
_EXPECTED = 14


class Verdict(BaseModel):
    """Whether the words of a sentence say what its marks say."""

    model_config = ConfigDict(strict=True)

    sentence: int
    agrees: bool


class Verdicts(BaseModel):
    """The reply of a judge: a verdict on each sentence that it was shown."""

    model_config = ConfigDict(strict=True)

    verdicts: list[Verdict] = Field(description="one for each sentence")


class WordingJudge(Operator):
    """Texts whose words a model found to say what their marks prove, and in ``wording`` who judged them.

    The model sees each sentence that has a proven mark, with its marks, a conversation in one request, and gives a
    verdict on each. A sentence that it rejects is replaced by what code says of its claims, or cut where no text of the
    table says them. Texts that rules wrote take their words from a table and are passed on.

    Reads:
        chain: the chain, by which claims are proven again.
        texts: the reasoning and conclusion of each turn.
        claims: their claims.
        wording: "by table" for texts of rules.

    Writes:
        texts: the texts, without what was rejected.
        claims: the claims that they have now.
        wording: "by table", or "judged by NAME, 2 of 31 rejected".

    Options:
        model: the judge.
        prompt: what it is asked.
        max_attempts: how often a reply that is no verdict on each sentence is asked for.

    Rejects:
        UnreadableReplyError: the replies were no verdicts, each time.
        RowError: too little is left of a turn.

    Example:
        >>> from dataflow_ext.codec import encode
        >>> from dataflow_ext.models import ScriptedModel
        >>> text = {"think": "It fits.", "conclusion": "I move the bed.", "template": "A"}
        >>> row = {"chain": "{}", "texts": [text], "claims": [], "wording": "by table"}
        >>> table = pa.Table.from_pylist([row]).set_column(2, "claims", encode([[]], list[TurnClaims]))
        >>> WordingJudge(model=ScriptedModel([]))(table)["wording"].to_pylist()
        ['by table']
    """

    inputs: ClassVar[Columns] = {"chain": str, "texts": list[TurnText], "claims": list[TurnClaims], "wording": str}
    outputs: ClassVar[Columns] = {"texts": list[TurnText], "claims": list[TurnClaims], "wording": str}
    record: ClassVar[tuple[str, ...]] = ("wording",)

    model: Model
    prompt: Prompt = SceneWordingPrompt()
    max_attempts: int = Field(default=2, ge=1)

    def batch(self, table: pa.Table) -> Made:
        """Ask about all conversations side by side."""
        return made_of_rows(self, table, self._judged)

    def _judged(self, rows: Sequence[Record]) -> list[Outcome]:
        progress.expect(len(rows), "chains")
        return side_by_side(self, self._asked, rows)

    async def _asked(self, row: Record) -> Record:
        if row["wording"] == BY_TABLE:
            return {name: row[name] for name in self.outputs}
        turns = turns_of(row["chain"])
        worlds = [turn.world for turn in turns]
        checked = [
            dict(proven_again(text, claims.claims, world))
            for text, claims, world in zip(row["texts"], row["claims"], worlds, strict=True)
        ]
        shown = [each for parts in checked for each in parts["think"].sentences if each.verdict == "proven"]
        rejected = await self._rejected(shown) if shown else set()
        texts, claims = [], []
        for text, parts, world in zip(row["texts"], checked, worlds, strict=True):
            think = check(_without(parts["think"], rejected, world), world)
            if wrong := [*think.false, *think.open, *form_problems(think.text, parts["conclusion"].text)]:
                raise RowError(f"Without the words that {self.model.name} rejected, {wrong[0]}.")
            made = taken_apart(think, parts["conclusion"], text.template)
            texts.append(made[0])
            claims.append(made[1])
        wording = f"judged by {self.model.name}, {len(rejected)} of {len(shown)} rejected"
        return {"texts": texts, "claims": claims, "wording": wording}

    async def _rejected(self, shown: Sequence[Sentence]) -> set[int]:
        """The sentences, by identity, whose words say something else than their marks."""

        def read(reply: str) -> set[int]:
            try:
                verdicts = Verdicts.model_validate_json(reply).verdicts
            except ValidationError as error:
                raise RowError(f"the reply is no JSON of verdicts: {error.errors()[0]['msg']}") from None
            found = {each.sentence: each.agrees for each in verdicts}
            if set(found) != set(range(1, len(shown) + 1)):
                raise RowError(f"there have to be verdicts on the sentences 1 to {len(shown)}, one on each")
            return {id(sentence) for n, sentence in enumerate(shown, 1) if not found[n]}

        listed = "\n".join(f"{n}. {' '.join(each.marked.split())}" for n, each in enumerate(shown, 1))
        request = Request(listed, system=self.prompt.fill(claims=prompt_text(ROOM)), expect=_EXPECTED * len(shown))
        return (await ask_again(self.model, request, read, self.max_attempts)).value


def _without(checked: Checked, rejected: set[int], world: RoomWorld) -> str:
    """The text with its marks, in which what was rejected is said by code."""
    parts, place = [], 0
    for each in checked.sentences:
        said = each.marked if id(each) not in rejected else restated([c.expression for c in each.claims], world)
        blank = checked.text[place : each.start]
        parts += [blank, said] if said else ["\n" if "\n" in blank else ""]
        place = each.start + len(each.text)
    return "".join(parts).strip()
