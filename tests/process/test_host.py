"""bgref host: events on a calendar, each a process of its own; killed, crashed, drained, asked and refused."""
import datetime
import os
import re
import shutil
import signal
import socket
import subprocess
import time

from harness import BIN, kill, lives, main, read
from host_case import LONG, SHORT, HostCase

BACKUP_HOST = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "packaging", "systemd", "backup-host")


def utc(seconds_from_now, days=0):
    """A time as HOST.yaml has it, and its day."""
    at = datetime.datetime.fromtimestamp(int(time.time()) + seconds_from_now, datetime.timezone.utc)
    at += datetime.timedelta(days=days)
    return at.strftime("%Y-%m-%dT%H:%M:%SZ"), at.strftime("%Y-%m-%d")

# Its tenth decision waits for the file `go`.
WAITER = """
asked = 0
def best_index(ask):
    global asked
    asked += 1
    while asked > 9 and not os.path.exists({go!r}):
        open({waits!r}, "w").close()
        time.sleep(0.02)
    return honest(ask)
"""


class Host(HostCase):
    # ------------------------------------------------------------------ the calendar

    def test_events_begin_at_their_time_follow_each_other_and_are_not_held_without_entrants(self):
        at = utc(6, days=-1)[0]  # a daily event, first held yesterday: the next one is when the host has begun
        soon, day = utc(6)
        for name in ("one", "cup", "final", "lonely"):
            self.event(name)
        self.calendar("one, start: always", f'cup, start: "{at}", repeat: daily', "final, start: {after: cup}",
                      f'lonely, start: "{soon}", needs: 3')
        self.start()
        self.wait_for("one", "ended")
        self.wait_for(f"cup@{day}", "ended")
        self.wait_for(f"final@{day}", "ended")
        self.wait_for("lonely", "not held")
        self.assertEqual(self.why("lonely"), "entrants: 2, at least 3 were needed")
        tomorrow = utc(0, days=1)[1]
        self.assertEqual((self.state(f"cup@{tomorrow}"), self.state(f"final@{tomorrow}")), ("entering", "entering"))
        for name in ("one", f"cup@{day}", f"final@{day}"):
            self.must("verify", f"hosted/{name}.db")
        self.assertIn(f"cup@{day}: 2 bots, 12 matches", self.log(f"cup@{day}"))
        self.assertFalse(os.path.exists(self.path("hosted/lonely.db")))
        self.host.send_signal(signal.SIGTERM)
        self.assertEqual(self.drained(), 0)
        # A new host knows what is over.
        self.start()
        self.assertEqual((self.state("one"), self.state(f"cup@{day}"), self.state("lonely")), ("ended", "ended", "not held"))
        journal = self.text("hosted/host.journal")
        self.assertEqual(journal.count("one running"), 1)

    # ------------------------------------------------------------------ ends that nobody wanted

    def test_a_killed_host_takes_its_events_along_and_a_new_one_goes_on_with_all_of_them(self):
        for name in ("left", "right"):
            self.event(name, SHORT.replace("pairs: 6", "pairs: 100"))
            self.must("tournament", f"{name}.yaml", "--results", f"whole-{name}.db", "--quiet")
        self.calendar("left, start: always", "right, start: always, share: 50")
        for round_ in range(2):
            self.start()
            for name in ("left", "right"):
                self.wait_until(lambda name=name: self.plays(name) or self.state(name) == "ended", f"the desk of {name}")
            pids = [pid for pid in (self.pid("left"), self.pid("right")) if pid > 0]
            if round_ == 0:
                self.assertTrue(pids)
            self.end()
            for pid in pids:
                self.assert_gone(pid)
            for name in ("left", "right"):  # what a killed referee leaves
                if os.path.exists(self.path(f"hosted/{name}.db.desk")):
                    os.unlink(self.path(f"hosted/{name}.db.desk"))
        self.start()
        for name in ("left", "right"):
            self.wait_for(name, "ended", 120)
            self.must("verify", f"hosted/{name}.db")
            self.assertEqual(self.standing(f"hosted/{name}.db"), self.standing(f"whole-{name}.db"))

    def standing(self, results):
        return [line for line in self.must("rate", results)[0].splitlines() if re.match(r" +\d+ (greedy|random) ", line)]

    # ------------------------------------------------------------------ acts

    def test_the_admin_acts_and_what_is_refused_changes_nothing(self):
        self.event("league", LONG)
        self.event("cup", "bots: [greedy]\nlength: 1\npairs: 3\nseed: 5\n")
        self.calendar("league, start: always", "cup, start: 2090-01-01T00:00Z, repeat: weekly, needs: 3")
        self.start()
        self.wait_play("league")
        state = read(self.path("hosted/host.state"))
        for words, text in [(("resume", "league"), "league is running; only a paused event is resumed"),
                            (("pause", "cup"), "cup@2090-01-01 is entering, so it cannot be paused"),
                            (("pause", "cup@2090"), "there is no event 'cup@2090' here"),
                            (("pause", "none"), "there is no event 'none' here"),
                            (("pause",), "it is 'pause EVENT'"),
                            (("status", "cup"), "it is 'status'"),
                            (("puase", "cup"), "there is no action 'puase' (perhaps pause?)"),
                            (("frobnicate",), "there is no action 'frobnicate' ('bgref host --help' lists them)"),
                            (("enter", "cup", "random", "greedy"), "greedy is in the event file of cup"),
                            (("enter", "cup", "random", "nobody"), "no bot is called 'nobody'"),
                            (("enter", "cup", "random", "random"), "random is entered in cup@2090-01-01 already"),
                            (("enter", "league", "python"), "into a plain round robin a bot comes by the event file"),
                            (("withdraw", "cup", "random"), "random is not entered in cup@2090-01-01"),
                            (("withdraw", "cup", "greedy"), "greedy is in the event file of cup; take it out there"),
                            (("withdraw", "league", "random"), "withdraw needs --reason"),
                            (("void", "league", "greedy|random|0"), "void needs --reason"),
                            (("void", "cup", "greedy|random|0", "--reason", "x"), "cup@2090-01-01 is entering, so it has no desk here"),
                            (("void", "league", "greedy|nobody|0", "--reason", "x"), "nobody")]:
            self.assertIn(text, self.ask(*words, status=2))
            self.assertEqual(read(self.path("hosted/host.state")), state, words)
        self.ask("enter", "cup", "random", "python")
        self.assertIn("entrants: 3 (at least 3 are needed): greedy, random, python", self.status())
        self.ask("withdraw", "cup@2090-01-01", "random")
        self.assertIn("entrants: 2 (at least 3 are needed): greedy, python", self.status())
        self.pause_and_resume()
        self.wait_until(lambda: "greedy|random|0|1" in self.canonical("hosted/league.db"), "the first pair")
        self.wait_begun("league")
        void = ("host", "host.yaml", "void", "league", "greedy|random|0|1|0", "--reason", "a test")
        self.must(*void)
        self.assertIn("is void already", self.must(*void, status=2)[1])
        self.assertIn("withdraw", self.ask("withdraw", "league", "random", "--reason", "a test"))
        self.ask("cancel", "cup", "--reason", "no room")
        self.assertIn("cup@2090-01-01  cancelled", self.status())
        self.assertIn("(no room)", self.status())
        self.assertEqual(self.state("cup@2090-01-08"), "entering")
        journal = self.text("hosted/host.journal")
        told = f"\tuid={os.geteuid()}\tcancel cup (no room)\t"
        self.assertLess(journal.index(told + "asked\n"), journal.index(told + "done\n"))

    def test_a_crashed_event_is_started_again_and_harms_no_other(self):
        self.event("left", LONG)
        self.event("right", LONG)
        self.calendar("left, start: always", "right, start: always")
        self.start()
        self.wait_play("left")
        self.wait_play("right")
        crashed, other = self.pid("left"), self.pid("right")
        os.kill(crashed, signal.SIGKILL)
        self.wait_until(lambda: self.pid("left") not in (0, crashed), "another process")
        self.assertEqual(self.pid("right"), other)
        self.assertIn("left\tits process was killed by signal 9; again in 1 s", self.text("hosted/host.journal"))

    def test_an_event_that_is_cancelled_before_it_begins_never_begins(self):
        for name in ("cup", "final"):
            self.event(name, SHORT)
        self.calendar(f'cup, start: "{utc(3600)[0]}"', "final, start: {after: cup}")
        self.start()
        self.ask("cancel", "cup", "--reason", "holidays")
        self.assertIn("cup is cancelled, and had not begun: nothing of it can go on", self.ask("reopen", "cup", status=2))
        self.assertIn("cup is cancelled; bots are entered and withdrawn before it begins", self.ask("enter", "cup", "python", status=2))
        self.wait_for("final", "ended")  # it follows a cancelled event too
        self.end()  # killed: a new host reads it from its file
        self.start()
        self.assertEqual((self.state("cup"), self.why("cup")), ("cancelled", "holidays"))
        self.assertFalse([name for name in os.listdir(self.path("hosted")) if name.startswith("cup")])

    def test_a_late_bot_of_the_event_file_enters_while_the_event_runs(self):
        self.event("cup", "bots: [greedy, random, {name: new, bot: first, late: yes}, {name: other, bot: first, late: yes}]\n"
                          "length: 5\nseed: 5\nconcurrency: 1\nschedule: ladder meetings=100000\n")
        self.calendar("cup, start: always")
        self.start()
        self.wait_begun("cup")
        self.assertIn("entrants: 2 (at least 2 are needed): greedy, random", self.status())
        for words, text in ((("enter", "cup", "new", "other"), "cup is running; enter one bot after another"),
                            (("enter", "cup", "random"), "'random' is already an entrant"),
                            (("enter", "cup", "nobody"), "does not name it; pause the event, add the bot to its file, resume it")):
            self.assertIn(text, self.ask(*words, status=2))
        self.assertIn("late-enter bot=new", self.ask("enter", "cup", "new"))
        self.assertIn("entrants: 3 (at least 2 are needed): greedy, random, new\n", self.status())
        self.assertIn("'new' is already an entrant", self.ask("enter", "cup", "new", status=2))
        self.assertIn("\tenter cup new\tdone\n", self.text("hosted/host.journal"))

    def pause_and_resume(self):
        before = self.pid("league")
        self.ask("pause", "league")
        self.assert_gone(before)
        self.assertEqual((self.state("league"), self.pid("league")), ("paused", 0))
        self.assertNotIn("to go on", self.log("league"))  # with words of the host's own
        self.must("verify", "hosted/league.db")
        # A new host leaves it paused.
        self.host.send_signal(signal.SIGTERM)
        self.assertEqual(self.drained(), 0)
        self.start()
        self.assertEqual((self.state("league"), self.pid("league")), ("paused", 0))
        self.ask("resume", "league")
        self.wait_play("league")
        self.assertNotIn(self.pid("league"), (0, before))

    def test_without_its_lock_file_a_folder_still_has_one_host(self):
        self.calendar()
        self.start()
        os.unlink(self.path("hosted/host.lock"))
        self.assertIn("hosted: another host runs with this folder", self.must("host", "host.yaml", status=2)[1])
        self.assertTrue(self.answers())

    def test_a_paused_event_can_be_cancelled(self):
        self.event("league", LONG)
        self.calendar("league, start: always")
        self.start()
        self.wait_begun("league")  # without results there is nothing to publish
        self.ask("pause", "league")
        self.assertEqual(self.state("league"), "paused")
        self.assertIn("league is paused already", self.ask("pause", "league", status=2))
        told = self.must("host", "host.yaml", "cancel", "league", status=2)[1]
        self.assertIn("nothing is cancelled yet: --yes says that you mean it", told)
        self.assertEqual(self.state("league"), "paused")
        self.ask("cancel", "league", "--reason", "no room")
        self.assertEqual(self.state("league"), "cancelled")
        self.wait_until(lambda: self.pid("league") == 0, "its games to end")
        self.assertIn("league is cancelled", self.ask("resume", "league", status=2))
        self.wait_until(lambda: "state=cancelled: no room" in self.decisions("league"), "the published decisions", 30)
        self.assertIn("state=paused: by the host's director", self.decisions("league"))
        self.assertNotIn("state=running", self.decisions("league"))  # resume was refused
        self.assert_everywhere("cancelled")
        self.ask("reopen", "league")
        self.wait_until(lambda: "state=running" in self.decisions("league"), "the published decisions", 30)
        self.ask("pause", "league", "--reason", "once more")
        self.wait_until(lambda: "once more" in self.decisions("league"), "the published decisions", 30)
        self.assert_everywhere("paused")

    def assert_everywhere(self, word):
        """What readers of the results are told of the event's state."""
        results = "hosted/league.db"
        self.assertIn(f", event {word}", self.must("show", results)[0])
        self.assertIn(f"event: {word}, by its director's last note", self.must("verify", results)[0])
        self.assertIn(f"event: {word};", self.must("desk", results)[0])
        self.assertIn(f"{word}: ", self.must("report", results, "--text")[0])

    def decisions(self, event):
        return self.must("report", "--sheet", f"hosted/{event}.db", "--section", "decisions")[0]

    def test_another_user_is_refused(self):
        self.calendar()
        self.start()
        self.assertEqual(os.stat(self.path("hosted/admin")).st_mode & 0o777, 0o600)
        if os.geteuid() != 0:
            self.skipTest("only root can be another user")
        for name, mode in (("", 0o755), ("hosted", 0o755), ("hosted/admin", 0o666)):
            os.chmod(self.path(name), mode)
        asked = subprocess.run(["/usr/bin/python3", "-c", "import socket, sys\ns = socket.socket(socket.AF_UNIX)\ns.connect(sys.argv[1])\n"
                                "s.sendall(b'bgref-host-1\\tdrain\\t\\n')\nprint(s.recv(100))", self.path("hosted/admin")],
                               user=65534, capture_output=True, text=True, timeout=60, check=False)
        self.assertTrue("b''" in asked.stdout or "Reset" in asked.stderr or "BrokenPipe" in asked.stderr, asked)
        self.assertNotIn("drain", self.text("hosted/host.journal"))
        self.assertIn("a test: process", self.status())

    def test_a_host_goes_on_from_its_backup(self):
        """Which the example for a timer makes while the host runs."""
        self.event("league", LONG)
        self.event("more", LONG)
        self.calendar("league, start: always", "more, start: always")
        self.start()
        self.wait_begun("more")
        self.ask("ban", "192.0.2.0/24", "--reason", "a flood")
        self.ask("pause", "league")
        os.mkdir(self.path("backups"))
        self.environment["PATH"] = f"{BIN}:{os.environ['PATH']}"
        done = self.run_program(BACKUP_HOST, "hosted", "backups", "host.yaml")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        kill(self.host)
        copies = sorted(name for name in os.listdir(self.path("backups")) if not name.endswith(".root"))
        self.assertEqual([name[:5] for name in copies], ["host-", "leagu", "leagu", "more-", "more."])
        copy = f"backups/{copies[0]}"
        self.assertEqual(sorted(os.listdir(self.path(copy))), ["host.gate", "host.journal", "host.state", "host.yaml"])
        self.assertEqual(os.stat(self.path(copy)).st_mode & 0o777, 0o700)
        for name in ("host.yaml", "hosted/host.state", "hosted/host.gate", "hosted/host.journal"):
            os.unlink(self.path(name))
        shutil.copy(self.path(f"{copy}/host.yaml"), self.path("host.yaml"))
        for name in ("host.state", "host.gate", "host.journal"):
            shutil.copy(self.path(f"{copy}/{name}"), self.path(f"hosted/{name}"))
        self.start()
        self.assertEqual(self.state("league"), "paused")
        self.assertIn("ban: from 192.0.2.0/24 (a flood)", self.status())
        self.wait_begun("more")

    def test_a_line_of_the_journal_that_was_cut_off_does_not_spoil_the_next(self):
        os.mkdir(self.path("hosted"))
        self.write("hosted/host.journal", "2030-01-01T00:00:00Z\thost\tbeg")
        self.calendar()
        self.start()
        lines = self.text("hosted/host.journal").split("\n")
        self.assertEqual(lines[0], "2030-01-01T00:00:00Z\thost\tbeg")
        self.assertRegex(lines[1], r"^\S+Z\thost\tbegins\ta test$")

    # ------------------------------------------------------------------ HOST.yaml again, and the end

    def test_a_bad_file_changes_nothing_and_a_good_one_is_taken(self):
        self.event("league", LONG)
        self.event("more")
        self.calendar("league, start: always")
        self.start()
        self.wait_play("league")
        pid = self.pid("league")
        good = self.text("host.yaml")
        self.write("host.yaml", good.replace("start: always", "start: sometimes"))
        self.host.send_signal(signal.SIGHUP)
        self.wait_until(lambda: "read again, nothing changed: host.yaml:3: start: 'sometimes' is not a time" in self.status(), "the refusal")
        self.write("host.yaml", good.replace("folder: hosted", "folder: elsewhere"))
        self.host.send_signal(signal.SIGHUP)
        self.wait_until(lambda: "another folder needs a new start of the host" in self.status(), "the refusal")
        self.calendar("more, start: always")
        self.host.send_signal(signal.SIGHUP)
        self.wait_for("more", "ended")
        self.assertNotIn("nothing changed", self.status())
        self.assertIn("not in host.yaml any more", self.status())
        self.assertEqual(self.ask("status"), self.status())
        self.assertEqual((self.state("league"), self.pid("league")), ("running", pid))
        self.ask("cancel", "league")
        self.assert_gone(pid)

    def test_a_drained_host_parks_the_games_of_an_event_that_stores_each_decision(self):
        self.python_bot("slow", WAITER.format(go=self.path("go"), waits=self.path("waits")))
        self.event("league", f"bots: [{{name: slow, cmd: {self.path('slow')}}}, random]\nlength: 1\npairs: 2\nseed: 5\n"
                             "concurrency: 1\ndurable: decision\n")
        self.calendar("league, start: always", drain="600s")  # longer than drained() waits
        self.start()
        self.wait_until(lambda: os.path.exists(self.path("waits")), "a decision that is not answered")
        self.ask("drain")
        self.assertEqual(self.drained(), 0)
        self.assertEqual(self.rows("select count(*) from game", "hosted/league.db"), [(0,)])
        self.assertGreater(self.count("step", results="hosted/league.db"), 0)
        self.write("go", "")
        self.start()
        self.wait_for("league", "ended")
        self.must("verify", "hosted/league.db")
        self.assertIn("no faults", self.must("faults", "hosted/league.db")[0])

    def test_a_drained_host_loses_nothing_and_one_in_a_hurry_says_so(self):
        self.event("league", LONG)
        self.calendar("league, start: always")
        self.start()
        self.wait_begun("league")
        pid = self.pid("league")
        self.ask("drain")
        self.assertEqual(self.drained(), 0)
        self.assertFalse(os.path.exists(f"/proc/{pid}"))
        self.assertRegex(self.text("hosted/host.journal"),
                         r"\tdrain\tbegun\n\S+\thost\tdrains\t.*\n(.*\n)*\S+\thost\tends\t\n$")
        # A bot that does not answer: its game does not end, so the second signal cuts it off.
        self.start()
        self.wait_begun("league")
        pid = self.pid("league")
        self.wait_until(lambda: len(self.bots()) == 2, "two bots")
        bots = self.bots()
        for bot in bots:
            os.kill(bot, signal.SIGSTOP)
        self.host.send_signal(signal.SIGTERM)
        self.wait_until(lambda: ", drains" in self.status(), "the drain")
        self.host.send_signal(signal.SIGTERM)
        self.assertEqual(self.drained(), 143)
        self.assertTrue(self.text("hosted/host.journal").endswith("\thost\tends\trunning games were cut off\n"))
        self.assertFalse(os.path.exists(f"/proc/{pid}"))
        self.must("verify", "hosted/league.db")
        self.wait_until(lambda: not any(map(lives, bots)), "the bots")

    def bots(self):
        return [int(one) for one in os.listdir("/proc") if one.isdigit() and self.is_bot_of(one)]

    def is_bot_of(self, pid):
        try:
            return self.folder.encode() in read(f"/proc/{pid}/environ") and b"/bots/bgref-" in read(f"/proc/{pid}/cmdline").split(b"\0")[0]
        except OSError:
            return False

    def test_a_host_that_is_refused_leaves_nothing_behind(self):
        self.event("league")
        self.write("bad.yaml", "bots: [greedy, random]\nlegnth: 3\n")
        self.write("allow.yaml", "[]\n")
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            taken.listen()
            port = taken.getsockname()[1]
            self.must("keygen", "--join", "key")
            door = 'bots: {listen: "tcp://127.0.0.1:0", key: key.key, allow: allow.yaml}\n'
            metrics = f'admin: {{metrics: "tcp://127.0.0.1:{port}"}}\n'
            cases = [("log: none/x.log", "league", "", 5, "log none/x.log: No such file or directory"),
                     ("log: x.log", "bad", "", 2, "bad.yaml:2: legnth: unknown key"),
                     ("log: x.log", "league", door.replace("key.key", "none.key"), 2, "door: none.key"),
                     ("log: x.log", "league", door.replace("1:0", f"1:{port}"), 2, "Address already in use"),
                     ("log: x.log", "league", metrics, 2, "Address already in use")]
            for exists in (False, True):
                for setting, event, more, status, said in cases:
                    self.write("host.yaml", f"host: {{name: a test, folder: hosted, {setting}}}\n{more}"
                                            f"events:\n  - {{file: {event}.yaml, start: always}}\n")
                    before = self.tree()
                    self.assertIn(said, self.must("host", "host.yaml", status=status)[1])
                    self.assertEqual(self.tree(), before)
                if not exists:  # once more where a host has been before
                    self.calendar("league, start: always", more=door)
                    self.start()
                    self.wait_for("league", "ended")
                    self.host.send_signal(signal.SIGTERM)
                    self.drained()
                    self.event("more")
        # Another event in the file: the refused start has not noted when it was first seen.
        self.write("hosted/host.gate", "nonsense\n")
        self.calendar("league, start: always", "more, start: always")
        before = self.tree()
        self.assertIn("hosted/host.gate:1", self.must("host", "host.yaml", status=2)[1])
        self.assertEqual(self.tree(), before)

    def tree(self):
        """Every file below the test's folder, with its bytes."""
        return {os.path.join(folder, name): read(os.path.join(folder, name))
                for folder, _, names in os.walk(self.folder) for name in names} | \
            {folder: None for folder, _, _ in os.walk(self.folder)}

    def test_one_host_a_folder(self):
        self.calendar()
        self.start()
        files = sorted(os.listdir(self.path("hosted")))
        self.assertIn("another host runs with this folder", self.must("host", "host.yaml", status=2)[1])
        self.assertEqual(sorted(os.listdir(self.path("hosted"))), files)
        self.assertIn("a test: process", self.status())
        self.end()
        self.assertIn("no host is running with host.yaml", self.ask("status", status=5))

    # ------------------------------------------------------------------ the file

    def test_the_example_passes_its_check(self):
        for name in ("league", "cup", "final"):
            self.event(name)
        self.write("host.yaml", self.must("host", "--example")[0])
        out = self.must("host", "host.yaml", "--check")[0]
        self.assertIn("Autumn league, events: 3", out)
        self.assertIn("cup from cup.yaml, entrants: 2, share 300", out)
        self.assertFalse(os.path.exists(self.path("hosted")))

    def test_a_mistake_is_named_with_file_line_and_key(self):
        self.event("a")
        self.event("b", SHORT + "results: own.db\n")
        self.event("k", SHORT.replace("seed: 5", "key_file: dice.key"))
        self.event("c", SHORT + "schedule: swiss rounds=1 pairs=2 then knockout take=2 best_of=3\n")
        self.write("bad.yaml", "bots: [greedy, random]\nlegnth: 3\n")
        for event, text in [("{start: always}", "file: is needed"),
                            ("{file: a.yaml}", "start: is needed"),
                            ("{file: a.yaml, start: always, flie: b}", "flie: unknown key, perhaps file?"),
                            ("{file: a.yaml, start: always, start: always}", "start: given twice"),
                            ("{file: none.yaml, start: always}",
                             "file: none.yaml: No such file or directory; make it, with at least 'bots: [greedy, random]'"),
                            ("{file: bad.yaml, start: always}", "file: bad.yaml:2: legnth: unknown key; perhaps length?"),
                            ("{file: k.yaml, start: always}", "file: key_file: each event of a host draws"),
                            ("{file: a.yaml, start: 2027-02-29T12:00Z}", "start: '2027-02-29T12:00Z' is not a time"),
                            ("{file: a.yaml, start: after none}", "start: there is no event none here"),
                            ("{file: a.yaml, start: after a}", "start: a would begin after itself"),
                            ("{file: a.yaml, start: {behind: a}}", "start: is always, a time"),
                            ("{file: a.yaml, start: always, repeat: daily}", "repeat: needs a start that is a time"),
                            ("{file: a.yaml, start: 2027-01-16T12:00Z, repeat: hourly}", "repeat: "),
                            ("{file: a.yaml, start: 2027-01-16T12:00Z, enter_until: 2027-01-16T12:01Z}", "enter_until: is after the start"),
                            ("{file: a.yaml, start: always, enter_until: 2027-01-16T12:01Z}", "enter_until: needs a start that is a time"),
                            ("{file: b.yaml, start: 2027-01-16T12:00Z, repeat: daily}", "repeat: b gives results"),
                            ("{file: a.yaml, start: always, needs: 1}", "needs: '1' is not a whole number from 2 to 1000"),
                            ("{file: a.yaml, start: always, share: 0}", "share: '0'"),
                            ("{file: c.yaml, start: always, kind: ladder}", "kind: c.yaml says 'schedule: swiss"),
                            ("{file: a.yaml, start: always, kind: swiss}", "kind: a.yaml says 'schedule: round-robin', and not swiss")]:
            self.write("host.yaml", f"host: {{name: a test, folder: hosted}}\nevents:\n  - {event}\n")
            said = self.must("host", "host.yaml", "--check", status=2)[1]
            self.assertRegex(said, r"^bgref host: host\.yaml:3: ")
            self.assertIn(text, said)
        for text, said in [("events: []\n", "host: a folder is needed"),
                           ("host: {folder: hosted, nmae: x}\n", "nmae: unknown key of host, perhaps name?"),
                           ("host: {folder: hosted, drain: 5}\n", "drain: "),
                           ("host: {folder: hosted}\nhost: {folder: hosted}\n", "host: given twice"),
                           ("host: {folder: hosted}\nbackup: {every: 1h, folder: x}\n", "host.yaml:2: backup: was taken away"),
                           ("host: {folder: hosted}\nbackup:\n", "host.yaml:2: backup: was taken away"),
                           ("host: {folder: hosted}\npage: {lisen: x}\n", "lisen: unknown key of page, perhaps listen?"),
                           ("host: {folder: hosted}\nbots:\n  registration: closed\n", "host.yaml:3: registration: was taken away"),
                           ("host: {folder: hosted}\nbots: {porch: 'tcp://0.0.0.0:5556'}\n", "host.yaml:2: porch: was taken away"),
                           ("host: {folder: hosted}\nbots: {address: 'tcp://x:5556'}\n", "host.yaml:2: address: was taken away"),
                           ("host: {folder: hosted}\nevents: {file: a.yaml}\n", "events: a list is needed"),
                           ("host: {folder: hosted}\nevents:\n  - {file: a.yaml, start: always}\n  - {file: a.yaml, start: always}\n",
                            "are both events called a")]:
            self.write("host.yaml", text)
            self.assertIn(said, self.must("host", "host.yaml", "--check", status=2)[1])
        self.write("host.yaml", "host: {folder: hosted}\nevents:\n  - {file: c.yaml, kind: knockout, start: always}\n")
        self.assertNotIn("nothing is played", self.must("host", "host.yaml", "--check")[0])
        for text in ("", "events: []\n"):
            self.write("host.yaml", "host: {folder: hosted}\n" + text)
            self.assertIn("nothing is played: name an event under events", self.must("host", "host.yaml", "--check")[0])


main()
