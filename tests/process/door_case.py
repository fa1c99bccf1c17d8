"""An event with a bot of another machine, and the author's command that joins it."""
import contextlib
import os
import re
import resource
import signal
import socket
import sqlite3
import subprocess

from harness import BGREF, BIN, Case, kill, read, words_of
from host_case import HostCase

EVENT = """event: spring
bots:
  - {{name: anna, remote: true}}
  - random
length: 3
pairs: {pairs}
results: r.db
door: {{listen: "tcp://127.0.0.1:{port}", key: host.key, allow: allow.yaml, appear: {appear}}}
"""


class DoorCase(Case):
    def setUp(self):
        super().setUp()
        self.running = []
        self.descriptors = 0  # limit for commands; 0: none
        self.addCleanup(self.end_all)
        for name in ("host", "anna"):
            self.must("keygen", "--join", name)
        self.allow("anna")

    def end_all(self):
        for process in self.running:
            if process.poll() is None:
                kill(process)

    def public(self, name):
        return read(self.path(f"{name}.pub")).decode().split()[3]

    def allow(self, *names):
        self.write("allow.yaml", "".join(f"- {{name: {name}, key: {self.public(name)}}}\n" for name in names))

    def start(self, *words):
        """Starts a command; its output goes to files, so that a test can read it while it runs."""
        return self.start_program(BGREF, *words_of(words))

    def start_program(self, *words):
        name = f"{os.path.basename(words[0])}-{len(self.running)}"
        with open(self.path(name), "wb") as out:
            process = subprocess.Popen(words, cwd=self.folder, env=self.environment, stdin=subprocess.DEVNULL,
                                       stdout=out, stderr=subprocess.STDOUT, preexec_fn=self.limit_descriptors)
        process.name = name
        self.running.append(process)
        return process

    def limit_descriptors(self):
        if self.descriptors > 0:
            resource.setrlimit(resource.RLIMIT_NOFILE, (self.descriptors, self.descriptors))

    def said(self, process):
        return read(self.path(process.name)).decode()

    def event(self, pairs=5, appear="20s", port=0, **more):
        text = EVENT.format(pairs=pairs, appear=appear, port=port)
        for old, new in more.items():
            text = text.replace(old, new)
        self.write("e.yaml", text)
        event = self.start("tournament", "e.yaml")
        self.waits_for(event, "door: tcp://")
        return event

    def stored_games(self, results="r.db", bot=None):
        """How many games, or games of a bot, are stored: `join` has no line for each. 0 before there are results."""
        if not os.path.exists(self.path(results)):
            return 0
        with contextlib.closing(sqlite3.connect(self.path(results), timeout=20)) as database:
            tables = database.execute("select count(*) from sqlite_master where name = 'game'").fetchone()[0]
            games = "select count(*) from game where ?1 is null or ?1 in (a, b)"
            return database.execute(games, (bot,)).fetchone()[0] if tables else 0

    def waits_for_games(self, results="r.db", bot=None, games=3, seconds=60):
        """Waits for so many more games."""
        before = self.stored_games(results, bot)
        self.wait_until(lambda: self.stored_games(results, bot) >= before + games, f"{bot or 'the event'} to play on", seconds)

    def again(self, port):
        """The next run of an event whose door was at this port."""
        def is_closed():
            with socket.socket() as probe:
                return probe.connect_ex(("127.0.0.1", port)) != 0
        self.wait_until(is_closed, "the door to be closed")
        event = self.start("tournament", "e.yaml")
        self.waits_for(event, "door: tcp://")
        return event

    def join(self, bot="random", key="anna.key", host="host.bgref"):
        return self.start("join", host, bot, "--key", key)

    def start_alone(self, program, key="anna.key", **changed):
        """Starts a bot that connects by itself: one of ours, or by its path."""
        text, before = read(self.path("host.bgref")).decode(), self.environment
        self.environment = {**before, "BGREF_ENDPOINT": re.search(r"endpoint: (\S+)", text)[1],
                            "BGREF_SERVER_KEY": re.search(r"key: '(\w+)'", text)[1], "BGREF_KEY_FILE": key, **changed}
        bot = self.start_program(os.path.join(BIN, "bots", program))
        self.environment = before
        return bot

    def relayed(self, name, own="127.0.0.1", *cuts):
        """Writes a host file that leads over a line of relay.py, which begins at own; returns its process."""
        relay = self.start_program("/usr/bin/python3", os.path.join(os.path.dirname(__file__), "relay.py"),
                                   *map(str, self.address()), own, *cuts)
        self.waits_for(relay, "\n")
        self.write(name, re.sub("endpoint: .*", f"endpoint: tcp://{own}:{self.said(relay).strip()}", self.text("host.bgref")))
        return relay

    def python_of(self, version, body=""):
        """Our bot in Python under this version, in a folder of its own; body stands before its start."""
        folder = self.path(f"python-{version}")
        os.makedirs(folder, exist_ok=True)
        for name in ("bgref_bot.py", "bgref_pb2.py"):
            source = read(os.path.join(BIN, "bots", "python", name)).decode()
            with open(os.path.join(folder, name), "w", encoding="utf-8") as out:
                out.write(source.replace('greeting.version = "0.1.0"', f'greeting.version = "{version}"'))
        path = os.path.join(folder, "mine")
        with open(path, "w", encoding="utf-8") as out:
            out.write(f"#!/usr/bin/python3\nimport bgref_bot\n{body}bgref_bot.main()\n")
        os.chmod(path, 0o755)
        return path

    def waits_for(self, process, text, seconds=60):
        self.wait_until(lambda: text in self.said(process) or process.poll() is not None, text, seconds)
        self.assertIn(text, self.said(process))

    def ends(self, process, status=0, seconds=60):
        try:
            process.wait(seconds)
        except subprocess.TimeoutExpired:
            self.fail(f"{process.args} does not end:\n{self.said(process)}")
        if status is not None:
            self.assertEqual(process.returncode, status, self.said(process))
        return self.said(process)

    @staticmethod
    def children_of(event, name):
        pids = read(f"/proc/{event.pid}/task/{event.pid}/children").split()
        return [int(pid) for pid in pids if read(f"/proc/{int(pid)}/cmdline").startswith(name.encode() + b"\0")]

    def child_of(self, event, name):
        found = self.children_of(event, name)
        self.assertEqual(len(found), 1)
        return found[0]

    @staticmethod
    def until_closed(line):
        """Returns what came on the line until the other side closed it."""
        got = b""
        try:
            while chunk := line.recv(4096):
                got += chunk
        except ConnectionResetError:
            pass
        return got

    def address(self):
        host, port = re.search(r"endpoint: tcp://([\d.]+):(\d+)", read(self.path("host.bgref")).decode()).groups()
        return host, int(port)

    @staticmethod
    def free_port():
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            return probe.getsockname()[1]


class HostedCase(DoorCase):
    """A host with one door for its events."""
    HOST = """host: {{name: club, folder: hosted{host}}}
bots: {{listen: "tcp://127.0.0.1:{port}", key: host.key, allow: allow.yaml{bots}}}
{more}events:
{events}"""

    def host_file(self, *names, port=0, host="", bots="", more=""):
        """Events of NAME.yaml, which begin at once."""
        self.write("host.yaml", self.HOST.format(port=port, host=host, bots=bots, more=more, events="".join(
            f"  - {{file: {name}.yaml, start: always}}\n" for name in names)))

    def open_host(self, *names, **more):
        """Starts a host; of these events, or once more."""
        if names:
            self.host_file(*names, **more)
        host = self.start("host", "host.yaml")
        self.waits_for(host, "door: tcp://")
        return host

    def ask(self, *words, status=0):
        return self.must("host", "host.yaml", *words, status=status)[1 if status else 0]

    status = HostCase.status  # asks as it does, without a program for each look
    pid = HostCase.pid

    def wait_status(self, *texts, seconds=60):
        self.wait_until(lambda: all(text in self.status() for text in texts), str(texts), seconds)

    def journal(self):
        return self.text("hosted/host.journal")

    def read_again(self, host, text="read again: host.yaml"):
        before = self.said(host).count("read again")
        host.send_signal(signal.SIGHUP)
        self.wait_until(lambda: self.said(host).count("read again") > before, "SIGHUP")
        self.assertIn(text, self.said(host))
