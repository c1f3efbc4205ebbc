"""What descriptions are about: sentences of our own, in the manner of real ones, and laws for any text."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dataflow_ext.text.nouns import plural
from operators.scene.furniture.kinds import (
    OBJECT,
    ROOM_TYPES,
    chinese_noun,
    kind_of,
    kinds,
    nouns,
    room_kind,
)

ENGLISH = {
    "A plain brown wooden desk with clean lines and a bookshelf.": "desk",
    "This queen-size bed features a padded headboard and two nightstands.": "double bed",
    "This King-size modern bed has a low frame.": "bed",
    "Modern corner side table with round glass top and metal leg.": "side table",
    "Taupe loveseat sofa with soft upholstery.": "loveseat",
    "Cube-shaped lazy sofa with a chevron pattern.": "bean bag",
    "A chair for lounge, cafe or office settings, with a table on its arm.": "chair",
    "Gray couch.": "sofa",
    "A pair of white bedside tables.": "nightstand",
    "Tall armoire with two doors, like a bookcase.": "wardrobe",
    "A set of cloth-bound books with gold letters.": "books",
    "Striped vase and cup set.": "vase",
    "Black vase featuring a monstera plant.": "vase",
    "A green plant in a white pot.": "plant",
    "A light gray dressing table with a mirror and a stool.": "dressing table",
    "Wooden chest of drawers with a mirror.": "chest of drawers",
    "Wooden table lamp with a drum shade.": "table lamp",
    "Side table lamp in brass.": "table lamp",
    "Slim slip-on slippers with rubber soles.": "shoes",
    "Built-in wardrobe in oak.": "wardrobe",
    "In a rustic style, this bench has a cushion.": "bench",
    "Perfect for any bedroom, this lamp glows softly.": "lamp",
    "Ideal for a desk, this lamp can be dimmed.": "lamp",
    "A furniture piece combining a closet and a platform.": "wardrobe",
    "A modern light with a glass shade.": "lamp",
    "Bottle-shaped pendant lamp trio with green glass.": "pendant lamp",
    "TV-cabinet in white": "tv stand",
    "Armchair and ottoman in leather": "armchair",
    "SOFAS": "sofa",
}
CHINESE = {
    "现代简约白色四门衣柜，配有金属把手": "wardrobe",
    "一张带抽屉的白色双人床": "double bed",
    "原木书桌带抽屉和台灯": "desk",
    "书桌台灯": "table lamp",
    "北欧风格灰色布艺沙发，带有两个抱枕。": "sofa",
    "床头柜": "nightstand",
    "一把椅子": "chair",
    "餐厅吊灯": "pendant lamp",
    "床": "bed",
}


@pytest.mark.parametrize(("desc", "noun"), [*ENGLISH.items(), *CHINESE.items()])
def test_the_noun_is_that_of_the_thing_described_and_not_of_one_that_is_mentioned(desc, noun):
    assert kind_of(desc).noun == noun


@pytest.mark.parametrize(
    "desc",
    ["", "   ", "????", "Mystery", "A leather piece with a red sign and a table.", "A gazebo with a bench.", "不知道"],
)
def test_what_nobody_knows_is_an_object(desc):
    assert kind_of(desc) is OBJECT


@settings(max_examples=60, deadline=None)
@given(
    st.text(max_size=60)
    | st.lists(st.sampled_from([*sorted(nouns(loose=True))[::40], "with", "of", "-", ",", "and"])).map(" ".join)
)
def test_any_text_has_a_kind_and_always_the_same(desc):
    assert kind_of(desc) is kind_of(desc)
    assert kind_of(desc) is OBJECT or kind_of(desc).noun in kinds()


def test_a_description_of_a_million_letters_is_read_from_its_beginning():
    assert kind_of("A red chair " + "very " * 200_000 + "table").noun == "chair"


def test_the_vocabulary_has_synonyms_and_plurals_in_both_languages():
    known = nouns()
    words = ["couch", "couches", "bedside table", "night stands", "cupboard", "closets", "bookshelves", "chests of drawers",
             "televisions", "rugs", "衣柜", "沙发"]  # fmt: skip
    assert [known[word].noun for word in words] == [
        "sofa", "sofa", "nightstand", "nightstand", "cabinet", "wardrobe", "bookcase", "chest of drawers",
        "tv", "rug", "wardrobe", "sofa",
    ]  # fmt: skip
    assert len(kinds()) > 150


def test_words_with_other_meanings_are_in_the_loose_vocabulary_only():
    for word in ("light", "safe", "box", "window", "picture", "stage", "throw"):
        assert word not in nouns()
        assert word in nouns(loose=True)


def test_no_word_is_claimed_by_two_kinds():
    from operators.scene.furniture.kinds import _listed, _table

    owners: dict[str, set[str]] = {}
    for noun, row in _table().items():
        for word in [noun, *_listed(row["words"]), *row["zh"].split(), *_listed(row["loose"])]:
            owners.setdefault(word.casefold(), set()).add(noun)
    assert {word: names for word, names in owners.items() if len(names) > 1} == {}


def test_every_kind_is_told_completely_and_names_only_known_rooms_and_kinds():
    for kind in kinds().values():
        assert kind.rooms <= set(ROOM_TYPES), kind.noun
        assert kind.core <= kind.rooms, kind.noun
        assert set(kind.broader) <= set(kinds()), kind.noun
        assert kind.noun not in kind.broader, kind.noun
        assert chinese_noun(kind.noun), kind.noun


def test_a_kind_may_be_called_by_what_it_is_a_sort_of():
    assert kind_of("A swivel chair").broader == ("chair",)
    assert kind_of("A nightstand").is_a("cabinet")
    assert not kind_of("A cabinet").is_a("nightstand")


def test_kinds_know_where_they_stand_what_they_face_and_who_needs_them():
    told = {noun: (kinds()[noun].stands, kinds()[noun].faces, sorted(kinds()[noun].core))
            for noun in ("bed", "sofa", "pendant lamp", "painting", "tv", "plant")}  # fmt: skip
    assert told == {
        "bed": ("floor", True, ["bedroom"]),
        "sofa": ("floor", True, ["livingroom"]),
        "pendant lamp": ("ceiling", False, []),
        "painting": ("wall", True, []),
        "tv": ("top", True, []),
        "plant": ("floor", False, []),
    }


def test_plurals_are_those_of_english():
    assert [plural(word) for word in ("bench", "shelf", "baby", "toy", "glass", "bed", "床")] == [
        "benches", "shelves", "babies", "toys", "glasses", "beds", "床",
    ]  # fmt: skip


def test_rooms_are_known_by_many_names():
    assert [room_kind(name) for name in ("SecondBedroom", "living_room", "Study", "Library-3", "厨房", "Kids Room", "cave")] == [
        "bedroom", "livingroom", "office", "office", "kitchen", "kidsroom", "other",
    ]  # fmt: skip
