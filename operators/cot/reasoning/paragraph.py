"""A paragraph in the making: phrases whose marks are proven, filled with texts of the plan that break no rule."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TypeVar

from dataflow_ext.claims.expressions import Binary, Call, Expression, Name, Unary, parse
from dataflow_ext.claims.marks import read_marks
from dataflow_ext.claims.phrases import Phrase, read_phrases
from dataflow_ext.claims.proof import holds
from dataflow_ext.errors import RowError
from dataflow_ext.well_formed import quoted
from operators.cot.anchors import AnchorSteps, anchors_of
from operators.cot.plan import Kept, Plan, Step, once
from operators.cot.problems import Problem
from operators.cot.rules.prose import leak_problems, sentences_of
from operators.cot.rules.response import is_plain, response_problems
from operators.cot.rules.vocabulary import Vocabulary, vocabulary_of
from operators.cot.sample import turn_of
from operators.cot.support.facts import conditions_of, effects_of
from operators.cot.tasks.challenges import condition_of
from operators.cot.tasks.conclusion import state_of
from operators.cot.texts import bare, one_line
from operators.cot.world import PlanWorld, Slots

#: A reasoning and an answer with which nothing is wrong.
_BEFORE, _NEUTRAL, _ANSWER = "This is so.", "So this is why it holds.", "A"
_NO_WORDS = Vocabulary([])

#: Signs of which two may make what one does not, such as the bars of a table.
_ODD = re.compile(r"[^\w\s.,;'\"-]")
_CLOCK = re.compile(r"\d\s*[:：]\s*\d|[=@]\s*\d")


class Pieces(Kept):
    """The texts of one plan, each judged by the rules once; ``known`` is the plan's vocabulary."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.known = vocabulary_of(plan)
        #: What steps and facts are called in a sentence, by their names.
        self.called: dict[str, str] = {}
        self._fine = self._fine_together()
        #: Whether all usual pieces together break no rule: then no two of them do, wherever they stand.
        self.spotless = bool(self._fine)

    @cached_property
    def wordless(self) -> Pieces:
        """The pieces without any that can be left out."""
        return Wordless(self.plan)

    def quoted(self, text: str) -> str:
        """The text without its stop in quotation marks, as a name of what it says; empty if it cannot be used."""
        return self._formed(text, _quotation)

    def given(self, text: str, told: str = "") -> str:
        """A text of the sample's own fields, whose words are known, in quotation marks; empty if it cannot be used.

        ``told`` is a sentence about it, which has to be usable together with it.
        """
        # As a sentence, and with a stop between both.
        quotation = _quotation(text)
        return quotation if quotation and self.plain(f"See {quotation}. {told}".rstrip()) else ""

    def plain(self, text: str) -> str:
        """A part of a sentence as it is; empty if it cannot be used."""
        return self._formed(text, one_line)

    def supposed(self, question: str) -> str:
        """What a challenge question supposes, as a sentence; empty if that cannot be told or used."""
        return self._formed(question, _supposition)

    def must_be_usable(self, anchors: Sequence[str]) -> None:
        """RowError for a required sentence that breaks a rule by what the plan says."""
        if self._fine.issuperset(anchors):
            return
        for anchor in anchors:
            if anchor in self._fine:
                continue
            if problem := self._problem(_NEUTRAL, anchor):
                told = f"the required sentence {_shown(anchor)}"
                raise RowError(f"The plan's own text cannot be used: {told} breaks a rule: {problem}")
            self._fine.add(anchor)

    def problem_of(self, reasoning: str, anchors: Sequence[str], answer: str) -> Problem | None:
        """The first rule that a whole turn breaks."""
        return next(iter(response_problems(turn_of(reasoning, answer), answer, anchors, self.known)), None)

    def must_be_answerable(self, answer: str) -> None:
        """RowError for a gold answer that breaks a rule by what the plan says."""
        if problem := self._problem(_NEUTRAL, answer=answer):
            told = f"the answer {_shown(answer)}"
            raise RowError(f"The plan's own text cannot be used: {told} breaks a rule: {problem}")

    @once
    def _formed(self, text: str, form: Callable[[str], str]) -> str:
        """What a text becomes in a form, judged once; empty if it cannot be used."""
        return self._usable(form(text))

    def _usable(self, text: str) -> str:
        if not text or text in self._fine:
            return text
        if _leaks(text):
            return ""
        said = f"{_BEFORE} {text} {text} {_NEUTRAL}"
        return "" if self._problem(said) else text

    def _problem(self, said: str, anchor: str = "", answer: str = _ANSWER) -> Problem | None:
        """The first rule that a reasoning breaks by what is said in it, or by the required sentence before that."""
        return self.problem_of(f"{anchor} {said}".lstrip(), [anchor] if anchor else [], answer)

    def _fine_together(self) -> set[str]:
        """The usual pieces of all steps if none of them breaks a rule, which one look at all of them tells.

        A bracket that is left open would hide from it what stands behind: 0) 0 is no list inside brackets.
        """
        texts = list(dict.fromkeys(text for step in self.plan.steps for text in _usual(step) if text))
        plain = [unicodedata.normalize("NFKC", text) for text in texts]
        if any(text.count("(") != text.count(")") for text in plain):
            return set()
        again = (text for text in texts if _ODD.search(text))
        together = " ".join((_BEFORE, *texts, *again, _NEUTRAL))
        return set() if _leaks(together) or self._problem(together) else set(texts)


class Wordless(Pieces):
    """The pieces of a plan whose texts are better not used, beside the required sentences."""

    def _usable(self, text: str) -> str:
        return ""

    def _fine_together(self) -> set[str]:
        return set()


def _leaks(text: str) -> bool:
    """Whether a text that can be left out looks like a leak, even if the plan says so; a duration does not."""
    odd = " ".join(each for each in sentences_of(text) if not is_plain(each))
    codes = {problem.code for problem in leak_problems(odd, "it", _NO_WORDS)} if odd else set()
    return bool(codes - {"leak.time"}) or ("leak.time" in codes and _CLOCK.search(text) is not None)


@once
def pieces_of(plan: Plan) -> Pieces:
    """The plan's pieces, made once."""
    return Pieces(plan)


def _usual(step: Step) -> Iterator[str]:
    """What reasonings about a step are made of: its goal, its reasons, its required sentences."""
    failure = step.failure_reflecting
    yield from (state_of(fact) for fact in (*conditions_of(step), *effects_of(step)))
    yield _quotation(step.step_goal)
    yield _supposition(step.counterfactual_challenge_question)
    for text in (step.expected_challenge_outcome, failure.reason, failure.recovery_strategy):
        yield _quotation(text)
    yield from anchors_of(AnchorSteps.of(step))


def _quotation(text: str) -> str:
    return f'"{bare(text)}"' if bare(text) else ""


def _supposition(question: str) -> str:
    condition = condition_of(question)
    return f"Now suppose that {condition}." if condition else ""


def _shown(text: str) -> str:
    return quoted(one_line(text), 120)


T = TypeVar("T")

_SLOT = re.compile(r"\{(\w+)\}")
_NAME = re.compile(r"\b([a-z])\b")


@dataclass(frozen=True, eq=False)
class _Form:
    """A phrase to be filled: ``{a}`` is what a text calls a thing, ``{_a}`` its name in a claim.

    ``claims`` are what its marks say, each with the slots that it is about, and whether it is so or not;
    ``plan_claims`` are those about the plan as a whole.
    """

    text: str
    plain: str
    claims: Sequence[tuple[str, Sequence[str], bool]]
    plan_claims: Sequence[Expression]
    slots: Sequence[str]

    @classmethod
    def of(cls, phrase: Phrase) -> _Form:
        """The phrase with the names in its marks as slots."""
        claims = {claim: _NAME.sub(r"{_\1}", claim) for claim in phrase.claims}
        text = phrase.text
        for claim, form in claims.items():
            text = text.replace(f"[{claim}]", f"[{form}]")
        told, whole = [], []
        for each in (part for claim in claims for part in _parts(parse(claim))):
            match each:
                case Call(word, names) | Unary("not", Call(word, names)):
                    slots = [name.text for name in names if isinstance(name, Name)]
                    told.append((word, slots, isinstance(each, Call)))
                case _:
                    whole.append(each)
        return cls(text, read_marks(phrase.text)[0], told, whole, _SLOT.findall(phrase.text))


def _parts(expression: Expression) -> Iterator[Expression]:
    """The claims that stand side by side in one."""
    if isinstance(expression, Binary) and expression.sign == "and":
        yield from _parts(expression.left)
        yield from _parts(expression.right)
    else:
        yield expression


#: The phrases of each topic.
PHRASES = {
    topic: [_Form.of(phrase) for phrase in phrases]
    for topic, phrases in read_phrases(Path(__file__).with_name("phrases.tsv")).items()
}


class Draw:
    """Choices that depend on a key alone."""

    def __init__(self, key: str) -> None:
        self._left = int.from_bytes(hashlib.blake2b(key.encode("utf-8", "surrogatepass"), digest_size=24).digest())

    def number(self, count: int) -> int:
        """A number below ``count``."""
        self._left, drawn = divmod(self._left, count)
        return drawn

    def of(self, texts: Sequence[T]) -> T:
        """One of the texts."""
        return texts[self.number(len(texts))]


class Paragraph:
    """Sentences with marks about a world. ``hidden`` are texts, in small letters, that none of them may name."""

    def __init__(self, world: PlanWorld, pieces: Pieces, draw: Draw, hidden: Sequence[str] = ()) -> None:
        self.world, self.pieces, self.draw = world, pieces, draw
        self.hidden = [each for each in hidden if each]
        self.marked: list[str] = []
        self.plain: list[str] = []
        self._used: dict[str, int] = defaultdict(int)

    def add(self, *sentences: str) -> None:
        """Sentences as they are."""
        self.marked += sentences
        self.plain += sentences

    def say(self, topic: str, options: Sequence[Slots] = ({},), **texts: str) -> bool:
        """One phrase of a topic about the first of the options of which it can be said; whether there is one.

        Options that were not used yet come first; ``texts`` fill slots as they stand.
        """
        if not options:
            return False
        phrases = PHRASES[topic]
        turn, first = self.draw.number(len(options)), self.draw.number(len(phrases))
        turned = [*options[turn:], *options[:turn]]
        if len(turned) > 1 and self._used:
            used = self._used.__getitem__
            turned.sort(key=lambda each: sum(map(used, each.values())))
        for slots in turned:
            for n in range(min(len(phrases), 3)):
                phrase = phrases[(first + n) % len(phrases)]
                words = self.words_for(phrase, slots, texts)
                if words is not None and self._said(phrase, words):
                    for name in slots.values():
                        self._used[name] += 1
                    return True
        return False

    def first_of(self, *topics: tuple[str, Sequence[Slots]]) -> bool:
        """One phrase of the first topic of which there is one, where either of two may come first."""
        return any(self.say(*each) for each in (topics[::-1] if self.draw.number(2) else topics))

    def words_for(self, phrase: _Form, slots: Slots, texts: Mapping[str, str]) -> dict[str, str] | None:
        """What fills a phrase whose claims hold; None where one does not, or where a slot has no words."""
        for word, names, so in phrase.claims:
            if self.world.proves(word, [slots[name] for name in names]) is not so:
                return None
        for claim in phrase.plan_claims:
            if not holds(claim, self.world):
                return None
        words, called = dict(texts), self.pieces.called
        for slot, name in slots.items():
            words[f"_{slot}"] = name
            if name not in called:
                called[name] = self._called(name)
            words[slot] = called[name]
        return words if all(map(words.__getitem__, phrase.slots)) else None

    def _said(self, phrase: _Form, words: Mapping[str, str]) -> bool:
        """Whether the phrase was said: with these words it names nothing hidden."""
        plain = phrase.plain.format_map(words)
        if self.hidden and any(map(plain.casefold().__contains__, self.hidden)):
            return False
        marked = phrase.text.format_map(words)
        self.plain.append(plain[0].upper() + plain[1:])
        self.marked.append(marked[0].upper() + marked[1:])
        return True

    def _called(self, name: str) -> str:
        fact = self.world.fact(name)
        if fact is not None:
            return self.pieces.plain(state_of(fact))
        step = self.world.plan.steps[self.world.plan.position(int(name)) or 0]
        return self.pieces.quoted(bare(step.step_goal))
