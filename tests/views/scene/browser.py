"""The numbers that a browser has of a blob: those in it, and those that follow from them.

A second reading of the rules, over whole arrays and from JSON alone; ``core`` is not asked.
"""

from typing import Any

import numpy as np
from blob_reader import unpacked


class Browser:
    """A blob as it was received."""

    def __init__(self, blob: bytes):
        self.header, self.arrays = unpacked(blob)
        self.stages = self.header["stages"]

    def holds(self, key: str) -> bool:
        """Whether numbers of this stage were sent, and not only colours."""
        return self.header["stored"].get(key, {}).get("form", "levels") != "levels"

    def stage(self, key: str, **fixed: int) -> np.ndarray:
        """All numbers of a stage, except along axes that are fixed at one index."""
        stage = self.stages[key]
        free = [
            (r, n) for r, n in zip(stage["roles"], stage["shape"], strict=True) if r not in fixed
        ]
        grids = np.indices([size for _, size in free])
        at = dict(fixed) | {role: grid for (role, _), grid in zip(free, grids, strict=True)}
        return np.asarray(self.cells(key, [at[role] for role in stage["roles"]]))

    def cells(self, key: str, index: list[Any]) -> np.ndarray:
        """The numbers of these cells, in the stage's precision."""
        stage = self.stages[key]
        if self.holds(key):
            fixed = self.header["stored"][key]
            pairs = zip(index, fixed["begins"], strict=True)
            table = self.arrays.get(f"{key}.table")
            if fixed["form"] == "diagonals":
                return self.arrays[key][index[-1] - index[-2] + stage["shape"][-2] - 1]
            if fixed["form"] == "runs":
                return np.vectorize(self._is_allowed, excluded=[0])(key, *index[-2:])
            found = self.arrays[key][tuple(np.asarray(i) - begins for i, begins in pairs)]
            return found if table is None else table[found]
        at = dict(zip(stage["roles"], index, strict=True))
        made = np.asarray(self._made(stage["rule"], at, stage["type"]), dtype=float)
        return made.astype(stage["type"])

    def _is_allowed(self, name: str, query: int, key: int) -> bool:
        """Whether a key is in one of the runs of a query."""
        first, behind = self.arrays[f"{name}.table"][query : query + 2]
        return any(start <= key < end for start, end in self.arrays[name][first:behind])

    def _made(self, rule: dict[str, Any], at: dict[str, Any], kind: str) -> Any:
        match rule["rule"]:
            case "operand":
                return self._cell(rule, at)
            case "sum":
                return sum(self._made(part, at, kind) for part in rule["parts"])
            case "product":
                constants = [f["value"] for f in rule["factors"] if f["rule"] == "constant"]
                rest = [f for f in rule["factors"] if f["rule"] != "constant"]
                constant = np.asarray(np.prod(constants)).astype(kind).astype(float)
                return constant * np.prod([self._made(f, at, kind) for f in rest], axis=0)
            case "mask":
                allowed = np.prod([self._cell(mask, at) for mask in rule["allowed"]], axis=0)
                return np.where(allowed > 0, self._made(rule["of"], at, kind), -np.inf)
            case "stack":
                return self._stacked(rule, at)
            case "dot":
                points = ({**at, rule["over"]: i} for i in range(rule["size"]))
                return sum(
                    self._cell(rule["left"], p) * self._cell(rule["right"], p) for p in points
                )
            case "softmax":
                row = [
                    self._cell(rule["of"], {**at, rule["along"]: i}) for i in range(rule["size"])
                ]
                powers = np.exp(np.array(row) - np.max(row, axis=0))
                return np.exp(self._cell(rule["of"], at) - np.max(row, axis=0)) / powers.sum(axis=0)
        raise AssertionError(f"not sent, and does not follow: {rule['rule']}")

    def _stacked(self, rule: dict[str, Any], at: dict[str, Any]) -> np.ndarray:
        made, begins = np.zeros(np.shape(at[rule["along"]])), 0
        for part, length in zip(rule["parts"], rule["lengths"], strict=True):
            here = (at[rule["along"]] >= begins) & (at[rule["along"]] < begins + length)
            inside = {role: np.asarray(position)[here] if np.ndim(position) else position
                      for role, position in at.items()}  # fmt: skip
            made[here] = self._cell(part, inside)
            begins += length
        return made

    def _cell(self, operand: dict[str, Any], at: dict[str, Any]) -> np.ndarray:
        index = [self.index(part, at) for part in operand["index"]]
        return self.cells(operand["stage"], index).astype(float)

    def index(self, part: Any, at: dict[str, Any]) -> Any:
        """An index expression of JSON, worked out."""
        match part:
            case str():
                return at[part]
            case int():
                return part
            case ["join", high, size, low]:
                return self.index(high, at) * size + self.index(low, at)
            case ["div", packed, size]:
                return self.index(packed, at) // size
            case ["mod", packed, size]:
                return self.index(packed, at) % size
            case ["minus", inner, offset]:
                return self.index(inner, at) - offset
            case ["look_up", stage, indices]:
                return self.cells(stage, [self.index(p, at) for p in indices]).astype(int)
        raise AssertionError(f"not an index: {part}")
