"""How a host ends while bots of other machines play: what their authors read, and that `bgref join` plays on."""
import os
import re
import signal
import socket
import time

from door_case import DoorCase, HostedCase
from harness import kill, main, read

EVENT = """event: {name}
bots:
  - {{name: anna, remote: true}}
  - {{name: ben, remote: true}}
length: {length}
pairs: {pairs}
concurrency: 1
{more}
"""

CUP = "hosted/cup.db"  # results
ABOUT = "join", "host.bgref", "--key", "anna.key", "--status"

# It ends after 5.5 s without a decision, as a bot that is not called does.
PATIENT = """
import threading
with open({starts!r}, "a") as file:
    file.write(".")
impatience = threading.Timer(5.5, lambda: os._exit(1))
impatience.daemon = True
impatience.start()
def best_index(ask):
    impatience.cancel()
    return honest(ask)
"""
SLOW = """
def best_index(ask):
    time.sleep(0.02)
    return honest(ask)
"""


class Drain(HostedCase):
    def setUp(self):
        super().setUp()
        self.must("keygen", "--join", "ben")
        self.allow("anna", "ben")
        self.port = self.free_port()

    def calendar(self, pairs=20, length=3, host="", more="door: {appear: 60s}"):
        self.write("cup.yaml", EVENT.format(name="cup", pairs=pairs, length=length, more=more))
        self.host_file("cup", port=self.port, host=host)

    def open(self, *words):
        host = self.start("host", "host.yaml", *words, *(("--allow-root",) if words and os.geteuid() == 0 else ()))
        self.waits_for(host, "door: tcp://")
        return host

    def joins(self, *names):
        return [self.join(key=f"{name}.key") for name in names]

    def test_a_bot_that_has_joined_once_plays_on_after_the_host_has_restarted(self):
        self.must("keygen", "--join", "carl")
        self.allow("anna", "ben", "carl")
        self.calendar(pairs=150, host=", back: 7s, drain: 40s")
        host = self.open()
        anna, ben, carl = self.joins("anna", "ben", "carl")  # carl is in no event
        self.waits_for(anna, "game 2 against")
        self.waits_for(carl, "it is not entered in any that comes")
        host.send_signal(signal.SIGTERM)
        self.ends(host, 0)
        for process in (anna, ben):
            self.waits_for(process, "the host restarts; running games end first; expect it back in 47 s")
            self.waits_for(process, "goodbye: the host restarts; running games end first; expect it back in 47 s; ")
            self.waits_for(process, "nobody listens at")
        self.waits_for(carl, "the host restarts now; expect it back in 7 s")
        for process in (anna, ben, carl):
            self.assertIsNone(process.poll())
        before = [self.stored_games(CUP, name) for name in ("anna", "ben")]
        self.open()
        for process, name, games in zip((anna, ben), ("anna", "ben"), before):
            self.wait_until(lambda name=name, games=games: self.stored_games(CUP, name) > games, "a game after the restart")
            self.assertIsNone(process.poll())
        self.wait_until(lambda: self.said(carl).count("it is not entered in any that comes") == 2, "carl is back")
        self.assertIn("no faults", self.must("faults", "hosted/cup.db")[0])

    def test_a_host_that_does_not_come_back_says_goodbye_for_good(self):
        self.must("keygen", "--join", "carl")
        self.allow("anna", "ben", "carl")
        self.calendar(pairs=150)
        host = self.open()
        ben, carl = self.joins("ben", "carl")
        anna = self.start("join", "host.bgref", "random", "--key", "anna.key", "--times", "2")  # one of them waits
        self.waits_for(anna, "game 2 against")
        self.waits_for(carl, "it is not entered in any that comes")
        self.assertIn("or never", self.ask("drain", "--back", "soon", status=2))
        self.assertNotIn(", drains", self.status())
        self.ask("drain", "--back", "never")
        self.ends(host, 0)
        for process in (anna, ben):
            self.assertIn("goodbye: the host ends for good; running games end first", self.ends(process, 0))
        self.assertIn("goodbye: the host has ended, and does not come back", self.ends(carl, 0))

    def test_an_author_does_not_wait_for_a_host_that_ended_for_good_without_leave(self):
        """It is killed while it ends: the gateway's last words, or nothing, reach an author."""
        self.calendar(pairs=150, length=25)
        host = self.open()
        anna, ben = self.joins("anna", "ben")
        self.waits_for(anna, "game 2 against")
        self.ask("drain", "--finish-matches", "--back", "never")
        for process in (anna, ben):
            self.waits_for(process, "the host ends for good when the running matches are over")
        kill(host)
        for process in (anna, ben):
            self.assertRegex(self.ends(process, 0), "goodbye: the host (ends for good when|has ended, and does not come back; )")

    def test_a_bot_that_connects_by_itself_gets_a_goodbye_that_says_when_the_host_is_back(self):
        self.environment = {**self.environment, "BGREF_LOG": "info"}
        self.must("keygen", "--join", "carl")
        self.allow("anna", "ben", "carl")
        self.calendar(pairs=150, more="door: {appear: 60s}\ndurable: decision")  # its games are not waited for
        host = self.open()
        anna, carl = (self.start_alone("bgref-random", f"{name}.key") for name in ("anna", "carl"))
        ben, = self.joins("ben")
        self.waits_for(ben, "game 2 against")
        self.waits_for(host, "bot=carl has connected")
        host.send_signal(signal.SIGTERM)
        self.ends(host, 0)
        self.ends(anna, 0)  # it ends with status 1 if its line ends without a Goodbye
        self.assertIn("says goodbye: the host restarts now; expect it back in 60 s", self.ends(carl, 1))
        self.waits_for(ben, "the host restarts now; expect it back in 60 s")

    def test_a_bot_that_only_waits_for_an_event_is_no_failure(self):
        """Bots on the SDK end after half a minute without a Welcome; the author's command stays."""
        self.environment = {**self.environment, "BGREF_LOG": "info"}
        self.must("keygen", "--join", "carl")
        self.allow("anna", "ben", "carl")
        self.calendar()
        self.python_bot("patient", PATIENT.format(starts=self.path("starts")))
        host = self.open()
        carl = self.join(bot="./patient", key="carl.key")
        self.wait_until(lambda: os.path.exists(self.path("starts")) and len(read(self.path("starts"))) >= 3, "three starts", 90)
        self.assertNotIn("the bot has ended", self.said(carl))
        self.assertEqual(self.said(carl).count("connected to"), 1)
        self.assertEqual(self.said(host).count("bot=carl has connected"), 1)
        self.write("late.yaml", "event: late\nbots: [{name: carl, remote: true}, random]\nlength: 1\npairs: 3\n")
        with open(self.path("host.yaml"), "a", encoding="ascii") as file:
            file.write("  - {file: late.yaml, start: always}\n")
        host.send_signal(signal.SIGHUP)
        self.wait_status("  late  ended since")
        self.assertIn("game 1 against random", self.said(carl))
        self.must("verify", "hosted/late.db")

    def open_matches(self):
        """The matches of which games are stored, but not the last one."""
        return self.rows("select a, b, pair, leg, count(*) from game group by a, b, pair, leg "
                         "having max(match_over) = 0", "hosted/cup.db")

    def test_running_matches_are_finished_however_long_they_take(self):
        """drain: 1s is not enough for a game of the slow bots; with --finish-matches nothing is cut off."""
        self.python_bot("slow", SLOW)
        self.calendar(pairs=40, length=3, host=", drain: 1s")
        for words, asked in ((("--finish-matches",), False), ((), True)):
            host = self.open(*words)
            joins = [self.join(bot="./slow", key=f"{name}.key") for name in ("anna", "ben")]
            self.waits_for(joins[0], "game 2 against")
            if asked:
                self.assertIn("running matches end", self.ask("drain", "--finish-matches"))
            else:
                host.send_signal(signal.SIGTERM)
            self.ends(host, 0)
            for join in joins:
                self.assertIn("the host restarts when the running matches are over; expect it back 60 s after that",
                              self.said(join))
                kill(join)
            self.assertEqual(self.open_matches(), [])
        self.must("verify", "hosted/cup.db")

    def test_a_second_signal_ends_also_a_host_that_finishes_matches_at_once(self):
        self.python_bot("slow", SLOW)
        self.calendar(pairs=40, length=25)
        host = self.open("--finish-matches")
        anna, _ = [self.join(bot="./slow", key=f"{name}.key") for name in ("anna", "ben")]
        self.waits_for(anna, "game 1 against")
        host.send_signal(signal.SIGTERM)
        self.wait_status(", drains")
        told, text = self.json(*ABOUT)["host"], "the host restarts when the running matches are over; expect it back 60 s after that"
        self.assertEqual((told["ends"], told["back_s"]), (text, 0))
        self.assertIn(f"\nhost: {text}", self.must(*ABOUT)[0])
        begun = time.monotonic()
        host.send_signal(signal.SIGTERM)
        self.ends(host, 143)
        self.assertLess(time.monotonic() - begun, 9)  # the process was not killed
        self.assertIn("running games were cut off", self.text("hosted/host.journal"))
        self.waits_for(anna, "the host restarts now; expect it back in 60 s")

    def test_an_event_without_one_of_its_bots_is_not_over_when_the_host_ends(self):
        self.must("keygen", "--join", "carl")
        self.allow("anna", "ben", "carl")
        self.calendar(pairs=4000, length=1, more="door: {appear: 2s}")
        text = self.text("cup.yaml")
        self.write("cup.yaml", text.replace("length:", "  - {name: carl, remote: true}\nlength:"))
        joins = []
        for words in (("drain",), ("drain", "--finish-matches")):
            host = self.open()
            joins = joins or self.joins("anna", "ben")
            self.waits_for_games(CUP, "anna")  # without carl
            self.ask(*words)
            self.ends(host, 0)
        self.assertNotIn("cup ended", self.text("hosted/host.journal"))
        self.open()
        self.wait_status("  cup  running since")
        self.waits_for_games(CUP, "anna")

    def test_the_log_goes_to_a_file_that_can_be_rotated_and_has_no_address_of_a_stranger(self):
        self.environment = {**self.environment, "BGREF_LOG": "info"}
        self.calendar(pairs=150, host=", log: logs/host.log, log_addresses: no", more="door: {appear: 60s}\nevents: cup.jsonl")
        host = self.start("host", "host.yaml")
        self.assertIn("log logs/host.log: No such file or directory; make its folder first", self.ends(host, 5))
        os.mkdir(self.path("logs"))
        host = self.start("host", "host.yaml")
        log = self.path("logs/host.log")
        self.wait_until(lambda: os.path.exists(log) and b"door: tcp://" in read(log), "the door", 20)
        anna, ben = self.joins("anna", "ben")
        self.waits_for(anna, "game 2 against")
        self.must("keygen", "--join", "mallory")
        self.must("join", "host.bgref", "--key", "mallory.key", "--status", status=5)
        self.wait_until(lambda: b"a connection from an address was refused" in read(log), "a stranger", 20)
        # logrotate moves it away, and tells the host
        os.rename(log, log + ".1")
        host.send_signal(signal.SIGHUP)
        self.wait_until(lambda: os.path.exists(log), "the new log", 20)
        moved = read(log + ".1")
        # without its folder, and back
        os.rename(self.path("logs"), self.path("gone"))
        host.send_signal(signal.SIGHUP)
        self.wait_status("logs/host.log: No such file or directory")
        self.assertIn(b"the log goes on in the old file", read(self.path("gone/host.log")))
        os.rename(self.path("gone"), self.path("logs"))
        host.send_signal(signal.SIGHUP)
        self.wait_until(lambda: "No such file" not in self.status(), "the log", 20)
        host.send_signal(signal.SIGTERM)
        self.assertEqual(self.ends(host, 0), "")  # nothing beside the log
        self.assertIn(b"  ends\n", read(log))
        self.assertEqual(read(log + ".1"), moved)
        stranger = re.compile(rb"127\.0\.0\.1(?!:%d)" % self.port)
        files = [log, log + ".1", self.path("cup.jsonl"),
                 *(entry.path for entry in os.scandir(self.path("hosted")) if entry.is_file() and not entry.path.endswith(".db"))]
        for name in files:
            self.assertEqual(stranger.findall(read(name)), [], name)
        self.assertIn(b"bot=anna has connected from an address", moved)

    def test_after_a_restart_no_clock_runs_until_the_bot_is_back(self):
        """anna has a second for a match, and is away for longer, once after a kill and once after a drain."""
        self.environment = {**self.environment, "BGREF_LOG": "info"}
        self.python_bot("slow", SLOW)
        self.calendar(pairs=1, length=1, more="door: {appear: 60s}\ndurable: decision\nclock: bank=1s/pt,delay=1s")
        host = self.open()
        self.join(bot="./slow", key="ben.key")
        for end in (lambda: kill(host), lambda: host.send_signal(signal.SIGTERM)):
            anna = self.join(bot="./slow", key="anna.key")
            self.waits_for(anna, "game 1 against")
            self.wait_until(self.steps, "a step of a game", 20)
            kill(anna)
            end()
            self.ends(host, None)
            self.assertGreater(self.steps(), 0)  # it is open
            host = self.open()
            came = time.monotonic()
            self.waits_for(host, "bot=ben has connected")
            self.wait_until(lambda came=came: time.monotonic() > came + 2.5, "the time of a match to pass", 20)
        self.join(bot="./slow", key="anna.key")
        self.wait_status("  cup  ended since")
        self.assertIn("no faults", self.must("faults", "hosted/cup.db")[0])
        self.must("verify", "hosted/cup.db")

    def steps(self):
        return self.count("step", results="hosted/cup.db")

    def test_a_full_disk_below_the_log_is_no_failure_of_the_host(self):
        self.calendar(host=", log: /dev/full")
        host = self.start("host", "host.yaml")
        self.wait_status("cup  running")
        host.send_signal(signal.SIGHUP)
        host.send_signal(signal.SIGTERM)
        self.assertEqual(self.ends(host, 0), "")

    def doctor(self):
        """The doctor's lines about a host, by their subject."""
        lines = self.run_bgref("doctor", "host.yaml").stdout.splitlines()
        return {line.split()[1]: line for line in lines if len(line.split()) > 1}

    def test_the_doctor_looks_at_the_door_and_the_log_of_a_host_and_says_what_to_do(self):
        self.calendar(host=", log: logs/host.log")
        with open(self.path("host.yaml"), "a", encoding="ascii") as file:
            file.write(f"admin: {{metrics: \"tcp://127.0.0.1:{self.free_port()}\"}}\n")
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", self.port))
            taken.listen()
            os.chmod(self.path("host.key"), 0o644)
            found = self.doctor()
        for what, text in (("door", "end the program that has it"), ("key", "others may read host.key; chmod 600 host.key"),
                           ("log", "logs/host.log: No such file or directory; make its folder")):
            self.assertRegex(found[what], f"^bad .*{re.escape(text)}")
        os.chmod(self.path("host.key"), 0o600)
        os.mkdir(self.path("logs"))
        with open(self.path("allow.yaml"), "a", encoding="ascii") as file:
            file.write("- {name: carl}\n")
        self.assertRegex(self.doctor()["host"], "^bad .*allow.yaml")
        self.allow("anna", "ben")
        found = self.doctor()
        for what in ("door", "key", "log", "allow", "metrics", "file"):
            self.assertRegex(found[what], "^ok ")
        self.assertNotIn("address", found)
        self.assertIn("keys: 2", found["allow"])
        self.start("host", "host.yaml")
        self.wait_status("cup  running")
        found = self.doctor()
        for what in ("door", "metrics"):
            self.assertRegex(found[what], "^ok .*is in use, as it is while the host runs")
        self.write("host.yaml", "host: {folder: hosted}\nadmin: {metrics: yes}\n")
        self.assertIn("tcp://127.0.0.1:9464", self.doctor()["metrics"])
        self.write("host.yaml", "host: {folder: hosted}\nadmin: {metrics: no}\n")
        self.assertNotIn("metrics", self.doctor())
        for address in ("0.0.0.0:9464", "127.0.0.1", "127.0.0.1:", "127.0.0.1:door", "[::1]:99999"):
            with self.subTest(address):
                self.write("host.yaml", f"host: {{folder: hosted}}\nadmin: {{metrics: \"tcp://{address}\"}}\n")
                self.assertIn("is not an address that only this machine reaches; write yes, no or an address like tcp://127.0.0.1:9464", self.doctor()["host"])

    def test_the_doctor_looks_at_the_file_for_authors(self):
        self.calendar()
        text = self.text("host.yaml").replace("tcp://127.0.0.1:", "tcp://0.0.0.0:")
        self.write("host.yaml", text.replace("key: host.key", "key: host.key, file: nowhere/host.bgref"))
        found = self.doctor()
        self.assertRegex(found["file"], "^bad .*may not write nowhere/host.bgref; name another place")
        self.assertRegex(found["address"], "^warn .*cannot use tcp://0.0.0.0:")
        self.write("host.yaml", text.replace("key: host.key", f'key: host.pub, door_address: "tcp://127.0.0.1:{self.port}"'))
        found = self.doctor()
        self.assertRegex(found["key"], "^bad .*host.pub is a public key; needs the secret one")
        self.assertRegex(found["file"], "^ok ")
        self.assertNotIn("address", found)


class Interrupted(DoorCase):
    """A tournament with a door of its own."""

    def test_authors_of_an_event_that_is_interrupted_stay_and_play_on_in_the_next_run(self):
        event = self.event(pairs=300, port=self.free_port(), **{"appear: 20s": "appear: 20s, back: 9s"})
        join = self.join()
        self.waits_for(join, "game 2 against")
        event.send_signal(signal.SIGTERM)
        self.ends(event, 143)
        self.waits_for(join, "goodbye: the referee was interrupted and is expected to go on in 9 s; ")
        self.waits_for(join, "nobody listens at")
        games = self.stored_games()
        event = self.start("tournament", "e.yaml")
        self.wait_until(lambda: self.stored_games() > games, "a game of the next run", 30)
        # a second signal, which gives no Goodbye: in the next run it is the same bot again
        event.send_signal(signal.SIGTERM)
        event.send_signal(signal.SIGINT)
        self.ends(event, None)
        self.waits_for(join, "expected to go on in 9 s")
        self.assertIsNone(join.poll())

    def test_a_signal_for_matches_lets_them_end(self):
        event = self.event(pairs=300)
        join = self.join()
        self.waits_for(join, "game 2 against")
        event.send_signal(signal.SIGUSR1)
        event.send_signal(signal.SIGUSR1)  # is no second signal that ends at once
        said = self.ends(event, 143)
        self.assertRegex(said, "interrupted; [12] running match(es are| is) finished first")
        self.assertEqual(self.rows("select pair, leg from game group by a, b, pair, leg having max(match_over) = 0"), [])
        kill(join)


main()
