"""An event with a door, for tests in which people sit at consoles."""
import socket
import subprocess

from harness import BGREF, Case, kill, read


class Operated(Case):
    def run_event(self):
        with open(self.path("said"), "wb") as out:
            event = subprocess.Popen([BGREF, "tournament", "e.yaml"], cwd=self.folder, env=self.environment,
                                     stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT)
        self.addCleanup(lambda: event.poll() is None and kill(event))
        self.wait_until(lambda: "door: tcp://" in self.said() or event.poll() is not None, "the door")
        return event

    def said(self):
        return read(self.path("said")).decode()

    def ends(self, event, status=0):
        event.wait(60)
        self.assertEqual(event.returncode, status, self.said())

    @staticmethod
    def free_port():
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            return probe.getsockname()[1]

    @staticmethod
    def listens(port):
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", port)) == 0
