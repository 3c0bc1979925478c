"""The answers of a class as CSV: nickname, question, answer and time, and nothing else."""

import csv
import io
from datetime import UTC, datetime

from views.server.classes.room import Question, Room

FORMULA = ("=", "+", "-", "@", "\t", "\r")  # a cell that begins so is computed by a spreadsheet


def answers_csv(room: Room) -> str:
    """One line for each answer, with a byte order mark, without which Excel misreads Chinese."""
    file = io.StringIO()
    lines = csv.writer(file)
    lines.writerow(("nickname", "question", "answer", "time"))
    for number, question in enumerate(room.questions, 1):
        for of_round, answers in enumerate(question.rounds, 1):
            name = f"{number}.{of_round} {_about(question)}"
            for seat, (answer, time) in answers.items():
                student = room.students[seat]
                when = datetime.fromtimestamp(time, UTC).isoformat(timespec="seconds")
                who = student.name or str(student.number)
                lines.writerow(map(as_text, (who, name, _picked(question, answer), when)))
    return "\ufeff" + file.getvalue()


def as_text(cell: str) -> str:
    """A cell that no spreadsheet takes for a formula; a number stays one."""
    try:
        float(cell)
    except ValueError:
        return f"'{cell}" if cell.startswith(FORMULA) else cell
    return cell


def _about(question: Question) -> str:
    ask = question.ask
    return str(ask["text"] or " ".join((ask["asks"], *ask["about"])))


def _picked(question: Question, answer: str) -> str:
    """The answer as it reads: of options the one that was picked."""
    options = question.ask["options"]
    if question.ask["form"] == "pick" and answer.isdecimal() and int(answer) < len(options):
        return str(options[int(answer)])
    return answer
