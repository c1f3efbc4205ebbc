"""Pieces of work for worker processes, which import this module alone: they are to start soon."""

import ctypes
import logging
import os
import signal
import time
from functools import partial
from pathlib import Path

from dataflow_ext import parallel
from dataflow_ext.parallel import MB, Limits


def double(number):
    return 2 * number


def where_and_memory(_):
    from dataflow_ext.models import current_session  # which is not light

    return os.getpid(), str(current_session().cache.path), current_session().fresh, parallel.cores()


def where(_):
    return os.getpid()


def refuse(number):
    raise ValueError(f"no {number}")


def die(number):
    os._exit(3)


def die_at(bad, number):
    """Die, or go on for ever, in the way that the number says, if it is a bad one."""
    ways = {
        "exit": partial(os._exit, 3),
        "crash": partial(ctypes.string_at, 0),
        "kill": lambda: os.kill(os.getpid(), signal.SIGKILL),
        "loop": lambda: list(iter(int, 1)) and None,
        "sleep": partial(time.sleep, 600),
        "memory": lambda: [bytearray(50 * MB) for _ in range(100)],
    }
    if number in bad:
        ways[bad[number]]()
    return 2 * number


def die_in_batch(numbers):
    return [die_at({5: "exit"}, number) for number in numbers]


def die_the_first_time(place):
    mark = Path(place)
    if not mark.exists():
        mark.touch()
        os._exit(1)
    return "alive"


def told(made):
    return (type(made).__name__, str(made)) if isinstance(made, Exception) else made


def nested(number):
    """Guarded work inside a worker, of which one piece kills."""
    limits = Limits(memory=300 * MB, seconds=1.5)
    return [told(one) for one in parallel.guarded(partial(die_at, {4: "sleep"}), [number, number + 1], limits)]


def hold(size):
    held = bytearray(size)
    time.sleep(1.5)
    return len(held)


def unsendable(_):
    return lambda: None


def log_a_line(number):
    logging.getLogger("a.child").warning("number %d", number)


def print_a_line(number):
    print("number", number)
    return number
