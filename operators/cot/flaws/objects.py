"""hallucinated_object: a step is made to need an everyday object that the plan does not know."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from operators.cot.flaws.vocabulary import Vocabulary, bare, like, stems_of
from operators.cot.support.tokens import stem, tokens
from operators.cot.tasks.fields import normalised


@dataclass(frozen=True, slots=True)
class Helper:
    """An everyday object, and how a step says that it needs it; ``{}`` stands for the object's name."""

    name: str
    needed: str


def _helpers(needed: str, names: str) -> tuple[Helper, ...]:
    return tuple(Helper(name, needed) for name in names.split(", "))


#: Words that tell where a plan takes place, and what may be at hand there. What stands here helps with nearly
#: everything that is done in such a place, so that it is not absurd for any of its steps.
DOMAINS: tuple[tuple[str, tuple[Helper, ...]], ...] = (
    (
        "kitchen cook cooking pan pot bowl plate knife spoon fork rice cereal milk vegetable meat ingredient dish mug"
        " cup oven stove fry boil bake dough flour egg butter salad sauce chop dice meal food tea coffee kettle fridge",
        (
            *_helpers("while wearing the {}", "oven mitts, apron"),
            *_helpers("using the {}", "tongs"),
            *_helpers("while standing on the {}", "step stool"),
            *_helpers("after setting the {}", "egg timer"),
        ),
    ),
    (
        "wheel tire bicycle rim screw bolt nut wrench hammer nail drill saw wood plank engine motor axle chain gear"
        " valve pump lever workshop repair bracket hinge pipe wire cable solder circuit battery",
        (
            *_helpers("while wearing the {}", "safety goggles, work gloves"),
            *_helpers("using the {}", "pliers"),
            *_helpers("by the light of the {}", "flashlight"),
            *_helpers("while kneeling on the {}", "foam mat"),
        ),
    ),
    (
        "pipette flask vial cuvette buffer reagent solution sample dilute dilution laboratory centrifuge incubator"
        " petri beaker microscope photometer absorbance titration assay culture specimen dye gel enzyme",
        (
            *_helpers("while wearing the {}", "face shield, nitrile gloves"),
            *_helpers("under the {}", "fume hood, magnifying glass"),
            *_helpers("after starting the {}", "stopwatch"),
        ),
    ),
    (
        "garden plant soil seed shovel rake hoe lawn hedge weed flower pot compost water mulch prune tree branch leaf",
        (
            *_helpers("while wearing the {}", "gardening gloves, straw hat"),
            *_helpers("while kneeling on the {}", "foam mat"),
            *_helpers("next to the {}", "wheelbarrow"),
        ),
    ),
    (
        "wash clean scrub rinse wipe mop sponge soap detergent laundry vacuum dust sweep broom bucket towel sink stain",
        (
            *_helpers("while wearing the {}", "rubber gloves, apron"),
            *_helpers("using the {}", "tongs"),
            *_helpers("while standing on the {}", "step stool"),
        ),
    ),
    (
        "paper fold cut glue tape pen pencil ruler card envelope book desk print staple sew needle thread fabric cloth"
        " button seam knit paint brush canvas draw",
        (
            *_helpers("using the {}", "tweezers"),
            *_helpers("by the light of the {}", "desk lamp"),
            *_helpers("under the {}", "magnifying glass"),
            *_helpers("on top of the {}", "cork mat"),
        ),
    ),
)

#: What may be at hand anywhere.
ANYWHERE = (
    *_helpers("while wearing the {}", "work gloves, headlamp"),
    *_helpers("by the light of the {}", "flashlight"),
    *_helpers("using the {}", "tweezers, tongs"),
    *_helpers("under the {}", "magnifying glass"),
)

# Words after which a goal tells what a step is done with.
_MEANS = frozenset(("with", "using", "by", "via"))

# Endings of words that hardly ever name a thing, and words that never do.
_NO_NOUN = ("ing", "ed", "ly")
_LITTLE_WORDS = (
    "a an the this that these those and or but then while after before until when as so if to of in into on onto at by"
    " for from with without within under over near next beside using it its their your his her is are be been being"
    " not no now again some any all both each more very up down out off through between against around across along"
    " behind above below during first second third"
)


def helpers_for(plan: Vocabulary) -> tuple[Helper, ...]:
    """The objects that may be at hand where the plan takes place and of which it has no word."""
    best = max(DOMAINS, key=lambda domain: len(_stems(domain[0]) & plan.stems))
    likely = best[1] if len(_stems(best[0]) & plan.stems) > 1 else ANYWHERE
    return tuple(helper for helper in likely if stems_of([helper.name]).isdisjoint(plan.stems))


def needing(goal: str, helper: Helper) -> str | None:
    """The goal of a step that needs the object; None where the step is already done by means of something else.

    >>> needing("Stir the soup.", Helper("tongs", "using the {}"))
    'Stir the soup using the tongs.'
    """
    if helper.needed.startswith("using") and not _MEANS.isdisjoint(tokens(goal)):
        return None
    return like(goal, f"{bare(goal)} {helper.needed.format(helper.name)}")


def helper_in(text: str, goal: str, plan: Vocabulary) -> str | None:
    """The name of the object that ``text`` needs if it is ``goal`` made to need one; None otherwise."""
    said, start = normalised(text), normalised(goal)
    if not said.startswith(start):
        return None
    name = _endings().get(said[len(start) :].strip())
    return name if name is not None and stems_of([name]).isdisjoint(plan.stems) else None


def unknown_words(text: str, plan: Vocabulary) -> list[str]:
    """The words of a text that the plan has nowhere and that may name a thing: no numbers, no little words."""
    words = (word for word in tokens(text) if len(word) > 2 and word.isalpha() and not word.endswith(_NO_NOUN))
    return [word for word in words if stem(word) not in plan.stems | _stems(_LITTLE_WORDS)]


def all_helpers() -> Sequence[Helper]:
    """Every object that there is, of every domain."""
    return [*(helper for _, helpers in DOMAINS for helper in helpers), *ANYWHERE]


@lru_cache(maxsize=1)
def _endings() -> dict[str, str]:
    return {normalised(helper.needed.format(helper.name)): helper.name for helper in all_helpers()}


@lru_cache(maxsize=32)
def _stems(words: str) -> frozenset[str]:
    return frozenset(stem(word) for word in words.split())
