"""bgref host started by root: it becomes the user of HOST.yaml before it makes or starts anything, or does not run."""
import os
import pathlib
import pwd
import re
import shutil

from door_case import HostedCase
from harness import BIN, BGREF, main, read

SANITIZED = b"__asan_init" in read(BGREF)  # its search for leaks has to trace them
NOBODY = pwd.getpwnam("nobody")
EVENT = """event: spring
bots:
  - {name: anna, remote: true}
  - random
length: 3
pairs: 2000
sandbox: off
door: {appear: 60s}
"""


class Privileges(HostedCase):
    def setUp(self):
        super().setUp()
        if os.geteuid() != 0:
            self.skipTest("only root can become another user")
        self.allow("anna")
        self.write("spring.yaml", EVENT)
        os.chmod(self.folder, 0o755)

    def config(self, user=None):
        self.host_file("spring", host=f", user: {user}" if user else "")

    def program(self):
        """A copy of the program and a bot that every user can start."""
        there = self.path("program")
        for name in ("bgref", "keeper", "bots/bgref-random", "bots/lib"):
            source, target = os.path.join(BIN, name), os.path.join(there, name)
            os.makedirs(os.path.dirname(target), exist_ok=True)
            shutil.copytree(source, target) if os.path.isdir(source) else shutil.copy2(source, target)
        for path in (there, *map(str, pathlib.Path(there).rglob("*"))):
            os.chmod(path, 0o755)
        return os.path.join(there, "bgref")

    def refused(self, text):
        self.assertIn(text, self.ends(self.start_program(BGREF, "host", "host.yaml"), status=2))
        self.assertFalse(os.path.exists(self.path("hosted")), "a host that refuses has made its folder")

    def test_root_does_not_run_a_host_and_nothing_is_made(self):
        self.config()
        self.refused("name the user that it becomes (host: {user: bgref})")
        self.config(user="root")
        self.refused("host: user: root is root; name another user")
        self.config(user="no-such-user")
        self.refused("host: user: no user no-such-user on this machine")

    def test_another_user_cannot_be_become_without_root(self):
        self.config(user="games")
        bgref = self.program()
        said = self.ends(self.start_program("setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups", bgref, "host",
                                            "host.yaml"), status=2)
        self.assertIn("only root can become games; start the host as root or as games", said)

    def test_every_process_is_the_users_for_good(self):
        self.config(user="nobody")
        os.chown(self.path("host.key"), NOBODY.pw_uid, NOBODY.pw_gid)
        os.makedirs(self.path("run"))  # for sockets, and host.bgref
        os.chown(self.path("run"), NOBODY.pw_uid, NOBODY.pw_gid)
        os.chown(self.folder, NOBODY.pw_uid, NOBODY.pw_gid)
        self.environment["TMPDIR"] = self.path("run")
        self.environment["LD_LIBRARY_PATH"] = self.path("program/bots/lib")  # the build's may be closed to others
        host = self.start_program("setpriv", "--groups=0,4", self.program(), "host", "host.yaml")
        self.waits_for(host, "door: tcp://")
        self.assertEqual(os.stat(self.path("hosted")).st_uid, NOBODY.pw_uid)
        join = self.start("join", "host.bgref", "random", "--key", "anna.key")
        self.waits_for(join, "game 1 against")
        seen = set()
        for pid in [host.pid, *self.below(host.pid)]:
            status = read(f"/proc/{pid}/status").decode()
            name = re.search(r"^Name:\t(\S+)", status)[1]
            seen.add(name)
            for row, ident in (("Uid", NOBODY.pw_uid), ("Gid", NOBODY.pw_gid)):
                self.assertEqual(re.search(rf"^{row}:\t(.*)$", status, re.M)[1].split(), [str(ident)] * 4, f"{name}: {row}")
            self.assertNotIn("0", re.search(r"^Groups:\t(.*)$", status, re.M)[1].split(), f"{name}: groups")
            for kind in ("CapInh", "CapPrm", "CapEff", "CapAmb"):
                self.assertEqual(int(re.search(rf"^{kind}:\t(\w+)$", status, re.M)[1], 16), 0, f"{name}: {kind}")
            if name in ("bgref-doorman", "bgref-gateway") and not SANITIZED:
                self.assertRegex(status, r"NoNewPrivs:\t1\n")
        self.assertLessEqual({"bgref", "bgref-doorman", "bgref-gateway", "bgref-random"}, seen)

    @classmethod
    def below(cls, pid):
        found = []
        for child in map(int, read(f"/proc/{pid}/task/{pid}/children").split()):
            found += [child, *cls.below(child)]
        return found


main()
