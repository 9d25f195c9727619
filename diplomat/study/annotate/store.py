"""The file that a coder's work is kept in: rows are only ever appended, each with one write that reaches the disk."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
from pathlib import Path
from types import TracebackType

from diplomat.core.errors import BadTranscript, CannotWrite, OutputExists
from diplomat.study.annotate.files import is_annotations, read_sheet
from diplomat.study.annotate.rows import Annotation, as_data


def check_new(path: Path) -> None:
    """OutputExists if there is a file already: to be asked before work that costs."""
    if path.exists():
        raise OutputExists(f"{path} exists already; name another file with --out")


class Store:
    """An open annotation file; whatever kills the program costs at most the row that is being written."""

    def __init__(self, path: Path, *, fresh: bool = False) -> None:
        """Opens a file, or makes one, and cuts off a torn last line.

        Args:
            path: The file.
            fresh: Whether it must not be there yet.

        Raises:
            OutputExists: It holds something else than annotations, another coder writes it, or it is there at all.
            CannotWrite: It cannot be written.
        """
        self.path = path
        self.repaired = 0
        """Bytes of a torn last line that were cut off."""
        if fresh:
            check_new(path)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._descriptor: int | None = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o666)
        except OSError as fault:
            raise CannotWrite(f"{path} cannot be written: {fault.strerror}; choose a place that can be") from fault
        try:
            self._take_up()
        except BaseException:
            self.close()
            raise

    def _take_up(self) -> None:
        assert self._descriptor is not None
        try:
            fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise OutputExists(f"{self.path} is open in another session of coding; end that first") from None
        size = os.fstat(self._descriptor).st_size
        try:
            sheet = read_sheet(self.path)
        except BadTranscript as fault:
            raise CannotWrite(str(fault)) from fault
        if size and not is_annotations(self.path) and sheet.whole:
            raise OutputExists(f"{self.path} holds no annotations; name another file with --out")
        if size and not sheet.whole and not self._begun():
            raise OutputExists(f"{self.path} holds no annotations; name another file with --out")
        self.repaired = size - sheet.whole
        if self.repaired:
            os.ftruncate(self._descriptor, sheet.whole)

    def _begun(self) -> bool:
        """Whether the only line, cut short, is the beginning of an annotation."""
        with self.path.open("rb") as file:
            start = file.read(len(_BEGINNING))
        return _BEGINNING.startswith(start)

    def write(self, row: Annotation) -> None:
        """Appends a row and waits until it is on the disk; CannotWrite leaves the rows before it whole."""
        self.write_all([row])

    def write_all(self, rows: list[Annotation]) -> None:
        """The same for many rows, with one wait for the disk."""
        if self._descriptor is None:
            raise CannotWrite(f"{self.path} was closed")
        text = "".join(
            json.dumps(as_data(row), ensure_ascii=False, separators=(",", ":"), allow_nan=False) + "\n" for row in rows
        )
        left = memoryview(text.encode("utf-8"))
        before = os.fstat(self._descriptor).st_size
        try:
            while left:
                left = left[os.write(self._descriptor, left) :]
            os.fsync(self._descriptor)
        except OSError as fault:
            with contextlib.suppress(OSError):
                os.ftruncate(self._descriptor, before)
            raise CannotWrite(f"{self.path} cannot be continued: {fault.strerror}") from fault

    def close(self) -> None:
        """Lets go of the file; may be called twice."""
        if self._descriptor is not None:
            with contextlib.suppress(OSError):
                os.close(self._descriptor)
            self._descriptor = None

    def __enter__(self) -> Store:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


_BEGINNING = b'{"kind":"annotation","format":1,'
