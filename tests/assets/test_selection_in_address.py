"""The selection in URL parameters: what is written, and what is read."""

from in_node import evaluate

STORE = """
const stages = { scores: ["batch", "head", "query", "key"], concat: ["batch", "query", "concat"],
  image: ["batch", "row", "column", "channel"], W_Q: ["head", "d_model", "d_k"] };
const drawn = { scores: ["query", "key"], concat: ["query", "concat"], image: ["row", "column"],
  W_Q: ["d_model", "d_k"] };
const store = {
  trace: { heads: given.heads, stage: (key) => stages[key] && { roles: stages[key] } },
  stage: "scores", head: 1, heads: 1, locked: false, presenting: false, machine: true,
  sheet: null,
  drawnRoles: (key) => drawn[key],
  positionOf: (key, role) => ({ query: 0, key: 2, concat: 7, row: 3, column: 4, channel: 1,
    d_model: 5, d_k: 6 })[role],
  meaning: (role) => (role === "token" ? "query" : role),
  ...given.store,
};
"""


def written(heads=2, **store):
    body = STORE + "return Object.entries(address.paramsOf(store));"
    return dict(evaluate(["microscope/hosts/address.js"], body, {"heads": heads, "store": store}))


def read(query, heads=2):
    body = STORE + "return address.selectionOf(new URLSearchParams(given.query), store);"
    return evaluate(
        ["microscope/hosts/address.js"], body, {"heads": heads, "query": query, "store": {}}
    )


def test_the_parameters_count_from_1_and_omit_defaults():
    assert written() == {"stage": "scores", "row": "1", "column": "3", "head": "2"}
    assert written(heads=1, locked=True) == {
        "stage": "scores",
        "row": "1",
        "column": "3",
        "lock": "1",
    }
    shown = written(stage="image", presenting=True, sheet="code")
    assert shown == {"stage": "image", "row": "4", "column": "5", "head": "2", "channel": "2",
                     "present": "1", "below": "code"}  # fmt: skip


def test_a_part_without_heads_keeps_the_head_of_the_whole():
    body = STORE + "return address.paramsOf(store).head ?? null;"
    given = {"heads": 1, "store": {"heads": 2}}
    assert evaluate(["microscope/hosts/address.js"], body, given) == "2"


def test_parameters_give_a_selection():
    selection = read("stage=concat&row=3&column=8&head=1&lock=1&below=map")
    assert selection == {"stage": "concat", "head": 0, "positions": {"query": 2, "concat": 7},
                     "sheet": "map", "locked": True, "presenting": False}  # fmt: skip


def test_invalid_parameters_leave_the_selection_unchanged():
    selection = read("stage=nothing&row=0&column=1e3&head=-1&lock=yes")
    assert selection == {"stage": "scores", "head": 1, "positions": {}, "sheet": None,
                         "locked": False, "presenting": False}  # fmt: skip
    assert (read("head=2")["head"], read("head=3")["head"], read("head=3", heads=3)["head"]) == (
        1,
        1,
        2,
    )


OPENED = """
const went = [];
Object.assign(globalThis, {
  location: { pathname: "/sentence", search: given.search },
  history: {},
  sessionStorage: { getItem: () => given.left, setItem() {} },
  addEventListener() {},
  removeEventListener() {},
});
const go = (selection) => went.push(selection), on = () => () => {};
const opened = link.linked({ store: { ...store, isReady: true, moves: 0 }, go, on });
opened.adopt(given.isNamed, false);
opened.stop();
return went;
"""


def opened(left, search=""):
    """Where a page leads that is opened in a tab in which it has been left so."""
    given = {"heads": 2, "store": {}, "left": left, "search": search, "isNamed": bool(search)}
    return evaluate(["microscope/hosts/link.js"], STORE + OPENED, given)


def test_a_page_opens_with_its_last_selection_but_not_in_presentation_mode():
    [selection] = opened("?lang=en&stage=concat&row=3&column=8&head=1&lock=1&present=1")
    assert selection == read("stage=concat&row=3&column=8&head=1&lock=1")
    assert opened(None) == []
    assert opened("?stage=concat", "?stage=scores&present=1") == [], "the server read the link"


def test_where_the_machine_is_closed_the_link_names_the_word_and_the_head_alone():
    assert written(machine=False) == {"row": "1", "head": "2"}
    assert written(machine=False, presenting=True) == {"row": "1", "head": "2", "present": "1"}
