"""What an entry of the list of keys allows a remote bot: tables, events, networks; and what its author reads."""
import datetime
import os
import re
import shutil
import signal
import time

from door_case import EVENT, HostedCase
from harness import BIN, ROGUE, kill, main

# Writes the game of each decision.
WRITER = """
def best_index(ask):
    with open({games!r}, "a") as out:
        out.write(ask.game + "\\n")
    return honest(ask)
"""
HOST_EVENT = """event: {name}
bots:
  - {{name: anna, remote: true}}
  - random
pairs: {pairs}
length: 1
door: {{appear: 60s}}
"""
QUARANTINE_EVENT = """event: left
bots:
  - {name: anna, remote: true}
  - random
  - python
pairs: 1000
length: 1
quarantine: 1
door: {appear: 60s}
"""
DAY_EVENT = """event: {name}
bots:
  - {{name: anna, remote: true}}
  - random
  - greedy
pairs: 40
length: 1
{door}
results: {name}.db
"""
class Entry(HostedCase):
    def entry(self, more):
        self.write("allow.yaml", f"- {{name: anna, key: {self.public('anna')}, {more}}}\n")

    def test_it_plays_at_so_many_tables_and_others_at_more(self):
        self.python_bot("writer", WRITER.format(games=self.path("games")))
        for more, interleaves in (("tables: 1, from: [127.0.0.0/8]", False), ("tables: 5", True)):
            self.entry(more)
            event = self.event(pairs=3, **{"results: r.db": f"results: {interleaves}.db\nconcurrency: 6"})
            self.join("./writer")
            self.ends(event)
            asked = self.text("games").split()
            os.unlink(self.path("games"))
            changes = sum(one != next for one, next in zip(asked, asked[1:]))
            self.assertGreater(len(set(asked)), 5)
            self.assertEqual(changes > len(set(asked)) - 1, interleaves)

    def test_a_running_event_follows_the_number_of_tables_that_a_host_reads_again(self):
        self.python_bot("writer", WRITER.format(games=self.path("games")))
        self.entry("tables: 1")
        self.write("left.yaml", HOST_EVENT.format(name="left", pairs=40000) + "concurrency: 4\n")
        host = self.open_host("left")
        self.join("./writer")

        def at_once():
            """How many games the bot plays in turns, of the last 400 decisions."""
            asked = self.text("games").split()[-400:] if os.path.exists(self.path("games")) else []
            if len(asked) < 400:
                return 0
            changes = sum(one != other for one, other in zip(asked, asked[1:]))
            return 1 if changes < len(set(asked)) else 2

        self.wait_until(lambda: at_once() == 1, "one table at a time")
        self.entry("tables: 4")
        self.read_again(host)
        self.wait_until(lambda: at_once() == 2, "several tables", 20)
        self.entry("tables: 1")
        self.read_again(host)
        self.wait_until(lambda: at_once() == 1, "one table again")

    def test_a_thief_in_another_network_does_not_take_the_line_of_the_bot(self):
        self.entry("from: [127.0.0.1/32]")
        self.event(pairs=2000)
        join = self.join()
        self.waits_for(join, "game 1 against")
        self.relayed("thief.bgref", "127.0.0.2")
        self.assertIn("goodbye: the host takes this key from certain networks only, and 127.0.0.2 is in none of them; ask its operator",
                      self.ends(self.join(host="thief.bgref")))
        self.waits_for_games()
        self.assertNotIn("goodbye", self.said(join))

    def test_an_event_with_its_own_door_says_at_once_that_an_entry_is_for_others(self):
        self.entry("events: [cup, league]")
        self.write("e.yaml", EVENT.format(pairs=1, appear="20s", port=0))
        event = self.start("tournament", "e.yaml")
        self.assertIn("allow.yaml: the entry of anna is for the events cup, league, but spring has it",
                      self.ends(event, 2))

    def test_a_host_gives_it_to_its_events_only_and_to_so_many_at_once(self):
        self.entry("events: [left, middle], tables: 1")
        for name in ("left", "middle", "right"):
            self.write(f"{name}.yaml", HOST_EVENT.format(name=name, pairs=4000))
        self.open_host("left", "middle", "right")
        self.wait_until(lambda: self.status().count("is awaited by") == 3, "the events")
        first = self.join()
        self.wait_until(lambda: "bot: anna plays in" in self.status(), "the first")
        self.assertNotIn("anna plays in right", self.status())
        self.join("random", "anna.key")  # the same place: the newest counts
        self.ends(first, status=8)
        second = self.start("join", "host.bgref", "random", "--key", "anna.key", "--times", "2")
        self.waits_for(second, "anna plays in 1 event, as many at once as the host allows it (tables)")
        status = self.status()
        self.assertEqual(len(re.findall("anna plays in (left|middle)$", status, re.M)), 1)
        self.assertIn("limit: anna plays in 1 event, as many at once", status)
        self.ask("cancel", "left", "--yes", "--reason", "over")
        self.ask("cancel", "middle", "--yes", "--reason", "over")
        self.wait_until(lambda: "limit: right waits for anna, but the host allows it only these events: left, middle"
                        in self.status(), "the limit")
        self.waits_for(second, "right waits for anna, but the host allows it only these events: left, middle")

    def test_keys_reach_the_gateway_of_running_events_at_once(self):
        self.write("left.yaml", HOST_EVENT.format(name="left", pairs=4000))
        host = self.open_host("left")
        anna = self.join()
        self.waits_for(anna, "game 1 against")
        self.must("keygen", "--join", "ben")
        self.assertIn("does not know this key", self.ends(self.join(key="ben.key"), 5))
        self.allow("anna", "ben")
        self.read_again(host)
        ben = self.join(key="ben.key")
        self.waits_for(ben, "no running event waits for ben; it is not entered in any that comes")
        self.allow("anna")
        self.read_again(host)
        self.assertIn("goodbye: the host does not know this key any more", self.ends(ben))
        self.assertIn("does not know this key", self.ends(self.join(key="ben.key"), 5))
        self.write("allow.yaml", "- {name: anna}\n")
        self.read_again(host, "nothing changed: host.yaml:2: allow: allow.yaml:1: key:")
        self.waits_for_games("hosted/left.db")
        self.assertEqual(self.said(anna).count("welcome: "), 1)
        for name in ("anna.key", "anna.pub"):
            os.rename(self.path(name), self.path(f"old-{name}"))
        self.must("keygen", "--join", "anna")
        self.allow("anna")
        self.read_again(host)
        self.assertIn("goodbye: the host knows another key of this bot now", self.ends(anna))
        self.assertIn("does not know this key", self.ends(self.join(key="old-anna.key"), 5))
        anna = self.join()
        self.waits_for(anna, "left has begun with another key of anna, and is kept from this one")
        self.assertNotIn("welcome", self.said(anna))

    def test_an_author_who_changes_the_key_or_the_version_does_not_stop_the_event(self):
        for name in ("bgref_bot.py", "bgref_pb2.py"):
            shutil.copy(os.path.join(BIN, "bots", "python", name), self.folder)
        source = self.text("bgref_bot.py")
        self.assertIn('greeting.version = "0.1.0"', source)
        self.script("mine", "#!/usr/bin/python3\nimport bgref_bot\nbgref_bot.main()\n")
        self.must("keygen", "--join", "next")
        self.write("left.yaml", HOST_EVENT.format(name="left", pairs=40000).replace("- random", "- random\n  - greedy"))
        host = self.open_host("left")
        anna = self.join("./mine")
        self.waits_for(anna, "game 2 against")
        self.wait_stored("a = 'anna' or b = 'anna'")
        # of another size: Python takes an equal one of the same second from its cache
        self.write("bgref_bot.py", source.replace('greeting.version = "0.1.0"', 'greeting.version = "0.20.0"'))
        self.plays_on_without_anna(anna, "anna.key", "anna changed since its last game: python 0.1.0 then, python 0.20.0 now")
        self.write("bgref_bot.py", source)
        self.write("allow.yaml", f"- {{name: anna, key: {self.public('next')}}}\n")
        self.read_again(host)
        self.plays_on_without_anna(None, "next.key", "anna changed since its last game: a key of digest ")
        self.allow("anna")
        self.read_again(host)
        self.join("./mine")
        self.start_again()
        self.wait_stored("a = 'anna' or b = 'anna'")

    def host_of_anna(self, more=""):
        self.write("left.yaml", HOST_EVENT.format(name="left", pairs=40000).replace("- random", "- random\n  - greedy") + more)
        return self.open_host("left", port=self.free_port())

    def versions(self):
        records = [row[0] for row in self.rows("select record from game where a = 'anna' or b = 'anna' order by rowid", "hosted/left.db")]
        return [re.search(r"version[01] python (\S+)", record).group(1) for record in records]

    def test_with_revisions_same_it_goes_on_and_everything_says_so(self):
        host = self.host_of_anna("revisions: same\n")
        for version in ("1.0", "2.0", "3.0"):
            anna = self.join(self.python_of(version))
            self.waits_for(anna, "game 1 against")  # the results are there
            self.wait_until(lambda version=version: version in self.versions(),
                            f"games of {version}", 60)
            if version == "2.0":
                self.start_again()  # the next process of the event knows it too
                self.wait_stored("a = 'anna' or b = 'anna'")
            kill(anna)
        kill(host)
        self.wait_until(lambda: not self.descendants(), "the end of the event")
        self.assertEqual(set(self.versions()), {"1.0", "2.0", "3.0"})  # each as it was when the game began
        self.assertRegex(self.must("show", "hosted/left.db")[0].replace("\n", " "),
                         r"anna changed during the event, which was accepted; its\s+figures\s+mix\s+3\s+programs")
        self.must("verify", "hosted/left.db")

    def acts(self):
        return self.rows("select kind, subject, reason from act", "hosted/left.db")

    def programs(self):
        return self.rows("select value from meta where key = 'program.anna'", "hosted/left.db")[0][0].splitlines()

    def test_an_event_with_its_own_door_goes_on_without_a_changed_bot_until_its_desk_accepts_it(self):
        event = self.event(pairs=40000, **{"- random": "- random\n  - greedy"})
        anna = self.join(self.python_of("1.0"))
        self.waits_for(anna, "game 2 against")
        self.wait_until(lambda: self.games("r", "anna", "greedy") + self.games("r", "anna", "random") > 1, "stored games")
        kill(event)
        kill(anna)
        event = self.event(pairs=40000, **{"- random": "- random\n  - greedy"})
        anna = self.join(self.python_of("2.0"))
        self.waits_for(anna, "goodbye: it has changed since its last game in this event")
        self.waits_for(event, "the event goes on without it: anna changed since its last game: python 1.0 then, python 2.0 now")
        self.wait_until(lambda: self.run_bgref("desk", "r.db", "note", "--reason", "x").returncode == 0, "the desk")
        kill(anna)
        anna = self.join(self.python_of("2.0"))
        self.must("desk", "r.db", "accept", "anna", "--reason", "agreed")
        self.waits_for(anna, "game ")
        event.send_signal(signal.SIGTERM)
        self.ends(event, status=None)
        self.assertIn("program", self.must("show", "r.db")[0])
        self.must("verify", "r.db")

    def test_three_refused_starts_in_a_row_are_a_quarantine(self):
        self.host_of_anna()
        for version in ("1.0", "2.0", "1.0", "2.0", "2.0"):  # one that is taken ends the row
            anna = self.join(self.python_of(version))
            if version == "1.0":
                self.waits_for(anna, "game ")
                self.wait_stored("a = 'anna' or b = 'anna'")
                kill(anna)
            else:
                self.assertIn("anna played as python 1.0 in this event, and this program is python 2.0", self.ends(anna, status=3))
        self.assertNotIn("quarantine:", self.status())
        self.ends(self.join(self.python_of("2.0")), status=3)
        told = "anna is in quarantine until "
        self.wait_until(lambda: told in self.status(), "the quarantine")
        self.assertRegex(self.status(), told + r"\S+: three refused starts in a row in left\n")
        anna = self.join(self.python_of("1.0"))
        self.waits_for(anna, "three refused starts in a row in left")
        self.assertNotIn("game ", self.said(anna))
        self.ask("unban", "anna")
        self.waits_for(anna, "game ")
        self.assertNotIn("quarantine:", self.status())
        self.assertIn("no faults", self.must("faults", "hosted/left.db")[0])

    def test_the_operator_accepts_a_version_that_was_refused_and_no_other(self):
        host = self.host_of_anna()
        anna = self.join(self.python_of("1.0"))
        self.waits_for(anna, "game 2 against")
        self.assertIn("it has not come with another program or key",
                      self.ask("accept", "left", "anna", "--reason", "x", status=2))
        kill(anna)
        self.ends(self.join(self.python_of("2.0")), status=3)
        self.wait_until(lambda: "refused: anna came to left as python 2.0, " in self.status(), "the line of status", 20)
        self.assertIn("'accept left anna --reason TEXT' takes it", self.status())
        self.assertIn("? anna came as python 2.0, another version than at its last game, and was refused: may it play on as that?\n"
                      "    bgref desk hosted/left.db accept bot=anna --reason TEXT\n", self.must("desk", "hosted/left.db")[0])
        self.assertIn("needs --reason", self.ask("accept", "left", "anna", status=2))
        self.ask("accept", "left", "anna", "--reason", "its author mended it")
        self.assertIn("this program is python 3.0", self.ends(self.join(self.python_of("3.0")), status=3))
        anna = self.join(self.python_of("2.0"))
        self.wait_until(lambda: "2.0" in self.versions(), "games of the accepted one")
        self.assertEqual(self.acts(), [("accept", f"bot=anna key={self.public('anna')}", "its author mended it")])
        self.wait_until(lambda: "refused: anna" not in self.status() and "came as" not in self.must("desk", "hosted/left.db")[0],
                        "the question to be answered", 20)
        kill(anna)
        self.assertIn("this program is python 1.0", self.ends(self.join(self.python_of("1.0")), status=3))
        kill(host)
        self.wait_until(lambda: not self.descendants(), "the end of the event")
        self.assertEqual([line.split("|")[3] for line in self.programs()], ["python 1.0", "python 2.0"])
        self.assertRegex(self.must("export", "hosted/left.db", "--records", "-o", "-")[0],
                         r"(?m)^act 1\t.*\taccept\tbot=anna .*\tits author mended it\t")
        self.assertIn("as what it is at the event's next start",
                      self.must("desk", "hosted/left.db", "accept", "anna", "--reason", "x")[0])
        self.must("verify", "hosted/left.db")

    def test_the_operator_accepts_a_new_key_in_a_running_event(self):
        host = self.host_of_anna()
        anna = self.join(self.python_of("1.0"))
        self.waits_for(anna, "game 2 against")
        self.must("keygen", "--join", "next")
        self.write("allow.yaml", f"- {{name: anna, key: {self.public('next')}}}\n")
        self.read_again(host)
        self.assertIn("goodbye: the host knows another key of this bot now", self.ends(anna))
        anna = self.join(self.python_of("1.0"), "next.key")
        self.waits_for(anna, "left has begun with another key of anna")
        kill(anna)
        self.allow("anna")  # as if that had been a mistake
        self.read_again(host)
        self.waits_for(self.join(self.python_of("1.0")), "game 1 against")
        self.assertNotIn("limit:", self.status())
        self.write("allow.yaml", f"- {{name: anna, key: {self.public('next')}}}\n")
        self.read_again(host)
        self.waits_for(self.join(self.python_of("1.0"), "next.key"), "left has begun with another key of anna")
        self.ask("accept", "left", "anna", "--reason", "it lost its key")
        self.wait_until(lambda: len(self.programs()) == 2, "the new key")
        self.wait_stored("a = 'anna' or b = 'anna'")
        digests = {line.split("|")[0] for line in self.programs()}
        self.assertEqual(len(digests), 2)
        self.must("keygen", "--join", "third")  # what was accepted was that key, not each that follows
        self.write("allow.yaml", f"- {{name: anna, key: {self.public('third')}}}\n")
        self.read_again(host)
        self.waits_for(self.join(self.python_of("1.0"), "third.key"), "left has begun with another key of anna")
        self.ask("accept", "left", "anna", "--reason", "it lost that too")
        self.write("allow.yaml", f"- {{name: anna, key: {self.public('next')}}}\n")  # what was accepted last counts
        self.read_again(host)
        self.waits_for(self.join(self.python_of("1.0"), "next.key"), "left has begun with another key of anna")
        kill(host)
        self.wait_until(lambda: not self.descendants(), "the end of the event")
        self.assertEqual(self.acts(), [("accept", f"bot=anna key={self.public('next')}", "it lost its key"),
                                       ("accept", f"bot=anna key={self.public('third')}", "it lost that too")])
        self.must("verify", "hosted/left.db")

    def test_who_was_left_out_at_a_start_is_accepted(self):
        self.host_of_anna()
        anna = self.join(self.python_of("1.0"))
        self.waits_for(anna, "game 2 against")
        self.wait_stored("a = 'anna' or b = 'anna'")
        joined = []

        def change():
            kill(anna)
            joined.append(self.join(self.python_of("2.0")))

        self.start_again(change)
        self.waits_for(joined[0], "goodbye: it has changed since its last game in this event")
        words = ("host", "host.yaml", "accept", "left", "anna", "--reason", "agreed")
        self.wait_until(lambda: self.run_bgref(*words).returncode == 0, "the event has begun")
        self.wait_until(lambda: "2.0" in self.versions(), "games of the accepted one")

    def start_again(self, then=lambda: None):
        self.ask("pause", "left")
        self.wait_until(lambda: "left  paused" in self.status() and "(its games end)" not in self.status(), "its end")
        then()
        self.ask("resume", "left")
        self.wait_until(lambda: re.search(r"left  running .*, process \d+", self.status()), "the event")

    def wait_stored(self, games):
        """Waits for one more game of this kind in the results."""
        count = f"select count(*) from game where {games}"
        before = self.rows(count, "hosted/left.db")
        self.wait_until(lambda: self.rows(count, "hosted/left.db") > before, games)

    def plays_on_without_anna(self, before, key, why):
        joined = []

        def change():
            if before is not None:
                kill(before)
            joined.append(self.join("./mine", key))

        self.start_again(change)
        self.waits_for(joined[0], "goodbye: it has changed since its last game in this event")
        self.assertIn(f"the event goes on without it: {why}", self.text("hosted/left.log"))
        self.wait_stored("a != 'anna' and b != 'anna'")
        kill(joined[0])

    def test_a_bot_with_too_many_faults_rests_for_an_hour_or_until_it_is_let_in(self):
        self.write("left.yaml", QUARANTINE_EVENT)
        host = self.open_host("left")
        self.script("cheat", f"#!/bin/sh\nexec {ROGUE} wrong-die --after 12\n")
        cheat = self.join("./cheat")
        told = "anna is in quarantine until "
        self.waits_for(cheat, told)
        self.assertIn("goodbye: quarantined", self.said(cheat))
        until = re.search(told + r"(\S+): 1 fault in left$", self.said(cheat), re.M).group(1)
        self.assertIn(f"  quarantine: {told}{until}: 1 fault in left\n", self.status())
        self.assertNotIn("limit:", self.status())
        ends = datetime.datetime.strptime(until, "%Y-%m-%dT%H:%M:%S%z").timestamp()
        self.assertAlmostEqual(ends - time.time(), 3600, delta=60)
        kill(cheat)
        kill(host)
        host = self.open_host()
        self.assertIn(f"  quarantine: {told}{until}: 1 fault in left\n", self.status())
        self.write("cheat", f"#!/bin/sh\nexec {ROGUE} wrong-die --after 1000000000\n")
        mended = self.join("./cheat")
        self.waits_for(mended, f"{told}{until}: 1 fault in left")
        self.assertNotIn("welcome", self.said(mended))
        self.assertEqual(self.ask("unban", "anna"), "name anna may come again\n")
        self.waits_for(mended, "welcome: anna plays in left")
        self.waits_for(mended, "game 1 against")
        self.assertNotIn("quarantine:", self.status())
        self.assertRegex(self.text("hosted/host.journal"), r"left takes anna back\tdone\n")
        self.assertIn("is not banned", self.ask("unban", "anna", status=2))

    def test_a_bot_that_rests_comes_back_to_the_games_that_it_plays_elsewhere(self):
        right = QUARANTINE_EVENT.replace("event: left", "event: right").replace("quarantine: 1", "quarantine: 100000")
        self.write("left.yaml", QUARANTINE_EVENT)
        self.write("right.yaml", right)
        host = self.open_host("left", "right", port=self.free_port())
        self.script("cheat", f"#!/bin/sh\nexec {ROGUE} wrong-die --after 5000\n")
        cheat = self.start("join", "host.bgref", "./cheat", "--key", "anna.key", "--times", "2")
        self.wait_until(lambda: "plays in left" in self.status() and "plays in right" in self.status(), "both events")
        self.waits_for(cheat, "anna is in quarantine until ")
        self.wait_until(lambda: "quarantine: anna" in self.status() and "bot: anna plays in right" in self.status(),
                        "it plays on in the other event", 10)
        kill(cheat)
        self.write("cheat", f"#!/bin/sh\nexec {ROGUE} wrong-die --after 1000000000\n")
        back = self.join("./cheat")
        self.waits_for(back, "welcome: anna plays on in right")
        self.waits_for(back, "game 2 against")
        self.assertIn("quarantine: anna is in quarantine", self.status())
        self.assertNotIn("anna plays in left", self.status())
        kill(host)
        kill(back)
        host = self.open_host()  # no event has it now
        back = self.join("./cheat")
        self.waits_for(back, "anna is in quarantine until ")
        self.wait_until(lambda: "bot: anna is awaited by right" in self.status(), "right", 20)
        self.assertNotIn("welcome", self.said(back))
        self.ask("ban", "anna", "--reason", "it cheats")  # that is kept from all of them
        self.assertIn("banned: it cheats", self.ends(back))
        kill(host)
        self.open_host()
        self.assertNotIn("welcome", self.ends(self.join("./cheat"), 5))

    # ---- a key in use twice

    def test_a_key_in_use_twice_waits_on_after_the_host_was_killed(self):
        self.entry("note: from a mail")
        self.write("left.yaml", DAY_EVENT.format(name="left", door="door: {appear: 60s}"))
        host = self.open_host("left", port=self.free_port())
        joins = [self.join()]
        self.waits_for(joins[0], "welcome: ")
        for i in range(3):
            joins.append(self.join())
            self.waits_for(joins[-1], "welcome: " if i < 2 else "key in use twice: ")
        self.wait_until(lambda: "key in use twice: anna waits " in self.status(), "the wait")
        host.kill()
        host.wait(10)
        for join in joins:
            kill(join)
        host = self.open_host()
        self.assertRegex(self.status(), r"key in use twice: anna waits (2\d\d|300) s\n")
        late = self.join()
        self.waits_for(late, "key in use twice: ")
        self.assertRegex(self.said(late), r"trying again in (2\d\d|300) s")
        self.assertNotIn("welcome", self.said(late))
        kill(late)
        host.send_signal(signal.SIGTERM)
        self.assertEqual(host.wait(60), 0)
        self.assertRegex(self.text("hosted/host.waits"), r"\Abgref-waits 1\nanna \d+\n\Z")

    def games(self, name, *bots):
        return sum(set(row[0].split("|")[:2]) == set(bots) for row in self.rows("select id from game", f"{name}.db"))

    def test_another_version_in_a_running_event_is_refused_and_costs_no_game(self):
        self.host_of_anna()
        anna = self.join(self.python_of("1.0"))
        self.waits_for(anna, "game 2 against")
        kill(anna)
        told = self.ends(self.join(self.python_of("2.0")), status=3)
        self.assertIn("anna played as python 1.0 in this event, and this program is python 2.0", told)
        anna = self.join(self.python_of("1.0"))
        self.waits_for(anna, "game ")
        self.wait_stored("a = 'anna' or b = 'anna'")
        self.assertEqual(set(self.versions()), {"1.0"})
        self.assertIn("no faults", self.must("faults", "hosted/left.db")[0])


main()
