"""What the surroundings withhold. Limits of the caller's shell: open files, memory, stack, sizes of files. System calls that an
old kernel does not have or a container's filter refuses, and roots without some of their mounts. A small event is played
with what remains, or a message names what is missing and its remedy, and nothing waits for ever."""
import ctypes
import os
import resource
import subprocess

from gallery import SANITIZED
from harness import BGREF, BIN, Case, main


PR_CAPBSET_DROP, CAP_SYS_RESOURCE = 24, 24  # without it even root may not raise a hard limit
SHORT_S = 60  # far longer than these few games take: a program that waits for ever fails the test
LOADER = 127  # the system's loader found no room for the libraries


class Limits(Case):
    def in_memory(self, megabytes, *words):
        def limit():
            resource.setrlimit(resource.RLIMIT_AS, (megabytes << 20, megabytes << 20))
        return self.run_program(BGREF, *words, timeout=SHORT_S, preexec_fn=limit)

    def with_stack(self, kilobytes, hard, *words):
        def limit():
            if hard:
                ctypes.CDLL(None).prctl(PR_CAPBSET_DROP, CAP_SYS_RESOURCE, 0, 0, 0)
            resource.setrlimit(resource.RLIMIT_STACK,
                               (kilobytes << 10, kilobytes << 10 if hard else -1))
        return self.run_program(BGREF, *words, timeout=SHORT_S, preexec_fn=limit)

    def test_little_memory_gives_a_table_or_a_message(self):
        if SANITIZED:
            self.skipTest("the address sanitizer itself maps more than any of these limits")
        self.must("duel", "random", "greedy", "--pairs", "2", "--length", "1", "--results", "r.db")
        table = self.must("rate", "r.db")[0]
        whole = 0
        for megabytes in (16, 24, 32, 48, 100, 300):
            done = self.in_memory(megabytes, "rate", "r.db")
            if done.returncode == 0:
                whole += 1
                self.assertEqual(done.stdout, table, f"{megabytes} MB")
            else:
                self.assertIn(done.returncode, (5, LOADER), f"{megabytes} MB\n{done.stderr}")
                self.assertRegex(done.stderr, "^(bgref( \\w+)?: |.*error while loading)[^\n]+\n$")
        self.assertGreaterEqual(whole, 3)  # 48 MB are enough
        for megabytes in (20, 26, 32, 100):
            done = self.in_memory(megabytes, "duel", "random", "greedy", "--pairs", "2", "--length",
                                  "1", "--sandbox", "off", "--results", f"{megabytes}.db")
            self.assertIn(done.returncode, (0, 3, 5, LOADER), f"{megabytes} MB\n{done.stderr}")
            if done.returncode != 0:
                self.assertRegex(done.stderr.splitlines()[-1], "^(bgref( \\w+)?: |.*error while loading)")
        self.assertEqual(done.returncode, 0, done.stderr)  # 100 MB are enough

    def test_a_small_stack_is_raised_or_refused(self):
        deep = ("duel", "random", "greedy", "--variant", "long-nardi:head=need", "--pairs", "2",
                "--sandbox", "off", "--results")
        done = self.with_stack(128, False, *deep, "soft.db")
        self.assertEqual(done.returncode, 0, done.stderr)
        done = self.with_stack(128, True, *deep, "hard.db")
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertEqual(done.stderr, "bgref: a stack of 512 KB may be needed, and 128 KB are "
                         "allowed: 'ulimit -s 512' or more\n")
        done = self.with_stack(512, True, *deep, "enough.db")
        self.assertEqual(done.returncode, 0, done.stderr)

    def limited(self, soft, hard, *words):
        def limit():
            resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        return self.run_program(BGREF, *words, preexec_fn=limit)

    def duel(self, soft, hard, *words):
        return self.limited(soft, hard, "duel", "random", "greedy", "--pairs", "2", "--length", "1",
                            "--results", "r.db", *words)

    def test_256_are_enough_for_a_modest_event(self):
        done = self.duel(256, 256, "--instances", "8")
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_too_few_are_refused_with_the_number_needed(self):
        for files, instances in ((16, 1), (256, 40)):
            done = self.duel(files, files, "--instances", str(instances))
            self.assertEqual(done.returncode, 2, done.stderr)
            need = 64 + 6 * 2 * instances
            self.assertIn(f"bgref duel: {need} open files may be needed, and {files} are allowed",
                          done.stderr)
            self.assertIn(f"'ulimit -Hn {need}' or more", done.stderr)

    def test_check_and_judge_refuse_too_few_files_too(self):
        done = self.limited(16, 16, "check", "random")
        self.assertIn("70 open files may be needed, and 16 are allowed", done.stdout + done.stderr)
        self.assertNotEqual(done.returncode, 0)

    def test_the_soft_limit_is_raised_and_bots_get_their_own(self):
        hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        self.write("bot.py", f"""#!/usr/bin/python3
import os, resource
with open({self.path("seen")!r}, "w") as seen:
    seen.write(str(resource.getrlimit(resource.RLIMIT_NOFILE)[0]))
raise SystemExit(3)
""")
        done = self.limited(40, hard, "duel", "random", "-engine", "name=x",
                            f"cmd=/usr/bin/python3 {self.path('bot.py')}", "--pairs", "1",
                            "--results", "r.db", "--sandbox", "off")
        self.assertEqual(done.returncode, 3, done.stderr)  # it does not start: no further checks
        self.assertEqual(self.text("seen"), "128")  # open_files

    def with_file_size(self, kib, *words):
        """Like `ulimit -f`, with its signal."""
        def limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (kib << 10, kib << 10))
        return self.run_program(BGREF, *words, preexec_fn=limit)

    def test_a_limit_of_file_sizes_is_one_error_and_nothing_is_lost(self):
        """From a limit that is too small for the key to one that is reached during play."""
        words = ("duel", "random", "greedy", "--pairs", "150", "--length", "5", "--seed", "3", "--quiet",
                 "--results")
        self.must(*words, "whole.db")
        games = 0
        for kib in (0, 1, 16, 120, 1600):  # the last one is above a transaction
            with self.subTest(kib):
                done = self.with_file_size(kib, *words, "r.db")
                self.assertEqual(done.returncode, 5, done.stderr)
                errors = [line for line in done.stderr.splitlines() if line.startswith("bgref duel: ")]
                self.assertEqual(len(errors), 1, done.stderr)
                self.assertRegex(errors[0], r"r\.db\S*: .*(?:File too large|disk I/O error|disk is full)")
                self.assert_nothing_lives()
                games = self.stored(games)
        self.assertGreater(games, 0, "no limit was met while games were played")
        self.must(*words, "r.db")
        self.assertEqual(self.canonical("r.db"), self.canonical("whole.db"))
        self.must("verify", "r.db")

    def stored(self, before):
        """The number of games: never less than before."""
        if not os.path.exists(self.path("r.db")) or os.path.getsize(self.path("r.db")) == 0:
            return before
        tables = {name for name, in self.rows("select name from sqlite_master")}
        games = self.rows("select count(*) from game")[0][0] if "game" in tables else 0
        self.assertGreaterEqual(games, before)
        return games


REFUSE = os.path.join(BIN, "refuse_calls")
SINCE_LINUX_5_1 = "since:424"  # pidfd_*, io_uring, open_tree, clone3, close_range, openat2, landlock, ...
PIDFD = "pidfd_open,pidfd_send_signal,pidfd_getfd"
CONTAINER = "newuser,mount,umount2,pivot_root,setns,keyctl,bpf,perf_event_open,process_vm_readv,ptrace," + PIDFD


class Refused(Case):
    def play(self, results, with_error=None, calls=None):
        event = self.write("e.yaml", "name: e\nseed: 7\npairs: 2\nlength: 1\nbots: [random, python, greedy]\n")
        through = [REFUSE, with_error, calls] if calls else []
        return self.run_program(*through, BGREF, "tournament", event, "--results", results)

    def test_the_helper_refuses(self):
        done = subprocess.run([REFUSE, "EPERM", "newuser", "unshare", "--user", "true"], capture_output=True,
                              text=True, check=False)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("not permitted", done.stderr)

    def test_an_event_is_the_same_without_newer_system_calls(self):
        if SANITIZED:
            self.skipTest("the sanitizers themselves need some of these calls")
        whole = self.play("whole.db")
        self.assertEqual(whole.returncode, 0, whole.stderr)
        for number, (with_error, calls) in enumerate((
                ("ENOSYS", SINCE_LINUX_5_1), ("ENOSYS", PIDFD), ("EPERM", PIDFD), ("EPERM", "close_range"),
                ("EPERM", "faccessat2,openat2,epoll_pwait2,statx"), ("EPERM", CONTAINER))):
            with self.subTest(f"{with_error} {calls}"):
                results = f"{number}.db"
                done = self.play(results, with_error, calls)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertEqual(self.canonical(results), self.canonical("whole.db"))
                self.assertEqual(self.descendants(), [])

    def test_the_reason_why_bots_cannot_be_confined_is_printed(self):
        done = self.run_program(REFUSE, "EPERM", CONTAINER, BGREF, "doctor")
        self.assertRegex(done.stdout, r"warn  sandbox    bots cannot be confined: bwrap: \w[^<]*; "
                                      "a chroot has no user namespaces: enter it with .*; a container has to permit them")
        self.assertRegex(done.stdout, "warn  judge      cannot be confined either")

    def in_root(self, *words):
        """Runs in another root of a namespace; words: of bwrap and the command."""
        return self.run_program("bwrap", "--unshare-user", "--uid", "0", "--gid", "0", *words)

    def test_a_root_without_proc_is_named_with_the_remedy(self):
        if SANITIZED:
            self.skipTest("the sanitizers themselves read /proc")
        self.needs_confinement()  # for bwrap
        root = ("--dev-bind", "/", "/", "--tmpfs", "/proc")
        remedy = "/proc does not show this process; mount it: mount -t proc proc /proc"
        self.assertIn(f"bad   proc       {remedy}\n", self.in_root(*root, BGREF, "doctor").stdout)
        done = self.in_root(*root, BGREF, "duel", "-engine", f"cmd={BIN}/bots/bgref-greedy", "-engine",
                            f"cmd={BIN}/bots/bgref-random", "--pairs", "1", "--results", "r.db")
        self.assertEqual(done.returncode, 5, done.stderr)
        self.assertRegex(done.stderr, f"bgref duel: start .*: {remedy}\n")

    def test_missing_calls_that_threads_need_are_named(self):
        if SANITIZED:
            self.skipTest("the sanitizers themselves make threads")
        done = self.play("r.db", "EPERM", "clone3")  # the C library tries the older call only after ENOSYS
        if done.returncode != 0:
            self.assertEqual(done.returncode, 5, done.stderr)
            self.assertIn("clone3", done.stderr)

    def test_no_function_is_newer_than_glibc_2_31(self):
        """The later ones that an ordinary program may use; the list of glibc's NEWS is longer."""
        newer = {"close_range", "closefrom", "sigabbrev_np", "sigdescr_np", "_Fork", "epoll_pwait2", "strerrorname_np",
                 "pidfd_open", "pidfd_getfd", "pidfd_send_signal", "process_madvise", "arc4random", "strlcpy", "strlcat",
                 "fsopen", "move_mount", "mount_setattr", "open_tree", "strerrordesc_np", "posix_spawn_file_actions_addclosefrom_np"}
        for name in ("bgref", "keeper", "bots/bgref-gnubg", "bots/bgref-ubgi", "bots/lib/libbgref.so"):
            listed = subprocess.run(["nm", "-D", "--undefined-only", os.path.join(BIN, name)], check=True, text=True,
                                    capture_output=True).stdout
            wanted = {line.split()[-1].split("@")[0] for line in listed.splitlines()}
            self.assertGreater(len(wanted), 20, name)  # the list was read
            self.assertEqual(wanted & newer, set(), name)


main()
