"""Who is kept out of a host: bans of names, keys and networks, kicks; over a restart, and until their time."""
import datetime
import os
import signal
import time

from door_case import EVENT, HostedCase
from harness import kill, main, read

OWN_DOOR = "a door of its own takes it a moment later: spring\n"


class Gate(HostedCase):
    def setUp(self):
        super().setUp()
        self.write("e.yaml", EVENT.format(pairs=4000, appear="60s", port=self.free_port()).replace("results: r.db\n", ""))
        self.write("host.yaml", "host: {name: a test, folder: hosted, drain: 1s}\nevents:\n  - {file: e.yaml, start: always}\n")
        self.host = None

    def begin_host(self):
        self.host = self.start("host", "host.yaml")
        seen = len(self.log())
        self.wait_until(lambda: "door: tcp://" in self.log()[seen:] or self.host.poll() is not None, "the door")
        self.assertIsNone(self.host.poll(), self.said(self.host))

    def kill_host(self):
        kill(self.host)

    def log(self):
        path = self.path("hosted/spring.log")
        return read(path).decode() if os.path.exists(path) else ""

    def plays(self):
        """A join whose first game has begun. The gateway hears that a ban is over a moment after it was lifted."""
        for _ in range(2):
            join = self.join()
            self.wait_until(lambda: "game 1 against" in self.said(join) or join.poll() is not None, "a game")
            if "does not know this key" not in self.said(join):
                break
        self.waits_for(join, "game 1 against")
        return join

    def is_refused(self):
        """The gateway hears of a ban a moment after it was ordered; who connects before reads of it in the goodbye."""
        told = self.ends(self.join(), status=None, seconds=15)
        if "goodbye: banned: " in told:
            told = self.ends(self.join(), status=5, seconds=15)
        self.assertIn("does not know this key", told)

    def test_a_ban_ends_the_line_at_once_and_holds_after_a_restart(self):
        self.begin_host()
        for what, told in (("anna", "name anna"), (self.public("anna").upper(), f"key {self.public('anna')}")):
            join = self.plays()
            begun = time.monotonic()
            self.assertEqual(self.ask("ban", what, "--reason", "plays elsewhere too"), f"{told} is banned\n{OWN_DOOR}")
            self.assertIn("goodbye: banned: plays elsewhere too", self.ends(join, seconds=10))
            self.assertLess(time.monotonic() - begun, 5)
            self.is_refused()
            self.kill_host()
            self.begin_host()
            self.assertIn(f"ban: {told} (plays elsewhere too)", self.ask("status"))
            self.is_refused()
            self.assertEqual(self.ask("unban", what), f"{told} may come again\n{OWN_DOOR}")
        kill(self.plays())
        journal = self.journal()
        self.assertRegex(journal, r"uid=\d+\tban anna \(plays elsewhere too\)\tdone\n")
        self.assertRegex(journal, r"uid=\d+\tunban anna\tdone\n")
        for note in ("ban of anna: plays elsewhere too", "unban of anna", f"ban of key {self.public('anna')}: plays"):
            self.wait_until(lambda: note in self.must("report", "--sheet", "hosted/spring.db", "--section", "decisions", "--json")[0],
                            f"the event's journal to have '{note}'", 20)

    def test_a_late_bot_is_an_entrant_once_it_has_entered(self):
        self.must("keygen", "--join", "ben")
        self.allow("anna", "ben")
        text = self.text("e.yaml")
        self.write("e.yaml", text.replace("  - random\n", "  - {name: ben, remote: true, late: yes}\n  - random\n")
                   .replace("pairs: 4000\n", "schedule: ladder meetings=100000\n"))
        self.begin_host()
        join = self.plays()
        self.ask("ban", "ben", "--reason", "too early")
        self.ask("unban", "ben")
        ben = self.join(key="ben.key")
        self.ask("enter", "spring", "ben", "--reason", "it is there")
        self.ask("ban", "ben", "--reason", "too loud")
        self.wait_until(lambda: "ban of ben: too loud" in self.must("report", "--sheet", "hosted/spring.db", "--section", "decisions")[0],
                        "the event's journal to have the ban", 20)
        self.assertNotIn("too early", self.must("report", "--sheet", "hosted/spring.db", "--section", "decisions")[0])
        kill(join)
        kill(ben)

    def test_a_network_is_banned_at_the_doorman(self):
        self.begin_host()
        join = self.plays()
        self.ask("ban", "127.0.0.0/30", "--reason", "a flood")
        self.waits_for(join, "the line to the host is lost")
        self.wait_until(lambda: "127.0.0.1 was refused: its network is banned" in self.log(), "the doorman's refusal")
        self.assertEqual(self.said(join).count("welcome: "), 1)
        self.ask("unban", "127.0.0.0/30")
        self.wait_until(lambda: self.said(join).count("welcome: ") == 2, "the join to come back", 20)
        self.ask("ban", "192.0.2.0/24", "--reason", "others")
        told = self.must("report", "--sheet", "hosted/spring.db", "--section", "decisions")[0]
        self.assertIn("ban of a network: a flood", told)
        self.assertNotIn("127.0.0.", told)
        kill(join)
        kill(self.plays())

    def test_a_kick_ends_the_line_once(self):
        self.begin_host()
        join = self.plays()
        self.assertEqual(self.ask("kick", "anna"), f"the connection of anna ends; it may come again\n{OWN_DOOR}")
        self.wait_until(lambda: self.said(join).count("welcome: ") == 2, "the join to come back", 20)
        self.ask("ban", "10.0.0.0/8", "--reason", "the gate is read again, and kicks nobody")
        self.assertIn("from 10.0.0.0/8 is banned, in place of the ban before", self.ask("ban", "10.0.0.0/8", "--reason", "again"))
        self.waits_for_games("hosted/spring.db")
        self.assertEqual(self.said(join).count("welcome: "), 2)
        for act in ("kick", "ban"):
            self.assertIn("random runs on this machine and has no connection; 'withdraw spring random --reason TEXT'",
                          self.ask(act, "random", "--reason", "x", status=2))
        self.assertNotIn("ban:", self.ask("status").replace("ban: from 10.0.0.0/8", ""))
        self.assertIn("no event file here has a bot of this name", self.ask("kick", "nobody", status=2))
        self.kill_host()
        self.begin_host()
        self.wait_until(lambda: self.said(join).count("welcome: ") == 3, "the join to come back", 20)
        self.waits_for(join, "game 1 against")
        self.assertEqual(self.said(join).count("welcome: "), 3)

    def test_a_ban_ends_at_its_time(self):
        self.begin_host()
        end = datetime.datetime.fromtimestamp(int(time.time()) + 3, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
        self.assertEqual(self.ask("ban", "anna", "--until", end, "--reason", "a rest"), f"name anna is banned until {end}\n{OWN_DOOR}")
        self.is_refused()
        self.wait_until(lambda: "ban of name anna\thas come to its end" in self.journal(), "the end of the ban")
        kill(self.plays())
        self.assertNotIn("ban:", self.ask("status"))

    def test_a_mistake_changes_nothing(self):
        self.begin_host()
        gate = self.path("hosted/host.gate")
        for words, why in ((("ban", "anna"), "needs --reason"),
                           (("ban", "10.0.0.1/8", "--reason", "x"), "has bits beyond its length"),
                           (("ban", "10.0.0.0/33", "--reason", "x"), "is not a network"),
                           (("ban", "a b", "--reason", "x"), "is not a bot's name"),
                           (("ban", "anna", "--until", "2020-01-01T00:00Z", "--reason", "x"), "that time has passed"),
                           (("ban", "anna", "--until", "soon", "--reason", "x"), "soon"),
                           (("ban", "anna", "bert", "--reason", "x"), "a word too many"),
                           (("ban", "anna", "--reason", "x" * 250), "at most 199 bytes"),
                           (("unban", "anna"), "is not banned")):
            self.assertIn(why, self.ask(*words, status=2))
            self.assertFalse(os.path.exists(gate), words)
        self.host.send_signal(signal.SIGTERM)
        self.ends(self.host, status=None)
        self.write("hosted/host.gate", "bgref-gate 1\nban\tname\n")
        self.assertIn("host.gate:2: not a line of a host's gate", self.run_bgref("host", "host.yaml").stderr)


main()
