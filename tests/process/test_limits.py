"""Open files: a modest event needs few, too few are refused with a sentence before anything starts,
bots get the limit that was there before."""
import resource
import subprocess

from harness import BGREF, LONGEST_S, Case, main


class Limits(Case):
    def limited(self, soft, hard, *words):
        def limit():
            resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        return subprocess.run([BGREF, *words], cwd=self.folder, env=self.environment, text=True,
                              capture_output=True, timeout=LONGEST_S, check=False,
                              preexec_fn=limit)

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
            self.assertIn(f"bgref: {need} open files may be needed, and {files} are allowed",
                          done.stderr)
            self.assertIn(f"'ulimit -Hn {need}' or more", done.stderr)

    def test_check_and_judge_say_so_too(self):
        done = self.limited(16, 16, "check", "random")
        self.assertIn("70 open files may be needed, and 16 are allowed", done.stdout + done.stderr)
        self.assertNotEqual(done.returncode, 0)

    def test_the_soft_limit_is_raised_and_bots_get_the_old_one(self):
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
        self.assertEqual(done.returncode, 3, done.stderr)  # it does not start: that was all
        with open(self.path("seen"), encoding="ascii") as seen:
            self.assertEqual(seen.read(), "40")


if __name__ == "__main__":
    main()
