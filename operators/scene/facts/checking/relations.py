"""Whether what a sentence says of walls, sides, facing, overlaps and nearness is so."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from operators.scene.facts.checking import predicates as is_so
from operators.scene.facts.checking.mentions import Mention
from operators.scene.facts.checking.reader import Clause, Sentence
from operators.scene.facts.checking.words import AFTER, DIRECTIONS, PLAN_SIDES
from operators.scene.facts.checking.world import World
from operators.scene.facts.things import Room, Thing
from operators.scene.problems import Problem

_WAYS = "|".join(sorted((*DIRECTIONS, *PLAN_SIDES), key=len, reverse=True))
_WAY = rf"(?P<way>{_WAYS})(?:[ -]hand)?"
_DET = r"(?:the |its |a |an |this |that |their |one )?(?:room's |bedroom's )?(?:far |very |short |long |back |inner |outer |whole |opposite |nearest )?"
_NOT = re.compile(r"(?:\bnot|n't|\bnever|\bno longer|\bwithout|\bneither|\bnor|\bno|\bfree of|\bavoids?|\bcannot|\binstead of|\brather than|\bnothing|\bnone|\bclear of)(?: \w+){0,3}\s*$")  # fmt: skip
_UNREAL = re.compile(
    r"\b(?:would|could|might|may|should|if|unless|ought|usually|typically|normally|best|belongs?|ideal|ideally|wants?|"
    r"needs? to|must|supposed|prefer\w*|avoid\w*|so as not|risk\w*|prevent\w*|whether|rather than|instead of|either|"
    r"as if|previously|earlier|used to|expected|in principle|possible|can|cannot|room for|space for|without|to avoid)\b"
)

Holds = Callable[[Room, Thing], bool]


@dataclass
class _Found:
    """A relation in a clause: what is claimed, where it stands in the sentence, and whether it takes another thing."""

    start: int
    end: int
    what: str
    holds: Holds | None
    subject_after: bool = False


_PATTERNS: list[tuple[str, re.Pattern[str]]] = [
    ("touch_wall", re.compile(rf"\b(?:against|flush (?:with|against|to)|touch(?:es|ing)?|hug(?:s|ging)|lin(?:es|ing)|up against|backed (?:up )?(?:to|against|onto|by)|abut(?:s|ting)?|tight (?:to|against)|on|along|pressed to|attached to|fixed to|mounted on|hangs? on) {_DET}{_WAY} (?:\w+ )?wall\b")),
    ("near_wall", re.compile(rf"\b(?:at|by|near|close to|beside|next to|alongside|adjacent to|before|in front of|nearest|closest) (?:to )?{_DET}{_WAY} (?:\w+ )?wall\b")),
    ("any_wall", re.compile(rf"\b(?:against|flush (?:with|against|to)|touch(?:es|ing)?|up against|backed (?:up )?(?:to|against)|tight (?:to|against)) {_DET}walls?\b")),
    ("off_wall", re.compile(rf"\b(?:away from|off|far from|clear of|detached from|pulled off|out from) {_DET}(?:{_WAY} )?walls?\b")),
    ("own_wall", re.compile(rf"\bnearest wall (?:is|to \w+ is|being) (?:the )?{_WAY}\b")),
    ("side", re.compile(rf"\b(?:in|at|on|near|into|to|towards?|occup\w+|fills?|within|along|by|takes?|toward) {_DET}{_WAY}[ -](?:\w+ )?(?P<part>corner|side|half|part|end|edge|area|quarter|third|portion|section|quadrant|zone|region)\b(?!\s+of (?:the|its|a|this) (?!room|floor|bedroom|living|space|office|plan|house|apartment))")),
    ("side", re.compile(rf"\b(?:in|at|on) the {_WAY}(?= of the (?:room|floor|space))")),
    ("centre", re.compile(r"\b(?:in|at|near|around|occup\w+|into|to) the (?:very |exact |dead )?(?:centre|center|middle)(?: of the (?:room|floor|space)|(?=\s*[.,;]|$))")),
    ("relative", re.compile(rf"\b(?:to the |on the |just |directly |immediately |lies |stands |sits |due |further )?{_WAY} (?:side )?of (?=(?:the|a|an|its|both|this|that|one)?\b)")),
    ("face_away", re.compile(r"\b(?:fac(?:es|e|ing)|turned|pointing|points|looks|looking|angled|oriented) (?:directly |straight |completely )?away from ")),
    ("back_to", re.compile(r"\b(?:its |their |the |with (?:its |their |the ))?backs? (?:is |are |turned |facing |pointing )*(?:to|against|towards?) (?=\w)")),
    ("face_way", re.compile(rf"\b(?:fac(?:es|e|ing)|looks?|looking|points?|pointing|oriented|orientated|turned|directed|opens?|opening|aimed|angled)(?: (?:directly|straight|out|back|roughly|squarely|exactly|now))* (?:to |towards? |into |at )?(?:the )?{_WAY}(?:ward|wards)?(?: wall| side| end)?\b(?! of\b)(?! corner)")),
    ("face", re.compile(r"\b(?:fac(?:es|e|ing)|looks? (?:at|to|towards?|onto|over|into)|looking (?:at|to|towards?|onto|into)|points? (?:at|to|towards?)|pointing (?:at|to|towards?)|oriented (?:to|towards?)|turned (?:to|towards?)(?: face)?|directed (?:at|to|towards?)|aimed (?:at|towards?)|angled (?:to|towards?)|opens? (?:to|towards?))(?: directly| straight)* (?=\w)")),
    ("clear", re.compile(r"\b(?:(?:is |are |stays? |keeps? |stands? |remains? )?(?:well |fully |completely )?clear of|free of|does not (?:touch|overlap|intersect|collide with|penetrate)|do not (?:touch|overlap|intersect|collide)|doesn't (?:touch|overlap|intersect|collide with)|don't (?:touch|overlap|intersect|collide)|without (?:touching|overlapping|colliding|intersecting)|no (?:overlaps?|collisions?|intersections?|contact) (?:with|between))\b")),
    ("overlap", re.compile(r"\b(?:overlap(?:s|ping)?|intersect(?:s|ing)?|collid(?:es|e|ing)|in collision|penetrat(?:es|e|ing)|interpenetrat\w+|clips?|clipping|cuts? into|cutting into|into each other|runs? into|pokes? into|digs? into|intrud(?:es|e|ing)|encroach(?:es|ing)?|clash(?:es|ing)?|inside each other|share the same space|same volume|sinks? into|reaches into|bites into|juts into)\b")),
    ("inside", re.compile(r"\b(?:(?:fully|wholly|entirely|completely|still|well)? ?(?:inside|within) (?:the|its) (?:room|floor|walls|bounds|boundary|boundaries|outline|plan)|in bounds)\b")),
    ("outside", re.compile(r"\b(?:outside (?:of )?(?:the )?(?:room|floor|bounds|boundary|boundaries|walls?|outline|plan)|out of (?:the )?(?:bounds|room)|(?:through|past|beyond|out of|outside|crosses|crossing|breaks? through) (?:the |its )?(?:[a-z-]+ )?(?:walls?|boundary|room|floor edge|room boundary|outline)|protrud\w+|sticks? out|out-of-bounds)\b")),
    ("float", re.compile(r"\b(?:float(?:s|ing)?|hover(?:s|ing)?|in mid-?air|in the air|off the (?:floor|ground)|unsupported)\b")),
    ("grounded", re.compile(r"\b(?:stands?|standing|rests?|resting|sits?|sitting) (?:firmly |flat |directly )?on the (?:floor|ground)\b")),
    ("on_top", re.compile(r"\b(?:on top of|atop|resting on|rests on|perched on|sits on|sitting on|standing on|stands on|placed on) (?=(?:the |a |an |its |one |both |each )?(?!floor|ground|north|south|east|west|left|right|side|wall|top)\w)")),
    ("near", re.compile(r"\b(?:next to|beside|besides|close to|adjacent to|near|alongside|right by|by the side of|nearby|in reach of|within reach of|neighbouring|neighboring|flank(?:s|ing)) (?=(?:the |a |an |its |one |both |each )?\w)")),
    ("far", re.compile(r"\b(?:far (?:away )?from|a long way from|distant from|remote from|across the room from|nowhere near) (?=\w)")),
    ("touching", re.compile(r"\b(?:touch(?:es|ing)?|in contact with|flush with|right up against|pressed against) (?=(?:the |a |an |its |one |each )?\w)")),
]  # fmt: skip
_TWO = ("relative", "overlap", "clear", "on_top", "near", "far", "touching", "face_away", "face", "back_to")


def relation_problems(sentence: Sentence, found: Sequence[Mention], carried: Sequence[Mention], world: World) -> list[Problem]:
    """The relations of a sentence that hold in no room that it may tell of."""
    problems: list[Problem] = []
    if sentence.asks or not world.things:
        return problems
    rooms = [world.before, world.after] if AFTER.search(sentence.text) else [world.before]
    for clause in sentence.clauses:
        if _UNREAL.search(clause.text):
            continue
        taken: list[tuple[int, int]] = []
        for what, pattern in _PATTERNS:
            for match in pattern.finditer(clause.text):
                span = (match.start() + clause.start, match.end() + clause.start)
                if any(a < span[1] and span[0] < b for a, b in taken):
                    continue
                taken.append(span)
                if _is_false(what, match, span, clause, sentence, found, carried, rooms, world):
                    problems.append(Problem("text.relation", f'"{match.group().strip()}" is not so in "{sentence.text[:160]}"'))
    return problems


def _is_false(what: str, match: re.Match[str], span: tuple[int, int], clause: Clause, sentence: Sentence,
              found: Sequence[Mention], carried: Sequence[Mention], rooms: list[Room], world: World) -> bool:  # fmt: skip
    denied = bool(_NOT.search(clause.text[: match.start()])) and what != "clear"
    subjects = _subjects(sentence, found, carried, clause, span[0])
    if not subjects:
        return False
    target = _target(sentence, found, clause, span[1]) if what in _TWO else None
    way = match.groupdict().get("way")
    part = match.groupdict().get("part") or ""
    vector = (DIRECTIONS.get(way) or PLAN_SIDES.get(way)) if way else None
    if what in _TWO and target is None:
        others = _joined(sentence, subjects, what)
        if others is None:
            return _plain_target(what, clause, match, subjects, rooms, denied)
        subjects, target = others
    if what in ("overlap", "clear", "near", "touching") and target in subjects:
        return False
    for subject in subjects:
        every = rooms if any(jid in rooms[0].by_id for jid in subject.ids) else [world.before, world.after]
        results = _tried(what, subject, target, vector, part, every)
        if not results:
            continue
        if denied:
            results = [not each for each in results]
        if sum(results) < 1:
            return True
    return False


def _tried(what: str, subject: Mention, target: Mention | None, vector: tuple[int, int] | None, part: str,
           rooms: list[Room]) -> list[bool]:  # fmt: skip
    results: list[bool] = []
    for room in rooms:
        for jid in sorted(subject.ids):
            thing = room.by_id.get(jid)
            if thing is None:
                continue
            if target is None:
                results.append(is_so.alone(what, room, thing, vector, part))
                continue
            others = [room.by_id[j] for j in sorted(target.ids) if j in room.by_id and j != jid]
            results += [is_so.both(what, room, thing, other, vector) for other in others]
    return results


def _plain_target(what: str, clause: Clause, match: re.Match[str], subjects: list[Mention], rooms: list[Room],
                  denied: bool) -> bool:  # fmt: skip
    """Relations to what is no furniture: the room, its middle, a wall, or anything at all."""
    rest = clause.text[match.end() : match.end() + 40]
    if what == "overlap":
        test = "any_overlap"
    elif what in ("face", "face_away", "back_to"):
        way = re.match(rf"{_DET}{_WAY} ?(?:wall|side|end)?", rest)
        if way:
            vector = DIRECTIONS.get(way["way"]) or PLAN_SIDES.get(way["way"])
            results = [r for s in subjects for r in _tried(what + "_dir", s, None, vector, "", rooms)]
            return bool(results) and not any(r != denied for r in results)
        if re.match(rf"{_DET}walls?\b", rest):
            test = what + "_wall"
        elif re.match(r"(?:into |towards? )?(?:the )?(?:(?:centre|center|middle|interior|inside|rest)(?: of the)? ?)?(?:room|open|inward|space)?", rest) and re.search(r"\b(?:room|centre|center|middle|inward)", rest[:24]):  # fmt: skip
            test = what + "_room"
        else:
            return False
    else:
        return False
    results = [result for subject in subjects for result in _tried(test, subject, None, None, "", rooms)]
    return bool(results) and not any(result != denied for result in results)


def _subjects(sentence: Sentence, found: Sequence[Mention], carried: Sequence[Mention], clause: Clause, place: int) -> list[Mention]:
    """The things that a relation is told of: the last named before it in its clause, with those joined to it by "and"."""
    named = [m for m in found if clause.start <= sentence.tokens[m.start].start < place and m.families is None]
    if not named:
        lead = sentence.text[clause.start : place]
        earlier = [m for m in found if sentence.tokens[m.start].start < clause.start and m.families is None]
        pronoun = re.search(r"\b(?:it|its|they|them|their|which|that|both|this)\b", lead)
        source = earlier[:1] if earlier else list(carried)[:1]
        if pronoun or earlier:
            return [m for m in source if m.ids and not m.wished]
        return []
    subject = _head(sentence, named, place)
    chain = [subject]
    i = named.index(subject)
    while i > 0 and _is_joint(sentence, named[i - 1], named[i]):
        i -= 1
        chain.append(named[i])
    if i > 0:
        chain = [subject]
    return [m for m in chain if m.ids and not m.denied] if all(m.ids for m in chain) else []


def _head(sentence: Sentence, named: list[Mention], place: int) -> Mention:
    """The thing that a phrase is about: of "the lamp on the nightstand" the lamp."""
    head = named[-1]
    for earlier, later in zip(reversed(named[:-1]), reversed(named[1:]), strict=True):
        between = sentence.text[sentence.tokens[earlier.end - 1].end : sentence.tokens[later.start].start]
        if re.fullmatch(r"\s*(?:(?:right |left )?(?:of|on|by|near|beside|next to|at|with|to|in front of|behind|under|above|opposite)"
                        r"|(?:north|south|west|east|left|right) of)\s+(?:the|a|an|its|each|both|every)?\s*(?:[a-z-]+\s+){0,2}", between):  # fmt: skip
            head = earlier
        else:
            break
    return head


def _is_joint(sentence: Sentence, one: Mention, other: Mention) -> bool:
    between = sentence.text[sentence.tokens[one.end - 1].end : sentence.tokens[other.start].start]
    return re.fullmatch(r"\s*(?:,|and|, and|&|as well as)\s+(?:the|a|an|its|both)?\s*(?:[a-z0-9-]+\s+){0,3}", between) is not None


def _joined(sentence: Sentence, subjects: list[Mention], what: str) -> tuple[list[Mention], Mention] | None:
    """"The bed and the desk overlap": each is the other's target; "the chairs overlap": one mention of several."""
    if what not in ("overlap", "clear", "touching"):
        return None
    if len(subjects) == 2:
        return [subjects[0]], subjects[1]
    if len(subjects) == 1 and len(subjects[0].ids) > 1 and subjects[0].plural:
        return [subjects[0]], Mention(-1, -1, subjects[0].words, subjects[0].kind, subjects[0].ids)
    return None


def _target(sentence: Sentence, found: Sequence[Mention], clause: Clause, place: int) -> Mention | None:
    """The first thing named after a relation, if it stands close by."""
    for mention in found:
        token = sentence.tokens[mention.start]
        if place <= token.start < clause.end:
            between = sentence.text[place : token.start]
            if mention.families is None and mention.ids and len(between.split()) <= 6 and not re.search(r"\b(?:wall|room|floor|side)\b", between):
                return mention
            return None
    return None
