"""A real browser without a window, driven over a pipe; no port is opened and no network is used."""

from __future__ import annotations

import fcntl
import json
import os
import select
import shutil
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

PROGRAM = shutil.which("chromium") or shutil.which("google-chrome")
_FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--remote-debugging-pipe",
]
_PATIENCE = 60.0


class Browser:
    """Opens one page; keys are pressed and questions asked as a person's would be."""

    def __init__(self, page: Path, folder: Path) -> None:
        self.downloads = folder / "downloads"
        theirs_in, self._write = (fcntl.fcntl(fd, fcntl.F_DUPFD_CLOEXEC, 20) for fd in os.pipe())
        self._read, theirs_out = (fcntl.fcntl(fd, fcntl.F_DUPFD_CLOEXEC, 20) for fd in os.pipe())
        self._process = subprocess.Popen(
            [str(PROGRAM), *_FLAGS, f"--user-data-dir={folder / 'profile'}", "about:blank"],
            preexec_fn=lambda: (os.dup2(theirs_in, 3), os.dup2(theirs_out, 4)), pass_fds=(3, 4),
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
        )  # fmt: skip
        os.close(theirs_in)
        os.close(theirs_out)
        self._buffer, self._count, self._session = b"", 0, None
        self._call("Browser.setDownloadBehavior", behavior="allow", downloadPath=str(self.downloads))
        target = self._call("Target.createTarget", url=page.as_uri())["targetId"]
        self._session = self._call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self.until("document.readyState === 'complete' && document.querySelectorAll('#count').length === 1")

    def __enter__(self) -> Browser:
        return self

    def __exit__(self, *_: object) -> None:
        os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait(_PATIENCE)
        os.close(self._write)
        os.close(self._read)

    def value(self, script: str) -> Any:
        """What an expression of JavaScript is worth in the page."""
        return self._call("Runtime.evaluate", expression=script, returnByValue=True)["result"].get("value")

    def until(self, script: str) -> None:
        """Wait until an expression is true."""
        end = time.monotonic() + _PATIENCE
        while not self.value(script):
            assert time.monotonic() < end, f"never true: {script}"
            time.sleep(0.05)

    def press(self, key: str, code: int) -> None:
        """Press and let go of a key that writes nothing."""
        for kind in ("rawKeyDown", "keyUp"):
            self._call("Input.dispatchKeyEvent", type=kind, key=key, code=key, windowsVirtualKeyCode=code)

    def type(self, selector: str, text: str) -> None:
        """Write over what stands in a field."""
        self.value(f"document.querySelector({json.dumps(selector)}).focus(), document.activeElement.select()")
        self._call("Input.insertText", text=text)

    def click(self, selector: str) -> None:
        """Click, as a person who is there does."""
        self._call(
            "Runtime.evaluate", expression=f"document.querySelector({json.dumps(selector)}).click()", userGesture=True
        )

    def downloaded(self, name: str) -> bytes:
        """The bytes of a file that the page gave to its reader to keep."""
        end = time.monotonic() + _PATIENCE
        while not (self.downloads / name).is_file() or list(self.downloads.glob("*.crdownload")):
            assert time.monotonic() < end, f"{name} was never saved"
            time.sleep(0.05)
        return (self.downloads / name).read_bytes()

    def _call(self, method: str, **params: object) -> dict[str, Any]:
        self._count += 1
        message = {"id": self._count, "method": method, "params": params}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._write, json.dumps(message).encode() + b"\0")
        end = time.monotonic() + _PATIENCE
        while True:
            *messages, self._buffer = self._buffer.split(b"\0")
            for each in map(json.loads, messages):
                if each.get("id") == self._count:
                    assert "error" not in each, each
                    return each["result"]
            ready, _, _ = select.select([self._read], [], [], max(0.0, end - time.monotonic()))
            assert ready, f"the browser did not answer {method}"
            self._buffer += os.read(self._read, 1 << 20)
