"""Patterns of actions told by a participle, a noun or a state that changes, for each tool.

``patterns(slot, named)`` gives (tool, pattern): "with <1> moved", "a turn of <1>", "the size of <1> is reduced",
"<1> ends up elsewhere", "I let <1> slide aside".
"""

from __future__ import annotations

from collections.abc import Iterator

_PARTICIPLES = {
    "move_object": "moved|shifted|relocated|nudged|repositioned|displaced|rearranged|transferred|slid|scooted",
    "rotate_object": r"(?:rotated|turned|swivell?ed|spun|re-?oriented|pivoted|twisted)(?! (?:to|towards?|away|"
                  r"on|into)\b)",
    "scale_object": "resized|rescaled|scaled|enlarged|shrunk|downsized|widened|narrowed|stretched|shortened|"
                 "reduced in size",
    "replace_object": "replaced|swapped|exchanged|substituted|traded|superseded|supplanted|upgraded",
    "remove_object": "removed|deleted|discarded|eliminated|scrapped|dropped|dismissed|gone|taken (?:out|away)|"
                     "thrown (?:out|away)|sent (?:out|away|off)|cleared (?:out|away)|disposed of|dispensed with|"
                     "done away with|given up|written off",
}  # fmt: skip
_NOUNS = {
    "move_object": "move|shift|nudge|push|relocation|displacement|repositioning|movement|transfer",
    "rotate_object": "turn|rotation|twist|re-?orientation|quarter[- ]turn|half[- ]turn|spin|swivel|pivot",
    "scale_object": "scaling|resizing|rescaling|reduction|enlargement|downsizing|shrinkage|shrinking",
    "replace_object": "swap|replacement|exchange|substitution|substitute|successor",
    "remove_object": "removal|deletion|departure|elimination|disposal|withdrawal",
}
_TRAITS = {
    "move_object": "position|place|placement|location|spot",
    "rotate_object": "orientation|direction|heading|rotation",
    "scale_object": "size|scale|dimensions|proportions|width|height|depth|footprint",
}
_CHANGES = "chang|adjust|correct|adapt|refin|modif|revis|tweak|alter|updat|fix|reduc|increas|improv"
_CHANGED = (
    r"(?:(?:is|are|gets?|will be|is being|are being) (?:now |then |thus |also )?(?:changed|adjusted|corrected|adapted|"
    r"refined|modified|revised|altered|updated|fixed|reduced|increased|improved|scaled)|changes?|shrinks?|grows)\b"
)
_ANEW = r"(?:elsewhere|somewhere (?:else|new)|in (?:a new|another|a different) (?:place|spot|position|location))\b"
_OWN = (
    r"(?:an?|its|another|some)(?: (?:new|different|other|better|small|little|slight|full|quarter|half|smaller|larger))*"
)
_ROOM = r"(?:room|scene|space|floor|layout|plan|bedroom|office|kitchen|corner)"
_OF = r"(?:of|for)"


def patterns(slot: str, named: str) -> Iterator[tuple[str, str]]:
    """Each tool with a pattern; ``slot`` is a mention, ``named`` one with its article and adjectives."""
    for tool, words in _PARTICIPLES.items():
        yield (
            tool,
            rf"\bwith {named} (?:now |also |thus |being |out of the way and )?(?:{words})\b(?! (?:against|up)\b)",
        )
        yield tool, rf"\b(?:once|after being|when|having been|now that it is) (?:{words}),? {named}"
        yield tool, (rf"{slot} (?:ends up|winds up|comes to be|is being|is|gets|is going to be|will be) "
                     rf"(?:being )?(?:{words.replace('|on|', '|')})\b(?! (?:against|from|up|towards?|to|off)\b)"
                     if tool != "rotate_object" else rf"{slot} (?:ends up|winds up|"
                                              rf"is being) (?:{words})\b")  # fmt: skip
        yield tool, rf"\b(?:have|get|see to it that|ensure that) {named} (?:is |gets )?(?:{words})\b"
    for tool, words in _NOUNS.items():
        yield tool, rf"\b(?:an?|the|this|one|some|my|another) (?:[a-z-]+ ){{0,2}}?(?:{words}) {_OF} {named}"
        yield tool, rf"\b(?:{words}) (?:that|which) {named} (?:gets|receives|needs)\b"
        yield tool, rf"\b(?:{words}) (?:is |are |gets )?(?:applied|given|made|done) (?:to|on) {named}"
        yield tool, rf"\b(?:apply|applies|applying|do|make|perform) {_OWN} (?:{words}) (?:to|on|of) {named}"
        yield tool, rf"{slot} (?:also )?(?:makes|performs|does|executes|undergoes|sees) {_OWN} (?:{words})\b"
    yield "move_object", rf"\ban? (?:[a-z-]+ )?(?:nudge|shove) to {named}"
    for tool, words in _TRAITS.items():
        yield tool, rf"\bthe (?:{words}) of {named} {_CHANGED}"
        yield tool, rf"\b(?:{_CHANGES})\w* the (?:{words}) of {named}"
        yield tool, rf"{slot} ?'s (?:{words}) {_CHANGED}"
        yield tool, rf"\b(?:{_CHANGES})\w* {named} ?'s (?:{words})\b"
    yield from _moves(slot, named)
    yield from _others(slot, named)


def _moves(slot: str, named: str) -> Iterator[tuple[str, str]]:
    yield "move_object", rf"\b(?:{_CHANGES})\w* where {named} (?:stands|sits|is|goes|hangs)\b"
    yield "move_object", rf"{slot} (?:now |also |then |thus )?(?:travels|wanders|migrates|retreats|drifts|scoots|" \
                         rf"steps (?:back|aside|forward|over))\b"  # fmt: skip
    yield "move_object", rf"{slot} (?:now |will |also )?(?:ends? up|winds? up|finds? itself|stands?|sits?|goes|" \
                      "lands?) " \
                         rf"{_ANEW}"  # fmt: skip
    yield "move_object", rf"{slot} (?:takes up|settles into|moves (?:in)?to|occupies|finds) (?:a new|another|" \
                      "a different) " \
                         rf"(?:[a-z-]+ )?(?:position|place|spot|location|home)\b"  # fmt: skip
    yield "move_object", rf"{slot} changes (?:its )?(?:spot|place|position|location)\b"
    yield "move_object", rf"\b(?:let|have|lets|letting|having) {named} (?:move|slide|shift|scoot|step|travel|slip)\b"
    yield "rotate_object", rf"\b(?:let|have|lets|letting|having) {named} (?:turn|rotate|swivel|spin|pivot|" \
                           rf"(?:face|look) the other way)\b"  # fmt: skip
    yield "rotate_object", rf"{slot} (?:swings|swivels|pivots|spins) (?:around|round|about|on)\b"
    yield "rotate_object", rf"{slot} turns (?:around|round|about|on its|on the spot|by \d|in place)"
    yield "rotate_object", rf"\b(?:{_CHANGES})\w* (?:which|what) way {named} (?:faces|looks|points)\b"
    yield "scale_object", rf"\b(?:{_CHANGES})\w* how (?:big|large|wide|tall|deep|high|long) {named} is\b"
    yield "scale_object", rf"{slot} (?:loses|gains|sheds|puts on) (?:some|a (?:little|bit|touch) of|" \
                       r"\d[\d.]* ?\w+ (?:of|in)|" \
                          rf"a little) (?:its )?(?:width|height|depth|size|bulk|length)\b"  # fmt: skip
    yield "scale_object", rf"{slot} (?:is|gets) (?:cut (?:to size|down)|brought (?:down|up) (?:in|to) size)\b"
    yield "scale_object", rf"{slot} (?:takes on|adopts|gets|is given) {_OWN} (?:format|size|dimensions|scale)\b"


def _others(slot: str, named: str) -> Iterator[tuple[str, str]]:
    other = r"(?:model|piece|one|design|version|something else|something new|item|type)"
    yield "replace_object", rf"{slot} (?:makes|gives|hands over|passes on|surrenders) (?:its )?place\b(?! of)"
    yield "replace_object", rf"\b{other} (?:takes over from|steps in for|stands in for|succeeds|supersedes|" \
                            rf"supplants|replaces|fills in for) {named}"  # fmt: skip
    yield (
        "replace_object",
        rf"{slot} (?:is|gets|will be) (?:superseded|succeeded|supplanted|traded|exchanged) (?:by|for)\b",
    )
    yield "replace_object", rf"\b{other} stands where {named} stood\b"
    yield (
        "remove_object",
        rf"\b(?:strip|free|rid|relieve|clear|empty)(?:s|ping|ing|ding|p)? (?:the|this) {_ROOM} of {named}",
    )
    yield "remove_object", rf"\b{_ROOM} is (?:now |thus |thereby )?(?:rid|freed|relieved|stripped|cleared) of {named}"
    yield "remove_object", rf"\b(?:i|we) (?:no longer keep|decide against(?: keeping)?|dispense with|do without|" \
                           rf"part with|let go of) {named}"  # fmt: skip
    yield "remove_object", rf"\b(?:let|lets|letting|see) {named} (?:go|leave|disappear|vanish)\b(?! (?:to|into|over))"
    yield "remove_object", rf"{slot} (?:is|will be) (?:now )?no longer (?:part of|in|inside) (?:the|this) {_ROOM}\b"
    yield (
        "remove_object",
        rf"{slot} (?:exits|quits|departs from|bows out of|is out of) (?:the|this) (?:room|scene|space)\b",
    )
