"""The figures of a run count every round once, and are the same for the same rounds."""

import json
import random
from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dataflow_ext.datasets.rejects_and_stats import write_stats
from dataflow_ext.report.figures import wilson
from operators.game.output.labels import Label
from operators.game.output.run_rounds import Rounds, read_annotations, verdict, write_annotations
from operators.game.output.stats import Mistake, RuleFigures, Share, accuracy, stats, told_accuracy
from operators.game.rounds import Look
from tests.game.output.kept_rounds import reading, reject, rounds, row

ROOT = Path("/raw")
RULE = RuleFigures("number-game", True, 9, 10, "the sure rounds bear it out")


def figures(run: Rounds, **more: object) -> dict:
    return stats(run, rule=RULE, seed=7, test_share=0.2, **more)  # type: ignore[arg-type]


def looks(*pairs: tuple[str, str]) -> dict:
    return {"looks": [{"by": by, "value": value} for by, value in pairs]}


@pytest.mark.parametrize(
    ("seen", "told"),
    [
        ([("ocr", "5 8 3")], None),
        ([("ocr", "5 8 3"), ("vlm", "5 8 3")], "agreed"),
        ([("vlm", "5 8 3"), ("ocr", "5 8 3")], "agreed"),
        ([("ocr", "5 8 8"), ("vlm", "5 8 3")], "disagreed"),
        ([("ocr", "5 8 8"), ("ocr crop", "5 8 3"), ("vlm", "5 8 3")], "agreed"),
        ([("ocr", "5 ? 3"), ("vlm", "5 8 3")], "agreed"),
        ([("ocr", "5 ? 4"), ("vlm", "5 8 3")], "disagreed"),
        ([("ocr", ""), ("vlm", "5 8 3")], "alone"),
        ([("vlm", "5 8 3")], "alone"),
        ([("colour", "RED"), ("vlm", ""), ("colour", "RED")], "unreadable"),
        ([("difference", "2"), ("vlm", "0"), ("rule", "0")], "disagreed"),
    ],
)
def test_a_models_answer_is_set_against_the_last_look_at_the_picture(seen: list, told: str | None) -> None:
    assert verdict(looks(*seen)) == told


def test_every_round_is_kept_or_rejected_and_files_are_counted_apart() -> None:
    kept = [row(ROOT, 1), row(ROOT, 2), row(ROOT, 1, episode="episode_002", split="test")]
    lost = row(ROOT, 3, card=2)
    unread = row(ROOT, 4)
    rejects = [
        reject(lost["row_id"], "card 2 is not 1", operator="RoundChecker", error="RoundContradiction", step=5),
        reject(unread["row_id"], "b: fewer than three in /raw/phone/x.png"),
        reject("file", "/raw/phone/bad.json: not JSON.", operator="EpisodeReader", error="MetadataError", step=1,
               inputs=json.dumps({"root": "/raw", "files": ["/raw/phone/bad.json"]})),
        reject("file2", "entry 1: no picture is named.", operator="EpisodeReader", error="RoundError", step=1, inputs="7"),
    ]  # fmt: skip
    made = figures(rounds(ROOT, kept, looked=[lost], read=[unread], rejects=rejects))
    assert made["rounds"] == {"seen": 6, "kept": 3, "rejected": 3}
    assert made["files_rejected"] == 1
    assert [(r["operator"], r["error"], r["count"], r["example"]) for r in made["rejects"]] == [
        ("EpisodeReader", "MetadataError", 1, "phone/bad.json: not JSON."),
        ("EpisodeReader", "RoundError", 1, "entry 1: no picture is named."),
        ("OCRNumberExtractor", "NumbersUnsure", 1, "phone/episode_001, round 4: b: fewer than three in phone/x.png"),
        ("RoundChecker", "RoundContradiction", 1, "phone/episode_001, round 3: card 2 is not 1"),
    ]
    assert made["split"] == {
        "method": "seeded", "seed": 7, "test_share": 0.2,
        "train": {"rounds": 2, "episodes": 1}, "test": {"rounds": 1, "episodes": 1},
    }  # fmt: skip


def test_fields_tell_who_read_them_and_what_the_model_said_even_of_rounds_that_were_lost() -> None:
    kept = [
        row(ROOT, 1),
        row(ROOT, 2, numbers_read=reading("vlm", "5 8 3", 0.85, Look("ocr", "", 0.3, "two only"))),
        row(ROOT, 3, numbers_read=reading("vlm", "5 8 3", 0.95, Look("ocr", "5 8 3", 0.6, "uneven"))),
        row(ROOT, 4, numbers_read=reading("ocr", "5 8 3", 1.0, Look("vlm", "", 0.0, "prose"))),
    ]
    lost = row(ROOT, 5, numbers_read=reading("vlm", "5 6 3", 0.5, Look("ocr", "5 8 3", 0.9, "")))
    run = rounds(
        ROOT, kept, looked=[lost], rejects=[reject(lost["row_id"], "disputed", operator="RoundChecker", step=5)]
    )
    assert figures(run)["fields"]["numbers"] == {
        "by": {"ocr": {"rounds": 2, "share": 0.5}, "vlm": {"rounds": 2, "share": 0.5}},
        "mean_confidence": 0.9475,
        "model": {"asked": 4, "agreed": 1, "disagreed": 1, "alone": 1, "unreadable": 1},
    }
    assert figures(run)["fields"]["light"]["model"]["asked"] == 0


def test_the_rule_is_told_with_what_bore_it_out() -> None:
    verdicts = ["agrees", "agrees", "agrees: after a closer look at card 1", "agrees: after a closer look at card 2"]
    kept = [row(ROOT, n, rule_read=each) for n, each in enumerate(verdicts)]
    assert figures(rounds(ROOT, kept))["rule"] == {
        "name": "number-game", "applied": True, "agree": 9, "of": 10, "contradict": 1,
        "why": "the sure rounds bear it out", "judged": {"agrees": 4},
    }  # fmt: skip


def test_the_order_of_rows_and_rejects_does_not_change_a_byte(tmp_path: Path) -> None:
    kept = [row(ROOT, n, device=device) for device in ("a", "b") for n in range(5)]
    unread = [row(ROOT, n, device="c") for n in range(5)]
    rejects = [reject(each["row_id"], f"no number on card {n}") for n, each in enumerate(unread)]
    written = set()
    for seed in range(3):
        order = random.Random(seed)
        run = rounds(ROOT, order.sample(kept, 10), read=order.sample(unread, 5), rejects=order.sample(rejects, 5))
        labels = {("a", "episode_001", 1): Label((5, 8, 3))}
        measured = accuracy(run.kept_rows(), labels, run.seen())
        path = write_stats(figures(run, accuracy=measured), tmp_path, ordered=True)
        written.add((path.read_bytes(), write_annotations(run, tmp_path).read_bytes()))
    assert len(written) == 1
    assert b"/raw" not in b"".join(next(iter(written)))


def test_a_run_that_kept_nothing_has_figures_too(tmp_path: Path) -> None:
    made = figures(rounds(ROOT, []))
    assert made["rounds"] == {"seen": 0, "kept": 0, "rejected": 0}
    assert made["fields"]["card"] == {
        "by": {}, "mean_confidence": None,
        "model": {"asked": 0, "agreed": 0, "disagreed": 0, "alone": 0, "unreadable": 0},
    }  # fmt: skip
    write_annotations(rounds(ROOT, []), tmp_path)
    assert read_annotations(tmp_path) == []


def test_a_round_that_its_reader_refused_is_known_by_its_neighbours() -> None:
    kept = [{**row(ROOT, 1), "row_id": "src.0"}]
    told = json.dumps({"round": 2, "question_screenshot": "x.png"})
    refused = reject(
        "src", "entry 2 (round 2): bad.", operator="EpisodeReader", error="RoundError", step=1, inputs=told
    )
    run = rounds(ROOT, kept, rejects=[refused])
    assert run.seen() == {("phone", "episode_001", 1), ("phone", "episode_001", 2)}
    measured = accuracy(run.kept_rows(), {("phone", "episode_001", 2): Label(light="RED")}, run.seen())
    assert (measured.shares["kept"], measured.unknown) == (Share(0, 1), 0)


def test_annotations_hold_what_was_read_with_paths_from_the_root(tmp_path: Path) -> None:
    write_annotations(rounds(ROOT, [row(ROOT, 1, device="设备")]), tmp_path)
    [made] = read_annotations(tmp_path)
    assert (made["image"], made["result"]) == (
        "设备/episode_001_round_01_question.png",
        "设备/episode_001_round_01_result.png",
    )
    assert made["numbers_read"]["looks"] == [
        {"by": "ocr", "value": "5 8 3", "confidence": 0.99, "reason": "plain to see"}
    ]
    assert "/raw" not in (tmp_path / "annotations.jsonl").read_text(encoding="utf-8")
    assert "question" not in made


def test_paths_elsewhere_are_told_by_name_alone() -> None:
    run = Rounds(*[pa.table({})] * 4, root=Path("/raw"))  # type: ignore[misc]
    assert run.relative("/raw/a/b.png") == "a/b.png"
    assert run.relative("/home/someone/b.png") == "b.png"


GOOD = Label((5, 8, 3), "GREEN", "1")


def key(number: int) -> tuple[str, str, int]:
    return ("phone", "episode_001", number)


@pytest.mark.parametrize(
    ("right", "of", "low", "high"),
    # Newcombe 1998, table I, method 3, and two more by hand.
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718),
     (29, 29, 0.8830, 1.0), (198, 200, 0.9643, 0.9973), (0, 0, 0.0, 1.0)],
)  # fmt: skip
def test_bounds_are_those_of_wilson(right: int, of: int, low: float, high: float) -> None:
    assert tuple(round(bound, 4) for bound in wilson(right, of)) == (low, high)


@given(st.integers(0, 10_000).flatmap(lambda of: st.tuples(st.integers(0, of), st.just(of))))
def test_bounds_hold_the_share_and_are_mirrored_for_the_wrong_ones(counts: tuple[int, int]) -> None:
    right, of = counts
    low, high = wilson(right, of)
    assert 0 <= low <= (right / of if of else 0.5) <= high <= 1
    assert wilson(of - right, of) == pytest.approx((1 - high, 1 - low))


def test_each_field_counts_where_it_is_labelled_and_all_three_where_all_are() -> None:
    kept = [row(ROOT, n) for n in (1, 2, 3, 4)]
    labels = {
        key(1): GOOD,
        key(2): Label((5, 6, 3), "GREEN", "1"),
        key(3): Label(light="RED"),
        key(9): GOOD,
        ("other", "e", 1): GOOD,
    }
    measured = accuracy(kept, labels, {key(n) for n in range(1, 10)})
    assert measured.shares == {
        "numbers": Share(1, 2),
        "light": Share(2, 3),
        "answer": Share(2, 2),
        "all three": Share(1, 2),
        "kept": Share(3, 4),
    }
    assert measured.unknown == 1
    assert measured.mistakes == (
        Mistake("phone-episode_001-2", key(2), ("numbers",), labels[key(2)]),
        Mistake("phone-episode_001-3", key(3), ("light",), labels[key(3)]),
    )


def test_a_twin_of_the_labelled_card_is_a_mistake_as_training_would_take_it_for_one() -> None:
    measured = accuracy([row(ROOT, 1, numbers=[8, 8, 3], card=1)], {key(1): Label((8, 8, 3), "GREEN", "0")}, ())
    assert [each.fields for each in measured.mistakes] == [("answer",)]


def test_the_terminal_gets_an_aligned_table() -> None:
    labels = {key(1): GOOD, key(2): Label((5, 8, 3)), ("other", "e", 1): GOOD}
    kept = [row(ROOT, n, light="RED") for n in (1, 2)]
    assert told_accuracy(accuracy(kept, {k: Label(v.numbers, v.light) for k, v in labels.items()}, ())) == (
        "accuracy     right      of     share   95 % bounds\n"
        "numbers          2       2   100.0 %   34.2 to 100.0 %\n"
        "light            0       1     0.0 %   0.0 to 79.3 %\n"
        "answer                 none labelled\n"
        "all three              none labelled\n"
        "kept             2       2   100.0 %   34.2 to 100.0 %\n"
        "1 labelled round not met in this run"
    )


def test_figures_for_the_statistics_are_plain_values() -> None:
    figures = accuracy([row(ROOT, 1)], {key(1): GOOD}, ()).as_dict()
    assert figures["all_three"] == {"right": 1, "of": 1, "share": 1.0, "low": 0.2065, "high": 1.0}
    assert accuracy([], {}, ()).as_dict()["kept"] == {"right": 0, "of": 0, "share": None, "low": 0.0, "high": 1.0}
