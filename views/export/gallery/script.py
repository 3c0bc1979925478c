"""The script of a gallery page: what several of its parts import stands in it once."""

import re
from collections.abc import Mapping

from views.export.bundle import ASSETS, bundle_js
from views.export.file import file_script

_MODULE = re.compile(r"^const \$(\w+) = \(\(\) => \{\n.*?^\}\)\(\);\n", re.MULTILINE | re.DOTALL)
_ENTRY = re.compile(r"^export default function", re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async )?(?:function|const|let|class))", re.MULTILINE)


def page_script(components: Mapping[str, str], has_microscope: bool) -> str:
    """The page's own script, its components' and that of its microscope, as one module.

    components: their bundles, by name.
    """
    imported: dict[str, str] = {}  # modules of bundles, by name

    def main(bundle: str) -> str:
        """What is left of a bundle; all of it, if a module of another has a name of its own."""
        found = {match[1]: match[0] for match in _MODULE.finditer(bundle)}
        if any(imported.get(name, text) != text for name, text in found.items()):
            return bundle
        imported.update(found)
        return _MODULE.sub("", bundle)

    functions = ",\n".join(f"{name}: {_function(main(js))}" for name, js in components.items())
    own = [bundle_js(ASSETS / "gallery" / "gallery.js"), *[file_script()] * has_microscope]
    mains = "".join(f"(async () => {{\n{main(js)}}})();\n" for js in own)
    modules = "".join(imported.values())
    return f"{modules}globalThis.components = {{ {functions} }};\n{mains}"


def _function(script: str) -> str:
    """A component's module as an expression: the function that it exports."""
    inside = _ENTRY.sub("const $main = function", _EXPORT.sub("", script))
    return f"(() => {{\n{inside}\nreturn $main;\n}})()"
