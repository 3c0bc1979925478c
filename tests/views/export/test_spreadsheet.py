"""A trace as a spreadsheet: LibreOffice computes it again, and comes to the trace's numbers."""

import io
import re
import shutil
import subprocess
import zipfile
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from claims import for_all
from shown_traces import crossed, many_patches, sentence, today

from core import AttentionOptions, Trace, Weights, multi_head_attention
from core.errors import InputError
from core.models.by_hand import Sheet
from core.models.worked import WO_AI_BEIJING
from core.nested import attention_alone, one_head
from core.rules import Given
from core.sources import text
from views.export.spreadsheet import xlsx
from views.text import EXPORT, LANGUAGES

ZH, EN = LANGUAGES["zh"], LANGUAGES["en"]
OFFICE = shutil.which("soffice")
TABLE, OF = (
    f"{{urn:oasis:names:tc:opendocument:xmlns:{name}:1.0}}" for name in ("table", "office")
)
# Computes every formula when it opens a file, in place of showing the stored results.
PROFILE = """<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry">
<item oor:path="/org.openoffice.Office.Calc/Formula/Load"><prop oor:name="OOXMLRecalcMode"
 oor:op="fuse"><value>0</value></prop></item></oor:items>"""
needs_office = pytest.mark.skipif(OFFICE is None, reason="LibreOffice is not installed")


def d4_h2(X=None, **options):
    source = text.embed(text.read("我爱北京", "word"), 4, 7) if X is None else X
    return multi_head_attention(source, Weights.seeded(4, 2, 7), AttentionOptions(**options))


def five_tokens():
    source = text.embed(text.read("我爱北京城", "character"), 8, 3)
    return multi_head_attention(source, Weights.seeded(8, 2, 7), AttentionOptions(causal=True))


def by_hand():
    return Sheet.trace(WO_AI_BEIJING)


def without_results(book: bytes, **typed: float) -> bytes:
    """The workbook with no result stored, and other numbers in cells, by sheet and name."""
    written = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(book)) as old, zipfile.ZipFile(written, "w") as new:
        names = re.findall(r'<sheet name="([^"]+)"', old.read("xl/workbook.xml").decode())
        for file in old.namelist():
            content = old.read(file)
            if found := re.fullmatch(r"xl/worksheets/sheet(\d+)\.xml", file):
                xml = re.sub("(</f>)<v>[^<]*</v>", r"\1", content.decode())
                for name, value in typed.items():
                    sheet, cell = name.split("__")
                    if sheet == names[int(found[1]) - 1]:
                        xml, changed = re.subn(
                            f'(<c r="{cell}"[^>]*><v>)[^<]*', rf"\g<1>{value!r}", xml
                        )
                        assert changed == 1
                content = xml.encode()
            new.writestr(file, content)
    return written.getvalue()


def computed(folder: Path, books: dict[str, bytes]) -> dict[str, list[np.ndarray]]:
    """The numbers of each sheet of each workbook, as LibreOffice computes them."""
    (folder / "profile/user").mkdir(parents=True)
    (folder / "profile/user/registrymodifications.xcu").write_text(PROFILE)
    for name, book in books.items():
        (folder / f"{name}.xlsx").write_bytes(book)
    subprocess.run(
        [
            OFFICE, f"-env:UserInstallation=file://{folder}/profile", "--headless",
            "--convert-to", "fods", "--outdir", folder, *folder.glob("*.xlsx"),
        ],
        check=True, timeout=300, capture_output=True,
    )  # fmt: skip
    found = {}
    for name in books:
        _, *sheets = ElementTree.parse(folder / f"{name}.fods").iter(f"{TABLE}table")
        found[name] = [np.array([*numbers_in(sheet)]) for sheet in sheets]
    return found


def numbers_in(sheet):
    for row in sheet.iter(f"{TABLE}table-row"):
        for cell in row.iter(f"{TABLE}table-cell"):
            if (value := cell.get(f"{OF}value")) is not None:
                times = int(cell.get(f"{TABLE}number-columns-repeated", 1))
                yield from [float(value) if float(value) > -1e299 else -np.inf] * times


def assert_equal(found: list[np.ndarray], trace: Trace) -> None:
    for stage, numbers in zip(trace.values(), found, strict=True):
        expected = stage.tensor.astype(float).ravel()
        np.testing.assert_allclose(numbers, expected, 0, 1e-9, err_msg=stage.key)


def thirty_tokens():
    source = text.embed([[f"t{i}" for i in range(30)]], 32, 3)
    return multi_head_attention(source, Weights.seeded(32, 16, 7), AttentionOptions(causal=True))


def one_of_thirty_tokens():
    """The third head, from Q, K and V on."""
    return one_head(attention_alone(thirty_tokens()), 0, 2)


@needs_office
def test_libreoffice_computes_the_numbers_of_every_stage_also_after_one_is_changed(tmp_path):
    made = (by_hand, d4_h2, five_tokens, crossed, today)
    traces = {trace.__name__: trace() for trace in made}
    books = {name: without_results(xlsx(trace, EN)) for name, trace in traces.items()}
    books["large"] = without_results(xlsx(thirty_tokens(), EN, {"head": 2}))
    traces["large"] = one_of_thirty_tokens()
    X = np.random.default_rng(3).normal(size=(1, 3, 4))
    # The second token's third number, below a title, an empty row and the names.
    books["changed"] = without_results(xlsx(d4_h2(X, causal=True), ZH), X__D5=1.5)
    X[0, 1, 2] = 1.5
    traces["changed"] = d4_h2(X, causal=True)
    found = computed(tmp_path, books)
    for name, trace in traces.items():
        assert_equal(found[name], trace)


def test_what_is_computed_is_a_formula_and_what_is_given_a_number():
    trace = sentence()
    with zipfile.ZipFile(io.BytesIO(xlsx(trace, EN))) as book:
        for number, stage in enumerate(trace.values(), 2):
            sheet = book.read(f"xl/worksheets/sheet{number}.xml").decode()
            is_given = isinstance(stage.rule, Given)
            assert sheet.count("<f>") == (0 if is_given else stage.tensor.size), stage.key


@for_all("code", LANGUAGES)
def test_the_first_sheet_says_in_the_language_what_may_be_changed(code):
    with zipfile.ZipFile(io.BytesIO(xlsx(by_hand(), LANGUAGES[code]))) as book:
        texts = ElementTree.fromstring(book.read("xl/sharedStrings.xml")).itertext()
    texts = {*texts}
    assert {*EXPORT[code].sheet_says, "北京"} <= texts
    assert not any("$" in text or "\\" in text for text in texts)  # no LaTeX, which it cannot set
    assert any(text.startswith("÷√d_k · ") for text in texts)
    with zipfile.ZipFile(io.BytesIO(xlsx(thirty_tokens(), LANGUAGES[code], {"head": 2}))) as book:
        texts = ElementTree.fromstring(book.read("xl/sharedStrings.xml")).itertext()
    assert EXPORT[code].reduced.format(head=3, heads=16) in {*texts}


@for_all(
    ("made", "code"),
    [(many_patches, "too_many_numbers"), (lambda: today("bfloat16"), "spreadsheet_rounds")],
)
def test_what_no_spreadsheet_can_hold_is_refused(made, code):
    with pytest.raises(InputError, match=code):
        xlsx(made(), EN)
