"""Pages about finished games, each one self-contained HTML file that opens from disk."""

from diplomat.report.reveal import reveal_page

__all__ = ["reveal_page"]
