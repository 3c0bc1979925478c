"""A trace as a spreadsheet (.xlsx) that computes: each computed cell is the formula of its rule.

Only functions that Excel, LibreOffice and Google Sheets have in common are written. Cells hold the
trace's own numbers as their last results, so that a viewer that does not compute shows them too.
"""

import io
import itertools
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import xlsxwriter
from xlsxwriter.utility import xl_range_abs, xl_rowcol_to_cell
from xlsxwriter.worksheet import Worksheet

from core import Stage, Trace, rules
from core.errors import InputError
from core.limits import FORMULA_LETTERS, SPREADSHEET_CELLS, SPREADSHEET_COLUMNS
from views.export.reduced import attention_of, one_head_note, reduced, title_of
from views.figures.formula import as_text
from views.figures.palette import PALETTES
from views.figures.scale import scale_of
from views.text import EXPORT, Words

MASKED = -1e300  # for −∞, which no cell can hold: exp of it is 0
LONGEST_NAME = 31  # of a sheet
TOP, LEFT = 2, 1  # the row and the column of the first block's names, and of its numbers
_NOT_IN_NAMES = re.compile(r"[\[\]:*?/\\']")
_ACTIVATIONS = {
    "relu": "MAX(0,{x})",
    "gelu": "{x}*NORMSDIST({x})",
    "gelu_tanh": "{x}*(1+TANH(SQRT(2/PI())*({x}+0.044715*{x}*{x}*{x})))/2",
    "quick_gelu": "{x}/(1+EXP(-1.702*{x}))",
    "silu": "{x}/(1+EXP(-{x}))",
    "log": "LN({x})",
    "cos": "COS({x})",
    "sin": "SIN({x})",
    "tanh": "TANH({x})",
}
At = Mapping[str, rules.Position]


def xlsx(trace: Trace, words: Words, at: Mapping[str, int] | None = None) -> bytes:
    """The workbook: a sheet with the contents, then one for each stage, in this language.

    Of a model's trace of several parts it holds the first attention; others by
    ``core.nested.subtrace``. Of more than ``SPREADSHEET_CELLS`` numbers it holds one head, from Q,
    K and V on. at: that head and its sample, from 0. It computes in float64.

    Raises too_many_numbers, and spreadsheet_rounds for a trace in a half precision.
    """
    whole = attention_of(trace)
    trace = reduced(whole, SPREADSHEET_CELLS, at or {})
    if max(_Layout(stage).columns for stage in trace.values()) >= SPREADSHEET_COLUMNS:
        raise _too_large(trace)
    says = EXPORT[words.code].sheet_says
    if trace is not whole:
        says = (*says, one_head_note(trace, whole, words))
    return _Workbook(trace, words, says).written()


def _too_large(trace: Trace) -> InputError:
    cells = sum(stage.tensor.size for stage in trace.values())
    return InputError("too_many_numbers", numbers=cells, limit=SPREADSHEET_CELLS)


@dataclass(frozen=True)
class _Layout:
    """Where the cells of a stage stand: the last two axes are a block, blocks stand one below
    the other.
    """

    stage: Stage

    @property
    def rows(self) -> int:
        return self.stage.tensor.shape[-2] if self.stage.tensor.ndim > 1 else 1

    @property
    def columns(self) -> int:
        return self.stage.tensor.shape[-1] if self.stage.tensor.ndim else 1

    @cached_property
    def strides(self) -> tuple[int, ...]:
        """By how many rows the sheet goes down from one index of an axis to the next."""
        *blocks, _, _ = 1, 1, *self.stage.tensor.shape
        down = [self.rows + 2]
        for size in blocks[:0:-1]:
            down.insert(0, down[0] * size)
        return (*down, 1, 0)[-self.stage.tensor.ndim :] if self.stage.tensor.ndim else ()

    def cell(self, index: tuple[rules.Position, ...]) -> tuple[rules.Position, rules.Position]:
        """The row and the column of a cell, from 0; of many, if the index has arrays."""
        down = sum(i * n for i, n in zip(index, self.strides, strict=True))
        return TOP + 1 + down, LEFT + (index[-1] if index else 0)


class _Workbook:
    """Writes the sheets of one trace."""

    def __init__(self, trace: Trace, words: Words, says: Sequence[str]) -> None:
        self.trace, self.words, self.says = trace, words, says
        self.contents = EXPORT[words.code].contents
        self.layouts = {key: _Layout(stage) for key, stage in trace.items()}
        self.names = _sheet_names((self.contents, *trace))
        self.file = io.BytesIO()
        self.book = xlsxwriter.Workbook(self.file, {"in_memory": True})
        palette = PALETTES["light"]
        self.formats = {
            name: self.book.add_format(how)
            for name, how in {
                "title": {"bold": True, "font_size": 14},
                "name": {"font_color": palette.soft, "align": "right"},
                "given": {"font_color": "#0000ff", "num_format": "0.000"},
                "given_whole": {"font_color": "#0000ff", "num_format": "0"},
                "made": {"num_format": "0.000"},
                "wrapped": {"text_wrap": True, "valign": "top"},
                "masked": {"bg_color": palette.masked, "num_format": '"−∞"'},
            }.items()
        }

    def written(self) -> bytes:
        self._contents()
        for stage in self.trace.values():
            self._stage(stage)
        self.book.close()
        return self.file.getvalue()

    def _title(self, key: str) -> str:
        return title_of(self.trace, key, self.words, str, as_text)

    def _contents(self) -> None:
        sheet = self.book.add_worksheet(self.names[self.contents])
        sheet.set_column(0, 0, 16)
        sheet.set_column(1, 1, 80)
        sheet.write_string(0, 0, self.words.product, self.formats["title"])
        for row, sentence in enumerate(self.says, 2):
            sheet.merge_range(row, 0, row, 1, sentence, self.formats["wrapped"])
            sheet.set_row(row, 32)
        for row, key in enumerate(self.trace, 3 + len(self.says)):
            sheet.write_url(row, 0, f"internal:'{self.names[key]}'!A1", string=self.names[key])
            sheet.write_string(row, 1, self._title(key))

    def _stage(self, stage: Stage) -> None:
        sheet, layout = self.book.add_worksheet(self.names[stage.key]), self.layouts[stage.key]
        sheet.write_string(0, 0, self._title(stage.key), self.formats["title"])
        sheet.set_column(0, 0, 12)
        sheet.set_landscape()
        sheet.fit_to_pages(1, 0)
        for block in itertools.product(*map(range, stage.tensor.shape[:-2])):
            self._names(sheet, stage, layout, block)
        is_given = isinstance(stage.rule, rules.Given)
        whole = "_whole" if stage.tensor.dtype.kind in "biu" else ""
        how = self.formats[f"given{whole}" if is_given else "made"]
        for index in np.ndindex(*stage.tensor.shape):
            row, column = map(int, layout.cell(index))
            value = max(float(stage.tensor[index]), MASKED)
            if is_given:
                sheet.write_number(row, column, value, how)
                continue
            formula = self._formula(stage.rule, dict(zip(stage.roles, index, strict=True)))
            if len(formula) > FORMULA_LETTERS:
                raise _too_large(self.trace)
            sheet.write_formula(row, column, f"={formula}", how, value)
        self._colours(sheet, stage, layout)

    def _names(
        self, sheet: Worksheet, stage: Stage, layout: _Layout, block: tuple[int, ...]
    ) -> None:
        sample = block[stage.roles.index("batch")] if "batch" in stage.roles[: len(block)] else 0
        shown = [
            f"{self.words.axes.get(axis.role, axis.role)} {axis.label(i, sample)}"
            for axis, i, size in zip(stage.axes, block, stage.tensor.shape, strict=False)
            if size > 1
        ]
        rank = stage.tensor.ndim
        row, left = map(int, layout.cell((*block, *(0,) * min(rank, 2))))
        sheet.write_string(row - 1, 0, ", ".join(shown), self.formats["name"])
        if rank > 1:
            for i in range(layout.rows):
                in_row = i if stage.roles[-2] == "batch" else sample
                label = stage.axes[-2].label(i, in_row)
                sheet.write_string(row + i, 0, label, self.formats["name"])
        for i in range(layout.columns if rank else 0):
            label = stage.axes[-1].label(i, sample)
            sheet.write_string(row - 1, left + i, label, self.formats["name"])

    def _colours(self, sheet: Worksheet, stage: Stage, layout: _Layout) -> None:
        scale = scale_of(self.trace, stage.key)
        last = tuple(size - 1 for size in stage.tensor.shape)
        area = TOP + 1, LEFT, *map(int, layout.cell(last))
        masked = {"type": "cell", "criteria": "<", "value": MASKED / 10, "stop_if_true": True}
        sheet.conditional_format(*area, masked | {"format": self.formats["masked"]})
        if scale.kind not in ("share", "signed"):
            return
        stops = scale.stops("light")
        low, middle, high = stops[1:4] if scale.kind == "signed" else stops[:3]
        sheet.conditional_format(
            *area,
            {
                "type": "3_color_scale",
                "min_color": low, "mid_color": middle, "max_color": high,
                "min_type": "num", "mid_type": "num", "max_type": "num",
                "min_value": scale.low, "mid_value": (scale.low + scale.high) / 2,
                "max_value": scale.high,
            },
        )  # fmt: skip

    # --- the formula of a rule ---

    def _formula(self, rule: rules.Rule, at: At) -> str:
        match rule:
            case rules.Operand():
                return self._read(rule, at)
            case rules.Constant(value):
                return _number(value)
            case rules.Dot(left, right, over, size):
                return self._dot(left, right, at, over, size)
            case rules.Sum(parts):
                return "+".join(self._formula(part, at) for part in parts)
            case rules.Total(of, over, size):
                return "+".join(self._formula(of, {**at, over: i}) for i in range(size))
            case rules.Product(factors):
                return "*".join(self._factor(factor, at) for factor in factors)
            case rules.Mask(of, allowed):
                masks = ",".join(self._read(mask, at) for mask in allowed)
                return f"IF(AND({masks}),{self._formula(of, at)},{MASKED:.0E})"
            case rules.Softmax():
                return self._softmax(rule, at)
            case rules.Normalise(of, along, size, epsilon):
                row = ",".join(self._ranges(of, at, along, size))
                over = f"SQRT(DEVSQ({row})/{size}+{_number(epsilon)})"
                return f"({self._read(of, at)}-AVERAGE({row}))/{over}"
            case rules.RMSNorm(of, along, size, epsilon):
                row = ",".join(self._ranges(of, at, along, size))
                return f"{self._read(of, at)}/SQRT(SUMSQ({row})/{size}+{_number(epsilon)})"
            case rules.Rotate():
                where = {role: int(i) for role, i in at.items()}
                return self._formula(rules.sum_of(rule, where), at)
            case rules.Activation(function, of):
                return _ACTIVATIONS[function].format(x=self._factor(of, at))
            case rules.Stack():
                return self._read(rules.part_at(rule, int(at[rule.along])), at)
            case rules.Round():
                raise InputError("spreadsheet_rounds")
        raise TypeError(f"not a rule for a computed cell: {rule!r}")

    def _factor(self, rule: rules.Rule, at: At) -> str:
        """A rule within a product, in brackets where needed."""
        written = self._formula(rule, at)
        is_one = isinstance(rule, rules.Operand) or (
            isinstance(rule, rules.Constant) and rule.value >= 0
        )
        return written if is_one else f"({written})"

    def _dot(self, left: rules.Operand, right: rules.Operand, at: At, over: str, size: int) -> str:
        """Of a row and a row SUMPRODUCT, of a row and a column MMULT; a sum where they are cut."""
        ends = {0, size}
        lines = [self._line(operand, at, over, size) for operand in (left, right)]
        for line in lines:
            ends |= _breaks(line)
        parts = []
        for first, end in itertools.pairwise(sorted(ends)):
            a, b = (_range(line[:, first:end]) for line in lines)
            a, b = (
                f"{self._sheet(operand)}!{cells}"
                for operand, cells in zip((left, right), (a, b), strict=True)
            )
            if end - first == 1:
                parts.append(f"{a}*{b}")
                continue
            is_down = [bool(line[0, first] != line[0, first + 1]) for line in lines]
            if is_down[0] == is_down[1]:
                parts.append(f"SUMPRODUCT({a},{b})")
            else:
                parts.append(f"SUM(MMULT({b},{a}))" if is_down[0] else f"SUM(MMULT({a},{b}))")
        return "+".join(parts)

    def _softmax(self, rule: rules.Softmax, at: At) -> str:
        ranges = self._ranges(rule.of, at, rule.along, rule.size)
        sinks = [] if rule.sink is None else [self._read(rule.sink, at)]
        most = f"MAX({','.join(ranges + sinks)})"
        total = "+".join(f"SUMPRODUCT(EXP({part}-{most}))" for part in ranges + sinks)
        share = f"EXP({self._read(rule.of, at)}-{most})/{f'({total})' if '+' in total else total}"
        of = self.trace[rule.of.stage]
        if isinstance(of.rule, rules.Mask) or np.isneginf(of.tensor).any():
            return f"IF({most}<={MASKED:.0E},0,{share})"
        return share

    def _ranges(self, operand: rules.Operand, at: At, over: str, size: int) -> list[str]:
        """The cells of an operand along an index, as few ranges as possible."""
        line = self._line(operand, at, over, size)
        ends = sorted({0, size} | _breaks(line))
        return [
            f"{self._sheet(operand)}!{_range(line[:, first:end])}"
            for first, end in itertools.pairwise(ends)
        ]

    def _line(self, operand: rules.Operand, at: At, over: str, size: int) -> np.ndarray:
        """The rows and the columns of an operand's cells along an index, (2, size)."""
        where = {**at, over: np.arange(size)}
        index = tuple(rules.resolve(i, where, self.trace.tensors) for i in operand.index)
        row, column = self.layouts[operand.stage].cell(index)
        return np.stack(np.broadcast_arrays(row, column, np.arange(size))[:2])

    def _read(self, operand: rules.Operand, at: At) -> str:
        """One cell; where its index is looked up in another cell, by INDEX of that."""
        layout, sheet = self.layouts[operand.stage], self._sheet(operand)
        index = [self._position(i, at) for i in operand.index]
        if all(isinstance(i, int) for i in index):
            return f"{sheet}!{xl_rowcol_to_cell(*map(int, layout.cell(tuple(index))))}"  # type: ignore[arg-type]
        steps = zip(index, layout.strides, strict=True)
        down = "+".join(["1", *(f"({i})*{n}" for i, n in steps if n)])
        last = layout.cell(tuple(size - 1 for size in layout.stage.tensor.shape))
        area = xl_range_abs(TOP + 1, LEFT, *map(int, last))
        return f"INDEX({sheet}!{area},{down},1+{index[-1]})"

    def _position(self, index: rules.Index, at: At) -> int | str:
        """An index expression: a number, or a formula where it looks a number up."""
        match index:
            case ("look_up", stage, inner):
                return self._read(rules.Operand(stage, inner), at)
            case (kind, *inner):
                parts = [i if isinstance(i, int) else self._position(i, at) for i in inner]
                if any(isinstance(part, str) for part in parts):
                    return _EXPRESSIONS[kind].format(*parts)
        return int(rules.resolve(index, at, {}))

    def _sheet(self, operand: rules.Operand) -> str:
        return f"'{self.names[operand.stage]}'"


_EXPRESSIONS = {
    "join": "({0})*{1}+({2})",
    "div": "INT(({0})/{1})",
    "mod": "MOD({0},{1})",
    "minus": "({0})-{1}",
}


def _breaks(line: np.ndarray) -> set[int]:
    """Where a line of cells does not go on to the right or downwards."""
    steps = np.diff(line)
    goes_on = (steps.min(axis=0) == 0) & (steps.max(axis=0) == 1)
    turns = (steps[:, 1:] != steps[:, :-1]).any(axis=0) & goes_on[1:] & goes_on[:-1]
    return {int(i) + 1 for i in np.flatnonzero(~goes_on)} | {
        int(i) + 2 for i in np.flatnonzero(turns)
    }


def _range(line: np.ndarray) -> str:
    (top, left), (bottom, right) = line[:, 0], line[:, -1]
    first, last = (xl_rowcol_to_cell(int(a), int(b)) for a, b in ((top, left), (bottom, right)))
    return first if first == last else f"{first}:{last}"


def _number(value: float) -> str:
    return repr(float(value))


def _sheet_names(keys: tuple[str, ...]) -> dict[str, str]:
    """A name of a sheet for each key; names must also differ without regard to case."""
    names: dict[str, str] = {}
    for key in keys:
        name, taken = _NOT_IN_NAMES.sub(" ", key), {other.lower() for other in names.values()}
        numbered = (f"{name[: LONGEST_NAME - 3]} {i}" for i in itertools.count(2))
        candidates = itertools.chain([name[:LONGEST_NAME]], numbered)
        names[key] = next(one for one in candidates if one.lower() not in taken)
    return names
