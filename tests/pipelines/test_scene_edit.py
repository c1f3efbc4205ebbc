"""The command ``scene_edit`` as people run it, without a model: chains, pictures, damage, kills, and the same bytes."""

import json
import multiprocessing
import re
import shutil
import signal
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from operators.scene.model.scene import objects_of
from operators.scene.model.simulator import target_of
from pipelines.scene_edit import PROMPTS, main
from tests.pipelines.scene_sets import (
    LEFT,
    LIBRARY,
    STUDY,
    chains_in,
    contents,
    conversations_of,
    data_of,
    edit,
    entries_of,
    library,
    lost,
    put,
    put_ids,
    rejects_of,
    stats_of,
    steps_of,
    study,
)
from tests.scene.rooms_on_disk import a_room, in_groups, spread, thing
from tests.support.report_page import ReportPage

#: Of two rooms two chains each are made and one is kept.
FLAGS = ("--chains", 2, "--keep", 1, "--turns", "3-4", "--seed", 1)
#: As little as a room can cost.
LITTLE = ("--chains", 1, "--turns", 2, "--no-filter")


@pytest.fixture(scope="module")
def rooms(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return put(tmp_path_factory.mktemp("rooms"), **{STUDY: study(), LIBRARY: library()})


@pytest.fixture(scope="module")
def first(rooms: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What a run on the two rooms leaves behind."""
    out = tmp_path_factory.mktemp("first") / "out"
    assert edit(rooms, out, *FLAGS) == 0
    return out


@pytest.fixture
def again(first: Path, tmp_path: Path) -> Path:
    """The same once more, to be changed."""
    return Path(shutil.copytree(first, tmp_path / "again"))


def sound(out: Path, capsys: pytest.CaptureFixture[str], *flags: str) -> Any:
    """The check of a data set, which has to find nothing."""
    capsys.readouterr()
    code = main(["validate", str(out), "--json", *flags])
    found = json.loads(capsys.readouterr().out)
    assert (found["problems"], found["counts"], code) == ([], {}, 0)
    assert found["lines"] == len(entries_of(out))
    return found


def test_a_run_leaves_a_data_set_figures_rejects_and_a_page_behind(first: Path) -> None:
    assert {path.name for path in first.iterdir()} == LEFT
    told = [(each["metadata"]["scene_id"], each["metadata"]["conversation_type"]) for each in entries_of(first)]
    assert told == [(STUDY, "multi_turn"), (LIBRARY, "multi_turn")]
    names = {name for each in entries_of(first) for name in each["images"]}
    assert {path.relative_to(first).as_posix() for path in (first / "images").rglob("*.png")} == names
    assert {path.suffix for path in (first / "images").rglob("*") if path.is_file()} == {".png"}
    figures = stats_of(first)
    assert (figures["conversations"], figures["rooms"]["rooms"]) == (2, 2)
    assert (figures["texts_by"], figures["instructions_by"], figures["judged_by"]) == (
        {"rules": 2},
        {"rules": 2},
        {"geometry": 2},
    )
    assert [(each["operator"], each["count"]) for each in figures["rejects"]] == [("TopKChains", 2)]
    page = ReportPage(first / "report.html")
    page.must_be_inert()
    assert {name for name in names if "step_0" in name} <= set(page.places())
    assert str(first) not in page.html + page.words()


def test_no_problem_is_found_and_every_picture_is_drawn_again(first: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = sound(first, capsys)
    pictures = len(list((first / "images").rglob("*.png")))
    edits = sum(each["metadata"]["total_turns"] for each in entries_of(first))
    assert (found["pictures"], found["turns"], pictures) == (pictures, edits, edits + 2)
    assert main(["validate", str(first), "--no-redraw"]) == 0
    lines = capsys.readouterr().err.splitlines()
    assert (
        lines[0] == f"2 conversations with {edits} editing turns replayed, {pictures} pictures, 0 of them drawn again."
    )
    assert lines[-1] == "no problems"


def test_each_chain_begins_untidy_has_the_turns_asked_for_and_ends_in_the_given_room(first: Path) -> None:
    wanted = {STUDY: contents(study()), LIBRARY: contents(library())}
    for each in conversations_of(first):
        changed = {target_of(call) for calls in each.chain.turns for call in calls} - {None}
        assert changed <= {thing["jid"] for thing in objects_of(each.chain.start)}
        assert each.chain.revised() == []
        assert each.chain.edits in (3, 4)
        assert contents(each.chain.states()[-1]) == wanted[each.metadata["scene_id"]]
        assert [json.dumps(state) for state in each.stated] == [json.dumps(state) for state in each.chain.states()]
        names = [[call["name"] for call in calls] for calls in each.chain.turns]
        assert names[-1] == ["terminate"]
        assert not any("terminate" in calls for calls in names[:-1])


def test_every_room_and_every_chain_is_accounted_for(first: Path) -> None:
    steps = steps_of(first)
    assert (steps["SceneReader"]["rows_out"], steps["SceneFilter"]["rows_out"]) == (2, 2)
    assert lost(first) == []
    assert chains_in(first) == [(room, number) for room in (STUDY, LIBRARY) for number in (1, 2)]
    dropped = [json.loads(each["inputs"]) for each in rejects_of(first)]
    kept: dict[str, list[float]] = {}
    for entry in entries_of(first):
        kept.setdefault(entry["metadata"]["scene_id"], []).append(entry["metadata"]["scores"]["total"])
    assert all(each["score"] <= min(kept[each["scene_id"]]) for each in dropped)
    assert sorted(each["scene_id"] for each in dropped) == [STUDY, LIBRARY]


def test_the_figures_tell_which_rooms_the_filter_let_pass(first: Path) -> None:
    assert stats_of(first)["filter"] is not None


def test_a_second_run_does_nothing_again_and_leaves_the_same_bytes(rooms: Path, first: Path) -> None:
    before, stats = data_of(first), (first / "stats.json").read_bytes()
    rejects = (first / "rejects.jsonl").read_bytes()
    made = {path: (path.stat().st_ino, path.stat().st_mtime_ns) for path in first.rglob("*.png")}
    assert edit(rooms, first, *FLAGS) == 0
    told = {name: step["remembered"] for name, step in steps_of(first).items()}
    assert told.pop("SceneRenderer") is False
    assert set(told.values()) == {True}, told
    assert data_of(first) == before
    assert ((first / "stats.json").read_bytes(), (first / "rejects.jsonl").read_bytes()) == (stats, rejects)
    assert {path: (path.stat().st_ino, path.stat().st_mtime_ns) for path in first.rglob("*.png")} == made


def test_two_workers_and_files_given_one_by_one_backwards_give_the_same_bytes(
    rooms: Path, first: Path, tmp_path: Path
) -> None:
    files = sorted(rooms.glob("*.json"), reverse=True)
    assert edit([*files, files[0]], tmp_path / "out", *FLAGS, "--workers", 2) == 0
    assert data_of(tmp_path / "out") == data_of(first)
    assert (tmp_path / "out" / "stats.json").read_bytes() == (first / "stats.json").read_bytes()


def killed(arguments: list[str], when: Callable[[], bool]) -> bool:
    """Run the command in a process of its own and kill it at a moment; whether it was still running."""
    forks = multiprocessing.get_context("forkserver")
    forks.set_forkserver_preload(["pipelines.scene_edit", "operators.scene.output.page", "operators.scene.model.floor"])
    process = forks.Process(target=main, args=(arguments,))
    process.start()
    deadline = time.monotonic() + 60
    while not when() and process.is_alive() and time.monotonic() < deadline:
        time.sleep(0.001)
    process.kill()
    process.join(30)
    return process.exitcode == -signal.SIGKILL


def test_a_run_that_is_killed_again_and_again_gives_the_same_bytes(rooms: Path, first: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    arguments = [str(rooms / f"{LIBRARY}.json"), str(rooms), "--out", str(out), *map(str, FLAGS)]
    moments: dict[str, Callable[[], bool]] = {
        "with some pictures drawn": lambda: len(list((out / ".run" / "pictures").rglob("*.png"))) >= 4,
        "amid the writing": lambda: any(out.glob("images/*")),
    }
    drawn = []
    for moment, when in moments.items():
        assert killed(arguments, when), f"it came to its end before it was killed {moment}"
        drawn.append({path: path.stat().st_ino for path in (out / ".run" / "pictures").rglob("*.png")})
        whole = data_of(first)
        assert data_of(out).items() <= whole.items(), "a file that is there is whole"
    assert main(arguments) == 0
    assert data_of(out) == data_of(first)
    assert {path.name for path in out.iterdir()} == LEFT
    assert list((out / ".run" / "scene").glob("*.part")) == [], "what was half written is cleared away"
    kept = {path: path.stat().st_ino for path in (out / ".run" / "pictures").rglob("*.png")}
    assert drawn[0].items() <= drawn[1].items() <= kept.items(), "what was drawn is not drawn again"


#: What is asked for again, with the flags that the run had.
STAGES = {"judge": ("--seed", "1", "--keep", "1"), "render": (), "cot": ("--seed", "1")}


@pytest.fixture(scope="module")
def done_again(first: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The data set with each stage done again, each in a copy of its own."""
    made = {}
    for stage, flags in STAGES.items():
        made[stage] = Path(shutil.copytree(first, tmp_path_factory.mktemp(stage) / "again"))
        assert main(["--only", stage, "--out", str(made[stage]), *flags]) == 0
    return made


@pytest.mark.parametrize("stage", STAGES)
def test_a_stage_that_is_done_again_gives_the_same_bytes_where_nothing_changes(
    stage: str, first: Path, done_again: dict[str, Path]
) -> None:
    assert data_of(done_again[stage]) == data_of(first)
    assert {path.name for path in done_again[stage].iterdir()} - {f"rejects_{stage}.jsonl"} == LEFT


@pytest.mark.parametrize("stage", STAGES)
def test_a_stage_that_is_done_again_leaves_figures_and_rejects_whole(
    stage: str, first: Path, done_again: dict[str, Path]
) -> None:
    assert chains_in(done_again[stage]) == chains_in(first)
    assert stats_of(done_again[stage]) == stats_of(first)


def test_pictures_that_are_gone_are_drawn_again_by_that_stage_alone(first: Path, again: Path) -> None:
    shutil.rmtree(again / "images")
    shutil.rmtree(again / ".run" / "pictures")
    assert main(["--only", "render", "--out", str(again), "--seed", "1"]) == 0
    assert data_of(again) == data_of(first)
    assert set(steps_of(again)) == {"SceneRenderer", "ChainValidator"}


def test_more_are_kept_if_the_judge_is_asked_again_for_more(
    first: Path, again: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--only", "judge", "--out", str(again), "--seed", "1", "--keep", "2"]) == 0
    assert [(each["metadata"]["scene_id"], each["metadata"]["chain_id"]) for each in entries_of(again)] == chains_in(
        first
    )
    before = {each["id"]: each for each in entries_of(first)}
    assert {each["id"]: each for each in entries_of(again) if each["id"] in before} == before
    assert len(list((again / "images").iterdir())) == 4
    sound(again, capsys, "--no-redraw")


@pytest.fixture(scope="module")
def damaged(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A folder with good rooms and damaged ones, and what a run on it leaves behind."""
    root = tmp_path_factory.mktemp("damaged") / "a folder"
    lamp = thing("lamp-7", 2.0, 2.0, desc="A tall brass floor lamp", size=[0.3, 1.5, 0.3])
    put(
        root,
        torn='{"objects": [',
        list="[]",
        empty=a_room(),
        one=a_room(thing("stool-1", desc="A round wooden stool")),
        odd={**in_groups(), "groups": [{"group_name": "g", "group_type": "main", "mood": 1, "objects": [lamp]}]},
        twice=a_room(thing("chair-3"), thing("chair-3", 2.5), lamp),
        far=a_room(thing("chair-3"), lamp, thing("away", 55.0, desc="A bed"), thing("nan", size=[1e308, 1, 1])),
    )
    (root / "deep").mkdir()
    (root / "deep" / "many é.jsonl").write_text(f"{json.dumps(a_room(lamp), ensure_ascii=False)}\n{{\n\n[]\n")
    (root / "notes.txt").write_text("no room")
    out = root.parent / "out"
    assert edit(root, out, *LITTLE) == 5
    return root, out


def test_damaged_rooms_cost_themselves_alone_and_each_is_accounted_for(
    damaged: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    _, out = damaged
    sound(out, capsys)
    kept = [each["metadata"]["scene_id"] for each in entries_of(out)]
    assert kept == ["deep/many é#1", "far", "one", "twice"]
    told = [(each["operator"], each["message"]) for each in rejects_of(out)]
    assert Counter(operator for operator, _ in told) == {"SceneReader": 5, "SceneReverseEditor": 1}
    names = [
        "torn.json: ",
        "list.json: ",
        "empty.json: ",
        "many é.jsonl, line 2: ",
        "many é.jsonl, line 4: ",
        "odd: ",
    ]
    assert [sum(name in message for _, message in told) for name in names] == [1] * 6, told
    assert not any("Traceback" in message for _, message in told)


def test_the_judge_asked_again_leaves_what_was_rejected_before_it_on_record(
    damaged: tuple[Path, Path], tmp_path: Path
) -> None:
    out = Path(shutil.copytree(damaged[1], tmp_path / "again"))
    assert main(["--only", "judge", "--out", str(out)]) == 0
    assert data_of(out) == data_of(damaged[1])
    assert sorted(each["message"] for each in lost(out)) == sorted(each["message"] for each in lost(damaged[1]))


def test_one_object_is_room_enough(damaged: tuple[Path, Path]) -> None:
    [chain] = [each.chain for each in conversations_of(damaged[1]) if each.metadata["scene_id"] == "one"]
    assert (chain.edits, len(objects_of(chain.states()[-1]))) == (2, 1)


def test_ids_that_repeat_become_ids_of_their_own_with_one_asset(damaged: tuple[Path, Path]) -> None:
    [entry] = [each for each in conversations_of(damaged[1]) if each.metadata["scene_id"] == "twice"]
    found = [(each["jid"], each.get("asset_jid")) for each in objects_of(entry.chain.states()[-1])]
    assert sorted(found, key=str) == [("chair-3", "chair-3"), ("chair-3__2", "chair-3"), ("lamp-7", None)]


def test_junk_is_named_and_dropped_or_kept(
    damaged: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    root, out = damaged
    assert {name: len(junk) for name, junk in stats_of(out)["junk"].items()} == {"far": 2}
    finals = {each.metadata["scene_id"]: each.chain.states()[-1] for each in conversations_of(out)}
    assert sorted(each["jid"] for each in objects_of(finals["far"])) == ["chair-3", "lamp-7"]
    assert edit(root / "far.json", tmp_path / "out", *LITTLE, "--junk", "keep") == 0
    sound(tmp_path / "out", capsys)
    [kept] = conversations_of(tmp_path / "out")
    assert sorted(each["jid"] for each in objects_of(kept.chain.states()[-1])) == ["away", "chair-3", "lamp-7"]
    assert [len(junk) for junk in stats_of(tmp_path / "out")["junk"].values()] == [2]


def test_without_its_flag_the_filter_drops_small_rooms_and_nothing_left_is_exit_code_1(
    damaged: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert edit(damaged[0] / "twice.json", tmp_path / "out", "--chains", 1) == 1
    assert "0 conversations of 0 rooms." in capsys.readouterr().err
    assert (entries_of(tmp_path / "out"), data_of(tmp_path / "out")) == ([], {})
    [reject] = rejects_of(tmp_path / "out")
    assert (reject["operator"], reject["kind"]) == ("SceneFilter", "dropped")
    assert "3 objects" in reject["message"]


def test_without_pictures_a_data_set_is_text_and_replays(
    rooms: Path, first: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    assert edit(rooms, out, *FLAGS, "--no-pictures") == 0
    found = sound(out, capsys)
    assert (found["pictures"], (out / "images").exists()) == (0, False)
    for bare, pictured in zip(entries_of(out), entries_of(first), strict=True):
        assert (bare["images"], bare["metadata"]["camera"]) == ([], {"renderer": "none"})
        told = [each["content"].replace("<image>\n", "") for each in pictured["messages"][1:]]
        assert [each["content"] for each in bare["messages"][1:]] == told
    swift = [json.loads(line) for line in (out / "swift.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [(line["images"], json.dumps(line).count("<image>")) for line in swift] == [([], 0)] * len(swift)


def test_a_limit_is_one_of_files(rooms: Path, tmp_path: Path) -> None:
    assert edit(rooms, tmp_path / "out", *LITTLE, "--limit", 1, "--keep", 9) == 0
    assert [each["metadata"]["scene_id"] for each in entries_of(tmp_path / "out")] == [STUDY]
    assert chains_in(tmp_path / "out") == [(STUDY, 1)], "more to keep than are made keeps all"


def test_another_seed_makes_other_chains_of_as_many_turns_as_asked_for(
    rooms: Path, first: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    flags = ("--chains", 1, "--turns", 5, "--seed", 2)
    assert edit(rooms / f"{STUDY}.json", tmp_path / "out", *flags) == 0
    sound(tmp_path / "out", capsys)
    [entry] = entries_of(tmp_path / "out")
    assert entry["metadata"]["total_turns"] == 5
    assert contents(conversations_of(tmp_path / "out")[0].chain.states()[-1]) == contents(study())
    assert entry["id"] not in {each["id"] for each in entries_of(first)}
    chains = {each.chain.text() for each in [*conversations_of(first), *conversations_of(tmp_path / "out")]}
    assert len(chains) == 3


ASSETS = [
    {"jid": f"shop-{noun.replace(' ', '-')}-{n}", "desc": f"{look} {noun} from the shop.", "size": size}
    for noun, size in {
        "office chair": [0.6, 1.0, 0.6],
        "desk": [1.3, 0.75, 0.65],
        "bookcase": [0.9, 1.9, 0.35],
        "floor lamp": [0.35, 1.6, 0.35],
        "armchair": [0.8, 0.9, 0.8],
        "potted plant": [0.4, 0.9, 0.4],
    }.items()
    for n, look in enumerate(("A blue", "A red", "An orange"))
]


def test_own_furniture_is_what_single_turns_change_and_a_changed_file_is_noticed(
    rooms: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out, file = tmp_path / "out", tmp_path / "assets.json"
    file.write_text(json.dumps(ASSETS))
    flags = ("--single-turn", "--chains", 3, "--seed", 3, "--assets", file)
    assert edit(rooms / f"{STUDY}.json", out, *flags) == 0
    sound(out, capsys)
    own = {each["jid"] for each in objects_of(study())}
    used = set()
    for each in conversations_of(out):
        assert (each.metadata["conversation_type"], each.chain.edits, len(each.images)) == ("single_turn", 1, 2)
        assert objects_of(each.chain.start)
        assert contents(each.chain.states()[-1]) == contents(study())
        used |= put_ids(each) - own
    assert used
    assert used <= {each["jid"] for each in ASSETS}
    file.write_text(json.dumps([{**each, "jid": f"new-{each['jid']}"} for each in ASSETS]))
    assert edit(rooms / f"{STUDY}.json", out, *flags) == 0
    assert steps_of(out)["SceneReverseEditor"]["remembered"] is False
    assert {f"new-{jid}" for jid in used} == {jid for each in conversations_of(out) for jid in put_ids(each) - own}


#: Arguments, what the last line says of them; ROOMS, OUT and HERE stand for folders.
MISTAKES = {
    "no rooms": (["--out", "OUT"], "name folders or files with rooms"),
    "rooms that are not there": (["ROOMS/gone", "--out", "OUT"], "there is no such file or folder"),
    "a folder without rooms": (["HERE/nothing", "--out", "OUT"], "there is no room in it"),
    "a file that is none": (["HERE/notes.txt", "--out", "OUT"], "a room is a file .json"),
    "two rooms of one name": (["ROOMS", "HERE/twin/study.json", "--out", "OUT"], "both be called 'study'"),
    "a file in place of a folder": (["ROOMS", "--out", "HERE/notes.txt"], "notes.txt"),
    "no chains": (["ROOMS", "--chains", "0", "--out", "OUT"], "argument --chains"),
    "nothing to keep": (["ROOMS", "--keep", "-1", "--out", "OUT"], "argument --keep"),
    "turns that fall": (["ROOMS", "--turns", "8-4", "--out", "OUT"], "'8-4' is no range of turns"),
    "turns that are no number": (["ROOMS", "--turns", "four", "--out", "OUT"], "'four' is no range of turns"),
    "no turns": (["ROOMS", "--turns", "0", "--out", "OUT"], "'0' is no range of turns"),
    "too many turns": (["ROOMS", "--turns", "4-1000", "--out", "OUT"], "turns"),
    "an unknown metric": (["ROOMS", "--metric", "meshes", "--out", "OUT"], "argument --metric"),
    "a negative tolerance": (["ROOMS", "--tolerance", "-1", "--out", "OUT"], "tolerance"),
    "a tolerance that is no number": (["ROOMS", "--tolerance", "nan", "--out", "OUT"], "tolerance"),
    "an unknown renderer": (["ROOMS", "--renderer", "pencil", "--out", "OUT"], "argument --renderer"),
    "an unknown stage": (["--only", "filter", "--out", "OUT"], "argument --only"),
    "a stage with rooms": (["ROOMS", "--only", "cot", "--out", "OUT"], "leave the rooms away"),
    "a stage without a data set": (["--only", "cot", "--out", "OUT"], "OUT"),
    "a picture of nothing": (["--only", "render", "--out", "HERE/nothing"], "has no data set"),
    "nothing to judge": (["--only", "judge", "--out", "HERE/nothing"], "run the pipeline there first"),
    "assets that are not there": (["ROOMS", "--assets", "HERE/gone.csv", "--out", "OUT"], "gone.csv"),
    "assets that are broken": (["ROOMS", "--assets", "HERE/assets.json", "--out", "OUT"], "assets.json"),
    "assets of another form": (["ROOMS", "--assets", "HERE/notes.txt", "--out", "OUT"], "notes.txt"),
    "a judge at a server without a name": (["ROOMS", "--judge-base-url", "http://x/v1", "--out", "OUT"], "--judge-model"),
    "prompts that are not there": (["ROOMS", "--prompts", "HERE/gone", "--out", "OUT"], "there is no folder"),
    "a check of nothing": (["validate", "HERE/gone"], "There is no folder"),
    "a check of no data set": (["validate", "HERE/nothing"], "has no data set"),
    "a replay of nothing": (["replay", "HERE/gone.jsonl", "--out", "OUT"], "There is no file"),
    "a replay of no conversation": (["replay", "HERE/notes.txt", "--out", "OUT"], "this is no conversation"),
}  # fmt: skip


def complained(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    """The last line that a run with a mistake in its arguments says, after leaving with 2."""
    capsys.readouterr()
    try:
        code = main(arguments)
    except SystemExit as left:
        code = int(left.code or 0)
    said = capsys.readouterr().err
    assert (code, "Traceback" in said) == (2, False), said
    return said.strip().splitlines()[-1]


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_one_sentence_and_leaves_nothing(
    mistake: str, rooms: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    here = put(tmp_path / "here", assets='[{"jid": "a", "desc": "A chair", "size": [1, 1]}]')
    put(here / "twin", study=spread(1))
    (here / "nothing").mkdir()
    (here / "notes.txt").write_text("a note\n")
    arguments, sentence = MISTAKES[mistake]
    places = {"ROOMS": rooms, "OUT": tmp_path / "out", "HERE": here}
    told = complained(
        [re.sub("ROOMS|OUT|HERE", lambda found: str(places[found[0]]), each) for each in arguments], capsys
    )
    assert sentence.replace("OUT", str(tmp_path / "out")) in told
    assert not (tmp_path / "out").exists()
    assert list((here / "nothing").iterdir()) == []


@pytest.mark.parametrize("name", ["conversations.jsonl", "rl.parquet", "rejects.jsonl", "stats.json", "report.html"])
def test_a_folder_with_files_of_others_is_refused_before_any_work(
    name: str, rooms: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    theirs = tmp_path / "out" / name
    theirs.parent.mkdir()
    theirs.write_text("{}\n")
    try:
        told = complained([str(rooms / f"{STUDY}.json"), "--out", str(tmp_path / "out"), *map(str, LITTLE)], capsys)
    finally:
        assert theirs.read_text() == "{}\n"
    assert name in told
    assert not list((tmp_path / "out").rglob("*.png"))


def test_a_folder_of_rooms_is_not_written_into(rooms: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What a run leaves there would be the rooms of the next run."""
    root = put(tmp_path / "root", **{STUDY: study()})
    complained([str(root), "--out", str(root), *map(str, LITTLE)], capsys)
    assert [path.name for path in root.iterdir()] == [f"{STUDY}.json"]


def test_a_run_does_not_read_what_a_run_left_below_the_rooms(
    first: Path, rooms: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    root = put(tmp_path / "root", **{STUDY: study()})
    shutil.copytree(first, root / "done")
    assert edit(root, tmp_path / "out", "--dry-run") == 0
    assert capsys.readouterr().err.startswith("Files with rooms: 1. Steps: 10.")


def test_a_dry_run_writes_nothing(rooms: Path, first: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert edit(rooms, tmp_path / "out", "--dry-run") == 0
    assert capsys.readouterr().err == "Files with rooms: 2. Steps: 10. The wiring is sound; nothing was run.\n"
    assert not (tmp_path / "out").exists()
    before = {path: path.stat().st_mtime_ns for path in first.rglob("*")}
    for stage, chains, steps in (("judge", 4, 5), ("render", 2, 2), ("cot", 2, 2)):
        assert main(["--only", stage, "--out", str(first), "--dry-run"]) == 0
        assert capsys.readouterr().err == f"Chains: {chains}. Steps: {steps}. The wiring is sound; nothing was run.\n"
    assert {path: path.stat().st_mtime_ns for path in first.rglob("*")} == before


def test_the_prompts_can_be_written_out_and_given_back(
    rooms: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["prompts", str(tmp_path / "mine")]) == 0
    assert {path.name for path in (tmp_path / "mine").iterdir()} == {each.template for each in PROMPTS}
    assert edit(rooms, tmp_path / "out", "--prompts", tmp_path / "mine", "--dry-run") == 0


def test_every_conversation_can_be_replayed_from_its_file_alone(
    first: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "moved.jsonl"
    shutil.copy(first / "conversations.jsonl", file)
    entry = entries_of(first)[-1]
    capsys.readouterr()
    assert main(["replay", str(file), "--id", entry["id"], "--out", str(tmp_path / "shown")]) == 0
    said = capsys.readouterr().err
    assert said.count("  agrees") == entry["metadata"]["total_turns"] + 1
    assert "no mismatch" in said
    [page] = (tmp_path / "shown").iterdir()
    assert entry["id"] in page.name


def spoil(out: Path, change: Callable[[Any], None] = lambda entry: None) -> None:
    """Change the first conversation of a data set, and leave no other."""
    entry = entries_of(out)[0]
    change(entry)
    text = json.dumps(entry, ensure_ascii=False) + "\n"
    (out / "conversations.jsonl").write_text(text, encoding="utf-8")


def test_a_room_that_the_calls_do_not_give_is_a_problem_and_a_mismatch(
    again: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def moved(entry: Any) -> None:
        content = entry["messages"][5]["content"]
        entry["messages"][5]["content"] = re.sub(
            r'"pos":\[(-?[\d.]+)', lambda found: f'"pos":[{float(found[1]) + 1}', content, count=1
        )

    spoil(again, moved)
    capsys.readouterr()
    assert main(["validate", str(again), "--no-redraw"]) == 1
    assert "line 1 (" in capsys.readouterr().err
    assert main(["replay", str(again / "conversations.jsonl"), "--out", str(tmp_path / "shown")]) == 1
    assert "MISMATCH" in capsys.readouterr().err
    assert "remove that line" in complained(["--only", "cot", "--out", str(again)], capsys)


def test_another_picture_is_a_problem(again: Path, capsys: pytest.CaptureFixture[str]) -> None:
    spoil(again)
    [entry] = entries_of(again)
    one, other = (again / name for name in entry["images"][:2])
    content = one.read_bytes()
    other.unlink()
    other.write_bytes(content)
    capsys.readouterr()
    assert main(["validate", str(again), "--json"]) == 1
    found = json.loads(capsys.readouterr().out)
    assert found["counts"] == {"image.other": 1}


def test_pictures_are_not_copied_but_linked_to_the_files_that_were_drawn(first: Path) -> None:
    drawn = {path.stat().st_ino for path in (first / ".run" / "pictures").rglob("*.png")}
    assert {path.stat().st_ino for path in (first / "images").rglob("*.png")} <= drawn
    assert not any(path.is_symlink() for path in first.rglob("*"))
