"""The same event, whatever happens to the referee, gives the same games byte for byte."""
import json
import random
import re
import resource
import subprocess

from harness import BGREF, LONGEST_S, Case, kill, main

EVENT = """
event: kept
bots: [{bots}]
length: 5
pairs: {pairs}
seed: 20
"""
KILLS = 20


class Resume(Case):
    def event(self, name, bots, pairs):
        return self.write(name, EVENT.format(bots=", ".join(bots), pairs=pairs))

    def play(self, event, results, *words):
        return self.must("tournament", event, "--results", results, "--quiet", *words)

    def test_twenty_kills_leave_the_same_games(self):
        event = self.event("event.yaml", ["random", "greedy", "gnubg"], 60)
        self.play(event, "whole.db", "-concurrency", "3")
        expected = self.canonical("whole.db")
        self.assertGreater(len(games(expected)), 400, "360 matches")
        chance = random.Random(7)
        killed_at_work = 0
        for _ in range(KILLS):
            run = self.begin("tournament", event, "--results", "killed.db", "--quiet",
                             "-concurrency", str(chance.randint(1, 8)),
                             "--instances", str(chance.randint(1, 2)))
            try:
                run.wait(timeout=chance.uniform(0.02, 0.35))
            except Exception:  # still running: that is what is wanted
                killed_at_work += 1
            kill(run)
            self.assert_nothing_lives()
        self.assertGreaterEqual(killed_at_work, KILLS // 2, "the event is too short to be killed")
        self.play(event, "killed.db")
        self.assertEqual(self.canonical("killed.db"), expected)
        self.assertEqual(self.shown("killed.db"), self.shown("whole.db"))

    def shown(self, results):
        """The numbers of the tables, among them the incremental FIBS ratings, which depend on an order."""
        tables = json.loads(self.must("report", results, "--json")[0])["tables"]
        self.assertGreater(len(tables["fibs"]["rows"]), 1)
        return (json.loads(self.must("rate", results, "--json")[0])["standings"],
                [tables[name]["rows"] for name in ("standings", "encounters", "fibs")])

    def test_concurrency_and_instances_do_not_matter(self):
        event = self.event("event.yaml", ["random", "greedy", "gnubg-noise"], 6)
        self.play(event, "one.db", "-concurrency", "1", "--instances", "1")
        self.play(event, "many.db", "-concurrency", "64", "--instances", "3")
        self.assertEqual(self.canonical("one.db"), self.canonical("many.db"))
        self.assertEqual(self.shown("one.db"), self.shown("many.db"))

    def test_more_bots_and_more_pairs_keep_what_is_played(self):
        self.play(self.event("a.yaml", ["random", "greedy"], 4), "r.db")
        before = self.canonical("r.db")
        grown = self.event("b.yaml", ["first", "random", "greedy"], 6)
        self.play(grown, "r.db")
        after = self.canonical("r.db")
        for game in games(before):
            self.assertIn(game, after)
        self.play(grown, "fresh.db")
        self.assertEqual(after, self.canonical("fresh.db"))

    def test_a_full_disk_is_told_and_the_event_goes_on_when_there_is_room(self):
        event = self.event("event.yaml", ["random", "greedy"], 120)
        self.play(event, "whole.db")
        words = ("tournament", event, "--results", "r.db", "--quiet")
        full = subprocess.run([BGREF, *words], cwd=self.folder, env=self.environment, text=True,
                              capture_output=True, timeout=LONGEST_S, check=False,
                              preexec_fn=little_room)
        self.assertEqual(full.returncode, 5, full.stderr)
        self.assertIn("r.db: write: ", full.stderr)
        self.assertIn("to go on when the cause is gone: bgref tournament", full.stderr)
        self.assert_nothing_lives()
        self.assertNotEqual(games(self.canonical("r.db")), [], "what was stored before is kept")
        self.must(*words)
        self.assertEqual(self.canonical("r.db"), self.canonical("whole.db"))

    def test_going_on_with_a_finished_event_plays_nothing(self):
        event = self.event("event.yaml", ["random", "greedy"], 2)
        first = self.play(event, "r.db")[0]
        self.assertEqual(self.play(event, "r.db")[0], first)


def little_room():
    """A limit on the size of files stands in for a disk that fills up; its signal ends a program that
    does not care for it (Python sets it back before it starts the program)."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (500 << 10, resource.RLIM_INFINITY))


def games(canonical):
    """The text of each game in a canonical export."""
    return [part for part in re.split(r"(?m)^(?=id )", canonical) if part.startswith("id ")]


if __name__ == "__main__":
    main()
