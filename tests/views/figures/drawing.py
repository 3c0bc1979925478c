"""Points along SVG paths, and boxes that do not overlap."""

import itertools
import re

import numpy as np


def points(path):
    """Points along an SVG path of the commands M, H, V, Q, C and L, a list for each M."""
    found = []
    for command, text in re.findall(r"([MHVQCL])([^MHVQCL]*)", path):
        n = [float(part) for part in text.split()]
        if command == "M":
            found.append([tuple(n)])
            continue
        x, y = found[-1][-1]
        if command in "HV":
            n = [n[0], y] if command == "H" else [x, n[0]]
        corners = [(x, y), *zip(n[::2], n[1::2], strict=True)]
        for t in np.linspace(0, 1, 51)[1:]:
            around = corners
            while len(around) > 1:  # de Casteljau
                around = [
                    ((1 - t) * a + t * c, (1 - t) * b + t * d)
                    for (a, b), (c, d) in itertools.pairwise(around)
                ]
            found[-1].append(around[0])
    return found


def is_inside(point, box, margin=0.0):
    """Whether a point lies in a box, widened on all sides by the margin."""
    (x, y), m = point, margin
    return box.x - m < x < box.x + box.width + m and box.y - m < y < box.y + box.height + m


def assert_no_overlap(boxes, drawing):
    """Every box is inside the drawing, and none overlaps another."""
    for box in boxes:
        assert 0 <= box.x < box.x + box.width <= drawing.width
        assert 0 <= box.y < box.y + box.height <= drawing.height
    for a, b in itertools.combinations(boxes, 2):
        beside = a.x + a.width <= b.x or b.x + b.width <= a.x
        above = a.y + a.height <= b.y or b.y + b.height <= a.y
        assert beside or above, (a, b)
