"""Scripts that import one another, as the one module that Streamlit takes."""

import re

import pytest

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


def test_each_module_is_bundled_once_after_all_that_it_imports(bundle):
    assert [name for name, _, _ in MODULE.findall(bundle)] == ["twice", "area"]


def test_private_names_are_private_to_the_function_that_a_file_becomes(bundle):
    inside = {name: text for name, text, _ in MODULE.findall(bundle)}
    assert "const secret = 2;" in inside["twice"]
    assert 'const secret = "area";' in inside["area"]
    outside = MODULE.sub("", bundle)
    assert re.findall(r"^const secret = .*$", outside, re.MULTILINE) == ['const secret = "main";']


def test_a_module_returns_exactly_its_exports(bundle):
    given = {name: set(names.split(", ")) for name, _, names in MODULE.findall(bundle)}
    assert given == {"twice": {"by", "count", "later", "many", "twice"}, "area": {"area", "Shape"}}


def test_whoever_imports_a_name_takes_it_from_the_module_that_gives_it(bundle):
    inside = {name: text for name, text, _ in MODULE.findall(bundle)}
    assert inside["area"].startswith("const { twice } = $twice;\n")
    rest = MODULE.sub("", bundle)
    assert rest.startswith("const { area: surface, Shape } = $area;\nconst { twice } = $twice;\n")


def test_of_imports_and_exports_only_the_components_own_is_left(bundle):
    left = re.findall(r"^(?:import|export)\b.*$", bundle, re.MULTILINE)
    assert left == ["export default function ({ data }) {"]


def test_a_file_that_imports_nothing_stays_as_it_is_but_for_its_comments(tmp_path):
    comment, code = FILES["twice.js"].replace("export ", "").split("\n", 1)
    (tmp_path / "alone.js").write_text(f"{comment}\n{code}", "utf-8")
    assert comment.startswith("//")
    assert bundle_js(tmp_path / "alone.js") == code


def test_an_imported_style_sheet_replaces_its_import(tmp_path):
    (tmp_path / "main.css").write_text('@import "./a.css";\n.main {}\n', "utf-8")
    (tmp_path / "a.css").write_text('@import "./b.css";\n.a {}\n', "utf-8")
    (tmp_path / "b.css").write_text(".b {}\n", "utf-8")
    assert [line for line in bundle_css(tmp_path / "main.css").splitlines() if line] == [
        ".b {}", ".a {}", ".main {}"
    ]  # fmt: skip


def test_comments_with_lines_of_their_own_go_and_all_else_stays(tmp_path):
    code = 'const a = "// no";  // beside\n  /* here */ const b = `/*`;\nconst c = 1; /* end */\n'
    told = "// a line\n  /** one line */\n/* several\n   // lines */\n"
    (tmp_path / "alone.js").write_text(told + code + told, "utf-8")
    assert bundle_js(tmp_path / "alone.js") == code


def test_the_microscope_is_one_module_with_nothing_left_to_load():
    text = bundle_js(ASSETS / "microscope" / "hosts" / "streamlit.js")
    names = re.findall(r"^const \$(\w+) = \(\(\) => \{$", text, re.MULTILINE)
    assert len(names) == len(set(names)) > 5
    assert len(re.findall(r"^(?:import|export)\b", text, re.MULTILINE)) == 1
    for taken in re.findall(r"^const \{[^}]*\} = \$(\w+);$", text, re.MULTILINE):
        assert taken in names
