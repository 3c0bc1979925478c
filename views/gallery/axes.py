"""The axes of a still chart: where a value stands, and what is written beside it."""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from views.numbers import bare

LEFT, SIZE = 30, 13  # pixels: the least room for labels, and their height
TAG = re.compile(r"</?(?:b|i|sub|sup|br)/?>")
UNITS = ((1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k"))


@dataclass(frozen=True)
class Axis:
    """One axis: its layout, the values at its two ends (exponents if logarithmic), its pixels."""

    layout: Mapping[str, Any]
    ends: tuple[float, float]
    pixels: tuple[float, float]

    def at(self, values: Any) -> np.ndarray:
        """The pixels of values."""
        numbers = np.asarray(values, dtype=float)
        if self.layout.get("type") == "log":
            numbers = np.log10(np.maximum(numbers, 1e-300))
        (low, high), (start, end) = self.ends, self.pixels
        placed: np.ndarray = start + (numbers - low) / ((high - low) or 1) * (end - start)
        return placed

    def ticks(self) -> list[tuple[float, str]]:
        """Pixels and texts of the ticks."""
        if self.layout.get("showticklabels") is False:
            return []
        values, texts = self.layout.get("tickvals"), self.layout.get("ticktext")
        low, high = sorted(self.ends)
        if values is None and self.layout.get("type") == "log":
            values = [10.0**power for power in range(math.ceil(low), math.floor(high) + 1)]
        elif values is None:
            step = self.layout.get("dtick") or _nice((high - low) / 5)
            values = [
                round(i * step, 10) for i in range(math.ceil(low / step), int(high / step) + 1)
            ]
        texts = texts or [_short(value) for value in values]
        inside = ((float(self.at(v)), t) for v, t in zip(values, texts, strict=False))
        start, end = sorted(self.pixels)
        return [(at, text) for at, text in inside if start - 1 <= at <= end + 1]


def axis_of(
    layout: Mapping[str, Any], name: str, traces: Sequence[dict[str, Any]],
    area: tuple[float, float, float, float],
) -> Axis:  # fmt: skip
    """An axis of a layout, such as ``x2``. area: left, right, top and bottom of all axes."""
    own, letter = layout.get(f"{name[0]}axis{name[1:]}", {}), name[0]
    start, end = own.get("domain", (0, 1))
    left, right, top, bottom = area
    pixels = (
        (left + start * (right - left), left + end * (right - left))
        if letter == "x"
        else (bottom - start * (bottom - top), bottom - end * (bottom - top))
    )
    low, high = own.get("range") or _extent(letter, name, traces, own)
    if own.get("autorange") == "reversed":
        low, high = high, low
    return Axis(own, (float(low), float(high)), pixels)


def _extent(
    letter: str, name: str, traces: Sequence[dict[str, Any]], own: Mapping[str, Any]
) -> tuple[float, float]:
    """The ends of an axis that states none: those of its data, with some room."""
    values: list[float] = []
    padded = True
    for trace in traces:
        if trace.get(f"{letter}axis", letter) != name:
            continue
        if trace["type"] == "heatmap":
            middles = places(trace, letter)
            values += [middles[0] - 0.5, middles[-1] + 0.5]
            padded = False
        else:
            given = trace.get(letter)
            numbers = np.asarray(np.arange(len(trace["y"])) if given is None else given, float)
            if letter == "y":
                numbers = numbers + np.asarray(trace.get("base", 0), float)
            values += [v for v in numbers.tolist() if math.isfinite(v)]
            if trace["type"] == "bar":
                values += [0] if letter == "y" else [min(values) - 0.5, max(values) + 0.5]
    if own.get("type") == "log":
        values = [math.log10(value) for value in values if value > 0]
    low, high = min(values, default=0), max(values, default=1)
    room = 0.05 * ((high - low) or 1) if padded else 0
    return (low if low == 0 else low - room), high + room


def places(trace: Mapping[str, Any], letter: str) -> np.ndarray:
    """The middles of the rows or columns of a heatmap."""
    count = np.asarray(trace["z"]).shape[1 if letter == "x" else 0]
    given = trace.get(letter)
    return np.arange(count) + trace.get(f"{letter}0", 0) if given is None else np.asarray(given)


def room_for_labels(
    layout: Mapping[str, Any], traces: Sequence[dict[str, Any]], top: float, bottom: float
) -> float:
    """Pixels to the left of the leftmost axis."""
    axis = axis_of(layout, "y", traces, (0, 1, top, bottom))
    labels = max((width(text) for _, text in axis.ticks()), default=0)
    title = 22 if (axis.layout.get("title") or {}).get("text") else 4
    return max(LEFT, title + labels + 8)


def width(text: str) -> float:
    """About how many pixels a text takes."""
    return sum(SIZE if ord(sign) > 0x2E80 else 0.55 * SIZE for sign in TAG.sub("", text))


def _short(value: float) -> str:
    """A number on an axis, thousands and millions by their letters."""
    for unit, letter in UNITS:
        if abs(value) >= (unit if unit > 1e3 else 10 * unit):
            return f"{bare(value / unit)}{letter}"
    return bare(value)


def _nice(step: float) -> float:
    """A step of 1, 2 or 5 · 10ᵏ, at least this large."""
    power = 10.0 ** math.floor(math.log10(step or 1))
    return next(power * factor for factor in (1, 2, 5, 10) if power * factor >= step * 0.999)
