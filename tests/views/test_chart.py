"""The text of a chart for those who do not see it."""

import math

import numpy as np

from views.figures.chart import chart
from views.figures.head_maps import head_maps
from views.figures.scale import Scale
from views.widgets.chart import CELLS, described, tables_of


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


def test_each_cell_of_a_map_stands_in_a_table_unless_it_is_large():
    hover = "{query} → {key}: {value}"
    for n, count in ((2, 3), (round(CELLS**0.5) + 1, 0)):
        table = np.where(np.tri(n) > 0, 0.25, np.nan)
        names = ["<i>&", *map(str, range(1, n))]
        figure = head_maps(
            [table], names, Scale("share", 0, 1), "light", titles=["Head 1"], hover=hover
        )
        html = tables_of(figure, "Weights")
        assert html.count("0.25") == count
        assert ("<caption>Weights: Head 1</caption>" in html) == bool(count)
        assert ("<td>1 → &lt;i&gt;&amp;: 0.25" in html) == bool(count)
