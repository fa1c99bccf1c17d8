"""The host of the day and its authors: how each is started, watched and ended."""
import contextlib
import os
import re
import signal
import threading

import decisions
import networks
from course import Course
from door_case import DoorCase
from harness import BGREF, BIN, ROGUE, is_zombie, read, words_of
from person import Person

HERE = os.path.dirname(os.path.abspath(__file__))
FOLLOWER = os.path.join(BIN, "follower")
FOLLOWERS = ("stateful", "cut", "crash")  # they compare all that they are told and asked, and log it
REMOTE = ("steady", *FOLLOWERS, "flood")
STRANGERS = 3000  # connections of a stranger
CUTS = 5
CUT_AFTER = 8  # lines of the bot's log between two cuts
LONG_S = 180  # for whatever is waited for

HOST = """host: {{name: Olympiad, folder: hosted, drain: 60s}}
bots: {{listen: "tcp://{listen}:{port}", door_address: "tcp://{address}:{port}", key: host.key, allow: allow.yaml}}
events:
  - {{file: day.yaml, start: always}}
"""


class Club(DoorCase):
    def setUp(self):
        super().setUp()
        self.net = networks.best()
        self.addCleanup(self.net.close)
        self.addCleanup(self.end_all)  # before the networks are closed
        self.course = Course(self.path("hosted/day.db"))
        self.home = self.net.host()
        self.host, self.begun = None, 0
        self.places, self.joins, self.relays = {}, {}, {}
        self.cuts, self.cutter_wrong = 0, None
        self.cutter = threading.Thread(target=self.cut_lines, daemon=True)

    @contextlib.contextmanager
    def promise(self, text):
        """What fails in it is told as a broken promise."""
        try:
            yield
        except (AssertionError, OSError) as wrong:
            raise AssertionError(f"broken promise: {text}\n{wrong}") from wrong

    # ------------------------------------------------------------------ the host

    def write_event(self, text):
        self.write("day.yaml", text)
        listen = self.home.address if self.home.through else "0.0.0.0"
        self.write("host.yaml", HOST.format(listen=listen, address=self.home.address, port=self.net.port))

    def start_host(self):
        self.host = self.start_program(*self.home.through, BGREF, *words_of(("host", "host.yaml")))
        self.begun += 1
        self.waits_for(self.host, "door: tcp://", 60)

    def drain_host(self):
        """A drain, then another start. Returns the steps of the games that were open: that of the person is among them."""
        self.ask_host("drain")
        self.ends(self.host, seconds=90)
        steps = self.open_steps()
        self.assertTrue(any("person" in row[:2] and "quits" not in row[:2] for row in steps), "the person's game is open")
        self.start_host()
        return steps

    def open_steps(self):
        return self.course.rows("select a, b, pair, leg, game, steps from step order by a, b, pair, leg, game, first")

    def ask_host(self, *words):
        return self.must("host", "host.yaml", *words)[0]

    def kill_host_in_mid_game(self):
        """kill -9, then another start. Returns the steps of the games that were open, as the results have them."""
        self.wait_until(self.is_in_mid_game, "a game to be in its middle", LONG_S)
        kill_only(self.host)
        self.wait_until(lambda: not any(b"day.yaml" in command for command in self.living().values()),
                        "the event's process to end with its host", 60)
        steps = self.open_steps()
        self.assertTrue(steps, "a game was open when the host was killed")
        self.start_host()
        return steps

    def is_in_mid_game(self):
        return any(4 <= rows < 30 for rows, in self.course.rows("select count(*) from step group by a, b, pair, leg, game"))

    # ------------------------------------------------------------------ the authors

    def make_authors(self):
        names = ("person", *REMOTE)
        for number, name in enumerate((*names, "stranger")):
            self.places[name] = self.net.author(name, number)
        for name in names:
            self.must("keygen", "--join", name)
        self.allow(*names)

    def host_file_of(self, name):
        """What the author was sent. A line that is to be cut, or that needs an address of its own, goes through a relay."""
        place = self.places[name]
        if name != "cut" and place.through:
            return "host.bgref"
        self.relays[name] = self.start_program(*place.through, "/usr/bin/python3", os.path.join(HERE, "..", "process", "relay.py"),
                                               self.home.address, str(self.net.port), place.address)
        self.waits_for(self.relays[name], "\n")
        endpoint = f"endpoint: tcp://{place.address}:{self.said(self.relays[name]).strip()}"
        return self.write(name + ".bgref", re.sub("endpoint: .*", endpoint, read(self.path("host.bgref")).decode()))

    def bot_of(self, name):
        if name == "steady":
            return "greedy"
        if name == "flood":
            return self.script(name, f"{ROGUE} flood --after 20")
        os.mkdir(self.path(name))
        return self.script(name, f"{FOLLOWER} {'stateful' if name == 'stateful' else ''} log={self.path(name)}")

    def script(self, name, command):
        path = self.write(name + ".sh", f"#!/bin/sh\nexec {command}\n")
        os.chmod(path, 0o755)
        return path

    def start_authors(self):
        for name in REMOTE:
            self.joins[name] = self.start_program(*self.places[name].through, BGREF, "join", self.host_file_of(name),
                                                  self.bot_of(name), "--key", name + ".key")
        self.person = Person(self, "join", self.host_file_of("person"), "--seat", "--key", "person.key",
                             through=self.places["person"].through)
        self.person.start()
        self.cutter.start()

    def log_of(self, name):
        return decisions.logged(self.path(f"{name}/decisions"))

    def plays_on(self, name, lines):
        before = len(self.log_of(name))
        self.wait_until(lambda: len(self.log_of(name)) >= before + lines, f"the bot '{name}' to play on", LONG_S)

    def cut_lines(self):
        """Cuts the line five times, each time while its bot plays."""
        try:
            for _ in range(CUTS):
                join = self.joins["cut"]
                self.plays_on("cut", CUT_AFTER)
                welcomes = self.said(join).count("welcome: ")
                self.relays["cut"].send_signal(signal.SIGUSR1)
                self.cuts += 1
                self.wait_until(lambda: self.said(join).count("welcome: ") > welcomes, "the bot 'cut' to be back", LONG_S)
        except (AssertionError, OSError) as wrong:
            self.cutter_wrong = str(wrong)

    def line_dies(self, name, meanwhile):
        """The line of a bot that plays carries nothing any more, until both its ends have given it up."""
        self.plays_on(name, 5)
        join, relay = self.joins[name], self.relays.get(name)
        lost, welcomes = (self.said(join).count(text) for text in ("the line to the host is lost", "welcome: "))
        self.net.set_line(self.places[name], False, relay)
        meanwhile()
        self.wait_until(lambda: self.said(join).count("the line to the host is lost") > lost, "its author to notice", LONG_S)
        self.net.set_line(self.places[name], True, relay)
        self.wait_until(lambda: self.said(join).count("welcome: ") > welcomes, f"the bot '{name}' to be back", LONG_S)

    def strangers_flood(self):
        place = self.places["stranger"]
        flood = self.start_program(*place.through, "/usr/bin/python3", os.path.join(HERE, "stranger.py"), self.home.address,
                                   str(self.net.port), place.address, str(STRANGERS))
        self.assertIn("connections", self.ends(flood, seconds=LONG_S))
        self.waits_for(self.host, f"{place.address} was refused", 60)

    def crash_author(self, name):
        """kill -9 of the author's command while its bot plays; the same command then begins again."""
        self.plays_on(name, 5)
        self.wait_until(lambda: self.course.rows(f"select 1 from step where '{name}' in (a, b)"), f"a game of '{name}'", LONG_S)
        words = self.joins[name].args
        kill_only(self.joins[name])
        self.joins[name] = self.start_program(*words)
        self.waits_for(self.joins[name], f"welcome: {name} plays on in day", LONG_S)

    # ------------------------------------------------------------------ the end

    def end_authors(self):
        said = self.person.leave()
        self.assertIsNone(self.person.wrong, f"the person at the board\n{said}")
        self.cutter.join(LONG_S)
        self.assertIsNone(self.cutter_wrong)
        processes = [*self.joins.values(), *self.relays.values()]
        for process in processes:
            process.send_signal(signal.SIGTERM)
        for process in processes:
            self.ends(process, status=None)

    def living(self):
        """Living processes of this day, with their commands: the folder is in their environment or command."""
        found = {}
        for pid in filter(str.isdigit, os.listdir("/proc")):
            with contextlib.suppress(OSError):
                command = read(f"/proc/{pid}/cmdline")
                if self.folder.encode() in read(f"/proc/{pid}/environ") + command and not is_zombie(pid):
                    found[int(pid)] = command
        return found


def kill_only(process):
    process.send_signal(signal.SIGKILL)
    process.wait(30)
