"""The command that writes synthetic rooms, to try things on."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from dataflow_ext import InputError, cli
from dataflow_ext.cli_values import positive

_EXAMPLES = """examples:
  python -m pipelines.scene_edit rooms --out rooms
  python -m pipelines.scene_edit rooms --out rooms --count 200 --seed 7 --form mixed
  python -m pipelines.scene_edit rooms --out rooms --type livingroom --chinese
  python -m pipelines.scene_edit rooms --out rooms --dirty"""


def rooms_command(argv: Sequence[str]) -> int:
    """Write synthetic rooms into a folder that is new or empty."""
    from operators.scene.synthetic import FORMS, ROOMS, write_rooms

    parser = cli.CommandParser(
        prog="python -m pipelines.scene_edit rooms",
        description="Write furnished rooms of our own making: bedrooms, living rooms, dining rooms, studies, kitchens "
        "and others, of 5 to 35 objects. The same seed gives the same files.",
        epilog=_EXAMPLES,
    )
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="a folder that is new or empty")
    parser.add_argument("--count", type=positive, default=20, metavar="N", help="rooms (default: %(default)s)")
    parser.add_argument(
        "--seed", type=int, default=0, metavar="N", help="other seeds, other rooms (default: %(default)s)"
    )
    parser.add_argument("--form", choices=(*FORMS, "mixed"), default="ssr", help="their form (default: %(default)s)")
    parser.add_argument("--type", choices=ROOMS, help="only rooms of this type (default: all types)")
    parser.add_argument("--chinese", action="store_true", help="about half of the descriptions in Chinese")
    parser.add_argument("--dirty", action="store_true",
                        help="with the faults of real rooms: objects tilted, sunk, flat or outside")  # fmt: skip
    args = parser.parse_args(argv)
    cli.writable(args.out)
    if any(args.out.iterdir()):
        raise InputError(f"{args.out} is not empty; name a new folder.")
    made = write_rooms(
        args.out,
        args.count,
        seed=args.seed,
        form=args.form,
        room_type=args.type,
        chinese=args.chinese,
        dirty=args.dirty,
    )
    cli.say(f"{len(made)} rooms: {args.out}")
    return 0
