"""A microscope's place in an address: what is written, and where it leads."""

from in_node import evaluate

STORE = """
const stages = { scores: ["batch", "head", "query", "key"], concat: ["batch", "query", "concat"],
  image: ["batch", "row", "column", "channel"], W_Q: ["head", "d_model", "d_k"] };
const drawn = { scores: ["query", "key"], concat: ["query", "concat"], image: ["row", "column"],
  W_Q: ["d_model", "d_k"] };
const store = {
  trace: { heads: given.heads, stage: (key) => stages[key] && { roles: stages[key] } },
  stage: "scores", head: 1, heads: 1, locked: false, presenting: false, sheet: null,
  drawnRoles: (key) => drawn[key],
  placeOf: (key, role) => ({ query: 0, key: 2, concat: 7, row: 3, column: 4, channel: 1,
    d_model: 5, d_k: 6 })[role],
  meaning: (role) => (role === "token" ? "query" : role),
  ...given.store,
};
"""


def said(heads=2, **store):
    body = STORE + "return Object.entries(address.paramsOf(store));"
    return dict(evaluate(["microscope/hosts/address.js"], body, {"heads": heads, "store": store}))


def led(query, heads=2):
    body = STORE + "return address.placeOf(new URLSearchParams(given.query), store);"
    return evaluate(
        ["microscope/hosts/address.js"], body, {"heads": heads, "query": query, "store": {}}
    )


def test_an_address_counts_from_1_and_says_no_more_than_is_needed():
    assert said() == {"stage": "scores", "row": "1", "column": "3", "head": "2"}
    assert said(heads=1, locked=True) == {"stage": "scores", "row": "1", "column": "3", "lock": "1"}
    shown = said(stage="image", presenting=True, sheet="code")
    assert shown == {"stage": "image", "row": "4", "column": "5", "head": "2", "channel": "2",
                     "present": "1", "below": "code"}  # fmt: skip


def test_a_part_without_heads_keeps_the_head_of_the_whole():
    body = STORE + "return address.paramsOf(store).head ?? null;"
    given = {"heads": 1, "store": {"heads": 2}}
    assert evaluate(["microscope/hosts/address.js"], body, given) == "2"


def test_an_address_leads_to_its_place():
    place = led("stage=concat&row=3&column=8&head=1&lock=1&below=map")
    assert place == {"stage": "concat", "head": 0, "places": {"query": 2, "concat": 7},
                     "sheet": "map", "locked": True, "presenting": False}  # fmt: skip


def test_what_makes_no_sense_leaves_the_place_as_it_is():
    place = led("stage=nothing&row=0&column=1e3&head=-1&lock=yes")
    assert place == {"stage": "scores", "head": 1, "places": {}, "sheet": None, "locked": False,
                     "presenting": False}  # fmt: skip
    assert (led("head=2")["head"], led("head=3")["head"], led("head=3", heads=3)["head"]) == (
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
const go = (place) => went.push(place), on = () => () => {};
const opened = link.linked({ store: { ...store, isReady: true, moves: 0 }, go, on });
opened.adopt(given.isNamed, false);
opened.stop();
return went;
"""


def opened(left, search=""):
    """Where a page leads that is opened in a tab in which it has been left so."""
    given = {"heads": 2, "store": {}, "left": left, "search": search, "isNamed": bool(search)}
    return evaluate(["microscope/hosts/link.js"], STORE + OPENED, given)


def test_a_page_is_opened_where_it_was_left_but_not_in_presentation_mode():
    [place] = opened("?lang=en&stage=concat&row=3&column=8&head=1&lock=1&present=1")
    assert place == led("stage=concat&row=3&column=8&head=1&lock=1")
    assert opened(None) == []
    assert opened("?stage=concat", "?stage=scores&present=1") == [], "the server read the link"
