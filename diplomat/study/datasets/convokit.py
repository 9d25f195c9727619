"""Corpora in ConvoKit's folder form, written and read without the library.

``utterances.jsonl``, ``speakers.json``, ``conversations.json``, ``corpus.json`` and ``index.json`` make a corpus.  The
channel of two seats is a conversation, and a message's marks are named as in ConvoKit's own Diplomacy corpus
(``speaker_intention``, ``receiver_perception``, ``deception_quadrant``).  Fields stored as pickles are refused: such a
file can run code when it is read.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from diplomat.core.errors import BadTranscript, OutputExists
from diplomat.study.datasets.rows import MessageRow

FILES = ("utterances.jsonl", "speakers.json", "conversations.json", "corpus.json", "index.json")
MARKS = {"truth": "Truth", "lie": "Lie"}
WORDS = {"straightforward": "Straightforward", "deceived": "Deceived", "cassandra": "Cassandra", "caught": "Caught"}


@dataclass(frozen=True, slots=True)
class Utterance:
    """One message of a corpus."""

    id: str
    conversation: str
    speaker: str
    text: str
    reply_to: str | None = None
    timestamp: Any = None
    """ConvoKit leaves the type open; ours is the message's number within its game."""
    meta: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Corpus:
    """Utterances, and what is known of speakers, conversations and the whole."""

    utterances: tuple[Utterance, ...]
    speakers: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    conversations: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    meta: Mapping[str, Any] = field(default_factory=dict)


def corpus_of(rows: Iterable[MessageRow], meta: Mapping[str, Any] | None = None) -> Corpus:
    """Plain rows as a corpus: speakers are seats of a game, conversations are channels of two seats."""
    said: list[Utterance] = []
    last: dict[str, str] = {}
    first: dict[str, str] = {}
    speakers: dict[str, dict[str, Any]] = {}
    conversations: dict[str, dict[str, Any]] = {}
    for row in sorted(rows, key=lambda row: (row.game_id, row.number, row.msg_id)):
        low, high = sorted((row.sender, row.receiver))
        channel = first.setdefault(f"{row.game_id}\n{low}\n{high}", row.msg_id)
        conversations.setdefault(channel, {"game_id": row.game_id, "players": [low, high], "split": row.split})
        speaker = f"{row.game_id}-{row.sender}"
        speakers.setdefault(speaker, {"game_id": row.game_id, "seat": row.sender})
        said.append(Utterance(row.msg_id, channel, speaker, row.text, last.get(channel), row.number, _marks(row)))
        last[channel] = row.msg_id
    return Corpus(tuple(said), speakers, conversations, dict(meta or {}))


def rows_of(corpus: Corpus) -> list[MessageRow]:
    """A corpus that :func:`corpus_of` made, as plain rows again.

    Raises:
        BadTranscript: an utterance lacks the fields that plain rows need.
    """
    unmark: dict[str | None, Any] = {None: None, **{word: mark for mark, word in MARKS.items()}}
    rows: list[MessageRow] = []
    for said in corpus.utterances:
        channel = corpus.conversations.get(said.conversation, {})
        speaker = corpus.speakers.get(said.speaker, {})
        missing = [name for name in ("receiver", "phase") if name not in said.meta]
        if missing or "game_id" not in channel or "seat" not in speaker:
            raise BadTranscript(f"utterance {said.id}: receiver, phase, the speaker's seat or the game_id is not there")
        rows.append(
            MessageRow(
                game_id=channel["game_id"],
                msg_id=said.id,
                phase=said.meta["phase"],
                number=said.timestamp,
                sender=speaker["seat"],
                receiver=said.meta["receiver"],
                text=said.text,
                intention=unmark[said.meta.get("speaker_intention")],
                perception=unmark[said.meta.get("receiver_perception")],
                split=channel.get("split", ""),
            )
        )
    return rows


def write_convokit(corpus: Corpus, folder: Path, *, overwrite: bool = False) -> None:
    """Writes the five files of a corpus.

    Raises:
        OutputExists: the folder holds a corpus and ``overwrite`` is not set.
    """
    folder.mkdir(parents=True, exist_ok=True)
    there = [name for name in FILES if (folder / name).exists()]
    if there and not overwrite:
        held = ", ".join(there)
        raise OutputExists(f"{folder} already holds {held}; name another folder, or write over them with --force")
    with (folder / "utterances.jsonl").open("w", encoding="utf-8", newline="\n") as out:
        out.writelines(json.dumps(_as_json(said), ensure_ascii=False) + "\n" for said in corpus.utterances)
    parts: dict[str, object] = {
        "speakers.json": {name: {"meta": meta, "vectors": []} for name, meta in corpus.speakers.items()},
        "conversations.json": {name: {"meta": meta, "vectors": []} for name, meta in corpus.conversations.items()},
        "corpus.json": corpus.meta,
        "index.json": {
            "utterances-index": _index(said.meta for said in corpus.utterances),
            "speakers-index": _index(corpus.speakers.values()),
            "conversations-index": _index(corpus.conversations.values()),
            "overall-index": _index([corpus.meta]),
            "version": 1,
            "vectors": [],
        },
    }
    for name, content in parts.items():
        (folder / name).write_text(json.dumps(content, ensure_ascii=False) + "\n", encoding="utf-8")


def read_convokit(folder: Path) -> Corpus:
    """A corpus's five files; older spellings (``user``, ``root``, bare metadata) are read too.

    Raises:
        BadTranscript: a file is missing or cannot be read, or holds pickled fields.
    """
    index = _loaded(folder, "index.json")
    pickled = sorted(
        field_name
        for part in index.values()
        if isinstance(part, dict)
        for field_name, kinds in part.items()
        if kinds in (["bin"], "bin")
    )
    if pickled:
        raise BadTranscript(f"{folder} stores {', '.join(pickled)} as pickles, which can run code; they are not read")
    speakers = "speakers.json" if (folder / "speakers.json").exists() else "users.json"
    return Corpus(
        tuple(_utterances(folder)),
        {name: _meta(entry) for name, entry in _loaded(folder, speakers).items()},
        {name: _meta(entry) for name, entry in _loaded(folder, "conversations.json").items()},
        _loaded(folder, "corpus.json"),
    )


def _marks(row: MessageRow) -> dict[str, Any]:
    quadrant = row.quadrant
    return {
        "receiver": row.receiver,
        "phase": row.phase,
        "speaker_intention": MARKS[row.intention] if row.intention else None,
        "receiver_perception": MARKS[row.perception] if row.perception else None,
        "deception_quadrant": WORDS[quadrant] if quadrant else None,
    }


def _as_json(said: Utterance) -> dict[str, Any]:
    return {
        "id": said.id,
        "conversation_id": said.conversation,
        "text": said.text,
        "speaker": said.speaker,
        "meta": dict(said.meta),
        "reply-to": said.reply_to,
        "timestamp": said.timestamp,
        "vectors": [],
    }


def _index(metas: Iterable[Mapping[str, Any]]) -> dict[str, list[str]]:
    """ConvoKit's list of fields with the Python classes met in each."""
    found: dict[str, dict[str, None]] = {}
    for meta in metas:
        for name, value in meta.items():
            kinds = found.setdefault(name, {})
            if value is not None:
                kinds[str(type(value))] = None
    return {name: list(kinds) for name, kinds in found.items()}


def _loaded(folder: Path, name: str) -> dict[str, Any]:
    path = folder / name
    if not path.is_file():
        raise BadTranscript(f"{folder} has no {name}, so it is no ConvoKit corpus")
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except json.JSONDecodeError as error:
        raise BadTranscript(f"{path} is no JSON: {error.msg}", error.lineno) from error
    if not isinstance(found, dict):
        raise BadTranscript(f"{path}: a JSON object is wanted")
    return found


def _meta(entry: Any) -> dict[str, Any]:
    """Metadata of a speaker or conversation; old corpora hold it without the ``meta`` around it."""
    return dict(entry["meta"]) if isinstance(entry, dict) and "meta" in entry else dict(entry)


def _utterances(folder: Path) -> list[Utterance]:
    path = folder / "utterances.jsonl"
    if not path.is_file():
        raise BadTranscript(f"{folder} has no utterances.jsonl; corpora with one large utterances.json are not read")
    said: list[Utterance] = []
    with path.open(encoding="utf-8", newline="\n") as lines:
        for number, line in enumerate(lines, start=1):
            if not line.strip():
                continue
            try:
                found = json.loads(line)
                speaker = found["speaker"] if "speaker" in found else found["user"]
                conversation = found["conversation_id"] if "conversation_id" in found else found["root"]
                reply = found["reply-to"] if "reply-to" in found else found.get("reply_to")
                said.append(
                    Utterance(
                        found["id"],
                        conversation,
                        speaker,
                        found["text"],
                        reply,
                        found.get("timestamp"),
                        found.get("meta", {}),
                    )
                )
            except (json.JSONDecodeError, KeyError, TypeError) as error:
                raise BadTranscript(f"{path}, line {number} is no utterance: {error}", number) from error
    return said
