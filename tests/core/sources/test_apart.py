"""A file is read by another process as by this one, and nothing that it does there reaches this."""

import os
import signal
import subprocess
import sys
import threading
import time
from dataclasses import replace
from pathlib import Path

import handed_in
import numpy as np
import pytest
from claims import for_all
from picture_files import file, numbers
from refuses import refuses

from core.limits import READING, TOKENIZING
from core.sources import apart, picture, recording
from core.sources.apart import Reader

ROOT = Path(__file__).parents[3]
QUICK = replace(READING, cpu_seconds=0.5, wait=60.0)


@pytest.fixture
def reader():
    made = Reader(QUICK)
    yield made
    made.end()


def test_a_file_is_read_as_in_this_process():
    data = file(numbers(600, 500, 3), "PNG")
    facts, pixels = apart.read(picture.read_square, data, most=448)
    expected_facts, expected = picture.read_square(data, most=448)
    assert facts == expected_facts
    np.testing.assert_array_equal(pixels, expected)
    sound = recording.encode(np.sin(np.arange(4_000)), 8_000)
    facts, samples = apart.read(recording.read_sound, sound)
    expected_facts, expected = recording.read_sound(sound)
    assert facts == expected_facts
    np.testing.assert_array_equal(samples, expected)
    assert samples.dtype == expected.dtype


def test_an_error_arrives_with_its_values():
    with refuses("image_too_large", width=16_000, height=16_000):
        apart.read(picture.read_square, bmp_with_header(16_000, 16_000), most=448)
    with refuses("empty_file", file=""):
        apart.read(recording.read_sound, b"")


def bmp_with_header(width, height):
    data = file(numbers(2, 2, 3), "BMP")
    size = width.to_bytes(4, "little") + height.to_bytes(4, "little")
    return data[:18] + size + data[26:]


def test_what_a_library_prints_is_no_answer(reader):
    facts, array = reader.read(handed_in.talks, b"[1]", {})
    assert (facts, array.shape) == ({"printed": [1]}, (2, 1))


@pytest.mark.skipif(sys.platform != "linux", reason="the limits are Linux's")
@for_all("name", ["computes", "ends", "grows"])
def test_a_process_beyond_its_limits_is_ended_and_its_file_refused(name):
    reader = Reader(QUICK)
    with refuses("takes_too_much", seconds="0.5", memory=READING.memory_bytes):
        reader.read(getattr(handed_in, name), b"", {})
    assert (reader.usable, reader.late) == (name == "grows", False)
    reader.end()


def test_a_process_that_does_nothing_is_ended_by_the_clock():
    reader = Reader(replace(READING, wait=0.2))
    with refuses("takes_too_much"):
        reader.read(handed_in.waits, b"", {})
    assert (reader.usable, reader.late) == (False, True)
    reader.end()


def test_one_readers_hostile_file_does_not_hold_up_the_others_and_leaves_the_next_a_process(
    monkeypatch,
):
    assert READING.processes >= 2

    def hostile():
        with refuses("takes_too_much"):
            apart.read(handed_in.computes, b"without end")

    thread = threading.Thread(target=hostile)
    thread.start()
    for number in range(5):
        apart.read(handed_in.echo, bytes([number]))
    assert thread.is_alive(), "five small files took longer than one without end"
    thread.join()
    with monkeypatch.context() as patched, refuses("takes_too_much"):
        patched.setattr(Reader, "read", lambda *_: pytest.fail("the same file is tried again"))
        apart.read(handed_in.computes, b"without end")
    for number in range(READING.processes + 1):
        facts, array = apart.read(handed_in.echo, bytes([number]), some=[number])
        assert (facts, array.tolist()) == ({"options": {"some": [number]}}, [number])


def test_a_process_that_was_ended_while_it_waited_is_replaced():
    apart.read(handed_in.echo, b"1")
    for waiting in apart._made(READING)._free.queue:
        waiting.process.kill()
        waiting.process.wait()
    for number in range(READING.processes):
        _, array = apart.read(handed_in.echo, bytes([number]))
        assert array.tolist() == [number]


STARTED = """
import signal, sys, time
signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored in the background of a shell
print("the main module runs", flush=True)
from core.sources import apart
apart.start()
print(open("/proc/thread-self/children").read(), flush=True)
time.sleep(60)
"""


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="processes are looked for in /proc")
@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGKILL])
def test_the_processes_end_with_the_app_and_do_not_run_its_main_module(sent, tmp_path):
    script = tmp_path / "main.py"
    script.write_text(STARTED)
    app = subprocess.Popen(
        [sys.executable, script], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
        env=os.environ | {"PYTHONPATH": str(ROOT)}, start_new_session=True,
    )  # fmt: skip
    assert app.stdout.readline() == "the main module runs\n"
    children = app.stdout.readline().split()
    assert len(children) == READING.processes + TOKENIZING.processes
    # Ctrl-C goes to all processes of a terminal.
    os.killpg(app.pid, sent) if sent == signal.SIGINT else app.kill()
    rest, _ = app.communicate(timeout=60)
    assert rest == ""
    until = time.monotonic() + 60
    while any(Path(f"/proc/{child}").exists() for child in children):
        assert time.monotonic() < until
        time.sleep(0.05)
