"""What descriptions are about, in sentences of our own and laws for any text; names of objects; the catalogue."""

import json
import math
import pickle
import random

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dataflow_ext import InputError
from dataflow_ext.text.nouns import plural
from operators.scene.editing.catalogue import Asset, Catalogue, catalogue
from operators.scene.model.kinds import OBJECT, ROOM_TYPES, chinese_noun, kind_of, kinds, nouns, room_kind, short_names

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
    from operators.scene.model.kinds import _listed, _table

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


def room(*descs):
    return {"objects": [{"jid": f"j{i}", "desc": desc} for i, desc in enumerate(descs)]}


def names(*descs):
    return list(short_names(room(*descs)).values())


def test_one_of_a_kind_is_called_by_its_noun():
    assert names("A grey bed.", "Oak nightstand with a drawer.", "Black TV stand.") == ["bed", "nightstand", "TV stand"]


def test_equal_pieces_are_numbered():
    assert names("Oak nightstand.", "A bed.", "Oak nightstand.") == ["nightstand 1", "bed", "nightstand 2"]


def test_a_colour_or_a_material_tells_pieces_of_a_kind_apart():
    assert names("Grey sofa.", "Brown leather sofa.") == ["gray sofa", "brown sofa"]
    assert names("Modern grey fabric sofa.", "Modern grey leather sofa.") == ["fabric sofa", "leather sofa"]
    assert names("Red chair.", "Red chair.", "Blue chair.") == ["red chair 1", "red chair 2", "blue chair"]


def test_what_belongs_to_a_part_tells_nothing():
    assert names("Grey sofa with red pillows.", "Red sofa.") == ["gray sofa", "red sofa"]


def test_where_nothing_tells_all_apart_all_are_numbered():
    assert names("Nice chair.", "Fine chair.", "Red chair.") == ["chair 1", "chair 2", "chair 3"]


def test_chinese_and_unknown_descriptions_have_names_as_well():
    assert names("灰色布艺沙发，带红色抱枕", "白色木质沙发", "???", "") == [
        "gray sofa",
        "white sofa",
        "object 1",
        "object 2",
    ]


def test_groups_are_named_like_the_flat_form():
    flat = room("Red chair.", "Blue chair.")
    grouped = {"groups": [{"objects": flat["objects"][:1]}, {"objects": flat["objects"][1:]}]}
    assert short_names(grouped) == short_names(flat) == {"j0": "red chair", "j1": "blue chair"}


def test_nobody_can_spoil_the_names_that_are_remembered():
    one = room("A bed.")
    short_names(one).clear()
    assert short_names(one) == {"j0": "bed"}


WORDS = ["red", "blue", "oak", "chair", "table", "lamp", "with", "2", "灰色", "沙发", "object", "a", ","]


@settings(max_examples=60, deadline=None)
@given(st.lists(st.lists(st.sampled_from(WORDS), max_size=5).map(" ".join), max_size=12))
def test_no_two_names_are_equal_and_every_object_has_one(descs):
    found = short_names(room(*descs))
    assert len(set(found.values())) == len(found) == len(descs)
    assert list(found) == [f"j{i}" for i in range(len(descs))]


def test_two_hundred_objects_have_two_hundred_names():
    rng = random.Random(1)
    descs = [f"A {rng.choice(['red', 'blue', 'green'])} {rng.choice(['chair', 'lamp', 'vase'])}." for _ in range(200)]
    assert len(set(names(*descs))) == 200


CHAIR = Asset("c1", "A red chair, wide.", (0.5, 0.9, 0.55))
BED = Asset("b1", "灰色双人床", (1.6, 1.0, 2.1))


def test_our_own_catalogue_has_pieces_of_most_kinds_for_every_room():
    own = catalogue()
    assert len(own.assets) >= 250
    assert len({each.jid for each in own.assets}) == len({each.desc for each in own.assets}) == len(own.assets)
    assert {room: len(own.for_room(room)) >= 20 for room in ROOM_TYPES} == dict.fromkeys(ROOM_TYPES, True)
    assert len({kind_of(each.desc).noun for each in own.assets}) > 140


def test_every_piece_of_ours_is_what_its_id_says_and_has_a_believable_size():
    for each in catalogue().assets:
        noun = each.jid.removeprefix("own-").rpartition("-")[0].replace("-", " ")
        assert kind_of(each.desc).noun == noun, each
        assert all(0.01 <= side <= 3.5 for side in each.size), each
        assert all(side == round(side, 2) for side in each.size), each
        assert each.desc.endswith(".") and each.desc[0].isupper(), each


def test_alternatives_are_of_the_same_noun_and_of_like_size_and_described_otherwise():
    own = catalogue()
    for asset in own.assets[::7]:
        for other in own.alternatives(asset.desc, asset.size):
            assert other.desc != asset.desc
            assert kind_of(other.desc).noun == kind_of(asset.desc).noun
            assert all(max(a, 0.05) / max(b, 0.05) < 1.61 for a, b in zip(asset.size, other.size, strict=True))
            assert all(max(b, 0.05) / max(a, 0.05) < 1.61 for a, b in zip(asset.size, other.size, strict=True))


def test_where_the_noun_has_none_a_related_one_or_the_family_steps_in():
    pieces = Catalogue(
        [CHAIR, BED, Asset("o1", "Black office chair.", (0.6, 1.0, 0.6)), Asset("s1", "Pine stool.", (0.4, 0.7, 0.4))]
    )
    assert [each.jid for each in pieces.alternatives("Oak dining chair.", (0.5, 0.9, 0.5))] == ["c1"]
    assert [each.jid for each in pieces.alternatives("Oak bench.", (0.4, 0.6, 0.4))] == ["s1", "c1"]
    assert pieces.alternatives("A red chair, wide.", CHAIR.size) == [
        Asset("o1", "Black office chair.", (0.6, 1.0, 0.6))
    ]


@pytest.mark.parametrize("size", [(0, 0, 0), (math.nan, 1, 1), (math.inf, 1, 1), (-1, 1, 1), (9000, 1, 1)])
def test_odd_sizes_have_no_alternatives(size):
    assert catalogue().alternatives("A bed.", size) == []


def test_unknown_things_have_no_alternatives():
    assert catalogue().alternatives("", (0.5, 0.5, 0.5)) == []


def test_a_room_gets_what_may_stand_in_it():
    nouns = {room: {kind_of(each.desc).noun for each in catalogue().for_room(room)} for room in ROOM_TYPES}
    assert "bed" in nouns["bedroom"] and "toilet" not in nouns["bedroom"]
    assert "sofa" in nouns["livingroom"] and "bathtub" not in nouns["livingroom"]
    assert "plant" in nouns["other"] and "stove" not in nouns["other"]
    assert catalogue().for_room("MasterBedroom") == catalogue().for_room("bedroom")


def test_a_catalogue_travels_to_other_processes():
    small = Catalogue([CHAIR, BED])
    other = pickle.loads(pickle.dumps(small))
    assert (other.assets, other.digest) == (small.assets, small.digest)
    assert Catalogue([BED, CHAIR]).digest != small.digest


def written(path, pieces):
    rows = [{"jid": each.jid, "desc": each.desc, "size": list(each.size)} for each in pieces]
    if path.suffix == ".json":
        path.write_text(json.dumps(rows), encoding="utf-8")
    elif path.suffix == ".jsonl":
        path.write_text("\n\n".join(map(json.dumps, rows)) + "\n", encoding="utf-8")
    elif path.suffix == ".csv":
        lines = ["jid,desc,size", *(f'{r["jid"]},"{r["desc"]}","{",".join(map(str, r["size"]))}"' for r in rows)]
        path.write_text("\r\n".join(lines), encoding="utf-8-sig")
    else:
        pq.write_table(pa.Table.from_pylist(rows), path)
    return path


@pytest.mark.parametrize("suffix", [".json", ".jsonl", ".csv", ".parquet"])
def test_each_form_of_file_gives_the_same_catalogue(tmp_path, suffix):
    assert catalogue(written(tmp_path / f"assets{suffix}", [CHAIR, BED, CHAIR])).assets == (CHAIR, BED)


def test_a_csv_may_have_three_columns_for_the_size(tmp_path):
    path = tmp_path / "assets.csv"
    path.write_text('w,h,d,jid,desc\n0.5,0.9,0.55,c1,"A red chair, wide."\n', encoding="utf-8")
    assert catalogue(path).assets == (CHAIR,)


GOOD = '{"jid": "a", "desc": "A bed.", "size": [1, 1, 1]}'


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("a.txt", "", "Cannot read a.txt: known endings are .arrow, .csv, .json, .jsonl, .parquet."),
        ("a.json", "", "not JSON (Expecting value: line 1 column 1 (char 0))."),
        ("a.json", "{}", "not a list of JSON objects."),
        ("a.json", "[]", "the catalogue is empty; give it lines with jid, desc and size."),
        ("a.json", "[3]", "not a list of JSON objects."),
        ("a.jsonl", GOOD + "\n{", "line 2: not JSON (Expecting property name enclosed in double quotes: line 1 column 2 (char 1)); mend the line or take it out."),
        ("a.jsonl", GOOD + "\n" + GOOD.replace("bed", "cot"), "piece 2: the jid 'a' was given to another piece before."),
        ("a.jsonl", GOOD.replace('"a"', "7"), "piece 1: jid is to be a text, not 7."),
        ("a.jsonl", GOOD.replace("A bed.", " "), "piece 1: desc is to be a text, not ' '."),
        ("a.jsonl", GOOD.replace("A bed.", "<image>"), "piece 1: desc holds <image>, which has a meaning of its own in conversations."),
        ("a.jsonl", GOOD.replace('"a"', '"<NEED_RETRIVEAL>"'), "piece 1: jid holds <NEED_RETRIVEAL>, which has a meaning of its own in conversations."),
        ("a.jsonl", GOOD.replace("[1, 1, 1]", "[1, NaN, 1]"), "piece 1: size is to be width, height and depth in metres, each over 0, not [1.0, nan, 1.0]."),
        ("a.jsonl", GOOD.replace("[1, 1, 1]", "[1, 0, 1]"), "piece 1: size is to be width, height and depth in metres, each over 0, not [1, 0, 1]."),
        ("a.jsonl", GOOD.replace("[1, 1, 1]", "[1, 1]"), "piece 1: size is to be width, height and depth in metres, each over 0, not [1, 1]."),
        ("a.csv", "jid,desc\na,A bed.", "piece 1: size is to be width, height and depth in metres, each over 0, not nothing."),
        ("a.csv", "jid,desc,size\na,A bed,wide,1", "Cannot read a.csv: CSV parse error: Expected 3 columns, got 4: a,A bed,wide,1"),
        ("a.csv", "jid,desc,size\na,A bed.,big", "piece 1: size is to be width, height and depth in metres, each over 0, not 'big'."),
    ],
)  # fmt: skip
def test_what_cannot_be_used_is_told_in_one_sentence(tmp_path, name, text, told):
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError) as caught:
        catalogue(path)
    assert str(caught.value).removeprefix(str(path)).lstrip(":, ").replace(str(path), name) == told


def test_files_that_cannot_be_read_are_told(tmp_path):
    with pytest.raises(InputError, match=r"There is no file .*none.json\.$"):
        catalogue(tmp_path / "none.json")
    (tmp_path / "latin.csv").write_bytes("jid,desc,size\na,Möbel,1".encode("latin-1"))
    with pytest.raises(InputError, match=r"Cannot read .*latin.csv: .*UTF8"):
        catalogue(tmp_path / "latin.csv")
    (tmp_path / "a.parquet").write_bytes(b"none")
    with pytest.raises(InputError, match=r"Cannot read .*a.parquet: "):
        catalogue(tmp_path / "a.parquet")


def test_a_file_that_changed_is_read_again(tmp_path):
    path = written(tmp_path / "assets.json", [CHAIR])
    assert catalogue(path).assets == (CHAIR,)
    written(path, [BED])
    assert catalogue(path).assets == (BED,)
