"""Everyday objects by the places where they are found, each far from what most plans are about."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from dataflow_ext.text.tokens import stem

#: What a step can do with an object: put things into it, put them onto it, do something with it.
Role = Literal["into", "onto", "tool"]


@dataclass(frozen=True, slots=True)
class Object:
    """An everyday object: its name, what a step can do with it, and the stems of its name's words."""

    name: str
    role: Role
    stems: frozenset[str]


@dataclass(frozen=True, slots=True)
class Domain:
    """A place, the stems of the words that tell of it or of places like it, and the objects that are found there."""

    cues: frozenset[str]
    objects: tuple[Object, ...]


# Nothing that people wear, and nothing that stands about in many rooms: a plan may be silent on an apron or a stool
# although they are at hand. The cues name places nearby as well: pickaxes are no wonder where there are hammers.
_DOMAINS = (
    (
        "music concert orchestra band song tune violin guitar piano drum trumpet flute choir melody instrument string",
        "violin case, guitar bag, accordion case",
        "piano, harp, marimba",
        "violin bow, drumstick, trombone, tuba",
    ),
    (
        "ski snow winter sled ice slope mountain skate glacier avalanche climb alpine frost hockey",
        "ski bag, toboggan, cable car",
        "snowboard, sled, chairlift",
        "ski pole, ice axe, hockey stick",
    ),
    (
        "fish boat sea lake river sail harbor harbour beach swim dive canoe ship shore angler bait hook net water",
        "canoe, fishing creel, lifeboat",
        "surfboard, raft, kayak",
        "fishing rod, canoe paddle, boat hook",
    ),
    (
        "camp tent hike forest trail outdoor trip journey travel luggage airport hotel tourist train flight pack",
        "suitcase, sleeping bag, tent",
        "hammock, camp bed",
        "tent peg, trekking pole",
    ),
    (
        "garden plant soil seed lawn weed flower hedge prune tree yard patio leaf grass harvest greenhouse crop",
        "wheelbarrow, flowerpot, birdhouse",
        "lawn mower, garden swing, sundial",
        "rake, pitchfork, leaf blower",
    ),
    (
        "sport ball game team play court golf tennis baseball football gym exercise training match fitness score",
        "golf bag, basketball hoop, soccer goal",
        "vaulting horse, trampoline, springboard",
        "tennis racket, golf club, baseball bat, billiard cue",
    ),
    (
        "horse farm stable cow sheep barn hay tractor animal pasture ride saddle milk pig chicken goat veterinary rein",
        "manger, saddlebag, hayloft",
        "hay bale, tractor, saddle",
        "horseshoe, riding crop, hoof pick",
    ),
    (
        "build building construction brick concrete cement mortar wall roof house plaster scaffold demolish mason"
        " hammer drill nail screw bolt saw wood workshop wrench bicycle wheel tire motor repair excavate crane tile",
        "cement mixer, excavator, mortar tub",
        "scaffold, steamroller",
        "pickaxe, jackhammer, plumb line",
    ),
    (
        "hospital doctor nurse patient medical medicine health wound surgery clinic therapy laboratory sample pipette"
        " flask vial specimen assay incubator bandage syringe microscope buffer dilute solution",
        "ambulance, baby incubator",
        "stretcher, wheelchair, operating table",
        "stethoscope, crutch, defibrillator",
    ),
    (
        "bedroom bed wardrobe clothes cloth laundry sleep dress iron hair sew fabric shirt towel blanket curtain closet"
        " fold garment knit thread needle",
        "wardrobe, pillowcase",
        "ironing board, bunk bed",
        "hair curler, clothes hanger, sewing machine",
    ),
    (
        "child baby toy nursery kindergarten playground game play school birthday party doll puppet balloon bicycle",
        "dollhouse, toy chest, pram",
        "rocking horse, seesaw, playground slide",
        "kite, skipping rope, hula hoop",
    ),
    (
        "street road traffic city shop market bus car driver police mail post park pavement crossing bicycle ride",
        "mailbox, taxi, shopping cart",
        "park bench, escalator",
        "traffic cone, road sign, fire hose",
    ),
)

#: All roles, in the order in which the objects of a place stand above.
ROLES: tuple[Role, ...] = ("into", "onto", "tool")


@lru_cache(maxsize=1)
def domains() -> tuple[Domain, ...]:
    """All places with their objects."""
    return tuple(
        Domain(
            frozenset(map(stem, cues.split())),
            tuple(_object(name, role) for role, line in zip(ROLES, named, strict=True) for name in line.split(", ")),
        )
        for cues, *named in _DOMAINS
    )


@lru_cache(maxsize=1)
def objects_by_name() -> dict[str, Object]:
    """All objects by their names."""
    return {each.name: each for domain in domains() for each in domain.objects}


def _object(name: str, role: Role) -> Object:
    return Object(name, role, frozenset(map(stem, name.split())))
