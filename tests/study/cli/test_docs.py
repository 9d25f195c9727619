"""The commands in docs/study.md run as they stand there, with two games in place of twenty."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import diplomat

ROOT = Path(diplomat.__file__).parents[1]
DOCS = ROOT / "docs" / "study.md"
PROGRAM = """\
import sys
from diplomat.cli import app, study
if "study" not in {group.name for group in app.app.registered_groups}:
    app.app.add_typer(study.app, name="study")
sys.exit(app.run(sys.argv[1:]))
"""


def blocks() -> list[str]:
    return re.findall(r"```bash\n(.*?)```", DOCS.read_text(encoding="utf-8"), re.DOTALL)


def test_commands_of_the_handbook_run(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(PROGRAM, encoding="utf-8")
    program = tmp_path / "diplomat"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" "{tmp_path}/program.py" "$@"\n', encoding="utf-8")
    program.chmod(0o755)
    script = "\n".join(blocks()).replace("seq 1 20", "seq 1 2")
    assert "seq 1 2)" in script
    path = f"{tmp_path}:{os.environ['PATH']}"
    env = {"PATH": path, "PYTHONPATH": str(ROOT), "LANG": "C.UTF-8", "COLUMNS": "80", "HOME": str(tmp_path)}
    ran = subprocess.run(
        ["bash", "-e", "-c", script], cwd=tmp_path, env=env, capture_output=True, text=True, check=False, timeout=600
    )
    assert ran.returncode == 0, ran.stderr
    for name in ("study/figures/kept_per_promise.png", "study/tables/rates.csv", "corpus/utterances.jsonl"):
        assert (tmp_path / name).is_file(), name
    assert "Study of rokugan, by personality (games: 2)" in ran.stdout
    assert not ran.stderr.startswith("diplomat: unexpected ")
