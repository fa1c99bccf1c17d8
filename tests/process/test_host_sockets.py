"""bgref host with the listening sockets of its service manager: who connects while it is started again waits.

The manager is this test: it opens the sockets, keeps them, and starts the host with them by a small launcher.
"""
import os
import signal
import socket
import subprocess
import sys

from door_case import HostedCase
from harness import BGREF, kill, main, words_of

# exec keeps the process's number, which LISTEN_PID has to be; the descriptors follow after the first three.
LAUNCHER = """import fcntl, os, sys
fds, names, count = [int(fd) for fd in sys.argv[1].split(",") if fd], sys.argv[2], sys.argv[3]
copies = [fcntl.fcntl(fd, fcntl.F_DUPFD_CLOEXEC, 64) for fd in fds]
for place, fd in enumerate(copies):
    os.dup2(fd, 3 + place, inheritable=True)
os.environ.update(LISTEN_PID=str(os.getpid()), LISTEN_FDS=count, LISTEN_FDNAMES=names)
os.execv(sys.argv[4], sys.argv[4:])
"""
EVENT = """event: cup
bots:
  - {name: anna, remote: true}
  - random
length: 3
pairs: 400
door: {appear: 60s}
"""


class HostSockets(HostedCase):
    def setUp(self):
        super().setUp()
        self.door = self.listener()
        self.write("launch.py", LAUNCHER)
        self.write("cup.yaml", EVENT)
        self.host_file("cup", port=self.door.getsockname()[1])

    def listener(self, listens=True):
        made = socket.socket()
        self.addCleanup(made.close)
        made.bind(("127.0.0.1", 0))
        if listens:
            made.listen(64)
        return made

    def launch(self, sockets, names, count=None):
        fds = [made.fileno() for made in sockets]
        for fd in fds:
            os.set_inheritable(fd, True)
        out = self.path(f"host-{len(self.running)}")
        with open(out, "wb") as file:
            process = subprocess.Popen([sys.executable, self.path("launch.py"), ",".join(map(str, fds)), names,
                                        str(len(fds) if count is None else count), BGREF, *words_of(("host", "host.yaml"))],
                                       cwd=self.folder, env=self.environment, stdin=subprocess.DEVNULL, stdout=file,
                                       stderr=subprocess.STDOUT, pass_fds=fds)
        process.name = os.path.basename(out)
        self.running.append(process)
        return process

    def refused(self, text, *args, status=2, **more):
        host = self.launch(*args, **more)
        said = self.ends(host, status=None, seconds=20)
        self.assertEqual(host.returncode, status, said)
        self.assertIn(text, said)
        self.assertEqual(said.count("\n"), 1, said)
        self.assertFalse(os.path.exists(self.path("host.bgref")))

    def test_who_connects_while_the_host_is_started_again_waits(self):
        host = self.launch([self.door], "door")
        self.waits_for(host, f"door: tcp://127.0.0.1:{self.door.getsockname()[1]}")
        anna = self.join()
        self.waits_for(anna, "game 2 against random")
        host.send_signal(signal.SIGTERM)
        self.assertEqual(host.wait(60), 0)
        kill(anna)
        with socket.create_connection(self.address(), timeout=5) as raw:  # nobody accepts it now
            raw.settimeout(0.3)
            self.assertRaises(TimeoutError, raw.recv, 1)
            bert = self.join()
            self.wait_until(lambda: self.established() == 2, "the author's connection")
            self.assertIsNone(bert.poll())
            host = self.launch([self.door], "door")
            raw.settimeout(20)
            self.assertEqual(raw.recv(1), b"\xff")  # ZeroMQ's greeting
        self.waits_for(bert, "game 2 against random")
        self.check_a_new_doorman(host)

    def established(self):
        """Connections to the door that the kernel has taken."""
        port = f":{self.door.getsockname()[1]:04X}"
        with open("/proc/net/tcp", encoding="ascii") as table:
            return sum(row.split()[1].endswith(port) and row.split()[3] == "01" for row in list(table)[1:])

    def check_a_new_doorman(self, host):
        """It gets the same socket; so does nobody else below the host."""
        old = self.child_of(host, "bgref-doorman")
        os.kill(old, signal.SIGKILL)
        self.wait_until(lambda: self.children_of(host, "bgref-doorman") not in ([], [old]), "another doorman", 20)
        anna = self.join()
        self.waits_for(anna, "game 2 against random")
        listens = os.stat(f"/proc/{host.pid}/fd/3").st_ino
        gateway = self.child_of(host, "bgref-gateway")
        self.assertNotIn(listens, [os.stat(f"/proc/{gateway}/fd/{fd}").st_ino for fd in os.listdir(f"/proc/{gateway}/fd")])

    def test_wrong_sockets_are_one_clear_error(self):
        self.refused("is called 'web', and a host has only a door: disable its unit, or give it", [self.door], "web")
        self.refused("is called 'unknown'", [self.door], "")
        self.refused("two sockets called door", [self.door, self.listener()], "door:door")
        self.refused("'door' does not accept connections", [self.listener(listens=False)], "door")
        self.refused("socket 0 (door) of the service manager: Bad file descriptor", [], "door", count=1, status=5)
        self.refused("is called 'porch', and a host has only a door: disable its unit", [self.door, self.listener()], "door:porch")
        other = self.listener()
        self.refused(f"listens at tcp://127.0.0.1:{other.getsockname()[1]}, but the host's file says "
                     f"tcp://127.0.0.1:{self.door.getsockname()[1]}", [other], "door")
        with socket.socket(socket.AF_UNIX) as local:
            local.bind(self.path("local"))
            local.listen(1)
            self.refused("'door' is not one of TCP", [local], "door")


main()
