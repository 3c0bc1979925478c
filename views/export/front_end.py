"""The front ends of all components as one script, which a browser loads once.

Its address names its contents: a browser keeps it for good, and never runs that of another version.
"""

import json
from functools import cache
from hashlib import sha256

from views.export.bundle import ASSETS, bundle_css, bundle_js, component_js, components, page_script


@cache
def script() -> str:
    """The module, which exports ``draw``."""
    drawn = page_script({name: component_js(name) for name in components()}, [])
    styles = {name: bundle_css(path.with_suffix(".css")) for name, path in components().items()}
    styles["common"] = bundle_css(ASSETS / "common.css")
    main = bundle_js(ASSETS / "front_end" / "front_end.js")
    return f"{drawn}globalThis.styles = {json.dumps(styles)};\n{main}"


@cache
def address() -> str:
    """Where the app answers with it, below the app's own address."""
    return f"front_end/{sha256(script().encode()).hexdigest()[:16]}.js"
