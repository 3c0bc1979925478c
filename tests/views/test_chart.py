"""The text of a chart for those who do not see it."""

import math

from views.figures.chart import chart
from views.widgets.chart import described


def test_a_chart_is_described_by_its_axes_and_the_numbers_of_its_lines_bars_and_maps() -> None:
    traces = [
        {"type": "scatter", "name": "with <i>d</i>", "x": [1, 2, 3], "y": [0.5, math.nan, 2]},
        {"type": "bar", "orientation": "h", "x": [3, 7], "y": ["a", "b"]},
        {"type": "heatmap", "z": [[0, 0.25], [0.5, 0.125]]},
        {"type": "scatter", "x": [1], "y": ["a"]},
    ]
    figure = chart(traces, "light", x="<i>n</i>", y="weight")
    assert described(figure, "Weights") == (
        "Weights; n × weight; with d: 0.50 → 2.00; 3.00 → 7.00; 0.00 … 0.50"
    )
