"""People's codings (or a model's that were written down) as a source of the ledger."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path

from diplomat.core.errors import UnknownName, UsageError
from diplomat.core.proceedings import MessageSent
from diplomat.study.annotate.files import fit, read_sheet
from diplomat.study.annotate.rows import Annotation, text_hash
from diplomat.study.annotate.scheme import said
from diplomat.study.annotate.units import Log, Unit
from diplomat.study.sources import Past, Said
from diplomat.transcript.reader import Transcript


class People:
    """What one coder found in the messages of one game; adjudicated codings go before all others."""

    def __init__(self, transcript: Transcript, *paths: Path, coder: str | None = None) -> None:
        """Reads annotation files.

        Args:
            transcript: The game; rows that do not fit it are refused and counted.
            paths: Annotation files.
            coder: Whose codings to take; may be left out where there is one coder, or where all was adjudicated.

        Raises:
            BadTranscript: A file cannot be read.
            UnknownName: There is no such coder.
            UsageError: There are several coders, and nobody said which.
        """
        sheet = read_sheet(*paths)
        fitted = fit(sheet.rows, (Log(transcript),))
        self.refused: Counter[str] = sheet.refused + fitted.refused
        """Rows that were not used, by reason."""
        self.begun = len(sheet.begun)
        """Messages whose coding was not finished."""
        self.codings = gold(fitted.rows, coder)
        """The coding of each message that has one, by its id; messages that are not here were not coded."""
        coders = sorted({_name(row) for row in self.codings.values()})
        self.name = coders[0] if len(coders) == 1 else f"human:{coder or '+'.join(coders)}"

    def acts(self, message: MessageSent, past: Past) -> Iterable[Said]:
        """The acts that were coded."""
        row = self.codings.get(message.id)
        if row is None or row.text != text_hash(message.text):
            return
        for act in row.acts:
            if (one := said(act)) is not None:
                yield one


def gold(rows: Iterable[tuple[Unit, Annotation]], coder: str | None = None) -> Mapping[str, Annotation]:
    """One coding for each message of one game: the adjudicated one, else that of the coder.

    UnknownName or UsageError if it is not clear whose.
    """
    listed = [row for _, row in rows]
    if coder is not None:
        names = sorted({row.coder for row in listed})
        if names and coder not in names:
            raise UnknownName("coder", coder, names)
        return {row.message: row for row in listed if row.coder == coder}
    settled = {row.message: row for row in listed if row.by == "adjudicated"}
    loose = [row for row in listed if row.message not in settled]
    names = sorted({row.coder for row in loose})
    if len(names) > 1:
        raise UsageError(f"these messages were coded by {', '.join(names)}; say whose codings to use, or adjudicate")
    return {**{row.message: row for row in loose}, **settled}


def _name(row: Annotation) -> str:
    """The source that stands in every row of the ledger."""
    return row.coder if row.by == "llm" else f"human:{row.coder}"
