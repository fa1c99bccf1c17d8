"""revisions: new_entry for bots of other machines: a key that comes with another version plays on as NAME.2, in an event with a door of
its own and at a host; it is no way out of a game, a quarantine, limits, or to names without end."""
import contextlib
import json
import os
import re
import sqlite3
import subprocess

from door_case import DoorCase
from harness import kill, main, read

VERIFY_MATCH = os.path.join(os.path.dirname(__file__), "..", "..", "docs", "verify_match.py")
# A game of it is running at any time.
SLOW = """import time
honest = bgref_bot.best_index
def best_index(ask):
    time.sleep(0.02)
    return honest(ask)
bgref_bot.best_index = best_index
"""
HOST_EVENT = """event: left
bots:
  - {{name: anna, remote: true}}
  - random
pairs: {pairs}
length: 1
revisions: new_entry
door: {{appear: 60s}}
"""
HOST = """host: {{name: club, folder: hosted}}
bots: {{listen: "tcp://127.0.0.1:{port}", key: host.key, allow: allow.yaml}}
events:
  - {{file: left.yaml, start: always}}
"""


class NewEntryRemote(DoorCase):
    results = "r.db"

    # ---- the event

    def own(self, pairs=12000, keys="", **more):
        """An event with a door of its own."""
        return self.event(pairs=pairs, appear="60s", **{"- random": "- random\n  - greedy", "length: 3": "length: 1",
                                                        "results:": f"revisions: new_entry\n{keys}results:", **more})

    def host(self, pairs=4000, more=""):
        self.results = "hosted/left.db"
        self.write("left.yaml", HOST_EVENT.format(pairs=pairs) + more)
        self.write("host.yaml", HOST.format(port=self.free_port()))
        host = self.start("host", "host.yaml")
        self.waits_for(host, "door: tcp://")
        return host

    # ---- what the results say

    def rows(self, question):
        try:
            with contextlib.closing(sqlite3.connect(f"file:{self.path(self.results)}?mode=ro", uri=True)) as results:
                return results.execute(question).fetchall()
        except sqlite3.OperationalError:
            return []

    def games(self, name):
        return (self.rows(f"select count(*) from game where a = '{name}' or b = '{name}'") or [(0,)])[0][0]

    def wait_games(self, name, more=1):
        count = self.games(name) + more
        self.wait_until(lambda: self.games(name) >= count, f"games of {name}", 60)

    def acts(self):
        return self.rows("select kind, subject from act where kind in ('withdraw', 'enter', 'late-enter') order by number")

    def versions(self, name):
        return {re.search(r"version[01] python (\S+)", row[0]).group(1)
                for row in self.rows(f"select record from game where a = '{name}' or b = '{name}'")}

    def is_proved(self):
        self.must("verify", self.results)
        self.must("export", self.results, "--records", "--output", "r.txt")
        checked = subprocess.run(["/usr/bin/python3", VERIFY_MATCH, self.path("r.txt")], capture_output=True, timeout=300, check=False)
        self.assertEqual(checked.returncode, 0, checked.stderr)

    def changes(self, before, version, to):
        """The author ends one version and starts another, which then plays under this name."""
        if before is not None:
            kill(before)
        join = self.join(self.python_of(version))
        self.waits_for(join, f"welcome: you play as {to} in ", 60)
        self.wait_games(to)
        return join

    # ---- it goes on

    def test_with_its_own_door_it_plays_on_under_the_next_name_to_the_end(self):
        event = self.own(pairs=12)
        first = self.join(self.python_of("1.0"))
        self.waits_for(first, "game 2 against")
        self.wait_games("anna")
        second = self.changes(first, "2.0", "anna.2")
        self.assertNotIn("the host refuses", self.said(second))
        self.ends(event, 7)  # as after a withdrawal: anna and anna.2 have not met
        self.assertIn("goodbye: the event has ended", self.ends(second))
        self.assertEqual(self.acts(), [("withdraw", "bot=anna")])
        self.assertEqual(self.rows("select reason from act where kind = 'withdraw'")[0][0],
                         "its version changed (python 1.0 then, python 2.0 now), and it goes on as anna.2")
        self.assertEqual([self.versions("anna"), self.versions("anna.2")], [{"1.0"}, {"2.0"}])
        self.assertEqual(self.games("anna.2"), 48)
        self.assertLess(self.games("anna"), 48)
        self.assertEqual(self.rows("select count(*) from game where a like 'anna%' and b like 'anna%'"), [(0,)])
        for table in (self.must("show", "r.db")[0], self.must("report", "r.db", "--text")[0]):
            self.assertRegex(table.replace("\n", " "), r"anna\.2 continues anna, whose program changed during the event")
        self.is_proved()

    def test_at_a_host_it_is_told_everywhere_and_a_kill_changes_nothing(self):
        host = self.host()
        first = self.join(self.python_of("1.0"))
        self.waits_for(first, "game 2 against")
        self.wait_games("anna")
        second = self.changes(first, "2.0", "anna.2")
        table = self.must("join", "host.bgref", "--key", "anna.key", "--status")[0]
        self.assertIn("\n  you play as anna.2\n", table)
        told = json.loads(self.must("join", "host.bgref", "--key", "anna.key", "--status", "--json")[0])
        self.assertEqual((told["bot"], told["events"][0]["as"], told["events"][0]["state"]), ("anna", "anna.2", "plays"))
        played = self.games("anna")
        kill(host)
        self.wait_until(lambda: not [pid for pid in self.descendants() if pid != second.pid and b"tournament" in
                                     self.words_of_process(pid)], "the end of the event")
        self.start("host", "host.yaml")
        self.wait_games("anna.2", 3)
        third = self.changes(second, "3.0", "anna.3")
        self.assertEqual(self.games("anna"), played)
        self.assertEqual(self.acts(), [("withdraw", "bot=anna"), ("withdraw", "bot=anna.2")])
        # the old version is one more change, as with a bot of this machine
        self.changes(third, "1.0", "anna.4")
        self.assertEqual(self.versions("anna.3"), {"3.0"})
        self.assertNotIn("lender: ", read(self.path("hosted/left.log")).decode())  # each pause was one of the same process
        self.must("verify", self.results)

    def test_in_a_swiss_it_enters_late_also_after_an_absence(self):
        event = self.event(pairs=30000, appear="3s", **{"- random": "- random\n  - greedy\n  - first", "length: 3": "length: 1",
                                                       "results:": "schedule: swiss rounds=3 pairs=30000\nrevisions: new_entry\nresults:"})
        first = self.join(self.python_of("1.0", SLOW))
        self.waits_for(first, "game 1 against")
        kill(first)
        self.wait_until(lambda: self.rows("select 1 from act where kind = 'absent' and subject = 'bot=anna'"), "the absence", 60)
        self.join(self.python_of("2.0"))
        self.wait_until(lambda: self.acts() == [("late-enter", "bot=anna.2"), ("withdraw", "bot=anna")], "the acts", 60)
        kill(event)
        self.must("verify", "r.db")

    def test_who_is_absent_is_not_waited_for_again(self):
        self.must("keygen", "--join", "ben")
        self.allow("anna", "ben")
        event = self.event(pairs=12000, appear="6s", **{"- random": "- random\n  - greedy\n  - {name: ben, remote: true}",
                                                        "length: 3": "length: 1", "results:": "revisions: new_entry\nresults:"})
        first = self.join(self.python_of("1.0"))
        self.waits_for(event, "bot=ben absent: ")
        self.waits_for(first, "game 2 against")
        self.wait_games("anna")
        self.changes(first, "2.0", "anna.2")
        self.assertEqual(self.said(event).count("bot=ben absent: "), 1)
        ben = self.join(key="ben.key")
        self.waits_for(ben, "game ", 60)

    # ---- it is no way out

    def test_it_ends_no_game_without_loss_and_no_quarantine(self):
        event = self.own(keys="quarantine: 2\n")
        first = self.join(self.python_of("1.0", SLOW))
        self.waits_for(first, "game 2 against")
        self.wait_games("anna")
        kill(first)
        second = self.join(self.python_of("2.0", SLOW))
        self.waits_for(second, "welcome: you play as anna.2 in ", 60)
        self.assertIn("bot=anna fault=silent count=1 costs the game", self.said(event))  # also of two games: one absence
        self.wait_games("anna.2")
        kill(second)
        third = self.join(self.python_of("3.0", SLOW))
        self.waits_for(event, "bot=anna.2 quarantined after 2 faults", 60)
        self.waits_for(event, "the event goes on as before: anna.2 changed since its last game, and cannot go on as anna.3: it is quarantined", 60)
        count = self.rows("select count(*) from game")[0][0]
        self.wait_until(lambda: self.rows("select count(*) from game")[0][0] > count, "games of the others", 60)
        self.assertNotIn("welcome", self.said(third))
        self.assertEqual(self.acts(), [("withdraw", "bot=anna")])
        kill(event)
        self.must("verify", "r.db")

    def test_limits_hold_for_all_its_names_together(self):
        self.write("allow.yaml", f"- {{name: anna, key: {self.public('anna')}, games_a_day: 6, tables: 1}}\n")
        event = self.own(keys="concurrency: 4\n")
        first = self.join(self.python_of("1.0", SLOW))
        self.waits_for(first, "game 2 against")
        self.wait_games("anna")
        second = self.changes(first, "2.0", "anna.2")
        self.waits_for(second, "anna.2 has begun 6 games today, and the host allows 6 (games_a_day)", 60)
        self.wait_until(lambda: self.games("anna") + self.games("anna.2") == 6, "six games", 60)
        count = self.rows("select count(*) from game")[0][0]
        self.wait_until(lambda: self.rows("select count(*) from game")[0][0] > count + 20, "games of the others", 60)
        self.assertEqual(self.games("anna") + self.games("anna.2"), 6)
        self.assertIsNone(event.poll())

    def test_what_the_event_does_not_take_is_refused_with_the_reason(self):
        event = self.own(**{"- greedy": "- {name: anna.2, bot: greedy}"})
        first = self.join(self.python_of("1.0"))
        self.waits_for(first, "game 2 against")
        self.wait_games("anna")
        kill(first)
        told = self.ends(self.join(self.python_of("2.0")), status=3)
        self.assertIn("version: python 2.0 is no new entrant: the event has another bot with this name; start python 1.0 again", told)
        self.waits_for(self.join(self.python_of("1.0")), "welcome: anna plays on in ")
        self.wait_games("anna")
        self.assertEqual(self.acts(), [])
        self.assertNotIn("fault=", self.said(event))

    @staticmethod
    def words_of_process(pid):
        try:
            with open(f"/proc/{pid}/cmdline", "rb") as words:
                return words.read()
        except OSError:
            return b""


if __name__ == "__main__":
    main()
