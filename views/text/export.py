"""What a file says that holds one microscope and needs no server."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class ExportWords:
    """Around the microscope: what went in, where the weights and the file come from.

    counted: tokens that have no names, as so many. one_head: which head of several the file holds.
    """

    input: str
    weights: str
    address: str
    counted: Mapping[str, str]
    one_head: str


WORDS = {
    "zh": ExportWords(
        input="输入",
        weights="权重",
        address="来自",
        counted={"patch": "{n} 块", "frame": "{n} 帧"},
        one_head=(
            "这个文件只带了第 {head} 头的数（一共 {heads} 头）：全部带上会太大。"
            "要看别的头，请在应用里选那一头再存一次。"
        ),
    ),
    "en": ExportWords(
        input="Input",
        weights="Weights",
        address="From",
        counted={"patch": "{n} patches", "frame": "{n} frames"},
        one_head=(
            "This file holds the numbers of head {head} of {heads} alone: all of them would be too "
            "large. To see another head, choose it in the app and save again."
        ),
    ),
}
