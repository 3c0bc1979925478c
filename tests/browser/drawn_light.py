"""The brightness of a photo's patches on the screen."""

import base64
from itertools import pairwise

import numpy as np
from playwright.sync_api import Locator
from wcag import luminance

_PIXELS = """(canvas) => {
  const { data, width, height } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
  const text = Array.from(data, (byte) => String.fromCharCode(byte)).join("");
  return { data: btoa(text), width, height };
}"""  # noqa: E501


def light_by_patch(canvas: Locator, side: int) -> np.ndarray:
    """The mean luminance of each patch as it is drawn: (patch,). side: patches along one side."""
    found = canvas.evaluate(_PIXELS)
    pixels = np.frombuffer(base64.b64decode(found["data"]), np.uint8)
    light = luminance(pixels.reshape(found["height"], found["width"], 4)[..., :3])
    rows, columns = (
        np.floor(np.arange(side + 1) * length / side + 0.5).astype(int) for length in light.shape
    )
    return np.array([
        light[top:bottom, left:right].mean()
        for top, bottom in pairwise(rows)
        for left, right in pairwise(columns)
    ])  # fmt: skip


def follows(light: np.ndarray, weights: np.ndarray) -> bool:
    """Whether no patch is darker than one with a clearly smaller weight, on any photo."""
    ordered = light[weights.argsort()]
    return bool((np.maximum.accumulate(ordered) - ordered).max() < 0.02)
