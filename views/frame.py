"""Streamlit's entrypoint: page settings, language, navigation and the deep link of every page."""

import streamlit as st

from core.sources.visible import visible
from views import link, parse
from views.export.bundle import ASSETS
from views.navigation import CHAPTERS, MENU, ON_WALL, PAGE_INFO, RENAMED, chapter_of
from views.preferences import in_language, theme, words
from views.server.pages import pages_by_name
from views.server.run import one_run
from views.text import CLASSROOM, LANGUAGES
from views.text.spans import isolated
from views.text.streamlit import failures, titles, translations
from views.widgets.component import begin_run, component, early_keys
from views.widgets.prose import notice, notices

st.set_page_config(page_icon="🔬", layout="wide")


def _menu() -> None:
    """All pages by chapter; a lesson's chapter is folded unless its page is shown."""
    info, text = in_language(PAGE_INFO), words().menu
    here = link.session().page
    chapters = [
        {
            "title": info[chapter].title if chapter in CHAPTERS else text[chapter],
            "open": chapter not in CHAPTERS or chapter == chapter_of(here),
            "pages": [
                {
                    "name": name,
                    "label": text.overview if name in CHAPTERS else info[name].title,
                    "address": link.address_of(name),
                }
                for name in names
            ],
        }
        for chapter, names in MENU.items()
    ]
    data = {"label": words().pages_sidebar, "here": here, "chapters": chapters}
    component("menu")(key="pages", data=data)


def _long_values_found() -> None:
    """Callback: the browser has sent those of the values that it has."""
    link.session().omitted.answer = st.session_state["long_values"].answer


pages = pages_by_name(words().code)
page = st.navigation([*pages.values()], position="hidden")
if page.url_path in RENAMED:
    st.switch_page(pages[RENAMED[page.url_path]], query_params=st.query_params.to_dict())
st.html(ASSETS / "frame.css")
with st.container(key="early"):
    st.html(early_keys(), unsafe_allow_javascript=True)
with one_run(page.url_path or "home"):
    link.begin(page.url_path or "home")
    begin_run()
    language = link.bind_param("lang", link.session().language, parse.one_of(list(LANGUAGES)))
    if language:  # an interrupted run can leave its controls without a value
        link.session().language = language
    link.show("lang", link.session().language)
    here = f"{in_language(PAGE_INFO)[link.session().page].title} · {words().product}"
    st.set_page_config(page_title=here)

    has_settings = chapter_of(link.session().page) == "see"
    component("language")(
        data={
            "tag": words().tag,
            "page": here,
            "translations": translations(words().code) + failures(words().code),
            "sidebar": words().settings_sidebar if has_settings else words().pages_sidebar,
        },
        key="html_lang",
    )
    component("connection")(
        data={**words().connection, "titles": titles("connection_error")},
        key="connection", on_again_change=lambda: None,
    )  # fmt: skip
    component("classroom")(data=in_language(CLASSROOM).bar.as_dict(), key="classroom")
    component("theme")(key="theme", data=theme(), on_theme_change=lambda: None)
    shown = {name: link.bind_param(name, False, parse.flag) for name in ("present", "hide")}
    component("wall")(key="wall", data={
        **ON_WALL[link.session().page],
        "path": page.url_path,
        "words": {**words().wall.as_dict(), "presenter": words().microscope.presenter,
                  "leave": words().microscope.leave_presenter,
                  "hide": words().microscope.hide_result, "show": words().microscope.show_result},
        "arrival": link.session().arrivals,
        "linked": shown if link.session().named >= link.PRESENTER else None,
    })  # fmt: skip
    with st.sidebar:
        with st.container(key="product"):
            st.markdown(f"**{words().product}**  \n:gray[{words().other_product}]")
        st.segmented_control(
            words().language,
            list(LANGUAGES),
            format_func=lambda code: LANGUAGES[code].name,
            key="lang",
            required=True,
            label_visibility="collapsed",
            width="stretch",
        )
        _menu()

    notices()
    page.run()
    invalid = link.end()
    now = link.session()
    if now.settings:
        component("settings")(key="settings", data=now.settings)
    component("long_values")(
        data={"page": now.page, "values": now.too_long, "asked": list(now.omitted.asked)},
        key="long_values", on_answer_change=_long_values_found,
    )  # fmt: skip
    if now.omitted.lost:
        notice(words().lost, key="lost_text")
    with st.sidebar:
        shared = words().share_upload if now.uploaded else words().share
        st.caption(words().too_long if now.too_long else shared)
    if invalid:
        quoted = (isolated(visible(f"{name}={text}")[:60]) for name, text in invalid.items())
        parts = words().list_mark.join(quoted)
        notice(words().nonsense.format(parts=parts), key="nonsense")
