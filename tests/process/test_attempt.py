"""Pairs that are restarted: no game is played under a published key, however and whenever the referee ends.
Games that were set aside are kept and proved, and counted in no table."""
import contextlib
import json
import os
import re
import shutil
import signal
import sqlite3
import subprocess
import sys

from gallery import SANITIZED
from harness import BGREF, BIN, LONGEST_S, Case, kill, main, read

DUEL = ("duel", "greedy", "random", "--trust", "own", "--quiet", "--results")
PAIRS = 250  # more than are played until a slow disk has told the test that it is decided
ALL = "--all" in sys.argv
VERIFY_MATCH = os.path.join(os.path.dirname(__file__), "..", "..", "docs", "verify_match.py")


class Anew(Case):
    def ask(self, question, results="r.db"):
        with sqlite3.connect(self.path(results)) as database:
            return database.execute(question).fetchall()

    def meta(self, prefix, results="r.db"):
        return dict(self.ask(f"select key, value from meta where key like '{prefix}%'", results))

    def published(self, results="r.db"):
        """The digests of published keys."""
        meta = self.meta("dice.", results)
        return {meta[key.replace("dice.key", "dice.digest")] for key in meta
                if key.startswith("dice.key")}

    def games(self, results="r.db", table="game"):
        """id -> digest of the key, attempt, and the text of its rolls."""
        found = {}
        for name, text in self.ask(f"select id, record from {table}", results):
            attempt = re.search(r"(?m)^attempt (\d+) #", text)
            found[name] = (re.search(r"(?m)^key (\w+) #", text)[1], int(attempt[1]) if attempt else 0,
                           " ".join(re.findall(r"(?m)^(?:open|[01] roll) \d+", text)))
        return found

    def check(self, before, published, results="r.db"):
        """No roll since `before` comes from a key in `published`, and each pair uses a single key."""
        pairs = {}
        for name, (digest, attempt, _) in self.games(results).items():
            if name not in before or before[name][:2] != (digest, attempt):
                self.assertNotIn(digest, published, name)
            pairs.setdefault(name.rsplit("|", 2)[0], set()).add((digest, attempt))
        for pair, under in pairs.items():
            self.assertEqual(len(under), 1, f"{pair} was played under {under}")
        out, _ = self.must("verify", results)
        self.assertRegex(out, r"all \d+ rolls follow from the keys?\n")
        self.assertIn(", as published", out)
        self.assertFalse(os.path.exists(self.path(results + ".key")))
        self.assertFalse(os.path.exists(self.path(results + ".key.new")))

    def decided(self, *more, bots=DUEL[1:3]):
        """A test that was decided while matches ran: pairs are unfinished, the key is published."""
        test = ("duel", *bots, *DUEL[3:], "r.db", "--length", "9", "--pairs", str(PAIRS), "-concurrency", "12", *more)
        self.must(*test, "-sprt", "elo0=0", "elo1=400", "min_clusters=4")
        published = self.published()
        self.assertEqual(len(published), 1)
        legs = {}
        for pair, over in self.ask("select pair, match_over from game"):
            legs[pair] = legs.get(pair, 0) + over
        half = {pair for pair, over in legs.items() if over < 2}
        self.assertTrue(half, "the test has left no pair half way")
        self.assertLess(len(legs), PAIRS)
        return test, half, published


class Attempt(Anew):
    def test_shown_dice_are_not_played_again(self):
        """The event has ended here; its tables and other readers count the replayed games."""
        self.must(*DUEL, "r.db", "--length", "3", "--pairs", "4")
        before = self.games()
        _, talk = self.must("set-aside", "r.db", "greedy|random|2", "--reason", "leg 0 was streamed")
        aside = {name for name in before if name.startswith("greedy|random|2|")}
        self.assertIn(f" {len(aside)} games of greedy|random|2 set aside", talk)
        self.assertEqual(set(self.games()), set(before) - aside)
        out, _ = self.must("verify", "r.db")
        self.assertNotIn("as published", out)
        self.assertIn(f"set aside: {len(aside)} games, also proved", out)
        published = self.published()
        self.must(*DUEL, "r.db", "--length", "3", "--pairs", "4", "--events", "e.jsonl")
        self.check(before, published)
        after = self.games()
        self.assertEqual({name: game for name, game in after.items() if "|2|" not in name},
                         {name: game for name, game in before.items() if "|2|" not in name})
        self.assertEqual({game[1] for name, game in after.items() if "|2|" in name}, {1})
        self.assertNotEqual(after["greedy|random|2|0|0"][2], before["greedy|random|2|0|0"][2])
        self.assertEqual(self.games(table="set_aside"), {name: before[name] for name in aside})
        events = [json.loads(line) for line in read(self.path("e.jsonl")).decode().splitlines()]
        act, = [event for event in events if event["kind"] == "set_aside"]
        self.assertEqual((act["a"], act["b"], act["pair"], act["attempt"], act["games"], act["reason"]),
                         ("greedy", "random", 2, 1, len(aside), "leg 0 was streamed"))
        self.assertRegex(act["at"], r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$")
        rows = json.loads(self.must("rate", "r.db", "--json")[0])["standings"]
        self.assertEqual([row["won"] + row["lost"] for row in rows], [8, 8])
        self.assertIn(f"{len(after)} games finished", self.must("show", "r.db")[0])

    def test_show_lists_pairs_set_aside_and_their_games(self):
        self.must(*DUEL, "r.db", "--length", "1", "--pairs", "2", "--seed", "4")
        self.must("set-aside", "r.db", "greedy|random|0", "--reason", "was streamed")
        self.must(*DUEL, "r.db", "--length", "1", "--pairs", "2", "--seed", "4")
        shown, _ = self.must("show", "r.db")
        self.assertRegex(shown, r"Restarted pairs\n  greedy\|random\|0  attempt 1 begun \S+Z, "
                                r"2 games set aside: was streamed\n")
        old = self.must("show", "r.db", "greedy|random|0|0|0", "--attempt", "0")[0]
        new = self.must("show", "r.db", "greedy|random|0|0|0")[0]
        self.assertNotEqual(old, new)
        _, talk = self.must("show", "r.db", "greedy|random|0|0|0", "--attempt", "1", status=2)
        self.assertIn("not set aside with this attempt", talk)
        csv, _ = self.must("export", "r.db", "--format", "csv", "--set-aside")
        self.assertEqual(len(csv.splitlines()), 3)
        self.assertEqual(len(self.must("export", "r.db", "--format", "csv")[0].splitlines()), 5)
        _, talk = self.must("export", "r.db", "--format", "mat", "--set-aside", status=2)
        self.assertIn("--set-aside needs --format csv", talk)
        page, _ = self.must("report", "r.db", "--text")
        self.assertRegex(page, r"Restarted pairs +1\n")
        self.assertRegex(page, r"Games set aside by this +2\n")

    def test_records_prove_what_was_set_aside(self):
        self.must(*DUEL, "r.db", "--length", "3", "--pairs", "3")
        for reason in ("first", "second"):
            self.must("set-aside", "r.db", "greedy|random|1", "--reason", reason)
            self.must(*DUEL, "r.db", "--length", "3", "--pairs", "3")
        self.must("export", "r.db", "--records", "-o", "r.txt")
        kept = len(self.games(table="set_aside"))
        out, _ = self.must("verify", "r.txt")
        self.assertIn(f"set aside: {self.ask('select count(*) from set_aside')[0][0]} games", out)
        self.assertRegex(out, r"all \d+ rolls follow from the keys\n")
        self.assertGreater(kept, 0)
        done = subprocess.run([sys.executable, VERIFY_MATCH, self.path("r.txt")], text=True,
                              capture_output=True, timeout=LONGEST_S, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        with open(self.path("r.txt"), encoding="utf-8", newline="") as text:
            whole = text.read()
        self.assertIn("\nset-aside ", whole)
        self.assertEqual(re.findall(r"(?m)^attempt (\S+) \S+Z \d+ (\w+)$", whole),
                         [("greedy|random|1|1", "first"), ("greedy|random|1|2", "second")])
        head, tail = whole.rsplit("bgref-record 1 #", 1)  # the last one that was set aside is left out
        self.write("short.txt", head)
        _, talk = self.must("verify", "short.txt", status=6)
        self.assertIn("left out", talk)
        self.assertTrue(tail)

    def test_records_must_be_of_the_attempt_that_the_store_has(self):
        self.must(*DUEL, "r.db", "--length", "1", "--pairs", "2", "--seed", "1")
        self.must("set-aside", "r.db", "greedy|random|0", "--reason", "x")
        with sqlite3.connect(self.path("r.db")) as database:  # counted again
            columns = ",".join(row[1] for row in database.execute("pragma table_info(game)"))
            database.execute(f"insert into game({columns}) select {columns} from set_aside")
        _, talk = self.must("verify", "r.db", status=6)
        self.assertIn("its record is of attempt 0 of the pair, the store has it as one of attempt 1",
                      talk)

    def test_invalid_set_aside_is_refused(self):
        self.must(*DUEL, "r.db", "--length", "1", "--pairs", "1")
        for words, status, expected in (
                (("r.db", "greedy|random|7", "-r", "x"), 2, "r.db has none of its games"),
                (("r.db", "random|greedy|0", "-r", "x"), 2, "not of the form 'A|B|pair'"),
                (("r.db", "greedy|random|0"), 2, "a reason"),
                (("r.db", "greedy|random|0", "-r", "two\nlines"), 2, "a line of 1 to 200 bytes"),
                (("none.db", "greedy|random|0", "-r", "x"), 2, "none.db")):
            _, talk = self.must("set-aside", *words, status=status)
            self.assertIn(expected, talk)
        self.assertFalse(os.path.exists(self.path("none.db")))
        self.assertEqual(self.ask("select count(*) from attempt"), [(0,)])

    def test_half_played_pairs_of_a_decided_test_are_restarted(self):
        test, half, published = self.decided()
        before = self.games()
        _, talk = self.must(*test)  # without its test the event continues
        self.assertIn(f"pairs={len(half)} are restarted under the new key", talk)
        self.check(before, published)
        acts = self.ask("select pair, attempt, reason from attempt order by pair")
        self.assertEqual(acts, [(pair, 1, "the key of its dice was published before it had ended")
                                for pair in sorted(half)])
        self.assertEqual({int(name.split("|")[2]) for name in self.games(table="set_aside")}, half)
        for name, game in self.games().items():
            pair = int(name.split("|")[2])
            whole = name in before and pair not in half
            self.assertEqual(game[0] in published, whole, name)
            self.assertEqual(game[1], int(pair in half), name)
        self.assertIn(f"{len(self.games())} games finished", self.must("show", "r.db")[0])
        self.must(*test)  # and again there is nothing to do
        self.assertEqual(len(self.meta("dice.key")), 2)
        _, talk = self.must(*test, "-sprt", "elo0=0", "elo1=400", "min_clusters=4", status=2)
        self.assertIn("begun with sprt=off", talk)

    def test_an_undecided_test_is_not_changed(self):
        test = (*DUEL, "r.db", "--length", "1", "--pairs", "4")
        self.must(*test, "-sprt", "elo0=0", "elo1=10", "min_clusters=4")
        _, talk = self.must(*test, status=2)
        self.assertIn("begun with sprt=", talk)

    def test_bots_commit_themselves_anew(self):
        test, half, published = self.decided("--commit")
        nonces = self.meta("nonces.")
        before = self.games()
        self.must(*test)
        self.check(before, published)
        new = {key: value for key, value in self.meta("nonces.").items() if key not in nonces}
        for pair in half:
            self.assertIn(f"nonces.greedy|random|{pair}|1#2", new)
        said = " ".join([*nonces.values(), *new.values()]).split()
        self.assertEqual(len(said), len(set(said)), "a nonce came twice")
        self.assertEqual({key: value for key, value in self.meta("nonces.").items()
                          if key in nonces}, nonces)

    def test_each_extension_prints_the_digest_of_a_fresh_key_before_play(self):
        digests = []
        for i in range(3):
            published = self.published() if i else set()
            before = self.games() if i else {}
            words = [word for word in DUEL if word != "--quiet"]
            _, talk = self.must(*words, "r.db", "--pairs", str(2 * i + 2), "--events", "e.jsonl")
            events = [json.loads(line) for line in read(self.path("e.jsonl")).decode().splitlines()]
            digests.append(events[0]["dice"]["digest"])
            self.assertIn(f"digest of the key {digests[-1]}", talk)
            self.assertEqual(events[0]["kind"], "event_started")
            self.check(before, published)
        meta = self.meta("dice.digest")
        self.assertEqual([meta["dice.digest"], meta["dice.digest.2"], meta["dice.digest.3"]], digests)
        self.assertEqual(len(set(digests)), 3)
        keys = self.meta("dice.key")
        self.assertEqual(len(set(keys.values())), 3)


class Failed(Anew):
    """A bot that does not start, or settings that are refused after the bots have started, set nothing aside."""

    def dump(self):
        with contextlib.closing(sqlite3.connect(self.path("r.db"))) as database:
            return "\n".join(database.iterdump())

    def bot(self, text):
        """Does the same as ./greedy, without a change of its program."""
        self.write("does", text)

    def begin_and_interrupt(self, words):
        run = self.begin(*words)
        self.addCleanup(kill, run)
        self.wait_until(self.descendants, "the bots to be started")
        run.send_signal(signal.SIGINT)
        run.communicate(timeout=LONGEST_S)

    def test_a_start_that_fails_sets_nothing_aside(self):
        greedy, random = (os.path.join(os.environ.get("BGREF_BOTS_DIR", os.path.join(BIN, "bots")),
                                       f"bgref-{bot}") for bot in ("greedy", "random"))
        os.chmod(self.write("greedy", f"#!/bin/sh\n. '{self.path('does')}'\n"), 0o755)
        self.bot(f"exec '{greedy}'\n")
        test, half, published = self.decided(bots=("./greedy", "random"))
        decided = (*test, "-sprt", "elo0=0", "elo1=400", "min_clusters=4")
        more = (*test, "--pairs", str(PAIRS + 1))
        table, _ = self.must(*decided)
        proof, _ = self.must("verify", "r.db")
        before, games = self.dump(), self.games()
        for text, words, status, expected in (
                ("exit 1\n", (), 3, "greedy does not start"),
                ("sleep 2\nexit 1\n", ("--judge", "greedy"), 3, "greedy does not start"),  # it can judge
                (f"exec '{random}'\n", (), 2, "greedy changed since its last game"),
                (f"exec '{greedy}'\n", ("--length", "7"), 2, "length=7")):
            self.bot(text)
            _, talk = self.must(*more, *words, "--events", "e.jsonl", status=status)
            self.assertIn(expected, talk)
            self.assertNotIn("begun anew", talk)
            self.assertNotIn('"set_aside"', read(self.path("e.jsonl")).decode())
            self.assertEqual(self.dump(), before, expected)
        self.bot("sleep 60\n")
        self.begin_and_interrupt(more)
        self.assertEqual(self.dump(), before, "interrupted before the bots have started")
        self.assertFalse(os.path.exists(self.path("r.db.key")))
        self.bot(f"exec '{greedy}'\n")
        self.assertEqual(self.must("verify", "r.db")[0], proof)
        self.assertEqual(self.must(*decided)[0], table)
        _, talk = self.must(*more, "--events", "e.jsonl")
        self.assertIn(f"pairs={len(half)} are restarted under the new key", talk)
        self.check(games, published)
        self.check_events(half)

    def check_events(self, half):
        """The run that restarted pairs reports it once, and reports no game that it has set aside."""
        events = [json.loads(line) for line in read(self.path("e.jsonl")).decode().splitlines()]
        acts = self.ask("select pair, attempt, games, reason, at from attempt order by pair")
        self.assertEqual([pair for pair, *_ in acts], sorted(half))
        self.assertEqual([tuple(event[key] for key in ("pair", "attempt", "games", "reason", "at"))
                          for event in events if event["kind"] == "set_aside"], acts)
        stored = [event for event in events if event["kind"] == "game_finished" and event["stored"]]
        self.assertTrue(stored)
        self.assertFalse(half & {event["pair"] for event in stored})
        self.assertEqual(events[0]["games_before"], len(stored))
        self.assertEqual(events[-1]["games"], len(self.games()))


# The steps make, rename and remove the key files, and write settings, digest, set-aside pairs and the first
# games.
NAMED = (*(f"unlink:{n}" for n in range(1, 8)), "rename:1", "fsync:1",
         *(f"fdatasync:{n}" for n in range(1, 9)), *(f"pwrite64:{n}" for n in range(1, 72, 6)))


class Kills(Anew):
    """The referee is killed by SIGKILL before a step that changes a file, while an event with a published key
    is extended (tests/support/kill_at.c); with --all before every step."""

    def play(self, words, **environment):
        return subprocess.run([BGREF, *words], cwd=self.folder, text=True, capture_output=True,
                              env={**self.environment, **environment}, timeout=LONGEST_S,
                              check=False)

    def run_at(self, step, words):
        return self.play(words, LD_PRELOAD=os.path.join(BIN, "kill_at.so"), BGREF_KILL_AT=step,
                         BGREF_KILL_COUNT=self.path("count"))

    def restore(self):
        for name in os.listdir(self.folder):
            if name.startswith("r.db"):
                os.remove(self.path(name))
        shutil.copy(self.path("kept.db"), self.path("r.db"))

    def test_no_pair_is_played_under_a_published_key_after_a_kill(self):
        if SANITIZED:
            self.skipTest("the sanitizer has to be loaded first")
        test, half, published = self.decided()
        before = self.games()
        os.rename(self.path("r.db"), self.path("kept.db"))
        self.restore()
        words = (*test, "--log", "none")
        more = (*words, "--pairs", str(PAIRS + 1))  # the run after the kill extends the event again
        done = self.run_at("0", words)
        self.assertEqual(done.returncode, 0, done.stderr)
        steps = int(read(self.path("count")))
        self.assertGreater(steps, 20)
        windows = set()
        numbers = map(str, range(1, steps + 1) if ALL else range(1, steps + 1, steps // 6))
        for number in (*NAMED, *numbers):
            self.restore()
            done = self.run_at(number, words)
            self.assert_nothing_lives()
            windows.add((self.published() == published, os.path.exists(self.path("r.db.key")),
                         len(self.ask("select 1 from attempt")) == len(half)))
            self.assertEqual("dice.digest.2" in self.meta("dice."), bool(self.ask("select 1 from attempt")),
                             f"{number}: key and pairs are stored at once")
            held, known = self.games(), self.published()
            done = self.play(more)
            self.assertEqual(done.returncode, 0, f"{number}: {done.stderr}")
            self.check(held, known)
            self.check(before, published)
            self.assertEqual(len(self.ask("select 1 from attempt")), len(half), number)
        # States: before the pairs were set aside, without and with the new key in its file; after it; and
        # published, with that file still present and removed.
        self.assertLessEqual({(True, False, False), (True, True, False), (True, True, True),
                              (False, True, True), (False, False, True)}, windows)


if __name__ == "__main__":
    if ALL:
        sys.argv = [sys.argv[0], "Kills"]
    main()
