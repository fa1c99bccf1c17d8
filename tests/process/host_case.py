"""A host that tests start, ask and watch."""
import os
import re
import socket

from harness import Case, kill, lives, read

SHORT = "bots: [greedy, random]\nlength: 1\npairs: 6\nseed: 5\nconcurrency: 1\n"
LONG = "bots: [greedy, random]\nlength: 5\npairs: 4000\nseed: 5\nconcurrency: 1\n"


class HostCase(Case):
    def setUp(self):
        super().setUp()
        self.host = None
        self.addCleanup(self.end)

    def event(self, name, text=SHORT):
        self.write(f"{name}.yaml", f"event: {name}\n{text}")

    def calendar(self, *items, more="", drain="60s"):
        """items: 'league, start: always'"""
        events = "".join(f"  - {{file: {item.split(',')[0]}.yaml,{item.split(',', 1)[1]}}}\n" for item in items)
        self.write("host.yaml", f"host: {{name: a test, folder: hosted, drain: {drain}}}\n{more}events:\n{events or '  []'}")

    def start(self):
        self.host = self.begin("host", "host.yaml")
        self.wait_until(lambda: self.host.poll() is not None or self.answers(), "the host")
        self.assertIsNone(self.host.poll())

    def end(self):
        if self.host is not None:
            kill(self.host)
        self.host = None

    def drained(self):
        """Waits for the end of the host; its exit status."""
        self.host.communicate(timeout=60)
        host, self.host = self.host, None
        return host.returncode

    def answers(self):
        try:
            return f"process {self.host.pid} " in self.status()
        except OSError:
            return False

    def status(self):
        """What 'bgref host host.yaml status' prints, without starting a program for each look."""
        text = b""
        with socket.socket(socket.AF_UNIX) as admin:
            self.wait_until(lambda: admin.connect_ex(self.path("hosted/admin")) == 0, "the host", 20)
            admin.sendall(b"bgref-host-1\tstatus\t\n")
            while part := admin.recv(4096):
                text += part
        self.assertTrue(text.startswith(b"ok\n"), text)
        return text[3:].decode()

    def ask(self, *words, status=0):
        sure = ("--yes",) if words[0] == "cancel" else ()
        out, talk = self.must("host", "host.yaml", *words, *sure, status=status)
        return talk if status else out

    def state(self, instance):
        """'running', ...; '' if it is not listed."""
        found = re.search(rf"^  {re.escape(instance)}  ([a-z ]+) since ", self.status(), re.M)
        return found.group(1) if found else ""

    def why(self, instance):
        return re.search(rf"^  {re.escape(instance)}  .*\((.*)\)$", self.status(), re.M).group(1)

    def pid(self, instance):
        found = re.search(rf"^  {re.escape(instance)}  .*, process (\d+)", self.status(), re.M)
        return int(found.group(1)) if found else 0

    def wait_for(self, instance, state, seconds=60):
        self.wait_until(lambda: self.state(instance) == state, f"{instance} to be {state}", seconds)

    def plays(self, instance):
        """Its desk is open, and its results are there."""
        return all(os.path.exists(self.path(f"hosted/{instance}.{end}")) for end in ("db.desk", "db"))

    def wait_play(self, instance):
        self.wait_until(lambda: self.plays(instance), f"the desk of {instance}")

    def wait_begun(self, instance):
        """Its bots have started; what ends before leaves no results."""
        self.wait_play(instance)
        self.wait_until(lambda: not re.search("just (beginning|starting)", self.run_bgref(
            "host", "host.yaml", "void", instance, "no|body|0", "--reason", "a test").stderr), f"{instance} to begin", 60)

    def assert_gone(self, pid):
        self.wait_until(lambda: not lives(pid), f"process {pid} to end")

    def log(self, instance):
        return read(self.path(f"hosted/{instance}.log")).decode()
