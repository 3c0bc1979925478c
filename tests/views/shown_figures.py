"""What a figure shows, read off Plotly's own JSON."""

import base64

import numpy as np

from views.figures.figure import step_figure

DESIGNED = 760  # px, the width at which a figure is laid out
NARROWER = 0.86  # a narrow window draws it no narrower than this before it scrolls


def drawn(trace, key, at, theme="light"):
    return step_figure(trace, key, at, theme).to_plotly_json()


def array(z):
    return np.asarray(z) if not isinstance(z, dict) else np.frombuffer(
        base64.b64decode(z["bdata"]), z["dtype"]
    ).reshape([int(n) for n in str(z["shape"]).split(",")])  # fmt: skip


def on_axes(figure, number):
    """The heatmaps of one plane, counted from 1."""
    name = "x" if number == 1 else f"x{number}"
    return [trace for trace in figure["data"] if trace["xaxis"] == name]


def axes(figure, letter):
    found = sorted(name for name in figure["layout"] if name.startswith(f"{letter}axis"))
    return [figure["layout"][name] for name in sorted(found, key=lambda n: (len(n), n))]


def values_of(figure, number):
    """What a plane's heatmaps hold together; −∞ where the masked one has a cell."""
    traces = on_axes(figure, number)
    values = np.full(array(traces[0]["z"]).shape, np.nan)
    for trace in traces:
        z = array(trace["z"])
        values = np.where(np.isnan(z), values, -np.inf if trace["name"] == "−∞" else z)
    return values


def colours_drawn(trace):
    """The colour of each cell as Plotly works it out: RGB mixed between the stops."""
    stops = trace["colorscale"]
    low, high = trace.get("zmin", 0), trace.get("zmax", 1)
    part = (array(trace["z"]).astype(float) - low) / (high - low)
    channels = np.transpose([rgb(colour) for _, colour in stops])
    at = [place for place, _ in stops]
    return np.stack([np.interp(part, at, channel) for channel in channels], axis=-1)


def rgb(colour):
    if colour.startswith("rgb("):
        return tuple(int(part) for part in colour[4:-1].split(","))
    return tuple(int(colour[i : i + 2], 16) for i in (1, 3, 5))


def between(stops, part):
    """The colour at a place 0 … 1 of a scale through five stops."""
    low = min(int(part * 4), 3)
    rest = part * 4 - low
    return [a + (b - a) * rest for a, b in zip(rgb(stops[low]), rgb(stops[low + 1]), strict=True)]
