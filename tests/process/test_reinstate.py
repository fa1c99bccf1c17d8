"""The acts reinstate and replay: a bot that was out plays on, pairs that were set aside are played again with other dice. No
played game changes, all views of the results show the act, and each act is one transaction with what it changes."""
import os
import re

from gallery import SANITIZED
from harness import BGREF, BIN, ROGUE, Case, kill, main, read

WHY = "its plays were mended"


class Reinstate(Case):
    def event(self, seed=3, length=1):
        """The program stays the same, its behaviour changes."""
        self.does(f"exec {ROGUE} wrong-die --after 12")
        rogue = self.script("rogue", f"#!/bin/sh\n. '{self.path('does')}'\n")
        self.event_file("league.yaml", event="league", bots=["greedy", "random", f'{{name: rogue, cmd: "{rogue}"}}'],
                        length=length, pairs=4, seed=seed, quarantine=1, instances=1, concurrency=3)

    def does(self, text):
        self.write("does", text + "\n")

    def mend(self):
        self.does(f"exec {ROGUE} wrong-die --after 1000000000")

    def play(self, *words, status=0):
        return self.must("tournament", "league.yaml", "--results", "r.db", *words, status=status)

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
        events = self.json_lines("e.jsonl")
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
        self.event(seed=None, length=3)
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

    def test_reinstatement_is_covered_by_root_and_seal(self):
        self.out()
        self.must("desk", "r.db", "reinstate", "rogue", "--reason", WHY)
        self.mend()
        self.play()
        root = self.root()
        self.change("r.db", "delete from meta where key like 'reinstated.%'")
        self.assertIn("table meta: another program changed", self.must("verify", "r.db", status=6)[1])
        self.must("export", "r.db", "--records", "--output", "r.txt")
        self.must("verify", "r.txt", "--root", root, status=6)

    def test_a_kill_leaves_a_reinstatement_complete_or_absent(self):
        """Killed by SIGKILL before each step that changes a file (tests/support/kill_at.c)."""
        if SANITIZED:
            self.skipTest("the sanitizer has to be loaded first")
        self.out()
        kept = read(self.path("r.db"))
        seen = set()
        for step in range(1, self.run_at(0, kept) + 1):
            self.run_at(step, kept)
            acts = self.rows("select (select count(*) from act where kind='reinstate'), (select count(*) from meta where key='reinstated.rogue')")
            seen.add((*acts[0], self.root() == "", self.count("unplayed") == 0))
        self.assertEqual(seen, {(0, 0, False, False), (1, 1, True, True)})

    def run_at(self, step, kept):
        """Starts from the results as they were; returns the number of steps."""
        self.remove("r.db")
        with open(self.path("r.db"), "wb") as out:
            out.write(kept)
        done = self.run_program(BGREF, "desk", "r.db", "reinstate", "rogue", "-r", WHY,
                                env={**self.environment, "LD_PRELOAD": os.path.join(BIN, "kill_at.so"), "BGREF_KILL_AT": str(step), "BGREF_KILL_COUNT": self.path("count")})
        self.assertEqual(done.returncode, 0 if step == 0 else -9, done.stderr)
        return int(read(self.path("count"))) if step == 0 else 0


DUEL = ("duel", "greedy", "random", "--trust", "own", "--quiet", "--results")
PAIRS = 250  # more than are played until a slow disk has told the test that it is decided


class Anew(Case):
    def meta(self, prefix, results="r.db"):
        return dict(self.rows(f"select key, value from meta where key like '{prefix}%'", results))

    def published(self, results="r.db"):
        """The digests of published keys."""
        meta = self.meta("dice.", results)
        return {meta[key.replace("dice.key", "dice.digest")] for key in meta
                if key.startswith("dice.key")}

    def games(self, results="r.db", table="game"):
        """id -> digest of the key, attempt, and the text of its rolls."""
        found = {}
        for name, text in self.rows(f"select id, record from {table}", results):
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
        for pair, over in self.rows("select pair, match_over from game"):
            legs[pair] = legs.get(pair, 0) + over
        half = {pair for pair, over in legs.items() if over < 2}
        self.assertTrue(half, "the test has left no pair half way")
        self.assertLess(len(legs), PAIRS)
        return test, half, published


class Attempt(Anew):
    def replay(self, pair, reason):
        return self.must("desk", "r.db", "replay", f"pair={pair}", "--reason", reason)[0]

    def test_shown_dice_are_not_played_again(self):
        """The event has ended here; its tables and other readers count the replayed games."""
        self.must(*DUEL, "r.db", "--length", "3", "--pairs", "4")
        before = self.games()
        out = self.replay("greedy|random|2", "leg 0 was streamed")
        aside = {name for name in before if name.startswith("greedy|random|2|")}
        self.assertRegex(out, r"\Aact 1: replay pair=greedy\|random\|2, by \S+: leg 0 was streamed\n")
        self.assertIn(f"{len(aside)} games of 1 pair are set aside and count no longer\n", out)
        self.assertIn("is withdrawn; the next run publishes a new one\n", out)
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
        events = self.json_lines("e.jsonl")
        act, = [event for event in events if event["kind"] == "set_aside"]
        self.assertEqual((act["a"], act["b"], act["pair"], act["attempt"], act["games"], act["reason"]),
                         ("greedy", "random", 2, 1, len(aside), "leg 0 was streamed"))
        self.assertRegex(act["at"], r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$")
        rows = self.json("rate", "r.db")["standings"]
        self.assertEqual([row["won"] + row["lost"] for row in rows], [8, 8])
        self.assertIn(f"{len(after)} games finished", self.must("show", "r.db")[0])

    def test_show_lists_pairs_set_aside_and_their_games(self):
        self.must(*DUEL, "r.db", "--length", "1", "--pairs", "2", "--seed", "4")
        self.replay("greedy|random|0", "was streamed")
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
            self.replay("greedy|random|1", reason)
            self.must(*DUEL, "r.db", "--length", "3", "--pairs", "3")
        self.must("export", "r.db", "--records", "-o", "r.txt")
        kept = len(self.games(table="set_aside"))
        out, _ = self.must("verify", "r.txt")
        self.assertIn(f"set aside: {self.rows('select count(*) from set_aside')[0][0]} games", out)
        self.assertRegex(out, r"all \d+ rolls follow from the keys\n")
        self.assertGreater(kept, 0)
        done = self.verify_beside("r.txt")
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
        self.replay("greedy|random|0", "x")
        self.change("r.db", "delete from set_aside where leg = 1")
        self.assertIn("greedy|random|0: 2 games were set aside before attempt 1, 1 are there", self.must("verify", "r.db", status=6)[1])
        columns = ",".join(row[1] for row in self.rows("pragma table_info(game)"))
        self.change("r.db", f"insert into game({columns}) select {columns} from set_aside")  # counted again
        _, talk = self.must("verify", "r.db", status=6)
        self.assertIn("its record is of attempt 0 of the pair, the store lists attempts 1 to 1",
                      talk)

    def test_half_played_pairs_of_a_decided_test_go_on_with_their_key(self):
        """Both legs have the same dice: only own bots play pairs, and may know them."""
        test, half, published = self.decided()
        before = self.games()
        self.must(*test, "--pairs", str(PAIRS))
        after = self.games()
        self.assertLessEqual(before.items(), after.items())
        for name, (digest, attempt, _) in after.items():
            pair = int(name.split("|")[2])
            self.assertEqual(attempt, 0, name)
            if pair in half:
                self.assertIn(digest, published, name)
            elif name not in before:
                self.assertNotIn(digest, published, name)
        self.assertEqual(self.rows("select 1 from attempt"), [])
        self.assertRegex(self.must("verify", "r.db")[0], r"all \d+ rolls follow from the keys\n")

    def test_each_extension_prints_the_digest_of_a_fresh_key_before_play(self):
        digests = []
        for i in range(3):
            published = self.published() if i else set()
            before = self.games() if i else {}
            words = [word for word in DUEL if word != "--quiet"]
            _, talk = self.must(*words, "r.db", "--pairs", str(2 * i + 2), "--events", "e.jsonl")
            events = self.json_lines("e.jsonl")
            digests.append(events[0]["dice"]["digest"])
            self.assertIn(f"digest of the key {digests[-1]}", talk)
            self.assertEqual(events[0]["kind"], "event_started")
            self.check(before, published)
        meta = self.meta("dice.digest")
        self.assertEqual([meta["dice.digest"], meta["dice.digest.2"], meta["dice.digest.3"]], digests)
        self.assertEqual(len(set(digests)), 3)
        keys = self.meta("dice.key")
        self.assertEqual(len(set(keys.values())), 3)


main()
