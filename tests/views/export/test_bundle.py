"""Scripts that import one another, as the one module that Streamlit takes."""

import re

import pytest
from in_node import evaluate

from views.export.bundle import ASSETS, bundle_css, bundle_js

FILES = {
    "main.js": """import { area as surface, Shape } from "./area.js";
import { twice } from "./twice.js";

const secret = "main";
export default function ({ data }) {
  return twice(surface(new Shape(data))) + secret;
}
""",
    "area.js": """import { twice } from "./twice.js";

const secret = "area";
export class Shape {}
export function area(shape) {
  return twice(shape) + secret;
}
""",
    "twice.js": """// A comment with import { x } from "./nowhere.js"; in its middle.
const secret = 2;
export const by = secret;
export let count = 0;
export async function later() {}
export function* many() {}
export function twice(n) {
  return n * secret;
}
function hidden() {}
""",
}
MODULE = re.compile(
    r"^const \$(\w+) = \(\(\) => \{\n(.*?)^return \{ (.*?) \};\n\}\)\(\);\n", re.M | re.S
)


@pytest.fixture
def bundle(tmp_path):
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, "utf-8")
    return bundle_js(tmp_path / "main.js")


def test_private_names_stay_inside_the_function_of_their_file(bundle):
    inside = {name: text for name, text, _ in MODULE.findall(bundle)}
    assert "const secret = 2;" in inside["twice"]
    assert 'const secret = "area";' in inside["area"]
    outside = MODULE.sub("", bundle)
    assert re.findall(r"^const secret = .*$", outside, re.MULTILINE) == ['const secret = "main";']


def test_a_worker_is_the_text_of_the_functions_that_it_needs(tmp_path):
    """Node runs the bundle, and then what the bundle would give to a worker."""
    (tmp_path / "twice.js").write_text(FILES["twice.js"], "utf-8")
    (tmp_path / "worker.js").write_text(
        'import { twice as double } from "./twice.js";\nglobalThis.answer = double(4);\n', "utf-8"
    )
    (tmp_path / "main.js").write_text(
        'import { twice } from "./twice.js";\nglobalThis.before = [twice(3), globalThis.answer];\n'
        'new Worker(new URL("./worker.js", import.meta.url));\n',
        "utf-8",
    )
    run = """
      let pieces;
      globalThis.Worker = class {};
      const Blob = function (text) { pieces = text; };
      new Function("Blob", "URL", given)(Blob, { createObjectURL() {} });
      new Function(pieces.join(""))();
      return [...globalThis.before, globalThis.answer];
    """
    assert evaluate([], run, bundle_js(tmp_path / "main.js")) == [6, None, 8]


def test_an_imported_style_sheet_replaces_its_import(tmp_path):
    (tmp_path / "main.css").write_text('@import "./a.css";\n.main {}\n', "utf-8")
    (tmp_path / "a.css").write_text('@import "./b.css";\n.a {}\n', "utf-8")
    (tmp_path / "b.css").write_text(".b {}\n", "utf-8")
    assert [line for line in bundle_css(tmp_path / "main.css").splitlines() if line] == [
        ".b {}", ".a {}", ".main {}"
    ]  # fmt: skip


def test_only_comments_on_lines_of_their_own_are_removed(tmp_path):
    code = 'const a = "// no";  // beside\n  /* here */ const b = `/*`;\nconst c = 1; /* end */\n'
    comments = "// a line\n  /** one line */\n/* several\n   // lines */\n"
    (tmp_path / "alone.js").write_text(comments + code + comments, "utf-8")
    assert bundle_js(tmp_path / "alone.js") == code


def test_the_bundle_of_the_microscope_imports_nothing():
    text = bundle_js(ASSETS / "microscope" / "hosts" / "streamlit.js")
    names = re.findall(r"^const \$(\w+) = (?:\(\(\) => \{|\$\$\1\(\);)$", text, re.MULTILINE)
    assert len(names) == len(set(names)) > 5
    assert len(re.findall(r"^(?:import|export)\b", text, re.MULTILINE)) == 1
    for taken in re.findall(r"^const \{[^}]*\} = \$(\w+);$", text, re.MULTILINE):
        assert taken in names
