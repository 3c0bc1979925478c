"""Files with attention of other programs are read as they are; a hostile one ends in one error."""

import json
from io import BytesIO
from zipfile import ZIP_DEFLATED, ZipFile

import ml_dtypes
import numpy as np
from claims import for_all
from refuses import refuses
from safetensors.numpy import save

from core.errors import InputError
from core.sources import apart
from core.sources.tensor_file import read_tensors, trace_in

HEADS, QUERY, KEY, D_K, D_V = 2, 3, 5, 7, 11
RANDOM = np.random.default_rng(5)
Q, K, V = (
    RANDOM.normal(size=(HEADS, n, width)).astype(np.float32)
    for n, width in ((QUERY, D_K), (KEY, D_K), (KEY, D_V))
)
SHARES = RANDOM.dirichlet(np.ones(KEY), (3, HEADS, QUERY)).astype(np.float32)
NAMES = ["我", "爱", "北京"]


def npz(**arrays):
    file = BytesIO()
    np.savez(file, **arrays)
    return file.getvalue()


def bomb():
    """More zeros than the process that reads them may hold, in a few megabytes."""
    file, header = BytesIO(), BytesIO()
    np.lib.format.write_array_header_1_0(
        header, {"descr": "<f4", "fortran_order": False, "shape": (1, 23_000, 23_000)}
    )
    zipped = ZipFile(file, "w", ZIP_DEFLATED, compresslevel=1)
    with zipped as archive, archive.open("weights.npy", "w") as member:
        member.write(header.getvalue())
        for _ in range(700):
            member.write(bytes(2**20))
    return file.getvalue()


def claiming(shape):
    """The header of a tensor that is not there."""
    file, data = BytesIO(), BytesIO()
    np.lib.format.write_array_header_1_0(
        data, {"descr": "<f4", "fortran_order": False, "shape": shape}
    )
    with ZipFile(file, "w") as archive:
        archive.writestr("weights.npy", data.getvalue())
    return file.getvalue()


def test_weights_of_layers_and_tokens_are_read_from_both_kinds_of_files():
    told = {"tokens": json.dumps(NAMES)}
    for data in (npz(weights=SHARES, tokens=NAMES), save({"weights": SHARES}, told)):
        trace = trace_in(*apart.read(read_tensors, data))
        assert (trace["layer/3/weights"].tensor == SHARES[2:]).all()
        assert trace["layer/1/weights"].axis("query").names() == tuple(NAMES)


def test_q_k_v_and_what_stands_beside_them_are_computed():
    halves = {n: t.astype(ml_dtypes.bfloat16) for n, t in zip("QKV", (Q, K, V), strict=True)}
    mask, W_O = np.tri(QUERY, KEY, dtype=bool), np.ones((HEADS * D_V, 4), np.float32)
    trace = trace_in(*read_tensors(save({**halves, "mask": mask, "W_O": W_O})))
    exact = trace["layer/1/Q"].tensor[0]
    assert (exact == halves["Q"].astype(np.float32)).all()
    assert (np.isinf(trace["layer/1/masked"].tensor[0]) == ~mask).all()
    assert trace["layer/1/output"].tensor.shape == (1, QUERY, 4)
    own = trace["layer/1/weights"].tensor
    same = {**halves, "mask": mask, "weights": own}
    assert "layer/1/weights" in trace_in(*read_tensors(save(same)))
    with refuses("not_its_weights"):
        trace_in(*read_tensors(save({**halves, "weights": own})))


HOSTILE = {
    "a pickle in it": (npz(weights=np.array([{}], object)), "damaged_tensors"),
    "cut off": (npz(weights=SHARES)[:500], "damaged_tensors"),
    "a claim": (claiming((1, 10**5, 10**5)), "takes_too_much"),
    "a bomb": (None, "takes_too_much"),
    "other names": (npz(attention=SHARES, tokens=NAMES), "no_tensors"),
    "nothing": (b"", "empty_file"),
    "a text": (b"weights = 1", "damaged_tensors"),
    "a web page": (b"<!doctype html>", "wrong_file_type"),
    "a header that lies": (save({"weights": SHARES})[:-4], "damaged_tensors"),
    "tokens that are none": (npz(weights=SHARES, tokens=3), "damaged_tensors"),
    "very many heads": (npz(weights=np.ones((2000, 1, 1))), "out_of_range"),
    "long": (npz(Q=np.ones((9000, 1)), K=np.ones((9000, 1)), V=V), "trace_too_large"),
}


@for_all("name", HOSTILE)
def test_a_hostile_file_ends_in_one_error(name):
    data, code = HOSTILE[name]
    with refuses(code):
        apart.read(read_tensors, bomb() if data is None else data)


def test_tensors_of_any_shapes_fit_or_are_refused():
    drawn = np.random.default_rng(7)
    for _ in range(300):
        shapes = [drawn.integers(0, 4, drawn.integers(0, 5)) for _ in range(5)]
        arrays = dict(zip(("Q", "K", "V", "mask", "W_O"), map(np.ones, shapes), strict=True))
        kept = {n: a for n, a in arrays.items() if n in "QKV" or drawn.random() < 0.5}
        one = {"weights": arrays["Q"]} if drawn.random() < 0.3 else {}
        try:
            trace_in(*read_tensors(npz(**kept, **one, tokens=["a"] * int(drawn.integers(4)))))
        except InputError:
            continue
