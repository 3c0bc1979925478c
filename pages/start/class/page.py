from core.limits import CLASS
from views.preferences import in_language, words
from views.server.classes.lessons import lessons
from views.text import CLASSROOM, words_beside
from views.widgets.component import component
from views.widgets.prose import prose, title

text = in_language(words_beside(__file__))
title(text.title)
prose([[(text.lead, "")]], key="class_lead", style="lead")
about = text.texts.teach_about.format(hours=f"{CLASS.hours:g}", students=CLASS.students)
component("class_page")(
    key="class_page",
    data={
        "texts": text.texts.as_dict() | {"teach_about": about},
        "words": in_language(CLASSROOM).bar.as_dict(),
        "lessons": lessons(words().code),
    },
)
