"""The scene against its schema."""

import json
from copy import deepcopy
from functools import cache
from itertools import cycle
from pathlib import Path

from blob_reader import unpacked
from claims import for_all
from jsonschema import Draft202012Validator
from shown_traces import TRACES, many_patches, plain

from core.kinds import POSITION_KINDS
from views.scene import scene as module
from views.scene.scene import VERSION, scene
from views.text import LANGUAGES

SCHEMA = json.loads((Path(module.__file__).parent / "schema.json").read_text("utf-8"))
VALIDATOR = Draft202012Validator(SCHEMA)
STEPS = ("tokens", "X", "masked", "weights", "normalised")
ADDED = (
    (), ("stages", "Q"), ("stages", "Q", "scale"), ("drawings", "weights"),
    ("drawings", "weights", "planes", 0), ("drawings", "weights", "planes", 0, "rows"),
    ("steps", 0), ("stored", "Q"), ("arrays", "Q"), ("words",), ("palettes",), ("sheets",),
    ("sheets", "map"),
)  # fmt: skip


@cache
def header_of(trace, key, language="en", **options):
    return unpacked(scene(trace(), key, 0, 0, STEPS, LANGUAGES[language], **options))[0]


def faults(header):
    found = VALIDATOR.iter_errors(header)
    return [f"{'/'.join(map(str, error.path))}: {error.message[:200]}" for error in found]


def test_the_schema_is_valid_json_schema():
    Draft202012Validator.check_schema(SCHEMA)
    assert SCHEMA["properties"]["version"]["const"] == VERSION
    assert tuple(SCHEMA["$defs"]["position_kind"]["enum"]) == POSITION_KINDS


def test_every_scene_is_as_the_schema_says():
    made = [
        (name, header_of(trace, list(trace())[-1], language))
        for (name, trace), language in zip(TRACES.items(), cycle(LANGUAGES), strict=False)
    ]
    made.append(("in columns", header_of(plain, "weights", convention="columns")))
    made += [(f"196 patches {key}", header_of(many_patches, key)) for key in ("image", "scores")]
    wrong = [f"{name}: {fault}" for name, header in made for fault in faults(header)]
    assert not wrong, "\n".join(wrong)


@for_all("path", ADDED)
def test_a_field_that_the_schema_does_not_name_is_invalid(path):
    header = deepcopy(header_of(plain, "weights"))
    part_of = header
    for part in path:
        part_of = part_of[part]
    part_of["more"] = 1
    assert len(faults(header)) == 1


def test_every_field_is_needed_and_of_its_type():
    fields = SCHEMA["properties"]
    assert set(faults({})) == {f": '{field}' is a required property" for field in fields}
    for field in fields:
        assert any(fault.startswith(f"{field}: ") for fault in faults({field: "?"})), field
