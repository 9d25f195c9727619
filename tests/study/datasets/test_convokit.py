"""ConvoKit's folder form: what is written is what the library reads, and comes back whole."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from diplomat.core.errors import BadTranscript, OutputExists
from diplomat.study.datasets.convokit import FILES, corpus_of, read_convokit, rows_of, write_convokit
from diplomat.study.datasets.peskov import PeskovDialogue, message_rows
from diplomat.study.datasets.rows import Mark, MessageRow


def said(number: int, sender: str, receiver: str, text: str, game: str = "g1") -> MessageRow:
    mark: Mark = "lie" if number % 2 else "truth"
    return MessageRow(
        game, f"{game}/{number}", "1901-Spring", number, sender, receiver, text, mark, None if number == 2 else "truth"
    )


ROWS = [
    said(0, "italy", "france", "Ciao\nа?"),
    said(1, "france", "italy", "\U0001f600"),
    said(2, "italy", "austria", "x"),
    said(0, "italy", "france", "again", "g2"),
]


def test_a_corpus_comes_back_whole(tmp_path: Path) -> None:
    corpus = corpus_of(ROWS, {"name": "проба"})
    write_convokit(corpus, tmp_path)
    again = read_convokit(tmp_path)
    assert again == corpus
    assert rows_of(again) == ROWS


def test_all_of_peskov_comes_back_whole(peskov: tuple[PeskovDialogue, ...], tmp_path: Path) -> None:
    rows = message_rows(peskov)
    write_convokit(corpus_of(rows), tmp_path)
    assert set(rows_of(read_convokit(tmp_path))) == set(rows)


def test_fields_and_words_are_those_of_the_diplomacy_corpus(tmp_path: Path) -> None:
    write_convokit(corpus_of(ROWS), tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(FILES)
    first, second, *_ = map(json.loads, (tmp_path / "utterances.jsonl").read_text(encoding="utf-8").splitlines())
    assert set(first) == {"id", "conversation_id", "text", "speaker", "meta", "reply-to", "timestamp", "vectors"}
    assert first["meta"]["speaker_intention"] == "Truth"
    assert second["meta"]["deception_quadrant"] == "Deceived"
    assert second["reply-to"] == first["id"] == second["conversation_id"]
    index = json.loads((tmp_path / "index.json").read_text(encoding="utf-8"))
    assert index["utterances-index"]["speaker_intention"] == ["<class 'str'>"]
    assert set(index) == {
        "utterances-index", "speakers-index", "conversations-index", "overall-index", "version", "vectors",
    }  # fmt: skip


def test_channels_of_different_games_are_different_conversations(tmp_path: Path) -> None:
    corpus = corpus_of(ROWS)
    assert len(corpus.conversations) == 3
    assert corpus.utterances[-1].reply_to is None


def test_pickled_fields_are_refused(tmp_path: Path) -> None:
    write_convokit(corpus_of(ROWS), tmp_path)
    index = json.loads((tmp_path / "index.json").read_text(encoding="utf-8"))
    index["utterances-index"]["parsed"] = ["bin"]
    (tmp_path / "index.json").write_text(json.dumps(index), encoding="utf-8")
    with pytest.raises(BadTranscript, match="parsed as pickles"):
        read_convokit(tmp_path)


def test_older_spellings_are_read(tmp_path: Path) -> None:
    (tmp_path / "utterances.jsonl").write_text(
        '{"id": "a", "user": "u", "root": "a", "text": "hi", "reply_to": null, "meta": {}}\n', encoding="utf-8"
    )
    (tmp_path / "users.json").write_text('{"u": {"seat": "italy"}}')
    (tmp_path / "conversations.json").write_text('{"a": {"meta": {"game_id": "g"}}}')
    (tmp_path / "corpus.json").write_text("{}")
    (tmp_path / "index.json").write_text('{"utterances-index": {}, "version": 1}')
    corpus = read_convokit(tmp_path)
    assert (corpus.utterances[0].speaker, corpus.utterances[0].conversation) == ("u", "a")
    assert corpus.speakers == {"u": {"seat": "italy"}}


def test_nothing_is_overwritten_unasked(tmp_path: Path) -> None:
    write_convokit(corpus_of(ROWS), tmp_path)
    with pytest.raises(OutputExists, match=r"utterances\.jsonl"):
        write_convokit(corpus_of(ROWS), tmp_path)
    write_convokit(corpus_of(ROWS[:1]), tmp_path, overwrite=True)
    assert len(read_convokit(tmp_path).utterances) == 1


def test_damage_is_named_with_its_line(tmp_path: Path) -> None:
    write_convokit(corpus_of(ROWS), tmp_path)
    with (tmp_path / "utterances.jsonl").open("a", encoding="utf-8") as out:
        out.write('{"id": "x"}\n')
    with pytest.raises(BadTranscript, match="line 5") as caught:
        read_convokit(tmp_path)
    assert caught.value.line == 5
    (tmp_path / "speakers.json").unlink()
    with pytest.raises(BadTranscript):
        read_convokit(tmp_path)
