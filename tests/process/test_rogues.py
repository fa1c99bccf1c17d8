"""Every deed of bgref-rogue together with honest bots: the event ends by itself, honest games are played,
faults match `bgref-rogue --list`, and no process of the bots is left afterwards."""
import json
import os
import re
import shlex

from gallery import CLOCKED, DOORS, SILENT, Gallery, those
from harness import BGREF, ROGUE, main


class Rogues(Gallery):
    def test_harmless_rogues_have_no_faults(self):
        names = those(lambda name, faults, rule: not faults)
        for third in names[::3], names[1::3], names[2::3]:  # a round robin of all bots has three times the games of the three
            self.event(third)
            self.forget()

    def test_thoughts_that_cannot_be_cost_nothing(self):
        done = self.run_bgref("duel", "-engine", f"cmd={ROGUE} odd-thoughts --after 1", "-engine", "name=random", "--pairs",
                              "1", "--length", "1", "--results", "r.db", "--metrics", "m.txt")
        self.assertEqual(done.returncode, 0, done.stderr)
        told = re.findall(r"told a thought that is dropped: (.*?); its answer counts", done.stderr)
        self.assertIn("a chance outside 0..1", told)
        dropped = int(re.search(r'dropped_thoughts_total{.*bot="bgref-rogue"} (\d+)', self.text("m.txt"))[1])
        records = [record for record, in self.rows("select record from game")]
        kept = [line for record in records for line in re.findall(r"^thought .*", record, re.M)]
        self.assertGreater(len(kept), 1)
        for line in kept:
            self.assertRegex(line, r"^thought text=\\x1b\[31m0 roll 66 @1\\x0a1 fault late(<U\+202E>)+ #")
            self.assertLessEqual(len(line), len("thought text= #1234") + 200)
        plays = sum(len(re.findall(r"^\d play", record, re.M)) for record in records)
        self.assertTrue(3 * len(kept) <= dropped <= plays, (dropped, kept, plays))
        self.must("verify", "r.db")

    def test_illegal_plays_and_cube_actions(self):
        self.event(those(lambda name, faults, rule: rule != "-"), pairs=20)
        again = 0
        for line in self.must("faults", "r.db", "--json")[0].splitlines():
            fault = json.loads(line)
            words = shlex.split(fault.get("rules_say") or "")
            if {"--check", "--result", "--index"} & set(words):
                again += 1
                out, _ = self.must(*words[1:], status=1)
                self.assertTrue(out.startswith(f"{fault['fault']}: {fault['rule']} "), fault)
        self.assertGreater(again, 20)
        printed = self.must("faults", "r.db", "one-die")[0]
        self.assertIn("one-die: illegal G6.1", printed)
        self.assertNotIn("lower-die", printed)

    def test_answers_that_do_not_fit(self):
        self.event(those(lambda name, faults, rule: rule == "-" and name not in CLOCKED
                         and faults & {"garbled", "order", "oversized"}))

    def test_floods_and_unread_messages(self):
        self.event(those(lambda name, faults, rule: faults & {"flood", "unread", "memory"}))
        for message, in self.rows("select story from fault where bot = 'flood-answers'"):
            self.assertIn("answer each once", message)

    def test_ends_of_processes_and_connections(self):
        self.event(those(lambda name, faults, rule: "crash" in faults), seed=None)
        self.assertTrue(any(len(secret) == 64 for secret in self.secrets), "the key of the dice was not read")

    def test_time(self):
        self.event(those(lambda name, faults, rule: name in SILENT | CLOCKED), ceiling="1500ms")

    def test_starts(self):
        self.event(those(lambda name, faults, rule: "start" in faults), start="3s")

    def test_a_bot_that_uses_anothers_endpoint_is_charged(self):
        """The victim starts slowly, and loses nothing."""
        self.event(["thief", "slow-start"], also=" --sleep 3", sandbox="off")
        messages = [message for message, in self.rows("select story from fault where bot = 'thief'")]
        self.assertTrue(messages)
        for message in messages:
            self.assertRegex(message, r"its process \d+ tried to connect to another bot's socket")

    def test_the_referee_stays_small_and_quick_beside_them(self):
        """The referee's lag is meaningful only on a quiet machine: here it only has to be counted."""
        self.event(those(lambda name, faults, rule: name in DOORS), start="3s", concurrency=20)
        account, = [value for value, in self.rows("select value from meta where key like 'run.%'")]
        self.assertGreater(float(re.search(r" lag_p99_us=([\d.]+)", account)[1]), 0)
        self.assertRegex(account, r" credited_ms=[\d.]+ ")

    def test_confined_bots_see_nothing_and_leave_nothing(self):
        self.needs_confinement()
        unseen = f" --unseen={self.path('r.db')}"
        self.event(["plain", "double-fork", "fork-bomb", "segfault", "exit-decision", "ignores-term",
                    "monstrous"], also=unseen, sandbox="on")
        for message, in self.rows("select story from fault where bot = 'segfault'"):
            self.assertIn("SIGSEGV", message)
        for text, in self.rows("select record from game limit 3"):
            self.assertIn("host sandbox=bwrap+seccomp", text)

    def test_a_confined_fork_bomb_is_contained(self):
        self.needs_confinement()
        os.chmod(self.folder, 0o777)
        words = [BGREF, "duel", "random", "-engine", "name=bomb",
                 f"cmd={ROGUE} fork-bomb --forks 600 --after 1", "--pairs", "1", "--length", "1",
                 "--sandbox", "on", "--start", "60s", "--results", "r.db"]  # 500 starts of sleep take long
        # The kernel stops every user except root.
        other = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
        done = self.run_program(*(other if os.geteuid() == 0 else []), *words)
        self.assertEqual(done.returncode, 3, done.stderr)
        held = re.search(r"its last words: rogue: held after (\d+) forks", done.stderr)
        self.assertTrue(held, done.stderr)
        self.assertLess(int(held[1]), 512)
        self.assert_nothing_lives()


main()
