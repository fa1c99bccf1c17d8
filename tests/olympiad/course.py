"""The course of the event, read from its results while it runs."""
import contextlib
import sqlite3


class Course:
    def __init__(self, path):
        self.path = path

    def rows(self, question):
        """None of a question about results that are not there yet."""
        try:
            with contextlib.closing(sqlite3.connect(f"file:{self.path}?mode=ro", uri=True, timeout=20)) as database:
                return database.execute(question).fetchall()
        except sqlite3.OperationalError:
            return []

    def acts(self, kind):
        """Subjects of the journal's rows, as dictionaries; reason is that of the row."""
        return [{**dict(word.split("=") for word in subject.split() if "=" in word), "reason": reason}
                for subject, reason in self.rows(f"select subject, reason from act where kind = '{kind}' order by number")]

    def meetings(self, stage, part="main"):
        """Those of two bots, in their order."""
        return [row for row in self.acts("fixture")
                if row.get("stage", "1") == str(stage) and "b" in row and row.get("part", "main") == part]

    def ended(self):
        """Results of played meetings, by the number of the meeting."""
        return {row["meeting"]: row for row in self.acts("result")}

    def open(self, stage):
        """Meetings that have begun and were decided neither by their games nor by the desk."""
        over = {row["meeting"] for kind in ("result", "adjudicate", "walkover") for row in self.acts(kind)}
        return [row for row in self.meetings(stage) if row["meeting"] not in over]

    def round(self):
        """Number of the Swiss round that was paired last."""
        return max((int(row["round"]) for row in self.meetings(1)), default=0)
