"""Events that are paired while they run (`schedule`), and rules that differ by pairing or by stage (`conditions`): played to
the end, killed and continued, with bots that do not start or break the rules. The journal and the games are read from the
results; what a game was played under is compared with what its pairing says."""
import os
import random
import re
import signal
import sqlite3

from harness import BIN, ROGUE, Case, kill, main

BOTS = """
  - random
  - greedy
  - {name: r2, bot: random}
  - {name: g2, bot: greedy}
  - {name: r3, bot: random}
  - {name: first, cmd: "BIN/bots/bgref-random --seed 9"}
"""
EVENT = """event: {name}
bots: {bots}
length: {length}
seed: 5
concurrency: 3
instances: 1
"""
KILLS = 6


class Schedule(Case):
    def event(self, schedule, more="", length=1, bots=None, name="cup"):
        text = EVENT.format(name=name, length=length, bots=(bots or BOTS).replace("BIN", BIN))
        return self.write("cup.yaml", text + (f"schedule: {schedule}\n" if schedule else "") + more)

    def play(self, results="r.db", *words, status=0):
        return self.must("tournament", "cup.yaml", "--results", results, "--quiet", *words, status=status)

    def journal(self, results="r.db"):
        return self.rows("select kind, subject from act order by number", results)

    def acts(self, kind, results="r.db"):
        return [dict(word.split("=") for word in subject.split()) for of, subject in self.journal(results)
                if of == kind]

    def killed(self, results):
        """Kills the event several times in the middle; returns how often it was at work."""
        chance, at_work, before = random.Random(11), 0, 0
        for _ in range(KILLS):
            run = self.begin("tournament", "cup.yaml", "--results", results, "--quiet",
                             "--concurrency", str(chance.randint(1, 4)))
            more = before + chance.randint(1, 4)
            self.wait_until(lambda: run.poll() is not None or self.count(results) >= more, "some acts", 120)
            at_work += run.poll() is None
            kill(run)
            before = self.count(results)
            self.assert_nothing_lives()
        return at_work

    def ends_the_same_after_kills(self, schedule, more="", length=1):
        self.event(schedule, more, length)
        self.play("whole.db")
        self.assertGreater(self.killed("killed.db"), 0, "too short to be killed")
        out, _ = self.play("killed.db")
        self.assertEqual(sorted(self.journal("killed.db")), sorted(self.journal("whole.db")))
        self.assertEqual(self.canonical("killed.db"), self.canonical("whole.db"))
        self.must("verify", "killed.db")
        self.assertEqual(self.play("killed.db")[0], out, "nothing is left to play")
        return out

    def test_a_swiss_event_ends_the_same_after_kills(self):
        out = self.ends_the_same_after_kills("swiss rounds=3 pairs=8")
        self.assertIn("order of a Swiss of 3 rounds", out)
        self.assertIn("Rank by the event's form", out)
        form, table = (sorted(re.findall(r"(?m)^ *=?(\d+)=? +(\S+) ", part.split("\n\n")[0]))
                       for part in out.split("Rank  Bot")[1:])
        self.assertEqual(table, form, "the table ranks as the form does")
        self.assertEqual(len(form), 6)
        meetings = self.acts("fixture", "whole.db")
        self.assertEqual(len(meetings), 9)
        self.assertEqual(len({(row["a"], row["b"]) for row in meetings}), 9, "nobody meets twice")
        self.assertEqual(self.rows("select count(*) from game where match_over", "whole.db"), [(9 * 16,)])

    def test_a_swiss_event_feeds_a_final_of_single_matches(self):
        out = self.ends_the_same_after_kills("swiss rounds=2 pairs=4 then knockout take=2 best_of=5")
        self.assertLess(out.index("order of a knockout of the best 2"), out.index("order of a Swiss"))
        final = [row for row in self.acts("fixture", "whole.db") if row.get("stage") == "2"]
        self.assertEqual(len(final), 1)
        a, b = final[0]["a"], final[0]["b"]
        first = int(final[0]["pairs"].split("+")[0])
        legs = self.rows(f"select count(*), max(leg) from game where a = '{min(a, b)}' and b = '{max(a, b)}' "
                        f"and pair >= {first} and match_over", "whole.db")
        self.assertEqual(legs[0][1], 0, "one leg each")
        self.assertIn(legs[0][0], (3, 4, 5))

    def test_every_other_form_with_fixed_pairings_ends_the_same_after_kills(self):
        for schedule, meetings in (("circle pairs=3", 15), ("gauntlet heroes=greedy pairs=6", 5),
                                   ("knockout best_of=9 third_place=yes", 6)):
            with self.subTest(schedule):
                for name in ("whole.db", "killed.db"):
                    for end in ("", "-wal", "-shm", ".key"):
                        if os.path.exists(self.path(name + end)):
                            os.remove(self.path(name + end))
                self.ends_the_same_after_kills(schedule)
                self.assertEqual(len(self.acts("fixture", "whole.db")) -
                                 sum("a" not in row for row in self.acts("fixture", "whole.db")), meetings)

    def test_forms_that_follow_the_order_of_results_end_too(self):
        for number, schedule in enumerate(("double-elimination pairs=2", "ladder meetings=8 pairs=2",
                                           "league meetings=9 pairs=2",
                                           "circle groups=2 pairs=1 then knockout take=1 best_of=3")):
            with self.subTest(schedule):
                self.event(schedule)
                name = f"r{number}.db"
                self.killed(name)
                self.play(name)
                self.assertEqual([row for row in self.acts("result", name) if row["score"] == ""], [])
                self.must("verify", name)
                ended = {row["meeting"] for row in self.acts("result", name)}
                begun = {row["meeting"] for row in self.acts("fixture", name)}
                self.assertEqual(ended, begun, "every meeting has a result")

    def test_money_games_count_by_points(self):
        self.event("swiss rounds=2 points=6", length=0)
        self.play()
        for row in self.acts("result"):
            a, b = map(int, row["points"].split(":"))
            self.assertEqual(row["score"], "1" if a > b else "0" if a < b else "0.5", row)
        self.assertEqual(self.rows("select max(leg) from game"), [(0,)])

    def test_strangers_play_single_games(self):
        self.needs_confinement()
        self.event("swiss rounds=2 pairs=3 then knockout take=2 best_of=3",
                   "sandbox: on\ntrust: strangers\nkey_file: key\n".replace("key_file: key\n", ""))
        text = open(self.path("cup.yaml"), encoding="utf-8").read().replace("seed: 5\n", "")
        self.write("cup.yaml", text)
        self.play()
        self.assertEqual(self.rows("select count(distinct leg) from game"), [(1,)])
        self.must("verify", "r.db")

    # ------------------------------------------------------------------ bots that do not play

    def rogue(self, more):
        return BOTS + f'  - {{name: rogue, cmd: "{ROGUE} wrong-die --after 12"}}\n', more

    def test_a_last_game_that_brings_a_quarantine_is_played(self):
        bots = f'\n  - random\n  - {{name: rogue, cmd: "{ROGUE} wrong-die"}}\n'
        self.event("circle pairs=2", "quarantine: 4\n", bots=bots)
        self.play(status=7)
        self.assertEqual(self.rows("select count(*) from game where ended = 'fault'"), [(4,)])
        self.assertEqual(self.acts("walkover"), [])
        self.assertEqual([(row["score"], row["points"]) for row in self.acts("result")], [("0", "0:4")])
        self.must("verify", "r.db")

    def test_a_program_that_is_gone_later_is_absent_and_comes_back(self):
        bots = BOTS + '  - {name: late, cmd: "./late"}\n'
        script = f"#!/bin/sh\nexec {BIN}/bots/bgref-random --seed 4\n"
        self.event("league meetings=30 pairs=2", "start: 2s\n", bots=bots)
        self.assertIn("late", self.must("tournament", "cup.yaml", "--results", "r.db", "--quiet", status=3)[1])
        self.assertFalse(os.path.exists(self.path("r.db")) and self.journal(), "nothing has begun")
        self.script("late", script)
        run = self.begin("tournament", "cup.yaml", "--results", "r.db", "--quiet")
        self.wait_until(lambda: self.count("r.db", "result") > 3, "some results")
        kill(run)
        self.assert_nothing_lives()
        os.rename(self.path("late"), self.path("hidden"))
        run = self.begin("tournament", "cup.yaml", "--results", "r.db", "--quiet")
        self.wait_until(lambda: run.poll() is not None or self.acts("absent"), "the absence")
        kill(run)
        self.assert_nothing_lives()
        self.assertEqual(self.acts("absent"), [{"bot": "late"}])
        os.rename(self.path("hidden"), self.path("late"))
        self.play()
        self.assertEqual(self.acts("reinstate"), [{"bot": "late"}])
        self.must("verify", "r.db")

    def count(self, results, kind="%"):
        try:
            return self.rows(f"select count(*) from act where kind like '{kind}'", results)[0][0]
        except sqlite3.Error:  # being made
            return 0

    def test_acts_of_the_desk_between_two_runs_are_played(self):
        self.event("league meetings=40 pairs=2")
        run = self.begin("tournament", "cup.yaml", "--results", "r.db", "--quiet")
        self.wait_until(lambda: run.poll() is not None or self.count("r.db", "result") > 5, "some results", 120)
        kill(run)
        self.assert_nothing_lives()
        self.must("desk", "r.db", "late-enter", "new")
        self.must("desk", "r.db", "withdraw", "r3", "--reason", "it left")
        before = self.journal()
        self.refused("bots: new is an entrant of this event")
        self.event("league meetings=40 pairs=2", bots=BOTS + "  - {name: new, bot: random}\n")
        self.play()
        self.assertEqual(self.journal()[:len(before)], before)
        after = [row for row in self.journal()[len(before):] if row[0] == "fixture" and " a=" in row[1]]
        self.assertTrue([row for row in after if "=new " in row[1]])
        self.assertFalse([row for row in after if "=r3 " in row[1]])
        self.must("verify", "r.db")

    # ------------------------------------------------------------------ what is refused

    def refused(self, message, *words, status=2):
        _, err = self.must("tournament", "cup.yaml", "--results", "r.db", "--quiet", *words, status=status)
        self.assertIn(message, err)

    def test_wrong_schedules_are_refused_by_name(self):
        self.event("swis rounds=3")
        self.refused("cup.yaml:14: schedule: ")
        self.refused("perhaps swiss", "--schedule", "swis rounds=3")
        self.refused("seeds: r2 is missing", "--schedule", "swiss rounds=2", "--seeds", "random,greedy")
        self.event("swiss rounds=3", 'seeds: [random, greedy, r2, g2, r3, nobody]\n')
        self.refused("nobody is not in the event")
        self.event("swiss rounds=3", 'seeds: [random, gredy]\n')
        self.refused("seeds: gredy is not in the event (perhaps greedy?)")

    def test_an_event_that_has_begun_keeps_its_schedule_and_its_entrants(self):
        self.event("swiss rounds=2 pairs=1")
        self.play()
        self.refused("begun with schedule=", "--schedule", "swiss rounds=3 pairs=1")
        self.event("")
        self.refused("begun with schedule=")
        self.event("swiss rounds=2 pairs=1", bots=BOTS + "  - {name: new, bot: random}\n")
        _, err = self.must("tournament", "cup.yaml", "--results", "r.db", "--quiet")
        self.assertIn("late-enter new", err)
        self.event("swiss rounds=2 pairs=1", bots=BOTS.replace("  - greedy\n", ""))
        self.refused("'bgref desk r.db withdraw greedy --reason TEXT' takes it out of the event")

    def test_seeds_are_by_lot_entry_list_or_rating(self):
        orders = set()
        for number, seeds in enumerate(("lot", "entry", "g2,greedy,r2,random,r3,first", "rating=s0.db")):
            self.event("knockout best_of=1", f"seeds: '{seeds}'\n")
            self.play(f"s{number}.db")
            orders.add(self.rows("select value from meta where key = 'season.seeds'", f"s{number}.db")[0][0])
        self.assertEqual(len(orders), 4)
        self.assertIn("random,greedy,r2,g2,r3,first", orders)
        self.assertIn("g2,greedy,r2,random,r3,first", orders)

    def test_an_event_without_length_has_that_of_its_stages(self):
        self.event("knockout match=2", length=3)
        text = open(self.path("cup.yaml"), encoding="utf-8").read().replace("length: 3\n", "")
        self.write("cup.yaml", text)
        self.play()
        self.assertEqual(self.rows("select value from meta where key = 'event.length'"), [("2",)])
        self.assertEqual(self.rows("select count(*), max(leg) from game where match_over"), [(5, 0)])

    def test_stages_are_a_list_in_a_file(self):
        self.event("", 'stages: ["swiss rounds=2 pairs=1", "knockout take=2 best_of=1"]\n')
        self.play()
        self.assertEqual(self.rows("select value from meta where key = 'event.schedule'"),
                         [("swiss pairs=1 rounds=2 then knockout take=2 best_of=1",)])

    def test_the_progress_names_the_round(self):
        self.event("swiss rounds=2 pairs=1")
        _, err = self.must("tournament", "cup.yaml", "--results", "r.db")
        self.assertRegex(err, r"round 2 of 2")
        self.assertRegex(err, re.escape("6 bots, swiss pairs=1 rounds=2"))


TERMS = """event: cup
bots: [random, first, greedy]
length: 3
seed: 7
sandbox: off
concurrency: 1
schedule: {schedule}
conditions:
  - {{between: [random, greedy], cube: off, length: 2}}
  - {{between: [greedy, first], crawford: off}}
"""
TWO_STAGES = "circle pairs={pairs} then knockout take=2 match=5"


class Terms(Case):
    def event(self, pairs=2, schedule=TWO_STAGES):
        self.write("cup.yaml", TERMS.format(schedule=schedule.format(pairs=pairs)))

    def set(self, name, key, value):
        self.change(name, ("update meta set value=? where key=?", (value, key)))

    def rules(self, pair, name="r.db"):
        """Rules of the games of two bots, as their records have them."""
        games = self.must("export", name, "--records")[0].split("\nbgref-record ")
        lines = [line for game in games if f"\nid {pair}|" in game for line in game.splitlines()]
        rules = {line.rpartition(" #")[0] + " " for line in lines if line.startswith("rules ")}
        self.assertTrue(rules, pair)
        return rules

    def refused(self, *words, status=2):
        out, talk = self.must("tournament", "cup.yaml", "--results", "no.db", "--quiet", *words, status=status)
        self.assertEqual(out, "")
        self.assertFalse(os.path.exists(self.path("no.db")), words)
        return talk

    def test_each_pairing_has_its_rules_through_a_kill(self):
        self.event(pairs=40)
        self.must("tournament", "cup.yaml", "--results", "whole.db", "--quiet")
        run = self.begin("tournament", "cup.yaml", "--results", "r.db", "--quiet")
        self.wait_until(lambda: run.poll() is not None or self.count() >= 20, "games")
        kill(run)
        self.must("tournament", "cup.yaml", "--results", "r.db", "--quiet")
        self.assertEqual(self.canonical("r.db"), self.canonical("whole.db"))
        lengths = dict.fromkeys(self.rows("select distinct a||'|'||b, length from game order by 1, 2"))
        self.assertEqual(set(lengths), {("first|greedy", 3), ("first|greedy", 5), ("first|random", 3), ("greedy|random", 2)})
        self.assertIn("settings match the records", self.must("verify", "r.db")[0])
        for words in self.rules("greedy|random"):
            self.assertIn(" length=2 ", words)
            self.assertIn(" cube=off ", words)
        for words in self.rules("first|greedy"):
            self.assertIn(" crawford=off ", words)
            self.assertIn(" cube=on ", words)

    def test_tables_ratings_and_sheet_know_the_lengths(self):
        self.event()
        self.must("tournament", "cup.yaml", "--results", "r.db", "--quiet")
        text = self.must("rate", "r.db", "--explain")[0]
        self.assertIn("of 2 to 5 points", text)
        self.assertIn("P(win a n-point match)", text)
        draws = self.must("report", "--sheet", "r.db", "--csv")[0]
        self.assertIn("cube=off length=2", draws)
        self.assertIn("length=5 crawford=off", draws)
        self.assertIn("one match to 5", self.must("report", "--sheet", "r.db")[0])
        games = self.json("rate", "r.db")
        self.assertEqual((games["length"], games["length_most"]), (2, 5))
        words = "random and greedy: cube=off length=2; greedy and first: crawford=off"
        self.assertEqual(games["conditions"], words)
        self.assertIn(f"Rules that differ by pairing: {words}.", " ".join(text.split()))
        self.must("report", "r.db", "-o", "r.html")
        self.assertIn("Rules that differ by pairing: ", self.text("r.html"))

    def test_a_game_under_other_rules_is_named(self):
        self.event()
        self.must("tournament", "cup.yaml", "--results", "r.db", "--quiet")
        self.set("r.db", "event.conditions", "random,greedy cube=off length=3; greedy,first crawford=off")
        out, talk = self.must("verify", "r.db", status=6)
        self.assertRegex(talk, r"game greedy\|random\|0\|0\|0: its pairing has 'cube=off length=3', .* length=2 ")
        self.set("r.db", "event.conditions", "random,greedy length=2; greedy,first crawford=off")
        self.assertRegex(self.must("verify", "r.db", status=6)[1], r"game greedy\|random\|0\|0\|0: setting event.cube of the event is 'on', .* cube=off ")
        self.set("r.db", "event.conditions", "random,greedy cube=off length=2; greedy,first crawford=off")
        self.must("verify", "r.db")
        self.set("r.db", "event.schedule", "circle pairs=2 then knockout take=2 match=7")
        self.assertRegex(self.must("verify", "r.db", status=6)[1], r"game first\|greedy\|2\|0\|0: its pairing has 'length=7 crawford=off', .* length=5 ")

    def test_a_swiss_with_a_final_of_another_length(self):
        self.event(schedule="swiss rounds=3 pairs=1 length=1 then knockout take=2 best_of=3 length=4")
        self.must("tournament", "cup.yaml", "--results", "r.db", "--quiet", "--conditions", "none")
        self.assertEqual(self.rows("select distinct length from game order by 1"), [(1,), (4,)])
        self.must("verify", "r.db")
        self.assertIn("best of 3, matches to 4", " ".join(self.must("report", "--sheet", "r.db")[0].split()))

    def test_a_plain_round_robin_of_money_games(self):
        self.write("cup.yaml", "event: cup\nbots: [random, first, greedy]\nlength: money\npairs: 3\nseed: 7\nsandbox: off\n"
                               "conditions: [{between: [first, random], cube: off, jacoby: off}]\n")
        self.must("tournament", "cup.yaml", "--results", "r.db", "--quiet")
        self.assertTrue(all(" cube=off jacoby=off " in words for words in self.rules("first|random")))
        self.assertTrue(all(" cube=on jacoby=on " in words for words in self.rules("greedy|random")))
        self.must("verify", "r.db")
        self.set("r.db", "event.conditions", "first,random cube=off")
        self.assertIn("first|random|0|0|0", self.must("verify", "r.db", status=6)[1])

    def test_the_file_keeps_its_conditions(self):
        self.event()
        self.must("tournament", "cup.yaml", "--results", "r.db", "--quiet")
        for value in ("none", "random,greedy cube=off length=4; greedy,first crawford=off"):
            _, talk = self.must("tournament", "cup.yaml", "--results", "r.db", "--quiet", "--conditions", value, status=2)
            self.assertIn("conditions", talk)

    def test_the_desk_sets_the_rules_of_the_next_meetings(self):
        self.write("cup.yaml", "event: cup\nbots: [random, first, greedy, python]\nlength: 1\nseed: 7\nsandbox: off\nconcurrency: 1\n"
                               "schedule: circle pairs=30\nseeds: entry\n")
        run = self.begin("tournament", "cup.yaml", "--results", "r.db", "--quiet")
        self.wait_until(lambda: run.poll() is not None or self.count() > 0, "a game")
        run.send_signal(signal.SIGINT)
        run.communicate()
        met = {tuple(sorted(word.partition("=")[2] for word in subject.split() if word[:2] in ("a=", "b=")))
               for (subject,) in self.rows("select subject from act where kind='fixture'")}
        every = [("first", "greedy"), ("first", "python"), ("first", "random"), ("greedy", "python"), ("greedy", "random"), ("python", "random")]
        free, busy = next(pair for pair in every if pair not in met), next(pair for pair in every if pair in met)
        act = ("desk", "r.db", "condition", "--reason", "agreed")
        self.assertIn("conditions are set before two entrants are paired", self.must(*act, "between=" + ",".join(busy), "length=2", status=2)[1])
        self.assertIn("perhaps length?", self.must(*act, "between=" + ",".join(free), "lenght=2", status=2)[1])
        self.must(*act, "between=" + ",".join(free), "length=2")
        self.must(*act, "between=" + ",".join(free), "cube=off")
        self.must("tournament", "cup.yaml", "--results", "r.db", "--quiet")
        words = " ".join(self.must("rate", "r.db")[0].split())
        self.assertRegex(words, f"Rules that differ by pairing: {free[0]} and {free[1]}: length=2 .since row [0-9]+ of the journal.; ")
        for pair in every:
            words = self.rules("|".join(pair))
            self.assertEqual(len(words), 1)
            self.assertIn(" length=2 " if pair == free else " length=1 ", words.pop())
        self.must("verify", "r.db")

    def test_what_cannot_be_is_refused_with_file_and_line(self):
        for key, sentence in (
                ("[{between: [random, nobody], cube: off}]", "cup.yaml:7: conditions: between nobody: the event has no bot with this name"),
                ("[{between: [random], cube: off}]", "cup.yaml:7: conditions: between needs two bots"),
                ("[{cube: off}]", "cup.yaml:7: conditions: between is missing")):
            self.write("cup.yaml", f"event: cup\nbots: [random, first]\nlength: 3\npairs: 1\nseed: 7\nsandbox: off\nconditions: {key}\n")
            with self.subTest(key):
                self.assertIn(sentence, self.refused())
        self.write("cup.yaml", "event: cup\nbots: [random, first]\nlength: money\npairs: 1\nsandbox: off\n")
        for words, sentence in ((("--conditions", "random,first length=3"), "the event plays money games"),
                                (("--schedule", "circle match=3"), "matches to 3 in an event of money games"),
                                (("--schedule", "circle length=3"), "give the event a length, like length: 3"),
                                (("--sprt", "ppg0=0 ppg1=0.1", "--conditions", "random,first cube=off"), "a sequential test")):
            with self.subTest(words):
                self.write("cup.yaml", "event: cup\nbots: [random, first]\nlength: money\nsandbox: off\n")
                self.assertIn(sentence, self.refused(*words))


main()
