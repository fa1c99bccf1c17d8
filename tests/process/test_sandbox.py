"""Confined bots: the files they see, the calls that fail, and whether any layout of folders, links and mounts
shows them the results. As root each test also runs as an ordinary user, who has other and fewer rights."""
import os
import subprocess
import sys

from harness import BGREF, BIN, LONGEST_S, ROGUE, Case, confines_bots, main

NOBODY = 65534
ORDINARY = ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"]
MARKER = "ThisLineStandsInTheFolderOfTheResults"
MOUNTS = ["unshare", "--mount", "--propagation", "private", "sh", "-c"]


class Confined(Case):
    def setUp(self):
        self.needs_confinement()
        super().setUp()
        os.chmod(self.folder, 0o755)

    def users(self):
        return [[], ORDINARY] if os.geteuid() == 0 else [[]]

    def hand_over(self, user):
        """Gives the folder and its content to the user who runs the test."""
        owner = NOBODY if user else os.geteuid()
        for folder, _, files in os.walk(self.folder):
            for path in (folder, *(os.path.join(folder, name) for name in files)):
                os.chown(path, owner, owner, follow_symlinks=False)

    def run_as(self, user, words, cwd=None):
        return subprocess.run([*user, *words], cwd=cwd or self.folder, env=self.environment,
                              stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              timeout=LONGEST_S, check=False)

    def duel(self, user, deed, results="r/r.db", cmd=None, cwd=None, before="", pairs="1"):
        """Plays against random, confined, after a line of shell."""
        words = [BGREF, "duel", "random", "-engine", "name=rogue",
                 f"cmd={cmd} {deed}" if cmd else f"cmd={deed}", "--pairs", pairs, "--length", "1", "--sandbox", "on", "--results",
                 results, "--quiet"]
        if before:
            words = [*MOUNTS, before + ' && exec "$@"', "sh", *user, *words]
            user = []
        return self.run_as(user, words, cwd)

    def mkdir(self, *names):
        for name in names:
            os.makedirs(self.path(name), exist_ok=True)
        return self.path(names[-1])


class Seen(Confined):
    def test_a_confined_bot_sees_little_and_can_call_little(self):
        for user in self.users():
            self.mkdir("r")
            self.hand_over(user)
            deed = f"{ROGUE} plain --calls --unseen={self.path('r')}"
            done = self.duel(user, deed, results=f"r/{len(user)}.db")
            self.assertEqual(done.returncode, 0, done.stderr)

    def test_an_unconfined_bot_sees_more(self):
        self.assertIn("it can see", self.must("duel", "random", "-engine", f"cmd={ROGUE} plain --unseen=/nowhere", "--pairs", "1",
                                              "--sandbox", "off", status=3)[1])

    def test_a_terminal_is_out_of_reach(self):
        """The referee runs on a terminal of its own; anything that a bot types would appear there."""
        for user in self.users():
            self.mkdir("r")
            self.hand_over(user)
            done = self.run_as([], [
                sys.executable, "-c",
                "import os, pty, sys\n"
                "status = pty.spawn(sys.argv[1:], lambda fd: os.read(fd, 1024))\n"
                "sys.exit(os.waitstatus_to_exitcode(status))",
                *user, BGREF, "duel", "random", "-engine", "name=rogue",
                f"cmd={ROGUE} plain --unseen=/nowhere", "--pairs", "1", "--length", "1",
                "--sandbox", "on", "--results", f"r/{len(user)}.db", "--quiet"])
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_honest_runtimes_run(self):
        """SQLite, locks, threads, processes with shared memory, a local server."""
        self.mkdir("r", "bot")
        code = ("import sqlite3, threading, multiprocessing, socket, tempfile, fcntl\n"
                "base = sqlite3.connect(tempfile.mktemp())\n"
                "base.execute('create table t (a)')\n"
                "base.execute('insert into t values (1)')\n"
                "base.commit()\n"
                "assert multiprocessing.Pool(2).map(abs, [-1, -2]) == [1, 2]\n"
                "socket.create_server(('127.0.0.1', 0)).close()\n"
                "first = open('/tmp/lock', 'w')\n"
                "fcntl.flock(first, fcntl.LOCK_EX)\n"
                "try:\n"
                "    fcntl.flock(open('/tmp/lock'), fcntl.LOCK_EX | fcntl.LOCK_NB)\n"
                "    raise SystemExit('a lock locks nothing')\n"
                "except BlockingIOError:\n"
                "    pass\n"
                "thread = threading.Thread(target=lambda: None)\n"
                "thread.start()\n"
                "thread.join()\n")
        gnubg = "printf 'new match 1\\nquit\\ny\\n' | /usr/games/gnubg -t -q >/dev/null || exit 7\n"
        node = "node -e 'new (require(\"worker_threads\").Worker)(\"1\", {eval: true})' || exit 8\n"
        java = "java -version 2>/dev/null || exit 9\n"
        self.script("bot/bot", "#!/bin/sh\nPATH=$PATH:/usr/games\n" + "".join(
            f"! command -v {name} >/dev/null || {{ {line.strip()}; }}\n"
            for name, line in (("gnubg", gnubg), ("node", node), ("java", java)))
            + f"python3 /dev/stdin <<'END' || exit 10\n{code}END\nexec \"$@\"\n")
        done = self.duel([], f"{ROGUE} plain", cmd=self.path("bot/bot"))
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_only_the_program_is_visible_of_a_home_folder(self):
        self.mkdir("home/.ssh", "r")
        self.write("home/.ssh/id", MARKER)
        self.write("home/beside", MARKER)
        program = self.script("home/bot", '#!/bin/sh\nexec "$@"\n')
        self.environment["HOME"] = self.path("home")
        done = self.duel([], f"{ROGUE} plain --secret={MARKER}", cmd=program)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.environment["HOME"] = "/"
        done = self.duel([], f"{ROGUE} plain --secret={MARKER}", cmd=program, results="r/2.db")
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertIn("home/.ssh/id", done.stderr)


class Doctor(Case):
    def findings(self):
        lines = self.run_bgref("doctor").stdout.splitlines()
        return {words[1]: (words[0], words[2]) for words in (line.split(None, 2) for line in lines)}

    def test_the_sandbox_in_force_is_printed(self):
        found = self.findings()
        for name in ("sandbox", "seccomp", "landlock", "tmpfs", "ptrace", "terminal", "memory"):
            self.assertIn(name, found)
        if confines_bots():
            self.assertIn("confines bots", found["sandbox"][1])

    def test_a_sandbox_gap_is_reported_with_its_remedy(self):
        self.environment["PATH"] = "/nowhere"
        verdict, text = self.findings()["sandbox"]
        self.assertEqual(verdict, "warn")
        self.assertIn("bots cannot be confined", text)
        self.assertIn("apt install bubblewrap", text)


class Paths(Confined):
    """A bot searches everything it sees for a line of a file beside the results, for that file under any name,
    and for sockets that are not its own."""

    def setUp(self):
        super().setUp()
        self.mkdir("bots", "real", "away")
        path = self.write("bots/bot", '#!/bin/sh\nexec "$@"\n')
        os.chmod(path, 0o755)

    def mark(self, folder):
        with open(os.path.join(self.folder, folder, "secret"), "w", encoding="ascii") as file:
            file.write(MARKER)
            about = os.fstat(file.fileno())
        return f"{ROGUE} plain --secret={MARKER} --secret-file={about.st_dev}:{about.st_ino}"

    def spy(self, secret, results, cmd=None, cwd=None, before="", again=True):
        """Nothing of the folder `secret` is found; in a folder without results it is found."""
        deed = self.mark(secret)
        for user in self.users():
            if before and user:
                continue  # only root can mount
            self.hand_over(user)
            done = self.duel(user, deed, results=results, cmd=cmd or self.path("bots/bot"), cwd=cwd,
                             before=before)
            self.assertEqual(done.returncode, 0, done.stderr)
            for name in (results, results + ".key"):
                path = os.path.join(cwd or self.folder, name)
                if os.path.exists(path):
                    os.truncate(path, 0) if os.path.islink(path) else os.unlink(path)
        if again:
            done = self.duel([], deed, results=self.path("away/r.db"),
                             cmd=cmd or self.path("bots/bot"), cwd=cwd, before=before)
            self.assertEqual(done.returncode, 3, done.stderr)
            self.assertIn("it can see", done.stderr)
            self.assertFalse(os.path.exists(self.path("away/r.db")))  # the line would be in it, too

    def test_results_below_the_bots_folder_by_whatever_path(self):
        self.mkdir("bots/results")
        for link, target in (("link", "bots/results"), ("alias", "bots"), ("real/r.db", "../bots/results/file.db"),
                             ("bots/results/far.db", "../../real/far.db")):
            os.symlink(target, self.path(link))
        bots, results = self.path("bots"), self.path("bots/results")
        for path, more in (("bots/results/r.db", {}), ("real/../bots/./results/../results/r.db", {}),
                           ("results/r.db", {"cmd": "./bot", "cwd": bots}), ("link/r.db", {}), ("real/r.db", {}),
                           ("bots/results/far.db", {}), ("bots/results/r.db", {"cmd": self.path("alias/bot")}),
                           ("/proc/self/cwd/r.db", {"cwd": results})):
            with self.subTest(path, **more):
                for name in ("bots/results/file.db", "real/far.db"):  # what the links name
                    self.write(name, "")
                self.spy("bots/results", path, **more)

    def test_a_link_in_the_bots_folder_to_the_results(self):
        os.symlink("../real", self.path("bots/results"))
        self.spy("real", "bots/results/r.db", again=False)

    def test_the_folder_above_both(self):
        """The referee's sockets are also in it."""
        self.mkdir("real")
        self.write("file", "")
        self.spy("real", "real/r.db", cmd=f"{self.path('bots/bot')} env FILE={self.path('file')}",
                 again=False)

    def test_bind_mounts(self):
        if os.geteuid() != 0:
            self.skipTest("only root can mount")
        self.mkdir("bots/view", "bots/above", "bots/deep")
        self.mkdir("real/sub")
        self.write("bots/file", "")
        real, bots = self.path("real"), self.path("bots")
        for before, sees in ((f"mount --bind {real} {bots}/view", True),
                             (f"mount --bind {real}/secret {bots}/file", True),
                             (f"mount --bind {self.folder} {bots}/above", True),
                             (f"mount --bind {real}/sub {bots}/deep", False),
                             (f"mount --rbind {self.folder} {bots}/above && "
                              f"mount --bind {real} {bots}/above/away", True)):
            with self.subTest(before=before):
                self.spy("real", "real/r.db", before=before,
                         again=sees and "away" not in before)

    def test_a_bot_with_the_results_is_refused(self):
        self.mkdir("results/deep")
        os.link(self.path("bots/bot"), self.path("results/deep/bot"))
        os.symlink("bots", self.path("alias"))
        for cmd, results in (("bots/bot", "bots/r.db"), ("results/deep/bot", "results/r.db"),
                             ("alias/bot", "bots/r.db"), ("bots/bot", "alias/r.db")):
            with self.subTest(cmd=cmd):
                done = self.duel([], f"{ROGUE} plain", cmd=self.path(cmd), results=results)
                self.assertEqual(done.returncode, 3, done.stderr)
                self.assertIn("put the results elsewhere (--results)", done.stderr)

    def test_results_with_a_second_name_are_refused(self):
        done = self.duel([], f"{ROGUE} plain", cmd=self.path("bots/bot"), results="real/r.db")
        self.assertEqual(done.returncode, 0, done.stderr)
        os.link(self.path("real/r.db"), self.path("bots/other.db"))
        done = self.duel([], f"{ROGUE} plain", cmd=self.path("bots/bot"), results="real/r.db",
                         pairs="2")
        self.assertEqual(done.returncode, 5, done.stderr)  # the store checks first
        self.assertIn("has 2 names (hard links)", done.stderr)


if __name__ == "__main__":
    assert BIN
    main()
