"""Strangers: no process meets dice twice, whatever is cut off; each key is published once."""
import json
import lzma
import os
import re
import signal
import time

from gallery import GNUBG
from harness import LONGEST_S, ROGUE, Case, main

VECTORS = os.path.join(os.path.dirname(__file__), "..", "vectors")
CHANCE = 1 / 6   # the most frequent number of pips
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
        tails = self.rows("select stderr_tail from fault", name)
        said = {line for tail, in tails
                for line in re.findall(r"^predictor (\w+ \d+ \d+ \d+)$", tail, re.M)}
        counts = [tuple(map(int, line.split()[2:])) for line in said]
        return sum(n for n, _ in counts), sum(hits for _, hits in counts)

    def test_trusted_bots_could_predict_the_dice_of_the_other_leg(self):
        rolls, hits = self.predict("own.db", "--trust", "own", "--concurrency", "1",
                                  pairs=6)
        self.assertGreater(rolls, 500)
        self.assertGreater(hits / rolls, 0.25, "the predictor cannot predict, so it proves nothing")

    def test_strangers_predict_no_better_than_chance(self):
        """Three predictors that tell each other what they have rolled, in twelve ways: there is nothing to tell."""
        self.needs_confinement()
        rolls, hits = self.predict("s.db", "--sandbox", "on", pairs=6)
        print(f"strangers: {hits} of {rolls} rolls predicted")
        self.assertGreater(rolls, 3000)
        self.assertLess(hits / rolls, CHANCE + 5 * error_of(rolls))  # by chance once in 3,000,000
        records, _ = self.must("export", "s.db", "--records")
        self.assertEqual(set(re.findall(r"(?m)^trust (\w+) #", records)), {"strangers"})
        lines, _ = self.must("export", "s.db", "--format", "jsonl")
        self.assertEqual({json.loads(line)["trust"] for line in lines.splitlines()}, {"strangers"})

    def dice(self, name, table="game"):
        """(pair, attempt, number of the game) and the rolls of each game."""
        return [((*re.search(r"(?m)^id (\S+)\|(\d+)\|\d+\|(\d+) #", text).groups(),
                  (re.search(r"(?m)^attempt (\d+) #", text) or [0, "0"])[1]),
                 tuple(re.findall(r"(?m)^(?:open|[01] roll) \d+", text)))
                for (text,) in self.rows(f"select record from {table}", name)]

    def test_no_two_games_share_dice(self):
        """Also those that were cut off by a kill, and are played again: in matches, the games before them stand."""
        self.needs_confinement()
        words = ("tournament", "event.yaml", "--results", "r.db")
        self.write("event.yaml", "bots: [python, random, first]\nlength: 3\npairs: 4\nsandbox: on\nconcurrency: 3\n")
        kills, end = 0, time.monotonic() + LONGEST_S
        while kills < 3 and time.monotonic() < end:
            run = self.begin(*words)
            before = self.count()
            while run.poll() is None and self.count() < before + 2:
                time.sleep(0.02)
            run.send_signal(signal.SIGKILL)
            run.communicate()
            kept = self.rows("select id, hash from game order by id")
            begun = self.rows("select distinct a, b, pair from step")
            kills += len(begun) > 0
        self.must(*words)
        self.assertLessEqual(set(kept), set(self.rows("select id, hash from game order by id")))
        attempts = self.rows("select a, b, pair from attempt")
        self.assertLessEqual(set(begun), set(attempts), "a game that has begun is played again with its dice")
        self.assertEqual(self.rows("select count(*) from step"), [(0,)])
        dice = self.dice("r.db")
        self.assertEqual(self.rows("select distinct leg from game"), [(0,)])
        self.assertEqual(self.rows("select count(*) from game where match_over"), [(24,)])
        self.assertEqual(len({where for where, _ in dice}), len(dice))
        self.assertEqual(len({rolls[:8] for _, rolls in dice}), len(dice), "two games have the same dice")
        self.must("verify", "r.db")
        self.must("export", "r.db", "--records", "-o", "r.txt")
        self.must("verify", "r.txt")
        done = self.verify_beside("r.txt")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.no_attempt_without_its_row(attempts)

    def no_attempt_without_its_row(self, attempts):
        """Else an operator could draw dice until they please."""
        a, b, pair = attempts[0]
        self.change("r.db", ("delete from attempt where a=? and b=? and pair=?", attempts[0]))
        _, talk = self.must("verify", "r.db", status=6)
        self.assertIn("which is not listed", talk)
        with open(self.path("r.txt"), encoding="utf-8", newline="") as text:
            self.write("short.txt", re.sub(rf"(?m)^attempt {re.escape(f'{a}|{b}|{pair}|')}.*\n", "", text.read()))
        _, talk = self.must("verify", "short.txt", status=6)
        self.assertIn("which is not listed", talk)
        done = self.verify_beside("short.txt")
        self.assertIn("its attempt is not listed", done.stderr)

    def pairs_of_strangers(self):
        """Results of the version before: pairs, one of them set aside after its first leg was shown."""
        with lzma.open(os.path.join(VECTORS, "strangers-pairs.db.xz")) as packed, open(self.path("old.db"), "wb") as out:
            out.write(packed.read())

    def test_pairs_that_strangers_have_played_before_are_read(self):
        self.pairs_of_strangers()
        out, _ = self.must("verify", "old.db", "--root",
                           "d2fa02e7c07bffa81d16507c295b2ebb46f67e549f1e0d84dac6973cccc88ab6")
        self.assertIn("set aside: 2 games, also proved", out)
        self.must("export", "old.db", "--records", "-o", "old.txt")
        self.assertIn("set aside: 2 games", self.must("verify", "old.txt")[0])
        self.assertRegex(self.must("show", "old.db")[0],
                         r"Restarted pairs\n  first\|greedy\|0  attempt 1 begun .*: its first leg was streamed")
        self.assertRegex(self.must("report", "old.db", "--text")[0], r"Restarted pairs +1\n")

    def test_pairs_that_strangers_have_played_before_are_not_continued(self):
        self.needs_confinement()
        self.pairs_of_strangers()
        self.write("event.yaml", "event: old\nbots: [greedy, first, random]\nlength: 3\npairs: 2\nsandbox: on\n")
        _, talk = self.must("tournament", "event.yaml", "--results", "old.db", status=2)
        self.assertIn("begun it in pairs, which strangers no longer play", talk)

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
        self.assertEqual(self.rows("select count(*) from judgement", "results/r.db"), [(6,)])
        self.must("judge", "results/r.db", "--again", "--judge",
                  f"gnubg:program={self.path('judge/gnubg')}")
        self.assertEqual(self.text("victim"), "mine")

    def test_impossible_settings_are_refused_with_the_remedy(self):
        duel = ("duel", "greedy", "random", "--pairs", "1", "--results", "r.db")
        _, talk = self.must(*duel, "--trust", "strangers", "--seed", "1", "--sandbox", "on", status=2)
        self.assertIn("key_file with 32 bytes", talk)
        _, talk = self.must(*duel, "--trust", "strangers", status=2)
        self.assertIn("sandbox=on", talk)
        _, talk = self.must(*duel, "--trust", "strangers", "--duplicate", "on", "--sandbox", "on", status=2)
        self.assertIn("duplicate: strangers play single games", talk)

    def test_impossible_settings_of_confined_bots_are_refused_with_the_remedy(self):
        self.needs_confinement()
        duel = ("duel", "greedy", "random", "--pairs", "1", "--results", "r.db")
        _, talk = self.must(*duel, "--duplicate", "on", "--sandbox", "on", "--commit", status=2)
        self.assertIn("or give trust=own", talk)
        self.must(*duel, "--trust", "own")
        _, talk = self.must(*duel, "--pairs", "2", "--trust", "strangers", "--sandbox", "on", status=2)
        self.assertIn("begun with trust=own, now trust=strangers; set it back", talk)

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
        keys = dict(self.rows("select key, value from meta where key like 'dice.%'"))
        self.assertEqual(sorted(keys), ["dice.digest", "dice.digest.2", "dice.key", "dice.key.2",
                                        "dice.kind"])
        self.assertNotEqual(keys["dice.key"], keys["dice.key.2"])
        self.assertIn(before.split("\n\n")[0], self.canonical("r.db"))
        out, _ = self.must("verify", "r.db")
        self.assertRegex(out, r"all \d+ rolls follow from the keys")
        self.must("export", "r.db", "--records", "-o", "r.txt")
        out, _ = self.must("verify", "r.txt")
        self.assertRegex(out, r"all \d+ rolls follow from the keys")
        named = re.findall(r"(?m)^id \S+\|(\d)\|\d\|0 #(?:.|\n)*?^key (\w+) #", self.text("r.txt"))
        self.assertEqual({(int(pair) >= 2, digest) for pair, digest in named},
                         {(False, keys["dice.digest"]), (True, keys["dice.digest.2"])})


main()
