"""An explained cell as lines to draw: printed numbers whose terms add up to the printed total."""

from collections.abc import Mapping

from core import Cell, Term
from views import numbers
from views.spans import Span
from views.terms import Line, Opened, Writer, bars_of, flat, sign_of
from views.text import Words

MANY = 12  # terms, more than which are scrolled


def opened(cell: Cell, roles: Mapping[str, tuple[str, ...]], words: Words) -> Opened:
    """Word an explained cell.

    roles: the axis roles of each stage, so that an address can be coloured.
    """
    writer = Writer(roles, words)
    title = writer.name(cell.address)
    made = cell.made_by
    match made.operation:
        case "dot" | "sum":
            return _added_up(writer, title, made)
        case "product":
            return _product(writer, title, made)
        case "softmax":
            return _softmax(writer, title, made)
        case "mask":
            return _mask(writer, title, made)
        case "normalise":
            return _normalise(writer, title, made)
        case "cell":
            before, after = words.opened.copied.split("{source}")
            note = [(before, ""), *writer.name(made.address), (after, "")]
            return Opened(title, numbers.short(cell.value), notes=[note])
    return Opened(title, _given(cell), notes=[[(_origin(cell, words), "")]])


def _origin(cell: Cell, words: Words) -> str:
    """Where a number comes from that no other stage made."""
    what = cell.made_by.symbol
    if what != "sinusoid":
        return words.opened.given[what]
    place, column = cell.address.index
    wave = "cos" if column % 2 else "sin"
    return words.opened.given[what].format(wave=wave, place=place, even=column - column % 2)


def _given(cell: Cell) -> str:
    value = cell.value
    return str(int(value)) if value.is_integer() and abs(value) < 1e6 else numbers.plain(value, 4)


def _added_up(writer: Writer, title: list[Span], made: Term) -> Opened:
    parts = [part for term in made.parts for part in flat(term)]
    values = [part.value for part in parts]
    digits = numbers.digits_that_add_up(values, made.value)
    relation = "=" if digits is not None else "≈"
    digits = digits if digits is not None else numbers.MOST_DIGITS
    bars = bars_of(values)
    terms = [
        Line(writer.factors(part, digits), writer.value(part, digits), bar)
        for part, bar in zip(parts, bars, strict=True)
    ]
    rounds = any(line.value and line.value[0][0].startswith("≈") for line in terms)
    notes = [[(writer.words.opened.rounding, "")]] if rounds or relation == "≈" else []
    if len(terms) > MANY:
        notes.insert(0, [(writer.words.opened.terms.format(terms=len(terms)), "")])
    return Opened(title, numbers.plain(made.value, digits), relation, terms=terms, notes=notes)


def _product(writer: Writer, title: list[Span], made: Term) -> Opened:
    constants = [part.value for part in made.parts if part.operation == "constant"]
    least = 2 if all(numbers.rounded(c, 2) == numbers.rounded(c, 6) for c in constants) else 3
    digits = next(
        (
            d
            for d in range(least, numbers.MOST_DIGITS + 1)
            if numbers.is_exact([p.value for p in made.parts], made.value, d)
        ),
        None,
    )
    shown = digits if digits is not None else 4
    spans = writer.factors(made, shown)
    relation = "=" if digits is not None else "≈"
    value = [(f"{relation} {numbers.plain(made.value, shown)}", "")]
    line = Line(spans, value, sign_of(made.value))
    return Opened(title, numbers.plain(made.value, shown), "=", terms=[line])


def _softmax(writer: Writer, title: list[Span], made: Term) -> Opened:
    total, maximum = made.facts["total"], made.facts["maximum"]
    if not total:
        return Opened(title, "0", notes=[[(writer.words.opened.softmax_empty, "")]])
    powers = [part.value for part in made.parts]
    shares = [power / total for power in powers]
    digits = next(
        (
            d
            for d in range(4, numbers.MOST_DIGITS + 1)
            if numbers.add_up(powers, total, d) and numbers.add_up(shares, 1, d)
        ),
        None,
    )
    shown = digits if digits is not None else 4
    rows = []
    for part, share in zip(made.parts, shares, strict=True):
        (score,) = part.parts
        assert score.address is not None
        row = (score.value, score.value - maximum, part.value, share)
        printed = [[(numbers.plain(value, shown), "")] for value in row]
        rows.append([[(score.address.labels[-1], "key")], *printed])
    ends = {"maximum": numbers.plain(maximum, shown), "total": numbers.plain(total, shown)}
    columns = [[(text.format(**ends), "")] for text in writer.words.opened.softmax_columns]
    note = writer.words.opened.softmax_sum.format(sum=numbers.plain(sum(shares), shown))
    rounding = [] if digits is not None else [[(writer.words.opened.rounded, "")]]
    return Opened(
        title,
        numbers.plain(made.value, shown),
        columns=columns,
        rows=rows,
        chosen=made.chosen,
        notes=[[(note, "")], *rounding],
    )


def _mask(writer: Writer, title: list[Span], made: Term) -> Opened:
    inner, *masks = made.parts
    struck = [m for m in masks if not m.value]
    template = writer.words.opened.struck if struck else writer.words.opened.passed
    named = struck or masks
    keys = writer.words.list_mark.join(m.address.stage for m in named if m.address)
    parts = inner.parts if inner.operation == "sum" else (inner,)
    values = [p.value for p in parts]
    found = numbers.digits_that_add_up(values, inner.value)
    digits = 4 if found is None else found
    terms = [
        Line(writer.factors(p, digits), [], bar)
        for p, bar in zip(parts, bars_of(values), strict=True)
    ]
    if struck:
        terms.append(Line([("−∞", ""), (f" {keys}", "quiet")], [], 0.0))
    return Opened(
        title,
        numbers.plain(made.value, digits),
        "=" if struck or found is not None else "≈",
        sign="→" if struck else "+",
        terms=terms,
        notes=[[(template.format(mask=keys), "")]],
    )


def _normalise(writer: Writer, title: list[Span], made: Term) -> Opened:
    mean, variance, epsilon = (made.facts[k] for k in ("mean", "variance", "epsilon"))
    x = made.parts[made.chosen].value
    quotient = [
        (f"({numbers.plain(x, 4)} − {_bracketed(mean)})", ""),
        (f" ÷ √({numbers.plain(variance, 4)} + {epsilon:g})", ""),
    ]
    note = writer.words.opened.normalised.format(
        mean=numbers.plain(mean, 4), variance=numbers.plain(variance, 4), epsilon=f"{epsilon:g}"
    )
    return Opened(
        title,
        numbers.plain(made.value, 4),
        "≈",
        terms=[Line(quotient, [], sign_of(made.value))],
        notes=[[(note, "")]],
    )


def _bracketed(value: float) -> str:
    text = numbers.plain(value, 4)
    return f"({text})" if text.startswith(numbers.MINUS) else text
