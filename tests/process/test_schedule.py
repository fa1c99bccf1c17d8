"""Events that are paired while they run (`schedule`): played to the end, killed and continued, with bots that
do not start or break the rules. The journal and the games are read from the results."""
import os
import random
import re
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

    def test_a_quarantined_bot_loses_by_walkover_and_the_event_goes_on(self):
        bots, more = self.rogue("quarantine: 1\n")
        self.event("circle pairs=2", more, bots=bots)
        out, _ = self.play(status=7)
        self.assertEqual(len(self.acts("absent")), 1)
        self.assertIn("Walkovers", out)
        self.assertEqual(self.rows("select count(*) from unplayed"), [(0,)])
        self.assertTrue(self.acts("walkover"))
        self.assertEqual({row["bot"] for row in self.acts("absent")}, {"rogue"})
        self.must("verify", "r.db")

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
        os.chmod(self.write("late", script), 0o755)
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

    def test_a_chess_harness_names_the_form(self):
        self.event("")
        self.play("r.db", "-tournament", "knockout", "--pairs", "1")
        self.assertEqual(self.rows("select value from meta where key = 'event.schedule'"), [("knockout pairs=1",)])

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


if __name__ == "__main__":
    main()
