"""The charts and tables of a page of *Today*, as plain data."""

import re

import numpy as np
from page_reader import charts
from streamlit.testing.v1 import AppTest

TEXT = "The cat sat on the mat because it was warm"


def maps(at: AppTest, chart: int) -> np.ndarray:
    """The heatmaps of one chart: (map, row, column), nan where a cell is empty."""
    return np.array([table["z"] for table in charts(at)[chart]["data"]], float)


def cells(at: AppTest, table: int) -> np.ndarray:
    """The printed cells of one table, without the marks of Markdown: (row, column)."""
    rows = at.table[table].value.astype(str).to_numpy()
    return np.array([[re.sub(r"[\\*]", "", cell) for cell in row] for row in rows])


def number(cell: str) -> float:
    """The number that a cell prints."""
    return float(re.sub(r"[\\*]", "", cell).replace("−", "-"))


def counts(column: np.ndarray) -> list[int]:
    """The whole numbers that the cells of a column print."""
    return [int(re.sub(r"\D", "", cell)) for cell in column]
