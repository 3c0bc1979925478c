"""The link's protocol, run by run, with a substitute for Streamlit's session state."""

from types import MappingProxyType, SimpleNamespace

import pytest

from views import link, parse


class Query(dict):
    """The part of ``st.query_params`` that the link uses."""

    def to_dict(self):
        return dict(self)

    def from_dict(self, other):
        self.clear()
        self.update(other)


class Browser:
    """One reader's tab: its address, and the runs of a page with these widgets."""

    DEFAULTS = MappingProxyType({"seed": 7, "text": "ab"})

    def __init__(self, st):
        self.st = st

    def run(self, page="sentence"):
        """Run a page."""
        if page != link.session().page:  # Streamlit forgets the widgets of a page that is left
            for name in self.DEFAULTS:
                self.st.session_state.pop(name, None)
        link.begin(page)
        link.session().language = link.bind_param("lang", link.session().language)
        values = {}
        for name, default in self.DEFAULTS.items():
            read = str if name == "text" else parse.number(0, 99)
            values[name] = link.bind_param(name, default, read)
        return values, link.end()

    def act(self, name, value):
        """Turn a widget: its value is there when the run begins."""
        self.st.session_state[name] = value

    def visit(self, **query):
        self.st.query_params.from_dict(query)

    @property
    def address(self):
        return self.st.query_params.to_dict()


@pytest.fixture
def browser(monkeypatch):
    st = SimpleNamespace(
        session_state={}, query_params=Query(), context=SimpleNamespace(locale="en-GB")
    )
    monkeypatch.setattr(link, "st", st)
    return Browser(st)


@pytest.mark.parametrize(
    ("locale", "language"), [("zh-CN", "zh"), ("ZH", "zh"), ("en-GB", "en"), (None, "en")]
)
def test_the_first_language_is_the_browsers(browser, locale, language):
    browser.st.context.locale = locale
    assert link.session().language == language


def test_a_link_without_parameters_means_the_defaults_and_is_not_rewritten(browser):
    assert browser.run() == ({"seed": 7, "text": "ab"}, {})
    assert browser.address == {}


def test_a_link_sets_the_parameters_that_it_has(browser):
    browser.visit(seed="3", text="我/爱", lang="en")
    assert browser.run()[0] == {"seed": 3, "text": "我/爱"}


def test_changed_parameters_are_written_and_defaults_are_not(browser):
    browser.run()
    browser.act("seed", 4)
    assert browser.run()[0]["seed"] == 4
    assert browser.address == {"lang": "en", "seed": "4"}
    browser.act("seed", 7)
    browser.run()
    assert browser.address == {"lang": "en"}


def test_a_written_link_opens_the_same_elsewhere(browser):
    browser.run()
    browser.act("seed", 4)
    browser.act("text", "a b&c=d %20我")
    values, _ = browser.run()
    address = browser.address
    browser.st.session_state.clear()
    browser.visit(**address)
    assert browser.run() == (values, {})


@pytest.mark.parametrize("text", ["x", "-1", "100", "", "1.5"])
def test_an_invalid_parameter_is_reported_and_the_default_used(browser, text):
    browser.visit(seed=text)
    assert browser.run() == ({"seed": 7, "text": "ab"}, {"seed": text})


def test_an_unknown_parameter_is_reported_unless_streamlit_reads_it_or_others_count_by_it(browser):
    of_others = ("embed", "embed_options", "fbclid", "gclid", "utm_source", "utm_id", "mc_cid")
    browser.visit(colour="red", clid="1", seed="3", **dict.fromkeys(of_others, "IwAR_0"))
    assert browser.run() == ({"seed": 3, "text": "ab"}, {"colour": "red", "clid": "1"})
    assert browser.run()[1] == {}


def test_back_restores_the_parameters_of_the_address(browser):
    browser.run()
    for seed in (4, 5):
        browser.act("seed", seed)
        browser.run()
    browser.visit(lang="en", seed="4")
    assert browser.run()[0]["seed"] == 4


def test_a_user_action_wins_over_an_outdated_query(browser):
    browser.run()
    browser.act("seed", 4)
    browser.run()
    browser.act("seed", 5)
    browser.visit()  # seed 4 has not reached the browser yet
    assert browser.run()[0]["seed"] == 5
    assert browser.address == {"lang": "en", "seed": "5"}
    browser.act("seed", 6)
    browser.visit(lang="en", seed="4")  # nor has seed 5
    assert browser.run()[0]["seed"] == 6


def test_a_link_followed_while_an_action_is_being_answered_wins(browser):
    browser.run()
    browser.act("seed", 4)
    browser.visit(lang="en", text="cd")
    assert browser.run()[0] == {"seed": 7, "text": "cd"}
    assert browser.address == {"lang": "en", "text": "cd"}
    browser.act("seed", 5)
    browser.visit(lang="en", text="cd", row="3")  # which the browser itself has written
    assert browser.run()[0] == {"seed": 5, "text": "cd"}


def test_an_address_that_the_browser_has_written_is_not_written_again(browser):
    """It names the initial cell too; Streamlit sends the query before it."""
    link.session().in_browser = frozenset()
    browser.DEFAULTS = {"row": 1, "column": 2}
    browser.visit(row="3")
    browser.run()
    for cell, address in (
        ({"column": 5}, {"row": "3", "column": "5"}),
        ({"row": 1}, {"row": "1", "column": "5"}),
    ):
        for name, position in cell.items():
            browser.act(name, position)
        link.session().address = {"lang": "en", **address}
        browser.run()
        assert browser.address == {"row": "3"}
    browser.act("column", 4)  # of which the browser knows nothing
    browser.run()
    assert browser.address == {"lang": "en", "column": "4"}


def test_a_run_in_which_nothing_happened_changes_nothing(browser):
    browser.visit(seed="3")
    browser.run()
    assert browser.run() == ({"seed": 3, "text": "ab"}, {})
    assert browser.address == {"seed": "3"}


def test_a_text_too_long_for_a_link_is_restored_from_a_snapshot(browser):
    long = "x" * 301
    browser.run()
    browser.act("text", long)
    browser.run()
    before = browser.address
    assert before == {"lang": "en", "omitted": "text~08791470"}
    browser.act("seed", 4)
    browser.run()
    browser.visit(**before)
    assert browser.run()[0] == {"seed": 7, "text": long}
    browser.act("text", "y" * 300)
    browser.run()
    assert browser.address["text"] == "y" * 300


def reloaded(browser, **typed):
    """The address of a reader who typed this, in a session that knows nothing of it."""
    browser.run()
    for name, text in typed.items():
        browser.act(name, text)
    browser.run()
    browser.st.session_state.clear()
    return browser.run()[0]


def test_a_new_session_asks_the_browser_for_a_text_that_was_too_long_for_the_link(browser):
    long = "x" * 301
    assert reloaded(browser, text=long, seed=4) == {"seed": 4, "text": "ab"}
    now = link.session()
    assert (now.omitted.asked, now.omitted.lost) == (("text",), False)
    now.omitted.answer = {"text": long}
    assert browser.run() == ({"seed": 4, "text": long}, {})
    assert (now.omitted.asked, now.omitted.lost) == ((), False)
    assert browser.run()[0]["text"] == long
    assert browser.address == {"lang": "en", "seed": "4", "omitted": "text~08791470"}


@pytest.mark.parametrize("answer", [{"text": ""}, {"text": "y" * 301}])
def test_a_text_that_the_browser_does_not_have_is_reported_until_the_next_action(browser, answer):
    reloaded(browser, text="x" * 301)
    now = link.session()
    now.omitted.answer = answer
    assert browser.run()[0]["text"] == "ab"
    assert (now.omitted.asked, now.omitted.lost) == ((), True)
    browser.run()
    assert now.omitted.lost
    browser.act("text", "abc")
    assert browser.run() == ({"seed": 7, "text": "abc"}, {})
    assert not now.omitted.lost
    assert browser.address == {"lang": "en", "text": "abc"}


def test_an_answer_of_the_browser_does_not_overwrite_newer_input(browser):
    reloaded(browser, text="x" * 301)
    link.session().omitted.answer = {"text": "x" * 301}
    browser.act("text", "abc")
    assert browser.run()[0]["text"] == "abc"
    assert browser.run()[0]["text"] == "abc"
    assert not link.session().omitted.lost


def test_the_number_of_snapshots_is_limited(browser):
    browser.run()
    for seed in range(70):
        browser.act("seed", seed)
        browser.run()
    assert len(link.session().snapshots) == 50


def test_a_page_reopens_with_its_last_query(browser):
    browser.run("sentence")
    browser.act("seed", 4)
    browser.run("sentence")
    browser.visit()
    assert browser.run("image")[0]["seed"] == 7
    link.session().language = "zh"
    assert link.query_of("sentence") == {"lang": "zh", "seed": "4"}
    assert link.query_of("never seen") == {"lang": "zh"}
    browser.visit(seed="4")
    assert browser.run("sentence")[0]["seed"] == 4


def test_values_of_a_cancelled_run_are_not_user_actions(browser):
    browser.run()
    browser.visit(seed="3")
    link.begin("sentence")
    link.bind_param("seed", 7, parse.number(0, 99))
    browser.visit(seed="5")
    values, _ = browser.run()
    assert values["seed"] == 5
    browser.act("seed", 6)
    link.begin("sentence")
    values, _ = browser.run()
    assert (values["seed"], browser.address["seed"]) == (6, "6")


@pytest.mark.parametrize("acts", [False, True])
def test_the_run_after_a_cancelled_one_reads_the_rest_of_the_link(browser, acts):
    browser.visit(seed="3", text="xy", colour="red")
    link.begin("sentence")
    link.bind_param("seed", 7, parse.number(0, 99))
    if acts:
        browser.act("seed", 6)
    assert browser.run() == ({"seed": 6 if acts else 3, "text": "xy"}, {"colour": "red"})
    browser.st.session_state.pop("text")  # a control that is not drawn for once
    assert browser.run()[0]["text"] == "xy"
