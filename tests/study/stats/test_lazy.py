"""The large libraries are loaded when a figure or model asks for them, not when the package is imported."""

from __future__ import annotations

import subprocess
import sys

LARGE = ("matplotlib", "statsmodels", "pyarrow", "pandas", "numpy", "scipy")
MODULES = (
    "diplomat.study.datasets.ours",
    "diplomat.study.plots",
    "diplomat.study.stats.regression",
    "diplomat.study.write",
)


def test_importing_the_package_loads_no_large_library() -> None:
    code = f"import sys, {', '.join(MODULES)}; print([name for name in {LARGE} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
