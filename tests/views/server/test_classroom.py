"""The address of a class: where it comes from, and that its QR code encodes it."""

import argparse
import socket
from itertools import chain

import pytest
import streamlit as st
from claims import for_all

from views.server import classroom

# ISO/IEC 18004, table 9: sides and levels (M, Q, H) whose code words are one block, and how many
# of these are data.
M, Q, H = 0b00, 0b11, 0b10
DATA = {
    (21, M): 16, (25, M): 28, (29, M): 44, (21, Q): 13, (25, Q): 22, (21, H): 9, (25, H): 16,
}  # fmt: skip
# Table 10: where a mask turns modules over.
MASKS = (
    lambda i, j: (i + j) % 2 == 0, lambda i, j: i % 2 == 0, lambda i, j: j % 3 == 0,
    lambda i, j: (i + j) % 3 == 0, lambda i, j: (i // 2 + j // 3) % 2 == 0,
    lambda i, j: i * j % 2 + i * j % 3 == 0, lambda i, j: (i * j % 2 + i * j % 3) % 2 == 0,
    lambda i, j: ((i + j) % 2 + i * j % 3) % 2 == 0,
)  # fmt: skip
FORMAT_MASK = 0b101010000010010


def is_function(i, j, side):
    """Whether a module finds, times or aligns the code or states its format, and holds no data."""
    corner = (i < 9 and j < 9) or (i < 9 and j >= side - 8) or (i >= side - 8 and j < 9)
    aligns = side > 21 and abs(i - (side - 7)) <= 2 and abs(j - (side - 7)) <= 2
    return corner or aligns or 6 in (i, j)


def decoded(rows):
    """The bytes in a QR code of version 1 to 3, read as a reader does, without correcting any."""
    side = len(rows)
    bits = "".join(rows[8][j] for j in (0, 1, 2, 3, 4, 5, 7, 8))
    format_bits = (int(bits, 2) << 7 ^ FORMAT_MASK) >> 10 & 0b11111
    level, mask, read = format_bits >> 3, MASKS[format_bits & 0b111], []
    columns = [j for j in range(side - 1, 0, -2) if j > 6] + [5, 3, 1]
    for turn, right in enumerate(columns):
        for i in range(side)[:: -1 if turn % 2 == 0 else 1]:
            for j in (right, right - 1):
                if not is_function(i, j, side):
                    read.append(str(int(rows[i][j]) ^ mask(i, j)))
    data = "".join(read)[: 8 * DATA[side, level]]
    assert data[:4] == "0100", "bytes"
    length = int(data[4:12], 2)
    return bytes(int(data[12 + 8 * n : 20 + 8 * n], 2) for n in range(length)).decode()


@for_all("url", [
    "http://10.0.0.7", "http://192.168.1.5:8501", "https://am.school.example",
    "http://[fd00::2:15]:8501/attention",
])  # fmt: skip
def test_the_qr_code_encodes_the_address(url):
    rows = classroom.modules(url)
    assert {len(row) for row in rows} == {len(rows)}
    assert set(chain(*rows)) == {"0", "1"}
    assert decoded(rows) == url


@for_all("case", [
    ("192.168.1.5", "http://192.168.1.5:8501"),
    ("fd00::2:15", "http://[fd00::2:15]:8501"),
    ("teacher.local", "http://teacher.local:8501"),
    ("teacher.local:80", "http://teacher.local:80"),
    ("https://am.school.example/x/", "https://am.school.example/x"),
])  # fmt: skip
def test_the_address_is_as_the_operator_named_it_with_the_port_of_the_server(case):
    typed, url = case
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(classroom.VARIABLE, classroom.address(typed))
        options = {"server.port": 8501}
        patch.setattr(st, "get_option", options.get)
        assert classroom.class_url() == url
        options |= {"server.baseUrlPath": "/am/", "server.sslCertFile": "cert.pem"}
        if "://" not in typed:
            assert classroom.class_url() == url.replace("http:", "https:") + "/am"


@for_all("typed", ["", "a b", "http://", "ftp://x", "x/y", "-x", "javascript:alert(1)", "<b>"])
def test_what_cannot_be_an_address_is_refused(typed):
    with pytest.raises(argparse.ArgumentTypeError, match="is not an address"):
        classroom.address(typed)


def test_the_address_is_found_without_sending_anything(monkeypatch):
    sent = []

    class Probe(socket.socket):
        def connect(self, address):
            sent.append((self.type, address))

        def getsockname(self):
            return ("192.168.7.9", 40000)

    monkeypatch.setattr(socket, "socket", Probe)
    monkeypatch.setenv(classroom.VARIABLE, classroom.FIND)
    assert classroom.own_address() == "192.168.7.9"
    assert sent == [(socket.SOCK_DGRAM, ("192.0.2.1", 9))], (
        "a datagram socket only looks the way up"
    )

    def no_way(self, address):
        raise OSError("Network is unreachable")

    monkeypatch.setattr(Probe, "connect", no_way)
    assert classroom.own_address() is None
    assert classroom.class_url() is None


def test_a_server_on_the_loopback_interface_alone_is_recognised(monkeypatch):
    for setting, alone in (
        (None, False), ("0.0.0.0", False), ("::", False), ("192.168.1.5", False),
        ("127.0.0.1", True), ("::1", True), ("localhost", True), ("teacher.local", False),
    ):  # fmt: skip
        monkeypatch.setattr(st, "get_option", {"server.address": setting}.get)
        assert classroom.loopback_only() == (setting if alone else None)
