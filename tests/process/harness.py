"""Starts the real program in a folder of its own, and checks what it leaves behind.

ctest runs every suite here as `python3 SUITE.py BIN`, where BIN is the folder of the built programs. Tests
end only processes that they have started.
"""
import contextlib
import fcntl
import functools
import json
import os
import pty
import signal
import sqlite3
import struct
import subprocess
import sys
import tempfile
import termios
import time
import unittest

BIN = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else ""
BGREF = os.path.join(BIN, "bgref")
ROGUE = os.path.join(BIN, "bots", "bgref-rogue")
VERIFY_MATCH = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "docs", "verify_match.py")
LONGEST_S = 900  # longer than any single run


def words_of(words):
    """The words of a call of bgref; a host of root's has to be allowed."""
    is_host = words[:1] == ("host",) and len(words) == 2 and words[1] != "--example"
    return (*words, "--allow-root") if is_host and os.geteuid() == 0 else words


@functools.cache
def confines_bots(through=()):
    """Whether bots can be confined here."""
    done = subprocess.run([*through, BGREF, "doctor", tempfile.gettempdir()], stdout=subprocess.PIPE, text=True, check=False)
    return any(line.startswith("ok") and " sandbox " in line for line in done.stdout.splitlines())


class Case(unittest.TestCase):
    """A test with a folder of its own, which also contains the referee's sockets."""
    through = ()  # words before the program's name that start it: as another user, with another limit

    def setUp(self):
        holder = tempfile.TemporaryDirectory(prefix="bgref-test-")
        self.addCleanup(holder.cleanup)
        self.folder = holder.name
        self.environment = {
            **{k: v for k, v in os.environ.items() if not k.startswith("BGREF_")},
            "TMPDIR": self.folder, "XDG_RUNTIME_DIR": self.folder, "XDG_CONFIG_HOME": self.folder,
            "LC_ALL": "C.UTF-8"}

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, text):
        with open(self.path(name), "w", encoding="utf-8") as out:
            out.write(text)
        return self.path(name)

    def text(self, name):
        return read(self.path(name)).decode()

    def json_lines(self, name):
        return [json.loads(line) for line in self.text(name).splitlines()]

    def event_file(self, name="event.yaml", **settings):
        """An event of these settings, in their order; a list is written as one."""
        return self.write(name, "".join(f"{key}: {'[' + ', '.join(value) + ']' if isinstance(value, (list, tuple)) else value}\n"
                                        for key, value in settings.items() if value is not None))

    def script(self, name, text):
        """A program that others start by its path, which is returned."""
        os.chmod(self.write(name, text), 0o755)
        return self.path(name)

    def python_bot(self, name, body, bots=os.path.join(BIN, "bots", "python")):
        """Our bot in Python with a change: body, which may use `honest`, what it would choose."""
        return self.script(name, f"#!/usr/bin/python3\nimport os, sys, time\nsys.path.insert(0, {bots!r})\nimport bgref_bot\n"
                                 f"honest = bgref_bot.best_index\n{body}bgref_bot.best_index = best_index\nbgref_bot.main()\n")

    def remove(self, *begins):
        """Removes what stands in the folder under such names, as results with all that lies beside them."""
        for name in os.listdir(self.folder):
            if name.startswith(begins):
                os.remove(self.path(name))

    def begin(self, *words, **more):
        """Starts the program; its output is kept for communicate(). more: for Popen."""
        return subprocess.Popen([*self.through, BGREF, *words_of(words)], cwd=self.folder, env=self.environment, text=True,
                                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, **more)

    def run_program(self, *words, **more):
        """Runs any program to its end, here. more: for subprocess.run."""
        given = {"cwd": self.folder, "env": self.environment, "text": True, "capture_output": True, "timeout": LONGEST_S, **more}
        return subprocess.run(words, check=False, **({} if "input" in more else {"stdin": subprocess.DEVNULL}), **given)

    def run_bgref(self, *words, stdin="", **more):
        return self.run_program(*self.through, BGREF, *words_of(words), input=stdin, **more)

    def json(self, *words):
        """What a command prints with --json."""
        return json.loads(self.must(*words, "--json")[0])

    def verify_beside(self, *words):
        """The other verifier, docs/verify_match.py."""
        return self.run_program("/usr/bin/python3", VERIFY_MATCH, *words)

    def must(self, *words, status=0):
        """Runs the program to its end and checks the exit status; returns standard output and error."""
        done = self.run_bgref(*words)
        self.assertEqual(done.returncode, status, f"{words}\n{done.stdout}\n{done.stderr}")
        return done.stdout, done.stderr

    def canonical(self, results):
        return self.must("export", results, "--canonical")[0]

    def descendants(self):
        """Processes with this test's endpoint in their initial environment or command line."""
        mark = f"ipc://{self.folder}/".encode()
        found = []
        for pid in filter(str.isdigit, os.listdir("/proc")):
            try:
                if any(mark in read(f"/proc/{pid}/{of}") for of in ("environ", "cmdline")):
                    found += [] if is_zombie(pid) else [int(pid)]
            except OSError:
                continue
        return found

    def needs_confinement(self):
        if not confines_bots(tuple(self.through)):
            self.skipTest("bots cannot be confined here; bgref doctor says why")

    def open_terminal(self):
        """(leader, follower) of a new one."""
        try:
            return pty.openpty()
        except OSError as error:
            return self.skipTest(f"no terminal can be opened here ({error}): mount -t devpts devpts /dev/pts")

    def on_terminal(self, *words, columns=80):
        """The exit status of a command, and what it prints on a terminal of this width."""
        leader, follower = self.open_terminal()
        fcntl.ioctl(follower, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        run = subprocess.Popen([BGREF, *words], cwd=self.folder, env=self.environment, stdin=follower, stdout=follower, stderr=follower)
        os.close(follower)
        shown = b""
        with contextlib.suppress(OSError):  # the last writer has closed it
            while more := os.read(leader, 65536):
                shown += more
        os.close(leader)
        return run.wait(timeout=LONGEST_S), shown

    def rows(self, question, results="r.db", values=()):
        with contextlib.closing(sqlite3.connect(f"file:{self.path(results)}?mode=rw", uri=True, timeout=20)) as database:
            return database.execute(question, values).fetchall()

    def change(self, results, *deeds):
        """Changes a database behind bgref's back. A deed is SQL, or SQL and its values."""
        with contextlib.closing(sqlite3.connect(self.path(results))) as database, database:
            for deed in deeds:
                database.execute(*((deed,) if isinstance(deed, str) else deed))

    def count(self, table="game", where="true", results="r.db"):
        try:
            return self.rows(f"select count(*) from {table} where {where}", results)[0][0]
        except sqlite3.OperationalError:  # the database is being made
            return 0

    def dump(self):
        with contextlib.closing(sqlite3.connect(self.path("r.db"))) as database:
            return list(database.iterdump())

    def wait_until(self, condition, what, seconds=60):
        end = time.monotonic() + seconds
        while not condition():
            self.assertLess(time.monotonic(), end, f"waited {seconds} s for: {what}")
            time.sleep(0.01)

    def assert_nothing_lives(self):
        self.wait_until(lambda: not self.descendants(), "every bot process to be gone")


def read(path):
    with open(path, "rb") as file:
        return file.read()


def lives(pid):
    """Not that of an ended orphan which the machine's first process leaves unreaped, as in many containers."""
    try:
        return not is_zombie(pid)
    except OSError:
        return False


def is_zombie(pid):
    return read(f"/proc/{pid}/stat").rpartition(b")")[2].split()[0] == b"Z"


def kill(process):
    process.send_signal(signal.SIGKILL)
    process.communicate()


def main():
    """Runs the suite; every skipped test is printed with its reason, so that ./run-tests can count them."""
    program = unittest.main(verbosity=1, exit=False)
    for test, why in program.result.skipped:
        print(f"skipped: {test.id().removeprefix('__main__.')}: {why}", flush=True)
    sys.exit(not program.result.wasSuccessful() or program.result.testsRun == 0)
