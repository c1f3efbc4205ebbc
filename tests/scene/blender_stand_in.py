"""A program that speaks as the Blender worker does, and draws nothing; what else it does is told by its arguments."""

import base64
import json
import os
import struct
import sys
import time
import zlib
from pathlib import Path


def png(side: int, grey: int) -> bytes:
    rows = (b"\x00" + bytes([grey]) * 3 * side) * side
    parts = (
        (b"IHDR", struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)),
        (b"IDAT", zlib.compress(rows)),
        (b"IEND", b""),
    )
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)) for kind, data in parts
    )


def main(mode: str, log: str) -> None:
    with Path(log).open("a") as file:
        file.write(f"{os.getpid()}\n")
    starts = Path(log).read_text().count("\n")
    print("Blender 9.9 (a stand-in)\nRead prefs: none\n[1, 2]", flush=True)
    if mode == "ends at once":
        sys.exit("no libGL on this machine")
    if mode == "never ready":
        time.sleep(60)
    print(json.dumps({"ready": "9.9"}), flush=True)
    if mode == "reads nothing":
        time.sleep(60)
    for line in sys.stdin:
        request = json.loads(line)
        if mode == "always dies" or (mode == "dies once" and starts == 1):
            sys.stderr.write("out of memory\n")
            sys.exit(7)
        if mode == "hangs":
            time.sleep(60)
        side = request["side"] // 2 if mode == "draws too small" else request["side"]
        views = [base64.b64encode(png(side, 200 + 20 * n)).decode() for n, _ in enumerate(request["views"])]
        reply = {"views": ["no picture"] if mode == "draws nonsense" else views}
        if mode == "complains":
            reply = {"error": "MemoryError: too many corners"}
        print('Fra:1 Mem:9.71M\n{"id": -1}', json.dumps({"id": request["id"], **reply}), sep="\n", flush=True)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
