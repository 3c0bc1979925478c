"""Streamlit may end a run of a component after the next one has started."""

import re
from pathlib import Path

import numpy as np
from in_node import evaluate

from views.scene.blob import pack

ASSETS = Path(__file__).parents[2] / "assets"
RUNS = """
  const ground = {}, events = [];
  const run = (name) => dom.effect(ground, () => {
    events.push(`${name} starts`);
    return () => events.push(`${name} ends`);
  });
  const first = run("first"), second = run("second");
  first();
  second();
  second();
  return events;
"""
# The order in which Streamlit's browser goes where data changes before a component's code is there.
SOUNDS = """
  globalThis.document = new EventTarget();
  const data = given.map((sent) => new Uint8Array(sent));
  const parentElement = {}, notified = [];
  const store = { sound: null, notify: (what) => notified.push(what) };
  const ends = data.map((one) => samples.default({ data: one, parentElement }));
  ends[0]();
  connect.announce({ name: "main", store, element: new EventTarget() });
  return { notified, samples: [...store.sound.samples] };
"""


def test_a_run_that_was_overtaken_ends_once_and_before_the_next_one_starts():
    expected = ["first starts", "first ends", "second starts", "second ends"]
    assert evaluate(["shared/dom.js"], RUNS, None) == expected


def test_the_sound_of_a_run_that_overtook_another_reaches_a_microscope_that_comes_later():
    sent = [
        pack(
            {"hop": 160},
            {
                "samples": np.array(samples, "<i2").view(np.uint8),
                "levels": np.zeros((1, 2), np.uint8),
            },
        )
        for samples in ([1, 2], [3, 4, 5])
    ]
    modules = ["sound/samples.js", "microscope/hosts/connect.js"]
    assert evaluate(modules, SOUNDS, sent) == {"notified": ["sound"], "samples": [3, 4, 5]}


def test_no_component_shares_what_a_run_cleans_up_with_the_next_run():
    """A cleanup is `effect`'s, or ends nothing but what its own run made."""
    own = {"microscope/hosts/run.js", "microscope/hosts/weights.js"}
    body = re.compile(r"export default function.*?^}", re.S | re.M)
    cleaning = {
        str(path.relative_to(ASSETS)): found[0]
        for path in sorted(ASSETS.rglob("*.js"))
        if (found := body.search(path.read_text("utf-8"))) and re.search(r"\breturn\b", found[0])
    }
    assert own <= cleaning.keys()
    shared = [
        name
        for name, text in cleaning.items()
        if re.search(r"^  return (?!;)", text, re.M)
        and not re.search(r"(effect|onRemoval)\(parentElement", text)
    ]
    assert sorted(own) == shared
