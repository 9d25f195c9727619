"""Tests of Rokugan, house edition, clause by clause of its rules."""
