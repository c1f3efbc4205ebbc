"""The catalogue: our own, and those of files."""

import json
import math
import pickle

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from dataflow_ext import InputError
from operators.scene.furniture.catalogue import Asset, Catalogue, catalogue
from operators.scene.furniture.kinds import ROOM_TYPES, kind_of

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
