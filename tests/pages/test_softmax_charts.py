import numpy as np

from pages.understand.softmax.charts import weight_bars

TALL = 0.1  # of the upright axis: digits of 14 px where 1.12 of it have 172 px


def test_the_line_of_an_even_share_crosses_no_number():
    crossed = []
    for n in range(2, 9):
        for part in np.linspace(0, 1, 51):
            weights = np.full(n, (1 - part) / (n - 1))
            weights[0] = part
            figure = weight_bars(weights, [str(i) for i in range(n)], "light", x="", y="")
            for weight, low in zip(weights, figure.data[2].y, strict=True):
                if low < 1 / n < low + TALL:
                    crossed.append((n, weight))
                assert weight <= low <= weight + 0.13, "the number stands by its bar"
    assert crossed == []
