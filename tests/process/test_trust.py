"""Strangers: knowledge of one leg is useless in the other; each key is published once."""
import json
import os
import re
import signal
import sqlite3
import time
from collections import defaultdict

from gallery import GNUBG
from harness import LONGEST_S, ROGUE, Case, main

CHANCE = 1 / 6   # the most frequent number of pips
WAYS = ("files", "memory", "posix-memory", "messages", "abstract-sockets", "path-sockets", "keyring",
        "memory-files", "semaphores", "record-locks", "flock", "inotify")
FAULTS = 10**6   # the predictor's reports are faults: they must not quarantine it


def error_of(rolls):
    """Standard error of the share of rolls that are predicted by chance."""
    return (CHANCE * (1 - CHANCE) / rolls) ** 0.5


class Trust(Case):
    def predict(self, name, *words, pairs, also="", bots="abc"):
        """(predictions, hits) of two predictors and a third one that helps them."""
        self.write("event.yaml", "bots:\n" + "".join(
            f"  - {{name: {bot}, cmd: \"{ROGUE} predictor --report 50 --slot {slot}{also}\"}}\n"
            for slot, bot in enumerate(bots)) +
                   f"length: 0\npairs: {pairs}\nquarantine: {FAULTS}\nconcurrency: 4\n")
        self.must("tournament", "event.yaml", "--results", name, *words)
        with sqlite3.connect(self.path(name)) as database:
            tails = database.execute("select stderr_tail from fault").fetchall()
        said = {line for tail, in tails
                for line in re.findall(r"^predictor (\w+ \d+ \d+ \d+)$", tail, re.M)}
        counts = [tuple(map(int, line.split()[2:])) for line in said]
        return sum(n for n, _ in counts), sum(hits for _, hits in counts)

    def test_trusted_bots_could_predict_the_dice_of_the_other_leg(self):
        rolls, hits = self.predict("own.db", "--trust", "own", "--concurrency", "1",
                                  pairs=6)
        self.assertGreater(rolls, 500)
        self.assertGreater(hits / rolls, 0.25, "the predictor cannot predict, so it proves nothing")

    def test_every_way_to_inform_another_process_works_if_not_forbidden(self):
        """Shows that the next test can fail: each way alone makes the first leg's rolls known in the second
        leg."""
        for way in WAYS:
            with self.subTest(way):
                for pairs in 3, 6, 12, 24:  # some ways transfer less in one game than others
                    rolls, hits = self.predict(f"{way}-{pairs}.db", "--trust", "own", "--sandbox", "off",
                                               "--concurrency", "1", pairs=pairs, also=f" --by {way}",
                                               bots="ab")
                    above = CHANCE + 4 * error_of(rolls)
                    if hits / rolls > above:
                        break
                print(f"{way}: {hits} of {rolls} rolls predicted")
                self.assertGreater(hits / rolls, above)

    def test_strangers_predict_no_better_than_chance(self):
        self.needs_confinement()
        rolls, hits = self.predict("s.db", "--sandbox", "on", pairs=24)
        print(f"strangers: {hits} of {rolls} rolls predicted")
        self.assertGreater(rolls, 10000)
        self.assertLess(hits / rolls, CHANCE + 4 * error_of(rolls))
        records, _ = self.must("export", "s.db", "--records")
        self.assertEqual(set(re.findall(r"(?m)^trust (\w+) #", records)), {"strangers"})
        lines, _ = self.must("export", "s.db", "--format", "jsonl")
        self.assertEqual({json.loads(line)["trust"] for line in lines.splitlines()}, {"strangers"})

    def events(self, name):
        with open(self.path(name), encoding="utf-8") as lines:
            return [json.loads(line) for line in lines]

    def test_a_pair_is_judged_when_both_legs_have_ended(self):
        """Also if play waits for the judge: a luck-adjusted test ends, and at the same pair."""
        self.needs_confinement()
        with open(self.path("key"), "wb") as key:
            key.write(bytes(range(32)))
        tests = []
        for concurrency in ("2", "16"):
            name = f"{concurrency}.db"
            out, _ = self.must("duel", "-engine", "greedy", "name=one", "-engine", "greedy", "name=two",
                               "option.Style=bold", "--key-file", "key", "--sandbox", "on", "--quiet",
                               "-sprt", "ppg0=0", "ppg1=0.3", "min_clusters=40", "statistic=luck",
                               "--judge", "greedy", "-concurrency", concurrency, "--results", name,
                               "--events", name + ".jsonl")
            self.assertIn("trust: strangers", out)
            events = self.events(name + ".jsonl")
            played = [e for e in events if e["kind"] == "game_finished"]
            over, legs = played[-1]["seq"], defaultdict(list)
            for event in played:
                legs[event["id"].split("|")[2]].append(event["seq"])
            judged = [e for e in events if e["kind"] == "judged"]
            self.assertEqual(len(judged), len(played))
            for event in judged:  # a pair that the end of the test cut in two: after the last game
                whole = legs[event["id"].split("|")[2]]
                self.assertGreater(event["seq"], max(whole) if len(whole) == 2 else over, event["id"])
            test = events[-1]["sprt"]
            tests.append((test["state"], test["llr"], test["clusters"]))
        self.assertEqual(tests[0], tests[1])

    def test_an_unfinished_event_is_judged_without_its_open_pairs(self):
        self.needs_confinement()
        words = ("duel", "python", "random", "--pairs", "60", "--length", "1", "--sandbox", "on",
                 "--results", "r.db")  # a bot that is slow enough for several transactions
        run = self.begin(*words)
        legs = "select a || b || pair, count(distinct leg), count(*) from game group by a, b, pair"
        end = time.monotonic() + LONGEST_S
        while time.monotonic() < end and run.poll() is None:
            run.send_signal(signal.SIGSTOP)  # what was seen must still hold at the kill
            counts = self.rows("r.db", legs)
            if any(n == 1 for _, n, _ in counts) and any(n == 2 for _, n, _ in counts):
                break
            run.send_signal(signal.SIGCONT)
            time.sleep(0.02)
        self.assertIn("in use", self.must("judge", "r.db", "--judge", "greedy", status=2)[1])
        run.send_signal(signal.SIGKILL)
        run.communicate()
        counts = self.rows("r.db", legs)
        whole = sum(games for _, n, games in counts if n == 2)  # matches of one game: finished or missing
        left = sum(games for _, n, games in counts if n == 1)
        self.assertGreater(left, 0)
        for again in ((), ("--again",)):  # the skipped pairs are more than the judge reads at a time
            _, talk = self.must("judge", "r.db", "--judge", "greedy", "--jobs", "1", *again)
            self.assertIn(f"games={left} wait: trust=strangers", talk)
            self.assertEqual(self.rows("r.db", "select count(*) from judgement"), [(whole,)])
        self.must(*words)
        _, talk = self.must("judge", "r.db", "--judge", "greedy")
        self.assertNotIn("wait: trust", talk)
        self.assertEqual(self.rows("r.db", "select count(*) from judgement"), [(120,)])

    def rows(self, name, query):
        try:
            with sqlite3.connect(self.path(name)) as database:
                return database.execute(query).fetchall()
        except sqlite3.OperationalError:  # it is being made
            return []

    def test_a_judge_sees_no_key(self):
        self.needs_confinement()
        os.mkdir(self.path("results"))
        self.write("judge.sh", f"#!/bin/sh\n[ ! -e '{self.path('results/r.db.key')}' ] || "
                               "{ echo the key is there >&2; exit 1; }\n"
                               "echo no key here >&2; exit 1\n")
        os.chmod(self.path("judge.sh"), 0o755)
        _, talk = self.must("duel", "greedy", "random", "--pairs", "2", "--sandbox", "on", "--judge",
                            f"bot:{self.path('judge.sh')}", "--results", "results/r.db", status=5)
        self.assertIn("its last words: no key here", talk)

    def test_gnubg_as_judge_is_confined(self):
        """A program with gnubg's name neither sees the results nor writes outside its folder."""
        self.needs_confinement()
        if GNUBG is None:
            self.skipTest("gnubg is not installed")
        os.mkdir(self.path("results"))
        os.mkdir(self.path("judge"))
        self.write("judge/gnubg", f"""#!/bin/sh
[ ! -e '{self.path('results')}/r.db' ] && [ ! -e '{self.path('results')}/r.db.key' ] || exit 7
(: > '{self.path('judge')}/escaped') 2> /dev/null && exit 8
ln -s '{self.path('victim')}' in.sgf && ln -s '{self.path('victim')}' out.sgf || exit 9
exec {GNUBG} "$@"
""")
        self.write("victim", "mine")
        os.chmod(self.path("judge/gnubg"), 0o755)
        words = ("--results", "results/r.db", "--sandbox", "on", "--pairs", "3", "--length", "1")
        self.must("duel", "greedy", "random", *words, "--judge",
                  f"gnubg:program={self.path('judge/gnubg')}")
        self.assertEqual(self.rows("results/r.db", "select count(*) from judgement"), [(6,)])
        self.must("judge", "results/r.db", "--again", "--judge",
                  f"gnubg:program={self.path('judge/gnubg')}")
        with open(self.path("victim"), encoding="ascii") as victim:
            self.assertEqual(victim.read(), "mine")

    def test_impossible_settings_are_refused_with_the_remedy(self):
        duel = ("duel", "greedy", "random", "--pairs", "1", "--results", "r.db")
        _, talk = self.must(*duel, "--trust", "strangers", "--seed", "1", "--sandbox", "on", status=2)
        self.assertIn("key_file with 32 bytes", talk)
        _, talk = self.must(*duel, "--trust", "strangers", status=2)
        self.assertIn("sandbox=on", talk)
        self.must(*duel, "--trust", "own")
        _, talk = self.must(*duel, "--pairs", "2", "--trust", "strangers", "--sandbox", "on", status=2)
        self.assertIn("begun with trust=own", talk)

    def test_no_bot_is_given_its_opponents_name(self):
        """Not even by a duel's default name, which has both; without pairs it is given."""
        duel = ("duel", "-engine", "name=spy", f'cmd="{ROGUE}" plain --opponent gammonqueen',
                "-engine", "name=gammonqueen", f'cmd="{ROGUE}" plain', "--results", "r.db")
        self.must(*duel, "--pairs", "2")
        self.assertIn("no faults", self.must("faults", "r.db")[0])
        self.assertIn("spy-vs-gammonqueen", self.must("show", "r.db")[0])
        self.must(*duel, "--fresh", "--games", "2", "--duplicate", "off", status=3)

    def test_without_pairs_each_question_names_the_opponent(self):
        self.write("event.yaml", f"""event: cup
bots:
  - {{name: spy, cmd: "{ROGUE} plain --opponent gammonqueen"}}
  - {{name: gammonqueen, cmd: "{ROGUE} plain"}}
pairs: 2
length: 1
quarantine: 1000
""")
        self.must("tournament", "event.yaml", "--results", "pairs.db")
        self.assertIn("no faults", self.must("faults", "pairs.db")[0])
        self.must("tournament", "event.yaml", "--duplicate", "off", "--results", "plain.db")
        printed, _ = self.must("faults", "plain.db", "spy")
        self.assertIn("rogue: gammonqueen is named in", printed)

    def test_a_seed_implies_trust_own(self):
        self.needs_confinement()
        _, talk = self.must("duel", "greedy", "random", "--pairs", "1", "--seed", "1", "--sandbox",
                            "on", "--results", "r.db")
        self.assertIn("trust: own", talk)

    def test_a_key_file_repeats_an_event(self):
        with open(self.path("key"), "wb") as key:
            key.write(bytes(range(32)))
        for name in ("one.db", "two.db"):
            self.must("duel", "greedy", "random", "--pairs", "4", "--key-file", "key", "--results",
                      name)
        self.assertEqual(self.canonical("one.db"), self.canonical("two.db"))
        self.must("verify", "one.db")
        with open(self.path("short"), "wb") as key:
            key.write(bytes(31))
        _, talk = self.must("duel", "greedy", "random", "--key-file", "short", "--results", "s.db",
                            status=2)
        self.assertIn("fewer than 32 bytes", talk)

    def test_a_key_file_in_a_bots_folder_is_not_seen(self):
        self.needs_confinement()
        for folder in ("bot", "results"):
            os.mkdir(self.path(folder))
        self.write("bot/key", "k" * 32)
        reader = self.write("bot/reader", f'#!/bin/sh\ngrep -q kkkk "{self.path("bot/key")}" && exit 7\n'
                                          f'exec "{ROGUE}" plain\n')
        os.chmod(reader, 0o755)
        duel = ("duel", "-engine", "name=reader", f"cmd={reader} {ROGUE}", "-engine", "greedy", "--pairs", "1",
                "--sandbox", "on", "--results", "results/r.db", "--key-file")
        self.must(*duel, "bot/key")
        os.link(self.path("bot/key"), self.path("bot/second"))
        _, talk = self.must(*duel, "bot/key", "--fresh", status=3)
        self.assertIn("second name", talk)

    def test_a_continued_event_uses_an_unpublished_key(self):
        duel = ("duel", "greedy", "random", "--results", "r.db")
        self.must(*duel, "--pairs", "2")
        before = self.canonical("r.db")
        self.must(*duel, "--pairs", "4")
        self.must(*duel, "--pairs", "4")  # nothing to play: no further key
        with sqlite3.connect(self.path("r.db")) as database:
            keys = dict(database.execute("select key, value from meta where key like 'dice.%'"))
        self.assertEqual(sorted(keys), ["dice.digest", "dice.digest.2", "dice.key", "dice.key.2",
                                        "dice.kind"])
        self.assertNotEqual(keys["dice.key"], keys["dice.key.2"])
        self.assertIn(before.split("\n\n")[0], self.canonical("r.db"))
        out, _ = self.must("verify", "r.db")
        self.assertRegex(out, r"all \d+ rolls follow from the keys")
        self.must("export", "r.db", "--records", "-o", "r.txt")
        out, _ = self.must("verify", "r.txt")
        self.assertRegex(out, r"all \d+ rolls follow from the keys")
        with open(self.path("r.txt"), encoding="utf-8") as text:
            named = re.findall(r"(?m)^id \S+\|(\d)\|\d\|0 #(?:.|\n)*?^key (\w+) #", text.read())
        self.assertEqual({(int(pair) >= 2, digest) for pair, digest in named},
                         {(False, keys["dice.digest"]), (True, keys["dice.digest.2"])})


if __name__ == "__main__":
    main()
