import json
from collections.abc import Iterator

import pytest
from claims import for_all
from shown_traces import STAGES, TRACES

from core.notation import FORMULAS, SYMBOLS
from core.rules import Given
from views.figures.formula import MASK, Node, formula

LEAVES = {"mi", "mn", "mo"}
HOLDERS = {"mrow": None, "mtable": None, "mtr": None, "mtd": None, "mspace": 0}
HOLDERS |= {"msqrt": 1, "msub": 2, "msup": 2, "mfrac": 2, "msubsup": 3}
EQUALS, PLUS = Node("mo", ("=",)), Node("mo", ("+",))


def everything(node: Node) -> Iterator[Node]:
    yield node
    for child in node.children:
        if isinstance(child, Node):
            yield from everything(child)


def means(latex: str) -> list[str]:
    return [node.means for node in everything(formula(latex)) if node.means]


def name(text: str, means: str | None = None) -> Node:
    return Node("mi", (text,), means)


def number(text: str) -> Node:
    return Node("mn", (text,))


@for_all(("trace", "key"), STAGES)
def test_every_element_of_a_formula_has_its_number_of_children(trace, key):
    for node in everything(formula(TRACES[trace]()[key].formula)):
        if node.tag in LEAVES:
            (text,) = node.children
            assert isinstance(text, str)
            assert not set(text) & set("\\{}^$&")
        else:
            assert all(isinstance(child, Node) for child in node.children)
            assert HOLDERS[node.tag] in (None, len(node.children))


@for_all("latex", [*FORMULAS.values(), *SYMBOLS.values(), r"1/\sqrt{d_k}"])
def test_every_formula_of_the_notation_is_parsed(latex):
    assert formula(latex).children


@for_all(("trace", "key"), STAGES)
def test_a_symbol_means_a_stage_of_its_trace_or_an_axis_or_the_masks(trace, key):
    stages = TRACES[trace]()
    roles = {axis.role for stage in stages.values() for axis in stage.axes}
    found = means(stages[key].formula)
    assert set(found) <= {*stages, *roles, MASK}
    assert (MASK in found) == (key == "masked" and stages[key].kind != "biased")


@for_all(("trace", "key"), STAGES)
def test_a_formula_names_its_own_stage_and_all_that_this_is_computed_from(trace, key):
    stage = TRACES[trace]()[key]
    found = means(stage.formula)
    assert found[0] == key
    masks = {"key_mask", "causal", "sliding_window", "allowed", "not_hidden", "head_mask"}
    read = {MASK if read in masks else read for read in stage.computed_from}
    assert read <= set(found)


def test_a_given_stage_is_its_symbol_alone():
    for trace, key in STAGES:
        stage = TRACES[trace]()[key]
        if isinstance(stage.rule, Given) and key not in ("position", "others"):
            assert means(stage.formula) == [key]


D_K = Node("msub", (name("d"), name("k")))
K_TRANSPOSED = Node("msup", (name("K"), name("⊤")), "K")


@for_all(
    ("latex", "right"),
    [
        (r"\text{weights} = Q K^\top", [name("Q", "Q"), K_TRANSPOSED]),
        # A root has the meaning of its content, and a function none.
        (
            r"\text{weights} = \frac{\text{scores}}{\sqrt{d_k}}",
            [Node("mfrac", (name("scores", "scores"), Node("msqrt", (D_K,), "d_k")))],
        ),
        (
            r"\text{weights} = \operatorname{softmax}(\text{masked})",
            [
                name("softmax"),
                Node("mo", ("(",)),
                name("masked", "masked"),
                Node("mo", (")",)),
            ],
        ),
    ],
)
def test_a_formula_is_parsed_to_its_tree(latex, right):
    assert formula(latex) == Node("mrow", (name("weights", "weights"), EQUALS, *right))


def test_aligned_equations_become_a_table():
    d_model = Node("msub", (name("d"), name("model")), "d_model")
    power = Node("mrow", (number("2"), name("i"), name("/"), d_model))
    angle = Node("mfrac", (name("p"), Node("msup", (number("10000"), power))))

    def equation(function: str, *index: Node) -> Node:
        argument = Node("mrow", (name("p"), Node("mo", (",",)), number("2"), name("i"), *index))
        left = Node("msub", (name("PE"), argument), "position")
        right = (EQUALS, name(function), Node("mspace", ()), angle)
        return Node("mtr", (Node("mtd", (left,)), Node("mtd", right)))

    table = Node("mtable", (equation("sin"), equation("cos", PLUS, number("1"))))
    assert formula(TRACES["plain"]()["position"].formula) == Node("mrow", (table,))


@for_all(
    ("latex", "expected"),
    [
        ("V = M W^V + b^V", ["V", "memory", "W_V", "b_V"]),
        (r"\text{masked} = \text{scaled} + B + M", ["masked", "scaled", "bias", "mask"]),
        (r"\text{embedding} = E_{\text{tokens}}", ["embedding", "E", "tokens"]),
        (r"[x_{\text{CLS}};\ \text{embedding}]", ["cls", "embedding"]),
        (r"\text{head\_output}_1, \dots, \text{head\_output}_h", ["head_output"] * 2 + ["head"]),
        (r"\frac{1}{T} \cdot s \cdot \text{scores}", ["scores"]),
        (r"\frac{\text{weights} \odot \text{keep}}{1 - p}", ["weights", "keep"]),
        ("W^Q", ["W_Q"]),
        ("W/P", ["width"]),
    ],
)
def test_each_symbol_means_one_thing(latex, expected):
    assert means(latex) == expected


def test_subscript_comes_before_superscript_in_either_order():
    expected = Node("msubsup", (name("y"), name("i"), number("2")))
    assert formula("y_i^2").children == formula("y^2_i").children == (expected,)


def test_a_hyphen_becomes_a_minus_sign_and_nodes_serialise_to_json():
    read = formula("1 - p")
    assert read == Node("mrow", (number("1"), Node("mo", ("−",)), name("p")))
    assert json.loads(json.dumps(read)) == [
        "mrow",
        [["mn", ["1"], None], ["mo", ["−"], None], ["mi", ["p"], None]],
        None,
    ]


@for_all(
    ("latex", "unknown"),
    [
        (r"Q \times K", r"\times"), (r"\mathrm{Q}", r"\mathrm"), (r"\text{two words}", r"\text"),
        (r"\begin{cases} Q \end{cases}", r"\begin"), (r"x \_ y", r"\_"), ("Q * K", "*"),
        ("d²", "²"), ("我", "我"), ("x_i_j", "_"), ("10^23", "23"),
        ("Q }", "}"), (r"Q \\ K", r"\\"),
        (r"\frac{1}2", "2"), (r"\sqrt{d_k", "the end"), ("Q^", "the end"),
    ],
)  # fmt: skip
def test_latex_outside_the_subset_raises_value_error_with_its_name(latex, unknown):
    with pytest.raises(ValueError) as refused:
        formula(latex)
    assert str(refused.value).startswith(unknown + " ")
    assert str(refused.value).endswith(latex)
