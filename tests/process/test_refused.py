"""System calls that an old kernel does not have or a container's filter refuses, and roots without some of their
mounts: events are played with what remains, and their tables are the same. If nothing remains for a purpose, a
message names what is missing and its remedy."""
import os
import subprocess

from gallery import SANITIZED
from harness import BGREF, BIN, Case, main

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
