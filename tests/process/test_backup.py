"""Backups of results while they are written, and an event that goes on from one after a kill."""
import os
import re
import resource
import shutil
import signal
import subprocess

from harness import BGREF, BIN, Case, kill, main, read

BACKUP_HOST = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "packaging", "systemd", "backup-host")
EVENT = "event: kept\nbots: [random, greedy, first]\nlength: 3\npairs: {pairs}\n"
PAIRS = 60
NAME = re.compile(r"r-\d{8}T\d{6}Z\.db")


class Backup(Case):
    def play(self, name="r.db", *words):
        self.must("duel", "random", "greedy", "--pairs", "2", "--results", name, "--quiet", *words)

    def files(self):
        """Every file of the test's folder with its bytes."""
        found = {}
        for folder, _, names in os.walk(self.folder):
            for name in names:
                path = os.path.join(folder, name)
                found[os.path.relpath(path, self.folder)] = read(path) if os.path.isfile(path) else b""
        return {name: bytes for name, bytes in found.items()  # which readers of a database leave
                if not name.endswith("-shm") and (bytes or not name.endswith("-wal"))}

    def refused(self, says, *words, status=2):
        before = self.files()
        _, talk = self.must("backup", *words, status=status)
        self.assertIn(says, talk)
        self.assertEqual(self.files(), before)

    def facts(self, copy):
        """NAME.root as words."""
        return dict(line.split(" ", 1) for line in self.text(copy + ".root").splitlines())

    # ---- restore

    def kill_and_restore(self, event):
        """Backups during play, a kill, and the last backup in the place of the results. Returns its facts."""
        run = self.begin("tournament", event, "--results", "r.db", "--quiet")
        self.addCleanup(kill, run)
        self.wait_until(lambda: self.count() > 0, "games")
        self.must("backup", "r.db", "copy.db")
        while self.count() < 80:  # each of them while games are stored
            self.must("backup", "r.db", "copy.db")
        self.wait_until(lambda: self.count() > int(self.facts("copy.db")["games"]), "a game after the backup")
        self.assertIsNone(run.poll(), "the event was over before it was killed")
        kill(run)
        self.assert_nothing_lives()
        os.mkdir(self.path("broken"))
        for end in ("", "-wal", "-shm"):
            os.rename(self.path("r.db" + end), self.path("broken/r.db" + end))
        shutil.copy(self.path("copy.db"), self.path("r.db"))
        return self.facts("copy.db")

    def test_a_killed_event_goes_on_from_its_backup(self):
        event = self.write("event.yaml", EVENT.format(pairs=PAIRS))
        facts = self.kill_and_restore(event)
        kept = self.canonical("copy.db")
        out, _ = self.must("verify", "copy.db", "--root", facts["root"], "--key", read(self.path("r.db.key"))[:64].decode())
        self.assertIn(f"copy.db: {facts['games']} games", out)
        self.assertEqual(self.count(), int(facts["games"]))
        _, talk = self.must("tournament", event, "--results", "r.db")
        self.assertNotRegex(talk, r"(?i)\blog\b", "the backup is said to have lost its log")
        out, _ = self.must("verify", "r.db")
        self.assertRegex(out, r"dice: all \d+ rolls follow from the key")
        self.must("export", "r.db", "--records", "-o", "r.txt")
        root = re.search("^root: ([0-9a-f]{64})", out, re.M)[1]
        beside = self.verify_beside("r.txt", root)
        self.assertEqual(beside.returncode, 0, beside.stderr)
        whole = set(self.canonical("r.db").split("\n\n"))
        self.assertLessEqual(set(kept.split("\n\n")), whole, "a game of the backup was lost")

    # ---- refusals

    def test_what_is_not_a_backup_of_this_event_is_never_replaced(self):
        self.play("r.db")
        self.play("other.db")
        self.must("backup", "other.db", "other-copy.db")
        self.write("text.db", "notes")
        self.write("forged.db", "notes")
        self.write("forged.db.root", "bgref-backup 1\n")
        self.write("gone.db-wal", "a log")
        self.change("foreign.db", "CREATE TABLE t (x)")
        self.write("foreign.db.root", "bgref-backup 1\n")
        os.link(self.path("other-copy.db"), self.path("same.db"))
        for says, *words in (
                ("these are the results themselves", "r.db", "r.db"),
                ("these are the results themselves", "other-copy.db", "same.db"),
                ("is not a backup", "r.db", "other.db"),
                ("is not a backup", "r.db", "text.db"),
                ("not a results database", "r.db", "forged.db"),
                ("a database of another program", "r.db", "foreign.db"),
                ("a backup of another event", "r.db", "other-copy.db"),
                ("a log of another database", "r.db", "gone.db"),
                ("it belongs to the database", "r.db", "r.db-journal"),
                ("it belongs to the database", "r.db", "foreign.db.key"),
                ("No such file", "missing.db", "copy.db"),
                ("not a results database", "text.db", "copy.db"),
                ("needs results and a place", "r.db"),
                ("--keep is for backups in a folder", "r.db", "copy.db", "--keep", "2"),
                ("is not a whole number from 1", "r.db", ".", "--keep", "0")):
            with self.subTest(words=words):
                self.refused(says, *words)
        self.refused("there is no folder nowhere; mend its name", "r.db", "nowhere/copy.db")

    def test_a_backup_in_which_an_event_is_played_is_not_replaced(self):
        event = self.write("event.yaml", EVENT.format(pairs=PAIRS))
        self.kill_and_restore(event)
        os.rename(self.path("copy.db.root"), self.path("r.db.root"))
        run = self.begin("tournament", event, "--results", "r.db", "--quiet")
        self.addCleanup(kill, run)
        start = self.count()
        self.wait_until(lambda: self.count() > start, "a game of the restored event")
        kill(run)
        self.must("backup", "r.db", "new.db")
        before = read(self.path("r.db"))
        _, talk = self.must("backup", "new.db", "r.db", status=2)
        self.assertTrue("a log of another" in talk or "an event is played in it" in talk, talk)
        self.assertEqual(read(self.path("r.db")), before)

    def test_damaged_results_leave_the_earlier_backup(self):
        self.play("r.db")
        self.must("backup", "r.db", "copy.db")
        with open(self.path("r.db"), "r+b") as file:
            size = file.seek(0, os.SEEK_END)
            for page in range(1, size // 8192):  # the head of each page but the first
                file.seek(page * 8192)
                file.write(b"\xee" * 12)
        self.refused("malformed", "r.db", "copy.db", status=5)
        self.change("copy.db", "CREATE INDEX again ON fault (bot)",
                    "PRAGMA writable_schema=ON",
                    "UPDATE sqlite_master SET rootpage=2 WHERE name='again'")
        self.refused("are damaged", "copy.db", "second.db", status=6)

    def test_a_full_disk_leaves_nothing_behind(self):
        self.play("r.db")
        self.must("backup", "r.db", "copy.db")
        before = self.files()
        done = self.run_program(BGREF, "backup", "r.db", "copy.db", preexec_fn=little_room)
        self.assertEqual(done.returncode, 5, done.stderr)
        self.assertEqual(self.files(), before)

    # ---- a folder of backups

    def test_only_the_newest_backups_stay_and_only_backups_go(self):
        self.play("r.db")
        os.mkdir(self.path("folder"))
        old = [f"r-2020010{day}T000000Z.db" for day in range(1, 6)]
        future = [f"r-2999010{day}T000000Z.db" for day in range(1, 6)]  # of a wrong clock
        self.must("backup", "r.db", "copy.db")
        for name in (*old, *future, "r-20190101T000000Z.db", "rr-20190101T000000Z.db", "r-2019.db", "r-20190101T000000Z.dbx"):
            shutil.copy(self.path("copy.db"), self.path("folder/" + name))
        for name in (*old, *future, "rr-20190101T000000Z.db", "r-2019.db"):
            shutil.copy(self.path("copy.db.root"), self.path(f"folder/{name}.root"))
        for name in ("r-20180101T000000Z.db.partial", "r-20180101T000000Z.db.partial-journal", "x.db.partial"):
            self.write("folder/" + name, "left by a killed backup")
        out, _ = self.must("backup", "r.db", "folder", "--keep", "3")
        self.assertIn("removed: 8 earlier backups", out)
        names = os.listdir(self.path("folder"))
        made = [name for name in names if NAME.fullmatch(name) and name > "r-2021"]
        self.assertEqual(len(made), 1, names)
        stay = {*old[3:], made[0], "rr-20190101T000000Z.db", "r-2019.db"}
        self.assertEqual(set(names), stay | {name + ".root" for name in stay} | {
            "r-20190101T000000Z.db", "r-20190101T000000Z.dbx", "x.db.partial"})

    def test_two_backups_of_one_name_do_not_meet(self):
        self.play("r.db")
        self.write("copy.db.partial", "left by a killed backup" * 1000)
        self.write("copy.db.partial-journal", "its journal")
        holder = subprocess.Popen(["flock", "copy.db.partial", "sh", "-c", "echo locked; exec cat"], cwd=self.folder,
                                  stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.addCleanup(holder.communicate)
        self.assertEqual(holder.stdout.readline(), "locked\n")
        self.refused("another backup is writing it", "r.db", "copy.db")
        holder.communicate()
        self.must("backup", "r.db", "copy.db")
        self.must("verify", "copy.db", "--root", self.facts("copy.db")["root"])
        self.assertEqual([name for name in os.listdir(self.folder) if "partial" in name], [])

    def test_the_copy_is_one_file_with_the_rights_of_the_results_and_its_digest(self):
        self.play("r.db")
        os.chmod(self.path("r.db"), 0o640)
        self.must("backup", "r.db", "copy.db")
        self.must("backup", "r.db", "copy.db")  # its earlier self may be replaced
        self.assertEqual(os.stat(self.path("copy.db")).st_mode & 0o777, 0o640)
        self.assertEqual(sorted(name for name in os.listdir(self.folder) if name.startswith("copy")),
                         ["copy.db", "copy.db.root"])
        facts = self.facts("copy.db")
        self.assertEqual(facts["games"], str(self.count()))
        self.assertRegex(facts["taken"], r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$")
        subprocess.run(["b2sum", "--length", "256", "--status", "--check", "copy.db.root"], cwd=self.folder, check=True)
        self.assertEqual(self.canonical("copy.db"), self.canonical("r.db"))

    # ---- the example for a timer

    def backup_host(self, *files, status=0, keep=2):
        done = self.run_program(BACKUP_HOST, "hosted", "copies", *files,
                                env={**self.environment, "PATH": f"{BIN}:{os.environ['PATH']}", "KEEP": str(keep)})
        self.assertEqual(done.returncode, status, done.stderr)
        return done.stderr

    def copies(self, end):
        return sorted(name for name in os.listdir(self.path("copies")) if name.endswith(end))

    def test_the_example_copies_a_host_proves_the_copies_and_keeps_the_newest(self):
        for name in ("hosted", "copies", "lists"):
            os.mkdir(self.path(name))
        self.play("hosted/a.db")
        self.play("b.db")
        for name in ("host.yaml", "hosted/host.state", "hosted/a.db.key", "lists/host.yaml"):
            self.write(name, name)
        self.assertEqual(self.backup_host("host.yaml", "b.db"), "")
        own = self.copies("Z")[-1]
        self.assertEqual(sorted(os.listdir(self.path(f"copies/{own}"))), ["host.state", "host.yaml"])
        first = self.copies(".db")
        self.assertEqual([name[:2] for name in first], ["a-", "b-"])
        self.assertEqual(self.backup_host("host.yaml", "b.db"), "")
        self.assertEqual(self.copies(".db"), first)  # they have not changed
        for place in range(3):
            os.makedirs(self.path(f"copies/host-2020010{place + 1}T000000Z"))
        self.change("b.db", "UPDATE game SET a = 'x'")  # a copy of it is whole, and proves nothing
        says = self.backup_host("host.yaml", "b.db", status=1)
        self.assertIn("b.db: no good copy", says)
        self.assertNotIn("a.db", says)
        self.assertIn("b.db: no good copy", self.backup_host("host.yaml", "b.db", status=1))  # not forgotten
        self.assertEqual(len(self.copies("Z")), 2)
        self.assertIn("lists/host.yaml: there is another file of this name", self.backup_host("host.yaml", "lists/host.yaml", status=1))


def little_room():
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (20000, 20000))


main()
