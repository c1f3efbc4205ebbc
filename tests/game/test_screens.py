"""The project's own game screens, drawn and kept: the same for a seed, and with labels that are true."""

import csv
import json
import shutil
import subprocess
import sys
from hashlib import sha256
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from dataflow_ext import run
from dataflow_ext.ocr import engine
from examples.game_screens import KINDS, SIZES, THEMES, damage, make_rounds
from examples.game_screens.canvas import FACES, Canvas, face, runs
from examples.game_screens.game import LIGHTS, WORDS, right_card
from examples.game_screens.layout import draw_screen
from examples.game_screens.making import _episodes, _recipes
from examples.game_screens.stage import Stage
from pipelines.game_annotate import episodes, pipeline

_SMALL = ("phone_small", "desktop")


def _hashes(folder: Path) -> dict[str, str]:
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): sha256(path.read_bytes()).hexdigest() for path in files}


def _labels(folder: Path) -> list[dict[str, str]]:
    with (folder / "labels.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def _drawn(theme, game, shown="question", size=(480, 854), seed="t", **more) -> tuple[Image.Image, list]:
    canvas = Canvas(Image.new("RGB", size))
    unit = min(size[0] / 100, size[1] / 150)
    places = draw_screen(Stage(canvas, unit, theme, False, theme.languages[0], game, shown, seed, **more))
    return canvas.image, places


def _pixels(image: Image.Image) -> list[bytes]:
    content = image.tobytes()
    return [content[i : i + 3] for i in range(0, len(content), 3)]


def _game(seed="g", light=None):
    for recipe in _recipes("phone_small", "episode_001", THEMES[0], 40, seed):
        if light is None or recipe.game.light == light:
            return recipe.game
    raise AssertionError(light)


def test_the_same_seed_gives_the_same_files_and_another_seed_gives_others(tmp_path):
    for name, seed in (("one", 3), ("two", 3), ("three", 4)):
        make_rounds(tmp_path / name, rounds=4, seed=seed, devices=_SMALL)
    one, two, three = (_hashes(tmp_path / name) for name in ("one", "two", "three"))
    assert one == two
    assert not set(one.values()) & set(three.values())


def test_files_and_metadata_are_laid_out_as_the_collector_does_it(tmp_path):
    made = make_rounds(tmp_path, rounds=12, seed=1, devices=_SMALL)
    assert [(each.recipe.episode, each.recipe.game.number) for each in made[9:]] == [
        ("episode_001", 10),
        ("episode_001", 1),
        ("episode_001", 2),
    ]
    device = made[0].recipe.device
    metadata = json.loads((tmp_path / device / "episode_001_metadata.json").read_text("utf-8"))
    entries = metadata.pop("rounds")
    assert metadata == {"episode_id": "episode_001", "device_id": device, "completed_rounds": 10, "success": True}
    assert [entry["round"] for entry in entries] == list(range(1, 11))
    for entry in entries:
        stem = f"{device}/episode_001_round_{entry['round']:02d}_"
        for key, shown in (("question_screenshot", "question"), ("result_screenshot", "result")):
            assert entry[key] in (f"{stem}{shown}.png", f"{stem}{shown}.jpg")
            with Image.open(tmp_path / entry[key]) as picture:
                assert all(abs(a - b) <= 2 for a, b in zip(picture.size, SIZES[device], strict=True))


def test_the_click_lies_in_the_card_that_was_picked(tmp_path):
    made = make_rounds(tmp_path, rounds=10, seed=2, devices=_SMALL[:1])
    metadata = json.loads((tmp_path / "phone_small/episode_001_metadata.json").read_text("utf-8"))
    for each, entry in zip(made, metadata["rounds"], strict=True):
        x0, y0, x1, y1 = each.cards[entry["selected_index"]]
        x, y = entry["click_position"]
        assert x0 < x < x1
        assert y0 < y < y1


def test_labels_say_what_was_drawn_and_follow_the_rule(tmp_path):
    made = make_rounds(tmp_path, rounds=5, seed=6, devices=_SMALL)
    rows = _labels(tmp_path)
    assert list(rows[0]) == ["device", "episode", "round", "numbers", "light", "answer"]
    assert [tuple(row.values()) for row in rows] == [tuple(map(str, each.label)) for each in made]
    for row in rows:
        numbers = tuple(map(int, row["numbers"].split()))
        assert int(row["answer"]) == right_card(numbers, row["light"])


@given(st.tuples(*[st.integers(1, 999)] * 3), st.sampled_from(LIGHTS))
def test_the_right_card_is_the_leftmost_of_those_with_the_right_number(numbers, light):
    wanted = {"GREEN": max(numbers), "RED": min(numbers), "YELLOW": sorted(numbers)[1]}[light]
    card = right_card(numbers, light)
    assert numbers[card] == wanted
    assert wanted not in numbers[:card]


def test_200_rounds_show_each_theme_and_each_size():
    for seed in range(5):
        episodes = list(_episodes(200, seed, THEMES, tuple(SIZES)))
        assert len(episodes) == 20
        assert {theme.name for _, _, theme in episodes} == {theme.name for theme in THEMES}
        assert {device for device, _, _ in episodes} == set(SIZES)
        assert len({(device, episode) for device, episode, _ in episodes}) == 20


def test_games_have_ties_wrong_picks_and_numbers_of_several_lengths():
    recipes = [r for e in range(60) for r in _recipes("tablet", "e", THEMES[e % len(THEMES)], 10, f"many/{e}")]
    games = [recipe.game for recipe in recipes]
    ties = sum(len(set(game.numbers)) < 3 for game in games) / len(games)
    wrong = sum(not game.won for game in games) / len(games)
    assert 0.05 < ties < 0.25
    assert 0.3 < wrong < 0.5
    assert {len(str(number)) for game in games for number in game.numbers} == {1, 2, 3}
    assert {game.light for game in games} == set(LIGHTS)
    assert {game.answer for game in games} == {0, 1, 2}
    assert any(recipe.dark for recipe in recipes)


@pytest.mark.parametrize("theme", THEMES, ids=lambda theme: theme.name)
def test_each_theme_draws_three_cards_in_a_row_that_the_result_keeps(theme):
    for size in ((480, 854), (683, 384)):
        question, places = _drawn(theme, _game(), "question", size)
        result, places_then = _drawn(theme, _game(), "result", size)
        assert places == places_then
        assert question.tobytes() != result.tobytes()
        assert [x for place in places for x in (place[0], place[2])] == sorted(
            x for place in places for x in (place[0], place[2])
        )
        widths = {round(x1 - x0, 3) for x0, _, x1, _ in places}
        assert len(widths) == 1
        assert all(x0 >= 0 and x1 <= size[0] and y0 >= 0 and y1 <= size[1] for x0, y0, x1, y1 in places)


def test_the_lit_lamp_has_the_colour_of_the_light():
    hues = {"GREEN": range(60, 125), "RED": (*range(10), *range(246, 256)), "YELLOW": range(30, 48)}
    zen = next(theme for theme in THEMES if theme.name == "zen")
    for light in LIGHTS:
        game = _game(light=light)
        with_lamp, _ = _drawn(zen, game, size=(240, 427))
        without, _ = _drawn(zen, game, size=(240, 427), lamp=False)
        pixels, before = (_pixels(image.convert("HSV")) for image in (with_lamp, without))
        changed = [now for now, was in zip(pixels, before, strict=True) if now != was and now[1] > 150 and now[2] > 150]
        assert len(changed) > 100
        assert sum(pixel[0] in hues[light] for pixel in changed) > 0.9 * len(changed)


def test_nothing_of_the_result_is_drawn_over_a_number_of_an_unmarked_card():
    """Cards that no mark changes look the same in both screens."""
    same = 0
    for recipe in _recipes("phone_small", "episode_001", THEMES[0], 12, "unmarked"):
        question, places = _drawn(THEMES[0], recipe.game, "question", seed=recipe.seed)
        result, _ = _drawn(THEMES[0], recipe.game, "result", seed=recipe.seed)
        for card, place in enumerate(places):
            if card not in (recipe.game.answer, recipe.game.picked):
                same += question.crop(place).tobytes() == result.crop(place).tobytes()
    assert same >= 6


def test_every_letter_of_the_words_is_in_its_face():
    texts = [text for kinds in WORDS.values() for group in kinds.values() for text in group]
    letters = set("".join(texts)) | set("０１２３４５６７８９:%+0123456789")
    for name in FACES:
        missing = face(name, 40).getmask("\uffff").getbbox(), bytes(face(name, 40).getmask("\uffff"))
        for letter in letters - {" "}:
            for part, part_name in runs(letter, name):
                drawn = face(part_name, 40).getmask(part)
                if part_name == name:
                    assert (drawn.getbbox(), bytes(drawn)) != missing, (name, letter)


def test_damage_does_to_each_round_what_its_list_says_and_nothing_to_the_others(tmp_path):
    made = make_rounds(tmp_path, rounds=20, seed=9, devices=_SMALL)
    before = _hashes(tmp_path)
    done = damage(tmp_path, made, seed=1)
    after = _hashes(tmp_path)
    assert [each.kind for each in done] == list(KINDS)
    assert len({(each.device, each.episode, each.round) for each in done}) == len(KINDS)
    stems = {each.kind: f"{each.device}/{each.episode}_round_{each.round:02d}_" for each in done}
    changed = {name for name in before if before[name] != after.get(name)}
    in_metadata = {f"{each.device}/{each.episode}_metadata.json" for each in done if "metadata" in each.kind}
    in_pictures = {
        name for kind, stem in stems.items() for name in before if name.startswith(stem) and "metadata" not in kind
    }
    assert in_metadata <= changed <= in_metadata | in_pictures
    assert {kind for kind, stem in stems.items() if any(name.startswith(stem) for name in changed)} == {
        kind for kind in KINDS if "metadata" not in kind
    }
    gone = sorted(name.split(".")[0] for name in before if name not in after)
    assert gone == sorted([stems["result missing"] + "result", stems["question missing"] + "question"])
    cut = next(tmp_path.glob(stems["question truncated"] + "question.*"))
    assert cut.suffix == ".png"
    with pytest.raises(OSError), Image.open(cut) as picture:
        picture.load()
    assert next(tmp_path.glob(stems["result empty"] + "result.*")).stat().st_size == 0
    entries = {
        (each.kind, entry["round"]): entry
        for each in done
        if "metadata" in each.kind
        for entry in json.loads((tmp_path / each.device / f"{each.episode}_metadata.json").read_text("utf-8"))["rounds"]
        if entry["round"] == each.round
    }
    keys, file = (entry for _, entry in sorted(entries.items(), reverse=True))
    if "question_screenshot" in keys:
        keys, file = file, keys
    assert "before_shot" in keys
    assert not (tmp_path / file["question_screenshot"]).exists()


def test_screens_with_no_or_five_cards_and_without_a_lamp_differ_from_whole_ones():
    game = _game()
    whole, three = _drawn(THEMES[0], game)
    assert len(three) == 3
    for more, many in (({"cards": 0}, 0), ({"cards": 5}, 5), ({"lamp": False}, 3)):
        for shown in ("question", "result"):
            broken, places = _drawn(THEMES[0], game, shown, **more)
            assert len(places) == many
            assert broken.tobytes() != whole.tobytes()


def test_damage_of_more_kinds_than_rounds_says_so(tmp_path):
    made = make_rounds(tmp_path, rounds=2, seed=9, devices=_SMALL)
    with pytest.raises(ValueError, match="10 kinds of damage need as many rounds, but there are 2; make more"):
        damage(tmp_path, made)


_PAGES = Path(__file__).resolve().parents[2] / "examples" / "game_pages"
_ROUNDS = _PAGES / "rounds"

pytestmark = pytest.mark.skipif(not _ROUNDS.is_dir(), reason="the examples are not here")


def _kept_labels() -> list[dict[str, str]]:
    with (_ROUNDS / "labels.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_there_are_24_rounds_of_three_pages_on_six_sizes_in_few_bytes():
    rows = _kept_labels()
    assert len(rows) == 24
    assert {row["device"].split("_")[0] for row in rows} == {"crossing", "quiz", "desk"}
    sizes = set()
    for path in sorted(_ROUNDS.glob("*/*round_*")):
        with Image.open(path) as picture:
            sizes.add(picture.size)
    assert sizes == {(1080, 2340), (720, 1280), (1170, 2532), (1200, 1920), (1366, 768), (2048, 1536)}
    assert sum(path.stat().st_size for path in _ROUNDS.rglob("*") if path.is_file()) < 3_000_000


def test_labels_follow_the_rule_and_name_what_metadata_names():
    rows = _kept_labels()
    for row in rows:
        numbers = tuple(map(int, row["numbers"].split()))
        assert int(row["answer"]) == right_card(numbers, row["light"])
    listed = set()
    for path in _ROUNDS.glob("*/*_metadata.json"):
        metadata = json.loads(path.read_text("utf-8"))
        for entry in metadata["rounds"]:
            listed.add((metadata["device_id"], metadata["episode_id"], str(entry["round"])))
            assert (_ROUNDS / entry["question_screenshot"]).is_file()
            assert (_ROUNDS / entry["result_screenshot"]).is_file()
    assert listed == {(row["device"], row["episode"], row["round"]) for row in rows}


def test_without_a_browser_the_script_says_loudly_that_it_made_nothing(tmp_path):
    command = [sys.executable, str(_PAGES / "make.py"), str(tmp_path / "new")]
    done = subprocess.run(command, env={"PATH": str(tmp_path)}, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        "NOTHING WAS MADE: there is no chromium; install it (apt install chromium) or name it by CHROMIUM.\n"
    )
    assert not (tmp_path / "new").exists()


@pytest.mark.skipif(engine.installed_version("rapidocr") is None, reason="rapidocr is not installed")
def test_lamps_that_move_and_grounds_that_change_within_an_episode_cost_no_round(tmp_path):
    for device in ("crossing_phone", "quiz_phone"):
        shutil.copytree(_ROUNDS / device, tmp_path / "rounds" / device)
    result = run(pipeline(rule="number-game"), episodes(tmp_path / "rounds"), cache_dir=tmp_path / "memory")
    read = {(row["device"], str(row["round"])): (row["light"], str(row["card"])) for row in result.table.to_pylist()}
    labels = {(row["device"], row["round"]): (row["light"], row["answer"]) for row in _kept_labels()}
    assert read.items() <= labels.items()
    assert len(read) >= 7, result.rejects["message"].to_pylist()
