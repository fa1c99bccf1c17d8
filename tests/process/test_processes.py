"""Ownership and end of processes: a bot's processes end with it, whatever they do; the caller's own children
live; bots cannot reach the terminal; a second signal ends the referee at once."""
import contextlib
import os
import pty
import select
import signal
import subprocess
import time

from harness import BGREF, LONGEST_S, ROGUE, Case, is_zombie, kill, main, read

ENDLESS = ("--pairs", "100000", "--length", "1", "--results", "r.db", "--quiet")


def parent_of(pid):
    return int(read(f"/proc/{pid}/stat").rpartition(b")")[2].split()[1])


def zombies_below(top):
    """Zombie processes among all descendants of top."""
    parents, ended = {}, set()
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            parents[int(pid)] = parent_of(pid)
            if is_zombie(pid):
                ended.add(int(pid))
        except OSError:
            continue

    def descends(pid):
        while pid in parents:
            pid = parents[pid]
            if pid == top:
                return True
        return False

    return [pid for pid in ended if descends(pid)]


class Processes(Case):
    def tearDown(self):
        self.assert_nothing_lives()

    def rogue(self, deed, *more):
        return ("-engine", f"name={deed}", f"cmd={ROGUE} {deed} {' '.join(more)}")

    def begin_duel(self, *bots, more=(), before=()):
        """An event without end, in a process group of its own; returns when games are played."""
        run = subprocess.Popen([*before, BGREF, "duel", *bots, *ENDLESS, *more], cwd=self.folder,
                               env=self.environment, text=True, stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                               start_new_session=True)
        self.addCleanup(kill, run)
        self.wait_until(lambda: self.count() > 4 or run.poll() is not None, "games")
        self.assertIsNone(run.poll(), "it ended")
        return run

    def test_the_callers_children_live(self):
        done = subprocess.run(
            ["/bin/bash", "-c", "(sleep 100 & echo $! >>pids; wait) & echo $! >>pids; "
             "sleep 0.3; exec $BGREF duel random greedy --pairs 5 --length 1 --quiet --results r.db"],
            cwd=self.folder, env={**self.environment, "BGREF": BGREF}, stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, timeout=LONGEST_S, check=False)
        with open(self.path("pids"), encoding="ascii") as file:
            pids = [int(pid) for pid in file]
        self.assertEqual(done.returncode, 0)
        self.assertEqual(len(pids), 2)
        ended = [is_zombie(pid) for pid in pids]  # before the first is killed: the other waits for it
        for pid in pids:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)  # ours, from above
        self.assertEqual(ended, [False, False])

    def test_starts_by_other_sessions_and_groups(self):
        self.write("jobs.sh", "#!/bin/bash\nset -m\n"
                   f"{os.path.dirname(ROGUE)}/bgref-random &\nwait %1\n")
        os.chmod(self.path("jobs.sh"), 0o755)
        self.must("duel", "-engine", "name=own-session",
                  f"cmd=setsid -w {os.path.dirname(ROGUE)}/bgref-random", "-engine", "name=own-group",
                  "cmd=./jobs.sh", "--pairs", "5", "--length", "1", "--quiet", "--results", "r.db")
        self.assertEqual(self.count("fault"), 0)

    def test_orphans_are_reaped_while_it_plays(self):
        run = self.begin_duel("random", *self.rogue("zombie-storm"))
        end = time.monotonic() + 3
        while time.monotonic() < end:  # how many there are at once, and for how long, depends on the machine
            seen = set(zombies_below(run.pid))
            self.wait_until(lambda: not seen & set(zombies_below(run.pid)), "the orphans to be reaped")
        run.terminate()
        self.assertEqual(run.wait(timeout=60), 143)

    def test_every_signal_ends_an_event_of_bots_that_ignore_signals(self):
        for number, status in ((signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)):
            with self.subTest(number):
                run = self.begin_duel(*self.rogue("joins-group"), *self.rogue("fork-loop"))
                os.killpg(run.pid, number)
                self.assertEqual(run.wait(timeout=60), status)
                self.assert_nothing_lives()
                self.remove("r.db")

    def test_a_second_signal_ends_the_referee_at_once(self):
        run = self.begin_duel(*self.rogue("joins-group"), *self.rogue("ignores-term"),
                              more=("--ceiling", "60s"))
        # Stopped bots do not play: running games cannot finish.
        bots = [pid for pid in self.descendants() if b"rogue" in read(f"/proc/{pid}/cmdline")]
        for pid in bots:
            os.kill(pid, signal.SIGSTOP)
        self.assertGreaterEqual(len(bots), 2)
        run.send_signal(signal.SIGINT)
        self.assertIn("running games are finished first", run.stderr.readline())
        run.send_signal(signal.SIGINT)
        self.assertEqual(run.wait(timeout=30), 130)  # and not after the ceiling, when the games are over
        self.assert_nothing_lives()
        self.must("verify", "r.db")

    def test_a_referee_that_is_killed_while_confined_bots_start_leaves_nothing(self):
        self.needs_confinement()
        for pause_ms in range(0, 60, 4):
            run = self.begin("duel", "random", *self.rogue("joins-group"), "--sandbox", "on",
                             "--pairs", "1000", "--length", "1", "--quiet", "--results", "r.db",
                             "-each", "instances=4")
            self.wait_until(lambda: self.starting(run.pid) or run.poll() is not None, "a start")
            time.sleep(pause_ms / 1000)
            kill(run)
            self.wait_until(lambda: not self.inside(), f"bwrap to be gone (after {pause_ms} ms)")
            self.assert_nothing_lives()

    def starting(self, pid):
        try:
            return any(parent_of(other) == pid for other in filter(str.isdigit, os.listdir("/proc")))
        except OSError:
            return False

    def inside(self):
        """bwrap processes of this folder, found by their command line."""
        found = []
        for pid in filter(str.isdigit, os.listdir("/proc")):
            try:
                words = read(f"/proc/{pid}/cmdline")
                if b"bwrap" in words and self.folder.encode() in words and not is_zombie(pid):
                    found.append(int(pid))
            except OSError:
                continue
        return found

    def test_files_in_memory_count_where_a_bot_is_confined(self):
        self.needs_confinement()
        done = self.run_bgref("duel", "random", *self.rogue("tmp-hog"), "--sandbox", "on",
                              "--memory", "200M", "--pairs", "1", "--length", "1", "--quiet",
                              "--results", "r.db", "--quarantine", "1")
        self.assertEqual(self.count("fault", "bot = 'tmp-hog' and fault = 'memory'"), 1,
                         done.stderr)

    def test_bots_cannot_reach_the_terminal(self):
        """The referee runs in a terminal of its own; anything that the bot writes or types would be seen."""
        for end in self.open_terminal():  # else this test cannot be tried here
            os.close(end)
        child, terminal = pty.fork()
        if child == 0:
            os.chdir(self.folder)
            os.execve(BGREF, [BGREF, "duel", "random", *self.rogue("terminal"), "--pairs", "3",
                              "--length", "1", "--quiet", "--results", "r.db"], self.environment)
        seen = b""
        while True:
            if not select.select([terminal], [], [], LONGEST_S)[0]:
                self.fail("it does not end")
            try:
                seen += os.read(terminal, 65536)
            except OSError:  # the last one has closed it
                break
        _, status = os.waitpid(child, 0)
        os.close(terminal)
        self.assertEqual(os.waitstatus_to_exitcode(status), 0, seen)
        self.assertNotIn(b"by a bot", seen)
        self.assertNotIn(b"typed-by", seen)
        self.assertIn(b"random", seen)

    def test_a_stopped_judge_names_the_signal(self):
        self.must("duel", "random", "greedy", "--pairs", "200", "--length", "3", "--quiet",
                  "--results", "r.db")
        for number, status in ((signal.SIGTERM, 143), (signal.SIGINT, 130), (signal.SIGHUP, 129)):
            with self.subTest(number):
                run = self.begin("judge", "r.db", "--again", "--judge", "greedy")
                self.addCleanup(kill, run)
                self.wait_until(lambda: self.starting(run.pid) or run.poll() is not None, "a judge")
                run.send_signal(number)
                self.assertEqual(run.wait(timeout=60), status)
                self.assert_nothing_lives()


main()
