"""Whether the actions that a sentence tells are those of the calls, and go where it says."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from operators.scene.facts.checking.deeds import deed_problems
from operators.scene.facts.checking.mentions import Mention
from operators.scene.facts.checking.reader import Sentence
from operators.scene.facts.checking.ways import goes_wrong
from operators.scene.facts.checking.words import (
    PHRASES,
    VERBS,
    word_set,
)
from operators.scene.facts.checking.world import Action, World
from operators.scene.problems import Problem

#: Who acts, or what comes before a verb that tells what is done.
_LEADS = word_set(
    "i we you to will 'll by and then , now also so first next finally therefore thus just here let us me let's "
    "turn step plan call calls edit edits action move this which it conclusion : - simply only again instead "
    "afterwards last lastly second third includes including am is are be was were being been get gets i'm i'll we'll"
)
_BE = word_set("is are be being been get gets getting was were")
_UNREAL = re.compile(
    r"\b(?:would|could|might|may|should|if|unless|later|future|eventually|upcoming|next turn|next step|subsequent|"
    r"instead of|rather than|without|avoid\w*|no need|no reason|not|n't|never|previous\w*|earlier|already|"
    r"before this|"
    r"last turn|ought|possible|can|cannot|user|instruction|request\w*|asks?|asked|wants?|wanted|needs? to be|"
    r"had|has been|"
    r"have been|was|were|nothing|neither|nor|no|room for|space for|enough|ready|prepare\w*|option|alternative|"
    r"turns? ahead)\b"
)
_STRONG = word_set(
    "add adds adding added move moves moving moved rotate rotates rotating rotated remove removes removing "
    "removed replace replaces replacing replaced swap swaps swapping swapped resize resizes resizing resized "
    "scale scales scaling scaled delete deletes deleting deleted enlarge enlarges enlarging enlarged shrink "
    "shrinks shrinking"
)
#: Participles that tell an action even after "is".
_DONE = word_set(
    "moved shifted relocated nudged rotated swiveled swivelled removed taken deleted added replaced swapped "
    "exchanged substituted resized scaled enlarged shrunk lowered raised widened discarded introduced inserted"
)
#: "Includes moving", "change how big": the verb after it tells the deed. "Goes right into": a state.
_GERUND = re.compile(
    r"(?:includ|introduc)(?:es?|ing) \w+ing\b|(?:chang|alter|adjust)(?:es?|ing) (?:how|where|which|what)\b"
)
_INSIDE = re.compile(r"goe?s? (?:right|straight|deep|halfway|partly|clean) (?:in|through|into)\b")
_IN_SIZE = re.compile(r"^[^.;,]* (?:down|up) in size\b")
_REPLACES = ("in place of", "takes the place of", "take the place of", "taking the place of", "stands in for")
#: Verbs that tell that their subject moves: "the sofa moves to the west".
_GOING = word_set("moves shifts slides rotates swivels goes")
_LEAVES = re.compile(r"\s*(?:$|[.,;]|\b(?:out|away|because|as|since|too|and|so)\b)")
_FIRSTS = frozenset(re.split(r"[ -]", phrase)[0] for phrase in PHRASES)
_LASTS = {
    phrase.rpartition(" ")[2]: [each for each in PHRASES if each.endswith(phrase.rpartition(" ")[2])]
    for phrase in PHRASES
}
#: Verbs that are actions with another word only: "take away", "get rid of".
_OTHER_VERBS = word_set(
    "take takes taking took get gets getting give gives giving make makes making throw throws throwing lose loses do "
    "let lets leave leaves keep keeps have has trade trades"
)
_TAKES = word_set("take takes taking")
_TAKES_OUT = re.compile(r"(?:take|takes|taking)\b[^.;]{3,40}? (?:out|away)\b")
_PHRASE = re.compile(rf"(?:{'|'.join(sorted(PHRASES, key=len, reverse=True))})\b")


def action_problems(
    sentence: Sentence, found: Sequence[Mention], world: World, *, concluding: bool = False
) -> list[Problem]:
    """The actions of a sentence that no call does, or that go another way."""
    problems: list[Problem] = []
    code = "text.conclusion" if concluding else "text.action"
    if sentence.asks:
        return problems
    problems += deed_problems(sentence, found, world, code)
    verbs = verbs_of(sentence, found)
    for n, (i, tools) in enumerate(verbs):
        clause = sentence.clause_at(sentence.tokens[i].start)
        end = min([clause.end, *(sentence.tokens[k].start for k, _ in verbs[n + 1 : n + 2])])
        head = sentence.plain[clause.start : sentence.tokens[i].start]
        if _UNREAL.search(head) or (
            _UNREAL.search(sentence.plain[clause.start : clause.end]) and not concluding and not _is_acting(head)
        ):
            continue
        objects = _objects(sentence, i, found)
        if objects is None:
            continue
        matched = [a for a in world.actions if a.name in tools and _is_about(a, objects)]
        word = sentence.tokens[i].text
        if not matched and (objects or (word in _STRONG and not any(a.name in tools for a in world.actions))):
            what = " and ".join(m.words for m in objects) or "it"
            problems.append(Problem(code, f'"{word} … {what}" is done by no call in "{sentence.text[:160]}"'))
        elif matched and (idle := _idle(sentence, objects, tools, world)):
            problems.append(Problem(code, f'"{word} … {idle.words}" is done by no call in "{sentence.text[:160]}"'))
        elif matched and _replaced_wrong(sentence, i, end, matched, objects, found):
            problems.append(Problem(code, f'another object is put in "{sentence.text[:160]}"'))
        elif matched and goes_wrong(sentence, i, end, word, matched, found, world):
            problems.append(Problem(code, f'the calls do it another way than "{sentence.text[:160]}"'))
    return problems


def _idle(sentence: Sentence, objects: Sequence[Mention], tools: frozenset[str], world: World) -> Mention | None:
    """A thing in a list of objects on which no call does what the verb tells: "I shift the rug and the lamp"."""
    if len(objects) < 2:
        return None
    last = sentence.plain[sentence.tokens[objects[-1].end - 1].end :]
    if re.match(r"\s*(?:is|are|gets?|has|have|will|goes|moves|turns|leaves|makes?|becomes?|stays?|remains?)\b", last):
        objects = objects[:-1]
    for m in objects:
        if m.ids and m.families is None and not any(a.name in tools and a.jids & m.ids for a in world.actions):
            return m
    return None


def verbs_of(sentence: Sentence, found: Sequence[Mention] = ()) -> list[tuple[int, frozenset[str]]]:
    """The tokens that tell an action, with the tools that they may mean."""
    tokens, verbs = sentence.tokens, []
    named = {i for m in found if m.families is None for i in range(m.start, m.end)}
    for i, token in enumerate(tokens):
        if i in named:
            continue
        tools = VERBS.get(token.text)
        after = sentence.text[token.start : token.start + 30]
        if token.text in _TAKES and _TAKES_OUT.match(sentence.text, token.start):
            tools = frozenset(["remove_object"])
        if token.text in _FIRSTS and (starting := _PHRASE.match(after)):
            tools = frozenset([PHRASES[starting.group()]]) if PHRASES[starting.group()] else None
        elif tools and any(PHRASES[each] == "" for each in _ending(sentence.text[: token.end])):
            tools = None
        if not tools or _GERUND.match(after) or _INSIDE.match(after):
            continue
        if _IN_SIZE.search(sentence.text[token.end : token.end + 60]):
            tools = frozenset(["scale_object", "replace_object"])
        lead = tokens[i - 1].text if i else ""
        passive = lead in _BE or (i > 1 and tokens[i - 2].text in _BE)
        if after.startswith(_REPLACES):
            verbs.append((i, frozenset(["replace_object"])))
            continue
        intransitive = token.text in _GOING and bool(lead) and not passive
        if (
            intransitive
            or i == 0
            or lead in _LEADS
            or lead.endswith("ly")
            or passive
            or (token.text.endswith("ing") and not lead.isalpha())
        ):
            if token.text in ("go", "goes") and _LEAVES.match(sentence.text[token.end :]):
                tools = tools | {"remove_object"}
            if "add_object" in tools or "remove_object" in tools:
                tools = tools | {"replace_object"}
            verbs.append((i, tools))
    return verbs


def _ending(text: str) -> list[str]:
    """The phrases with which a text ends."""
    return [phrase for phrase in _LASTS.get(text.rpartition(" ")[2], ()) if text.endswith(phrase)]


def _is_acting(head: str) -> bool:
    """Whether somebody acts right here: "I'll", "we", or the verb opens the clause."""
    return (
        bool(re.search(r"\b(?:i|we|i'll|we'll|let's|this turn|therefore|i will|we will)\s*(?:\w+\s*)?$", head))
        or not head.strip()
    )


def _objects(sentence: Sentence, i: int, found: Sequence[Mention]) -> list[Mention] | None:
    """What a verb acts on; empty for "it" and the like, None if that is something else."""
    tokens = sentence.tokens
    if (
        i
        and (tokens[i - 1].text in _BE or (i > 1 and tokens[i - 2].text in _BE))
        and not tokens[i].text.endswith("ing")
    ):
        return _passive(sentence, i, found)
    if tokens[i].text in _GOING and i:
        subject = [m for m in found if m.end == i and m.families is None]
        if subject:
            return subject[-1:]
        if tokens[i - 1].text not in _LEADS:
            return None
    after = [m for m in found if m.start > i]
    if after and sentence.text[tokens[i].start :].startswith(_REPLACES):
        return after[:1]
    if not after:
        follows = tokens[i + 1].text if i + 1 < len(tokens) else ""
        return [] if follows in ("it", "them", "this", "that", "these") else None
    first = after[0]
    phrase = _PHRASE.match(sentence.text[tokens[i].start :])
    between = [token.text for token in tokens[i + (len(phrase.group().split()) if phrase else 1) : first.start]]
    if any(word in ("it", "them", "him") for word in between[:2]):
        return []
    if between and between[0] in _PARTICLES and not (between[0] == "on" and len(between) > 3):
        between = between[1:]
    if len(between) > 9 or any(word in _STOPS for word in between):
        return None
    objects = [first]
    for one, other in pairwise(after):
        gap = sentence.text[tokens[one.end - 1].end : tokens[other.start].start]
        if not re.fullmatch(r"\s*(?:,|and|, and|plus|as well as|along with|together with|&)\s+(?:the|a|an|its|"
                            r"another|one|two|three|four)?\s*(?:[a-z-]+\s+){0,4}", gap):  # fmt: skip
            break
        if any(word in VERBS or word in _OTHER_VERBS for word in re.findall(r"[a-z'-]+", gap)):
            break
        objects.append(other)
    return [m for m in objects if not m.denied] or None


_PARTICLES = word_set("in out away aside over down up back on off around")
_STOPS = word_set(
    "to into onto on in at from towards toward with by for against over under beside near next between off away "
    "so that which while is are because . ; : as of around along through"
)


def _passive(sentence: Sentence, i: int, found: Sequence[Mention]) -> list[Mention] | None:
    before = [
        m
        for m in found
        if m.end <= i and sentence.tokens[m.end - 1].end >= sentence.clause_at(sentence.tokens[i].start).start
    ]
    if not before:
        return None
    between = [token.text for token in sentence.tokens[before[-1].end : i]]
    # A participle after "is" tells a state at least as often ("is placed", "is turned to").
    if (
        not any(word in ("be", "being", "get", "gets", "getting") for word in between)
        and sentence.tokens[i].text not in _DONE
        and not re.match(
            r"\w+ (?:around|(?:counter|anti)-?\s?clockwise|clockwise|by )", sentence.text[sentence.tokens[i].start :]
        )
    ):
        return None
    return [before[-1]] if len(between) <= 5 else None


def _is_about(action: Action, objects: Sequence[Mention]) -> bool:
    """Whether an action is about one of the named things; about anything if none is named."""
    return not objects or any(m.ids & action.jids or (m.families is not None and not m.families) for m in objects)


def _replaced_wrong(sentence: Sentence, i: int, end: int, matched: list[Action], objects: Sequence[Mention],
                    found: Sequence[Mention]) -> bool:  # fmt: skip
    """Whether "replace this with that" names another that than the call puts."""
    swaps = [action for action in matched if action.name == "replace_object"]
    if (
        not swaps
        or not objects
        or not re.match(r"(?:replac|swap|exchang|substitut|trad|switch)", sentence.tokens[i].text)
    ):
        return False
    last = max(m.end for m in (*objects,))
    after = [m for m in found if m.start >= max(last, i) and m.families is None and m.ids]
    if not after:
        return False
    between = sentence.text[sentence.tokens[max(last, i + 1) - 1].end : sentence.tokens[after[0].start].start]
    if not re.match(r"\s*(?:\w+ )?(?:with|by|for)\s+(?:the|a|an|another)?\s*(?:[a-z-]+\s+){0,4}$", between):
        return False
    return not any(action.jids & after[0].ids for action in swaps)
