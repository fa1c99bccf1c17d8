"""The act reinstate: a quarantined bot continues to play, no played game changes, and all views of the results
show the reinstatement. Each act is one transaction, with what it changes."""
import contextlib
import json
import os
import sqlite3
import subprocess

from gallery import SANITIZED
from harness import BGREF, BIN, LONGEST_S, ROGUE, Case, kill, main, read

EVENT = """event: league
bots:
  - greedy
  - random
  - {{name: rogue, cmd: "{command}"}}
length: {length}
pairs: 4
{more}quarantine: 1
instances: 1
concurrency: 3
"""
WHY = "its plays were mended"


class Reinstate(Case):
    def event(self, more="seed: 3\n", length=1):
        """The program stays the same, its behaviour changes."""
        self.does(f"exec {ROGUE} wrong-die --after 12")
        os.chmod(self.write("rogue", f"#!/bin/sh\n. '{self.path('does')}'\n"), 0o755)
        self.write("league.yaml", EVENT.format(command=self.path("rogue"), more=more, length=length))

    def does(self, text):
        self.write("does", text + "\n")

    def mend(self):
        self.does(f"exec {ROGUE} wrong-die --after 1000000000")

    def play(self, *words, status=0):
        return self.must("tournament", "league.yaml", "--results", "r.db", *words, status=status)

    def dump(self):
        with contextlib.closing(sqlite3.connect(self.path("r.db"))) as database:
            return "\n".join(database.iterdump())

    def root(self):
        return self.rows("select value from meta where key = 'results.root'")[0][0]

    def games(self, table="game"):
        return dict(self.rows(f"select id, hash from {table}"))

    def out(self):
        """Plays until the rogue is out; returns the number of fixtures that were given up."""
        self.event()
        self.play(status=7)
        (given_up,), = self.rows("select count(*) from unplayed")
        self.assertGreater(given_up, 0)
        return given_up

    def test_a_reinstated_bot_continues_to_play(self):
        given_up = self.out()
        before, root = self.games(), self.root()
        out, _ = self.must("desk", "r.db", "reinstate", "rogue", "--reason", WHY)
        self.assertIn("act 2: reinstate bot=rogue, by ", out)
        self.assertIn(f"{given_up} fixtures are open again", out)
        self.assertIn(f"the published root {root} is withdrawn; the next run publishes a new one", out)
        self.assertEqual(self.rows("select kind, subject, reason from act"),
                         [("absent", "bot=rogue", "its games were given up"), ("reinstate", "bot=rogue", WHY)])
        self.assertEqual(self.games(), before)
        self.assertEqual(self.rows("select * from unplayed"), [])
        self.mend()
        out, talk = self.play("--events", "e.jsonl")
        self.assertIn("24/24 (100.0%)", talk)
        self.assertNotIn("NOT PLAYED", out)
        after = self.games()
        self.assertEqual({name: after[name] for name in before}, before)
        self.assertEqual(self.rows("select count(*) from game where match_over"), [(24,)])
        with open(self.path("e.jsonl"), encoding="utf-8") as lines:
            events = [json.loads(line) for line in lines]
        act, = [event for event in events if event["kind"] == "reinstated"]
        self.assertEqual((act["bot"], act["fixtures"], act["reason"]), ("rogue", given_up, WHY))
        self.assertEqual([event for event in events if event["kind"] == "quarantined"], [])
        self.reported_everywhere(given_up, root)

    def reported_everywhere(self, given_up, root):
        proof, _ = self.must("verify", "r.db")
        self.assertIn(", as published", proof)
        self.assertRegex(proof, rf"reinstated: rogue on \S+Z, {given_up} fixtures opened again: {WHY}\n"
                                rf"  the root published before it: {root}\n")
        self.assertNotEqual(self.root(), root)
        self.must("verify", "r.db", "--root", root, status=6)
        self.assertRegex(self.must("show", "r.db")[0], rf"Reinstated\n  rogue  \S+Z, {given_up} fixtures")
        self.assertRegex(" ".join(self.must("report", "r.db", "--text")[0].split()),
                         rf"Reinstated:? rogue on \S+Z: {WHY}")

    def test_reinstatement_is_covered_by_root_and_seal(self):
        self.out()
        self.must("desk", "r.db", "reinstate", "rogue", "--reason", WHY)
        self.mend()
        self.play()
        root = self.root()
        self.must("verify", "r.db", "--root", root)
        with contextlib.closing(sqlite3.connect(self.path("r.db"))) as database:
            database.execute("delete from meta where key like 'reinstated.%'")
            database.commit()
        self.must("verify", "r.db", status=6)
        records = self.path("records.txt")
        self.must("export", "r.db", "--records", "--output", records)
        self.must("verify", records, "--root", root, status=6)

    def test_only_new_faults_count_for_the_next_quarantine(self):
        self.event()
        self.play("--quarantine", "3", "-concurrency", "1", status=7)
        self.must("desk", "r.db", "reinstate", "rogue", "--reason", "it says that it was mended")
        (before,), = self.rows("select count(*) from fault")
        self.assertEqual(before, 3)
        self.does(f"exec {ROGUE} wrong-die")
        self.play("--quarantine", "3", "-concurrency", "1", status=7)
        self.assertEqual(self.rows("select count(*) from fault"), [(before + 3,)])
        self.must("desk", "r.db", "reinstate", "rogue", "--reason", "once more")
        self.mend()
        self.play("--quarantine", "1")
        acts, = self.rows("select value from meta where key = 'reinstated.rogue'")
        self.assertEqual(len(acts[0].splitlines()), 2)
        self.must("verify", "r.db")

    def test_half_played_pairs_of_a_published_key_are_restarted(self):
        """The event had ended, its key is published: half-played pairs get other dice."""
        self.event(more="", length=3)
        self.does(f"exec {ROGUE} wrong-die --after 150")
        self.play(status=7)
        before = self.games()
        self.must("desk", "r.db", "reinstate", "rogue", "--reason", WHY)
        self.assertEqual(self.games(), before)
        self.mend()
        self.play()
        self.assertEqual(before.items() - self.games().items(), self.games("set_aside").items())
        proof, _ = self.must("verify", "r.db")
        self.assertRegex(proof, r"all \d+ rolls follow from the keys\n")
        self.assertIn(", as published", proof)

    def test_an_invalid_reinstatement_changes_nothing(self):
        self.out()
        before = self.dump()
        for words, status, expected in (
                (("r.db", "rouge", "-r", "x"), 2, "'rouge' is not an entrant of this event; did you mean 'rogue'?"),
                (("none.db", "rogue", "-r", "x"), 2, "none.db"),
                (("r.db", "rogue", "greedy", "-r", "x"), 2, "reinstate: 'bot=greedy': expected bot=NAME")):
            _, talk = self.must("desk", words[0], "reinstate", *words[1:], status=status)
            self.assertIn(expected, talk)
        self.assertEqual(self.dump(), before)
        self.assertFalse(os.path.exists(self.path("none.db")))

    def test_reinstatement_is_refused_while_bots_are_starting(self):
        self.out()
        self.must("desk", "r.db", "reinstate", "rogue", "-r", "x")
        self.does("sleep 60")
        run = self.begin("tournament", "league.yaml", "--results", "r.db")
        self.addCleanup(kill, run)
        self.wait_until(lambda: os.path.exists(self.path("r.db.desk")), "the desk's socket")
        before = self.dump()
        _, talk = self.must("desk", "r.db", "reinstate", "rogue", "-r", "x", status=2)
        self.assertIn("the event is just beginning; try again", talk)
        self.assertEqual(self.dump(), before)

    def test_a_kill_leaves_a_reinstatement_complete_or_absent(self):
        """Killed by SIGKILL before each step that changes a file (tests/support/kill_at.c)."""
        if SANITIZED:
            self.skipTest("the sanitizer has to be loaded first")
        self.out()
        kept = read(self.path("r.db"))
        for words in (("desk", "r.db", "reinstate", "rogue", "-r", WHY), ("desk", "r.db", "replay", "pair=greedy|random|1", "-r", WHY)):
            seen = set()
            steps = self.run_at(words, 0, kept)
            self.assertGreater(steps, 4)
            for step in range(1, steps + 1):
                self.run_at(words, step, kept)
                acts = self.rows("select count(*) from meta where key = 'reinstated.rogue'")[0][0] + \
                    self.rows("select count(*) from attempt")[0][0]
                seen.add((acts, self.root() == ""))
            self.assertEqual(seen, {(0, False), (1, True)}, words[2])

    def run_at(self, words, step, kept):
        """Starts from the original results; returns the number of steps."""
        for name in os.listdir(self.folder):
            if name.startswith("r.db"):
                os.remove(self.path(name))
        with open(self.path("r.db"), "wb") as out:
            out.write(kept)
        done = subprocess.run([BGREF, *words], cwd=self.folder, capture_output=True, timeout=LONGEST_S, check=False,
                              env={**self.environment, "LD_PRELOAD": os.path.join(BIN, "kill_at.so"),
                                   "BGREF_KILL_AT": str(step), "BGREF_KILL_COUNT": self.path("count")})
        self.assertEqual(done.returncode, 0 if step == 0 else -9, done.stderr)
        return int(read(self.path("count"))) if step == 0 else 0


if __name__ == "__main__":
    main()
