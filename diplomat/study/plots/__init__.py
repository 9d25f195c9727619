"""Figures of a study as functions of plain rows: matplotlib draws them, the texts label them in English or Russian.

Colours are told apart by colour-blind readers (Okabe & Ito 2008; cividis) and never carry a meaning alone: a shape, a
hatch or a number says it too.  Marks that stand for a promise or a message carry its id in the SVG.
"""

from diplomat.study.plots.canvas import Figure, captioned, save
from diplomat.study.plots.card import Card, promise_card
from diplomat.study.plots.curves import incidence_curve, survival_curve
from diplomat.study.plots.flow import FlowRow, intent_flow
from diplomat.study.plots.matrix import TrustCell, lag_matrix, trust_matrix
from diplomat.study.plots.points import ForestRow, forest, honesty_strength, power_curve
from diplomat.study.plots.timeline import Breach, Span, alliance_timeline

__all__ = [
    "Breach",
    "Card",
    "Figure",
    "FlowRow",
    "ForestRow",
    "Span",
    "TrustCell",
    "alliance_timeline",
    "captioned",
    "forest",
    "honesty_strength",
    "incidence_curve",
    "intent_flow",
    "lag_matrix",
    "power_curve",
    "promise_card",
    "save",
    "survival_curve",
    "trust_matrix",
]
