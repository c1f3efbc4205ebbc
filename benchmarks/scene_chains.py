"""Chains of scene edits a CPU second on one core: `python benchmarks/scene_chains.py [FOLDER] [--chains 300]`.

Makes whole chains, without pictures, for synthetic rooms or for the rooms of a folder, in this process: planned
backwards, replayed by the simulator, written as JSON. Tells them room by room and together, first for many chains a
room, then for ten as a run makes them, and which part the replay takes. As other work on a machine makes CPU time
dear, rounds of a small loop are told beside each figure: on an idle machine one takes 0.03 to 0.05 microseconds. Leaves
with code 1 if the rooms have fewer than 500 chains a CPU second together.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path

import pyarrow as pa

from examples.made_rooms import write_rooms
from operators.scene.model.chain import Chain
from operators.scene.reading.room_file import rooms
from operators.scene.reverse_editor import SceneReverseEditor
from operators.scene.scene_reader import SceneReader

WANTED = 500.0
ROUNDS = 400_000


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path, help="rooms; without it ten synthetic ones are made")
    parser.add_argument("--chains", type=int, default=300, metavar="N", help="chains a room (default: %(default)s)")
    parser.add_argument("--repeats", type=int, default=1, metavar="N", help="the fastest of N (default: %(default)s)")
    parser.add_argument("--single-turn", action="store_true")
    args = parser.parse_args()
    table = read(args.folder)
    SceneReverseEditor(chains=2, single_turn=args.single_turn).apply(table)  # tables and modules
    print(f"{'room':40} {'ms a chain':>10} {'calls':>6} {'replay':>7} {'us a round':>10}")
    whole = sum(told(table.slice(i, 1), args) for i in range(table.num_rows)) / table.num_rows
    ten, _ = made(table, 10, args.single_turn)
    print(f"all rooms: {1 / whole:,.0f} chains a CPU second; with ten chains a room {10 * table.num_rows / ten:,.0f}")
    return int(1 / whole < WANTED)


def read(folder: Path | None) -> pa.Table:
    """The rooms."""
    if folder is not None:
        return SceneReader().apply(rooms([folder])).table
    with tempfile.TemporaryDirectory() as made:
        write_rooms(Path(made), 10, seed=1)
        return SceneReader().apply(rooms([Path(made)])).table


def told(room: pa.Table, args: argparse.Namespace) -> float:
    """Seconds a chain of one room, which are printed with what else there is to tell."""
    seconds, texts = min((made(room, args.chains, args.single_turn) for _ in range(args.repeats)), key=lambda it: it[0])
    chains = [Chain.read(text) for text in texts]
    began = time.process_time()
    for chain in chains:
        chain.states()
    replay = time.process_time() - began
    calls = sum(len(turn) for chain in chains for turn in chain.turns) / len(chains)
    name = room["scene_id"][0].as_py()
    print(f"{name[:40]:40} {1000 * seconds / len(chains):10.2f} {calls:6.1f} {replay / seconds:7.0%} {loop():10.3f}")
    return seconds / len(chains)


def made(table: pa.Table, chains: int, single: bool) -> tuple[float, list[str]]:
    """CPU seconds for so many chains a room, and the chains."""
    editor = SceneReverseEditor(chains=chains, single_turn=single, seed=1)
    began = time.process_time()
    done = editor.apply(table)
    return time.process_time() - began, done.table["chain"].to_pylist()


def loop() -> float:
    """Microseconds of a round of a loop that does nothing."""
    began = time.process_time()
    for _ in range(ROUNDS):
        pass
    return 1e6 * (time.process_time() - began) / ROUNDS


if __name__ == "__main__":
    sys.exit(main())
