"""A bot's fault has the documented cost, and the event continues."""
import os
import re
import shlex
import signal
import subprocess
import sys
import time

from harness import ROGUE, Case, kill, main, read

NEVER = 10**9


SLICE_BEHIND = 8  # busy loops on one core: each has it for some milliseconds before the next one


class Faults(Case):
    def event(self, deed, pairs=6, ceiling="60s", quarantine=1000, more="", after=3):
        command = (f"{ROGUE} {deed} --after {after} --starts {self.path('starts')} "
                   f"--matches {self.path('matches')}")
        return self.event_file(event="faults", bots=["random", "greedy", f'{{name: rogue, cmd: "{command}"{more}}}'], length=0,
                               pairs=pairs, seed=3, ceiling=ceiling, quarantine=quarantine, concurrency=4, instances=1)

    def play(self, *words, status=0):
        return self.must("tournament", "event.yaml", "--results", "r.db", *words, status=status)

    def check(self, fault, pairs=6):
        """Every game was played; only the rogue lost games, and only by this fault."""
        (games,), = self.rows("select count(*) from game where match_over")
        self.assertEqual(games, 3 * 2 * pairs)
        lost = self.rows("select a, b, winner, fault from game where ended = 'fault'")
        self.assertGreater(len(lost), 0, "no game was lost by the fault")
        for a, b, winner, named in lost:
            self.assertEqual(named, fault)
            self.assertEqual((a, b)[1 - winner], "rogue")
        self.assertEqual({"rogue"}, {bot for bot, in self.rows("select bot from fault")})

    def starts(self):
        with open(self.path("starts"), encoding="ascii") as lines:
            return len(lines.readlines())

    def matches_seen(self):
        """(process, match) in order, one for every change of match; bots see aliases of games."""
        records, _ = self.must("export", "r.db", "--records")
        names = re.findall(r"(?m)^id (\S+)\|\d+ #....\nalias (\w{32}) #", records)
        matches = {alias: match for match, alias in names}
        seen, last = [], {}
        with open(self.path("matches"), encoding="ascii") as lines:
            for pid, alias in map(str.split, lines):
                if last.get(pid) != matches[alias]:
                    last[pid] = matches[alias]
                    seen.append((pid, matches[alias]))
        return seen

    def test_what_others_have_of_the_core_is_not_charged(self):
        """Two quick bots share a core with busy loops, which have it for longer than the whole bank."""
        core = max(os.sched_getaffinity(0))
        loops = [subprocess.Popen(["taskset", "-c", str(core), sys.executable, "-S", "-c", "while True: pass"])
                 for _ in range(SLICE_BEHIND)]
        try:
            self.wait_until(lambda: all(int(read(f"/proc/{loop.pid}/schedstat").split()[0]) > 50_000_000 for loop in loops), "the loops")
            self.write("event.yaml", "event: busy\nlength: 0\npairs: 2\nseed: 3\nclock: bank=150ms\nquarantine: 1\nbots:\n" + "".join(
                f'  - {{name: {bot}, cmd: "taskset -c {core} {os.path.dirname(ROGUE)}/bgref-{bot}"}}\n' for bot in ("random", "greedy")))
            self.play()
        finally:
            for loop in loops:
                loop.kill()
                loop.wait()
        self.assertEqual(self.rows("select story from fault"), [])
        waits = [int(wait) for record, in self.rows("select record from game")
                 for wait in re.findall(r" @\d+\+(\d+) #", record)]
        self.must("verify", "r.db")
        if not waits:
            self.skipTest("the system gave the bots the core at once each time")

    def test_an_illegal_play_loses_the_game_and_names_its_rule(self):
        self.event("wrong-die")
        self.play()
        self.check("illegal")
        for rule, position, reply, again in self.rows(
                "select rule, position_id, reply, reproduce from fault"):
            self.assertRegex(rule, r"^G[1-6]")
            self.assertRegex(reply, r"^moves \d+/\d+")
            self.assertIn(position, again)
            rules_say, once_more = again.splitlines()
            out, _ = self.must(*shlex.split(rules_say)[1:], status=1)
            self.assertIn(rule, out)
            self.assertTrue(once_more.startswith("bgref ask "), once_more)

    def test_a_crash_costs_one_game_and_its_stderr_is_kept(self):
        self.event("exit-decision", pairs=3, after=40)
        self.play()
        self.check("crash", pairs=3)
        for words, message in self.rows("select stderr_tail, story from fault"):
            self.assertIn("rogue: about to fall over", words)
            self.assertEqual(message, "the process ended: exit 3")

    def test_messages_name_the_error_and_evidence_has_the_received_bytes(self):
        text = {
            "no-index": ("illegal", r"index 100000 is not one of the \d+ legal results, which count from 0",
                         r"index 100000"),
            "half-move": ("garbled", r"what answers decision \d+ is not an answer: moves has 3 bytes; a move is two .*",
                          r"\d+ bytes: 1a[0-9a-f]+080506([0-9a-f]{2})*"),
            "no-content": ("garbled", r"what answers decision \d+ is not an answer: it has a number and nothing .*",
                           r"\d+ bytes: 1a[0-9a-f]+"),
            "wrong-kind": ("garbled", r"'accept' does not answer DECISION_PLAY; expected index, moves or .*",
                           r"accept"),
            "wrong-number": ("order", r"an answer to decision \d+, which was never asked; use .*", r"index 0"),
            "garbage": ("garbled", r"message: 14 bytes that are not a ToReferee", r"14 bytes: ffffff20[0-9a-f]+"),
            "two-frames": ("garbled", r"an empty frame before the message, as REQ sockets send; .*", None),
            "oversized": ("oversized", r"a message of 65537 bytes; at most 65536 are allowed", r"65537 bytes: (00){256}..."),
        }
        self.write("event.yaml", "bots:\n  - random\n" + "".join(
            f'  - {{name: {deed}, cmd: "{ROGUE} {deed}"}}\n' for deed in text) +
            "length: 0\npairs: 1\nseed: 3\nquarantine: 1000\nconcurrency: 4\n")
        self.play("--quiet")
        seen = set()
        for bot, fault, message, reply in self.rows("select bot, fault, story, reply from fault"):
            kind, said, kept = text[bot]
            self.assertEqual(fault, kind, bot)
            self.assertRegex(message, f"^{said}$")
            if kept is not None:
                self.assertRegex(reply or "", f"^{kept}$")
            seen.add(bot)
        self.assertEqual(seen, set(text))

    def test_a_match_of_drawn_games_ends_drawn(self):
        self.write("event.yaml", "bots: [random, greedy, first]\nlength: 3\npairs: 1\nseed: 3\n"
                   "turn_cap: 1\ncube: off\n")
        self.play("--quiet")
        self.assertEqual(self.rows("select count(*), max(game), min(match_winner), max(match_winner) "
                                   "from game where match_over"), [(6, 9, -1, -1)])
        self.must("verify", "r.db")
        for row in self.json("rate", "r.db")["standings"]:
            self.assertEqual((row["drawn"], row["score"]), (4, 2), row)  # half a win each
        for form in ("csv", "json", "xgid"):
            self.must("export", "r.db", "-f", form)
        self.must("report", "r.db", "--out", "-")
        self.must("show", "r.db")

    def test_silence_ends_at_the_ceiling(self):
        self.event("silent", pairs=2, ceiling="300ms", after=40)
        self.play()
        self.check("silent", pairs=2)
        self.assertGreater(self.starts(), 1, "a hung process is started anew")

    def test_late_by_its_clock(self):
        self.event("late", pairs=2, after=40, more=', clock: "move=400ms"')
        self.play()
        self.check("late", pairs=2)
        self.assertEqual(self.starts(), 1, "a process that is only late is left alone")

    def test_no_flag_falls_while_the_referee_itself_is_stopped(self):
        event = self.event("plain", pairs=1000, after=NEVER)
        run = self.begin("tournament", event, "--results", "r.db", "--quiet", "--clock", "move=500ms")
        self.addCleanup(kill, run)
        self.wait_until(lambda: os.path.exists(self.path("r.db")) and self.count() > 0, "a game")
        run.send_signal(signal.SIGSTOP)
        time.sleep(0.7)  # longer than the clock
        run.send_signal(signal.SIGCONT)
        before = self.count()
        self.wait_until(lambda: self.count() > before, "more games")
        run.send_signal(signal.SIGINT)
        run.communicate(timeout=60)
        self.assertEqual(self.rows("select bot, fault, story from fault"), [])

    def test_strict_stops_with_status_4(self):
        self.event("wrong-die")
        _, talk = self.play("--strict", status=4)
        self.assertIn("rogue", talk)
        self.assertIn("--strict", talk)

    def test_a_bot_that_does_not_start_gives_status_3_and_the_reason(self):
        for deed, start, reason in (
                ("exit-start", "1m", "cannot find my weights"), ("silent-start", "1s", "no Hello in time"),
                ("wrong-token", "5s", "refused: token: it differs from BGREF_TOKEN"),
                ("mumble", "10m", "its first message is not a Hello"), ("wrong-version", "1m", "refused: protocol"),
                ("wrong-die", "1m", "option Plies")):
            with self.subTest(deed):
                self.event(deed, more=", options: {Plies: 2}" if deed == "wrong-die" else "")
                _, talk = self.play("--start", start, "--fresh", status=3)
                self.assertIn("bot rogue does not start", talk)
                self.assertIn(reason, talk)

    def test_a_process_of_a_stateful_bot_has_one_match_at_a_time(self):
        self.event("stateful", more=", instances: 2", after=NEVER)
        self.play("--length", "3", "-concurrency", "8")
        seen = self.matches_seen()
        self.assertEqual(len(seen), len(set(seen)), "a process came back to a match it had left")
        self.assertEqual(len(seen), 24, "every match was played by one process")

    def tearDown(self):
        self.assert_nothing_lives()
        self.assertFalse([name for name in os.listdir(self.folder) if name.startswith("bgref-")],
                         "a socket folder was left behind")


main()
