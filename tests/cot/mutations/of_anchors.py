"""Damages to the required sentences and to the conclusion after them."""

from __future__ import annotations

from collections.abc import Callable

from tests.cot.mutations.damage import entry, of
from tests.cot.mutations.good import Edit, Entry, anchors, answered, everything, reason, reasoning


def _anchor(edit: Callable[[list[str], str], str]) -> Edit:
    """Change the reasoning by its required sentences."""

    def do(sample: Entry) -> None:
        reason(lambda text: edit(anchors(sample), text))(sample)

    return do


def _one(n: int, edit: Callable[[str], str]) -> Edit:
    return _anchor(lambda six, text: text.replace(six[n], edit(six[n])))


def _exchange(one: int, other: int) -> Edit:
    return _anchor(
        lambda six, text: text.replace(six[one], "\0").replace(six[other], six[one]).replace("\0", six[other])
    )


def _after_tag(n: int) -> Edit:
    def do(sample: Entry) -> None:
        sentence = anchors(sample)[n]
        reason(lambda text: text.replace(sentence + " ", ""))(sample)
        answered(lambda old: f"{sentence} {old}")(sample)

    return do


def _without_end(sample: Entry) -> None:
    last = anchors(sample)[-1]
    reason(lambda text: text.partition(last)[0] + last)(sample)


def _ends_with(end: str) -> Edit:
    return everything(_without_end, reason(lambda text: text + end))


def _end_first(sample: Entry) -> None:
    last = anchors(sample)[-1]
    before, _, end = reasoning(sample).partition(last)
    reason(lambda _: f"{end.strip()} {before}{last}")(sample)


WHICH = ("spatial condition", "functional condition", "spatial effect", "functional effect", "failure", "recovery")
ALL = of(28, 35, 38, 41, step=2)
ANCHORS = [
    *(entry(f"the {name} is left out", "anchor.missing", _one(n, lambda _: ""), ALL, {"think.conclusion"}) for n, name in enumerate(WHICH)),
    *(entry(f"the {name} has a word more", "anchor.missing", _one(n, lambda old: old[:-1] + " again."), of(29), {"think.conclusion"}) for n, name in enumerate(WHICH) if n in (1, 4)),
    *(entry(f"the {name} begins in a small letter", "anchor.missing", _one(n, lambda old: old[0].lower() + old[1:]), of(29), {"think.conclusion"}) for n, name in enumerate(WHICH) if n in (0, 5)),
    *(entry(f"the {name} ends with a semicolon", "anchor.missing", _one(n, lambda old: old[:-1] + ";"), of(29), {"think.conclusion"}) for n, name in enumerate(WHICH) if n in (2, 5)),
    *(entry(f"the {name} has two spaces", "anchor.missing", _one(n, lambda old: old.replace(" the ", " the  ") if " the " in old else old.replace(", ", ",  ")), of(29), {"think.conclusion", "text.control"}) for n, name in enumerate(WHICH) if n in (0, 3)),
    entry("a required comma is missing", "anchor.missing", _one(0, lambda old: old.replace("Spatially, ", "Spatially ")), of(29), set()),
    entry("must is should", "anchor.missing", _one(0, lambda old: old.replace(" must ", " should ")), of(29), set()),
    entry("must is must not", "anchor.missing", _one(0, lambda old: old.replace(" must ", " must not ")), of(29), set()),
    entry("will not is will", "anchor.missing", _one(2, lambda old: old.replace(" will not ", " will ")), of(37, step=3), set()),
    entry("will is would", "anchor.missing", _one(3, lambda old: old.replace(" will ", " would ")), of(29), set()),
    entry("an article is missing", "anchor.missing", _one(1, lambda old: old.replace("the ", "")), of(29), set()),
    entry("a space is an underscore, as in the plan", "anchor.missing", _one(1, lambda old: old.replace("tire bead", "tire_bead")), of(29, step=1), {"leak.path"}),
    entry("a space is a no-break space", "anchor.missing", _one(1, lambda old: old.replace(" must", "\u00a0must")), of(29), {"text.control"}),
    entry("a letter is Cyrillic", "anchor.missing", _one(4, lambda old: old.replace("a", "а", 1) if "a" in old else old), of(29), {"language.mixed", "text.control"}),
    entry("a letter is Greek", "anchor.missing", _one(5, lambda old: old.replace("o", "ο")), of(29), {"language.mixed", "text.control", "think.conclusion"}),
    entry("letters are full-width", "anchor.missing", _one(0, lambda old: old.replace("must", "ｍｕｓｔ")), of(29), {"language.mixed", "text.control"}),
    entry("a soft hyphen stands in a required sentence", "anchor.missing", _one(1, lambda old: old.replace("Functionally", "Function\u00adally")), of(29), {"text.control"}),
    entry("a required sentence is in bold", ("anchor.missing", "think.list"), _one(0, lambda old: old.replace("Spatially", "**Spatially**")), of(29)),
    entry("a required sentence is split by other words", "anchor.missing", _one(0, lambda old: old.replace(" must ", ", as the plan says, must ")), of(29), set()),
    entry("a required sentence is split in two", "anchor.missing", _one(4, lambda old: old.replace(" that ", ". It is that ")), of(29), {"think.conclusion"}),
    entry("a required sentence is told in other words", "anchor.missing", _one(5, lambda old: old.replace("If that happens", "In that case")), of(29), {"think.conclusion"}),
    entry("conditions are of another step", "anchor.missing", lambda each: reason(lambda text: text.replace(anchors(each)[0], "Spatially, the hands must be holding the new tube."))(each), of(29, step=2), set()),
    entry("the failure is of another step", "anchor.missing", lambda each: reason(lambda text: text.replace(anchors(each)[4], "A likely failure is that The tube is pinched between the bead and the rim."))(each), of(29, step=2), set()),
    entry("the recovery is of another step", "anchor.missing", lambda each: reason(lambda text: text.replace(anchors(each)[5], "If that happens, Lock the pump head on the valve again and continue pumping with shorter strokes."))(each), of(29, step=2), {"think.conclusion"}),
    entry("the effect is of another step", "anchor.missing", lambda each: reason(lambda text: text.replace(anchors(each)[3], "After the action, functionally, the tire will be closed."))(each), of(29, step=2), set()),
    entry("the second spatial condition stands for the first", "anchor.missing", lambda each: reason(lambda text: text.replace(anchors(each)[0], "Spatially, the tire bead must be outside of the wheel rim."))(each), of(29, step=2), set()),
    *(
        entry(f"the {WHICH[one]} and the {WHICH[other]} have each other's place", "anchor.order", _exchange(one, other), of(29, step=2), {"think.conclusion"})
        for one, other in ((0, 1), (2, 3), (4, 5), (0, 2), (1, 4), (0, 5), (3, 4))
    ),
    entry("the required sentences come in reverse", "anchor.order", _anchor(lambda six, text: " ".join(reversed(six)) + text.partition(six[-1])[2]), of(29), set()),
    entry("a required sentence stands after the tag", "anchor.missing", _after_tag(1), of(29, 38), {"answer.text"}),
    entry("the recovery stands after the tag", "anchor.missing", _after_tag(5), of(29), {"answer.text", "think.conclusion"}),
    entry("the conclusion is missing", "think.conclusion", _without_end, ALL, set()),
    entry("the conclusion is a stop", "think.conclusion", _ends_with(" ."), of(29), set()),
    entry("the conclusion is dots", "think.conclusion", _ends_with(" ..."), of(29), set()),
    entry("the conclusion is one word", "think.conclusion", _ends_with(" So."), of(29), set()),
    entry("the conclusion comes first", "think.conclusion", _end_first, of(29), set()),
    entry("nothing but a required sentence again concludes", "think.conclusion", lambda each: _ends_with(" " + anchors(each)[0])(each), of(29), {"anchor.repeated"}),
    *(entry(f"the {name} stands twice", "anchor.repeated", _one(n, lambda old: f"{old} {old}"), of(29, 38), set()) for n, name in enumerate(WHICH)),
    entry("the first required sentence comes again before the end", "anchor.repeated", _anchor(lambda six, text: text.replace(six[-1], f"{six[-1]} {six[0]}")), of(29), set()),
    entry("the whole paragraph stands twice", "anchor.repeated", reason(lambda text: f"{text} {text}"), ALL, set()),
]  # fmt: skip

DAMAGES = ANCHORS
