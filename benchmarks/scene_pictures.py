"""CPU time and memory of a picture pair: `python benchmarks/scene_pictures.py [FOLDER] [--rooms 10] [--out DIR]`.

Rooms are synthetic ones, or those below FOLDER. Of each, three states are drawn at the azimuth of the finished room:
empty, half full and full; before that another room is drawn once, by which modules and tables are loaded. The azimuth
is found once a chain and told apart. Each picture is drawn twice, which has to give the same bytes. `--out` keeps the
pictures, to be looked at. As other work on a machine makes CPU time dear, the figures are also told in rounds of a
small loop: on an idle machine such a round takes 0.05 to 0.1 microseconds. Leaves with code 1 if the mean of a full
room is above 0.2 CPU seconds, or if two pictures differ.
"""

import argparse
import resource
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import mean
from typing import TypeVar

from examples.made_rooms import synthetic_room
from operators.scene.model.scene import Scene, emptied, objects_of, written
from operators.scene.painter import azimuth_of, picture
from operators.scene.reading.room_file import read_room, rooms

T = TypeVar("T")

#: CPU seconds of a pair that a full room may take.
MOST = 0.2
STATES = ("empty", "half full", "full")
#: Rounds of the loop that tells how fast the machine is.
ROUNDS = 200_000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, nargs="?", help="rooms as JSON (default: synthetic ones)")
    parser.add_argument("--rooms", type=int, default=10, metavar="N", help="how many synthetic rooms")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, help="keep the pictures here")
    args = parser.parse_args()
    picture(synthetic_room(args.seed + 1, 0), 45)
    azimuths: list[float] = []
    pairs: dict[str, list[float]] = {state: [] for state in STATES}
    differ, size = 0, 0
    before = a_round()
    for name, room in given(args.folder) if args.folder else made(args.rooms, args.seed):
        azimuth, seconds = timed(lambda room=room: azimuth_of(room))
        azimuths.append(seconds)
        for state, scene in zip(STATES, (emptied(room), half(room), room), strict=True):
            drawn, seconds = timed(lambda scene=scene, azimuth=azimuth: picture(scene, azimuth))
            pairs[state].append(seconds)
            differ += drawn != picture(scene, azimuth)
            size += len(drawn)
            if args.out:
                args.out.mkdir(parents=True, exist_ok=True)
                (args.out / f"{name}_{STATES.index(state)}.png").write_bytes(drawn)
        print(f"{name:40} {len(objects_of(room)):3} objects, azimuth {azimuth:3}: {pairs['full'][-1]:.3f} s full")
    tell(azimuths, pairs, (before + a_round()) / 2)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(
        f"{size / 3 / len(azimuths) / 1024:.0f} KiB a picture; memory {memory:,.0f} MiB; {differ} drawn again otherwise"
    )
    sys.exit(differ > 0 or mean(pairs["full"]) > MOST)


def tell(azimuths: list[float], pairs: dict[str, list[float]], a_round: float) -> None:
    """Means and maxima in CPU seconds, and the mean in rounds of the loop."""
    for what, seconds in {**pairs, "azimuth, once a chain": azimuths}.items():
        print(
            f"{what:24} {mean(seconds):.3f} CPU s, at most {max(seconds):.3f}; {mean(seconds) / a_round / 1e6:.2f} "
            f"million rounds of {1e6 * a_round:.3f} microseconds"
        )


def given(folder: Path) -> Iterator[tuple[str, Scene]]:
    """The rooms below a folder, as the reader gives them; what it cannot read is passed by."""
    for row in rooms([folder]).to_pylist():
        try:
            yield row["scene_id"].replace("/", "_"), read_room(Path(row["scene_file"]).read_bytes()).scene
        except ValueError as error:
            print(f"{row['scene_id']}: {error}")


def made(count: int, seed: int) -> Iterator[tuple[str, Scene]]:
    """Synthetic rooms, as the reader gives them, which tells like pieces apart."""
    for number in range(count):
        room = read_room(written(synthetic_room(seed, number)).encode()).scene
        yield f"{number:03} {room['room_type']}", room


def half(room: Scene) -> Scene:
    """The room with the first half of its objects, or of its groups."""
    name = "groups" if "groups" in room else "objects"
    return {**room, name: room[name][: len(room[name]) // 2]}


def timed(work: Callable[[], T]) -> tuple[T, float]:
    """What some work makes, and its CPU seconds."""
    began = time.process_time()
    done = work()
    return done, time.process_time() - began


def a_round() -> float:
    """CPU seconds of a round of a loop that does nothing."""
    began = time.process_time()
    total = 0
    for i in range(ROUNDS):
        total += i * i % 7
    return (time.process_time() - began) / ROUNDS


if __name__ == "__main__":
    main()
