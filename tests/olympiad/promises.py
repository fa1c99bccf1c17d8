"""What a day must keep, whatever went wrong in it: read from the results and from what the bots logged."""
import collections
import re
import subprocess

import decisions
from club import CUTS, FOLLOWERS, HERE, Club
from harness import read

VERIFY_MATCH = f"{HERE}/../../docs/verify_match.py"
ENTRANTS = 12
ROUNDS = 4


class Promises(Club):
    def check_all(self, ends):
        """ends: of the runs of the host before the last, the steps of the games that were open."""
        with self.promise("the course is that of the form: Swiss, knockout of four, a level final, its play-off"):
            self.check_swiss()
            self.check_knockout()
            self.check_final()
        with self.promise("every match is played to its end, once"):
            self.check_matches()
        with self.promise("a mistake harms only the bot that makes it"):
            self.check_faults()
        with self.promise("nothing that a bot saw or answered is forgotten or changed, nothing is asked again later"):
            self.check_followers()
        with self.promise("after each end of the host every game goes on at its open decision"):
            for steps in ends:
                self.check_end(steps)
        with self.promise("the host's own processes do not fail"):
            self.check_host()
        with self.promise("the signed result is proved, by bgref and beside it"):
            self.check_result()

    def final_pair(self):
        return {self.course.meetings(3)[0][side] for side in "ab"}

    # ------------------------------------------------------------------ the course

    def check_swiss(self):
        entrants = {row[side] for row in self.course.meetings(1) for side in "ab"}
        byes = [row["bot"] for row in self.course.acts("bye")]
        self.assertEqual(len(entrants), ENTRANTS)
        self.assertEqual(self.course.round(), ROUNDS)
        self.assertEqual([row["bot"] for row in self.course.acts("late-enter")], ["late"])
        self.assertEqual([row["bot"] for row in self.course.acts("withdraw")], ["quits"])
        played = collections.Counter(byes)
        for row in self.course.meetings(1):
            played.update((row["a"], row["b"]))
        self.assertEqual(played.pop("quits"), 1, "rounds of the bot that withdrew")
        self.assertEqual(played.pop("late"), ROUNDS - 1, "rounds of the bot that came late")
        self.assertEqual(set(played.values()), {ROUNDS}, f"rounds of the others: {played}")

    def check_knockout(self):
        meetings = self.course.meetings(2)
        self.assertEqual(len(meetings), 3, "two semi-finals and a final")
        for row in meetings:
            points = self.course.ended()[row["meeting"]]["points"]
            self.assertIn(points, ("2:0", "2:1", "1:2", "0:2"), "the best of three")

    def check_final(self):
        level, = self.course.acts("adjudicate")
        self.assertEqual((level["score"], level["meeting"]), ("0.5", self.course.meetings(3)[0]["meeting"]))
        playoff, = self.course.meetings(3, "playoff")
        self.assertEqual({playoff["a"], playoff["b"]}, self.final_pair())
        winner = playoff["a" if self.course.ended()[playoff["meeting"]]["score"] == "1" else "b"]
        sheet = self.must("report", "--sheet", "hosted/day.db")[0]
        order = re.search(r"\nStage 3 circle(?:.*\n)+? +1 +(\S+) ", sheet)
        self.assertEqual(order and order[1], winner, f"the winner of the play-off\n{sheet}")

    # ------------------------------------------------------------------ the games

    def check_matches(self):
        unfinished = {frozenset(("person", "quits")), frozenset(self.final_pair())}  # the desk ended these
        legs = self.course.rows("select a, b, pair, leg, count(*), max(game), sum(match_over), max(game * match_over) from game "
                                "group by a, b, pair, leg")
        for a, b, pair, leg, games, last, over, over_at in legs:
            name = f"{a}|{b}|{pair}|{leg}"
            self.assertEqual(games, last + 1, f"{name}: games from 0 to {last}")
            if over != 1 or over_at != last:
                self.assertIn(frozenset((a, b)), unfinished, f"{name}: {over} ends of a match")
        points = [row["points"].split(":") for row in self.course.acts("result") if "points" in row]
        matches = sum(int(a) + int(b) for a, b in points)
        self.assertEqual(sum(over for *_, over, _ in legs), matches, "matches, by their games and by the journal")
        ended = [row["meeting"] for kind in ("result", "adjudicate", "walkover") for row in self.course.acts(kind)]
        self.assertEqual(len(ended), len(set(ended)), "a meeting has ended twice")
        self.assertEqual(self.course.rows("select count(*) from step"), [(0,)], "steps of games that nobody ends")
        runs = self.course.rows("select count(*) from meta where key like 'run.%'")
        self.assertEqual(runs, [(self.begun,)], "runs of the event, and starts of the host")

    def check_faults(self):
        faults = self.course.rows("select bot, fault, story from fault")
        self.assertEqual([row for row in faults if row[0] != "flood"], [])
        self.assertIn("flood", [fault for _, fault, _ in faults])
        self.assertEqual(self.cuts, CUTS)
        self.assertGreater(self.person.plays, 20)

    def check_host(self):
        said = "".join(self.said(process) for process in self.running if "host.yaml" in process.args)
        log = read(self.path("hosted/day.log")).decode()
        for text in ("it is started again", "anitizer"):
            self.assertNotIn(text, said + log)
        journal = read(self.path("hosted/host.journal")).decode()
        for text, times in (("\tbegins\t", self.begun), ("\tdrain\tbegun", 1), ("\tenter day late\tdone", 1),
                            ("\twithdraw day quits (its author has to leave)\tdone", 1), ("\tday ended\t", 1)):
            self.assertEqual(journal.count(text), times, f"{text!r} in the host's journal\n{journal}")

    def check_followers(self):
        records = decisions.by_alias(text for text, in self.course.rows("select record from game"))
        for name in FOLLOWERS:
            log = self.log_of(name)
            self.assertGreater(len(log), 100)
            wrong = decisions.differences(log, records, is_clock_kept=False)
            unrecorded = [line for line in wrong if line.endswith("has no record")]
            self.assertLessEqual(len(unrecorded), int(name in self.final_pair()), f"{name}: {unrecorded}")
            self.assertEqual([line for line in wrong if line not in unrecorded], [], name)

    def check_end(self, steps):
        """The record of each game that was open begins with the steps that the results had when the host ended."""
        games = collections.defaultdict(str)
        for a, b, pair, leg, game, text in steps:
            games[(a, b, pair, leg, game)] += text
        for (a, b, pair, leg, game), text in games.items():
            record = self.course.rows(f"select record from game where a = '{a}' and b = '{b}' and pair = {pair} "
                                      f"and leg = {leg} and game = {game}")
            if not record and {a, b} == {"person", "quits"}:
                continue
            self.assertEqual(len(record), 1, f"{a}|{b}|{pair}|{leg}|{game} is not recorded")
            lines = [line.rpartition(" #")[0] for line in record[0][0].splitlines()]
            begin = lines.index("steps") + 1
            kept = text.splitlines()
            self.assertEqual(lines[begin:begin + len(kept)], kept, f"{a}|{b}|{pair}|{leg}|{game}")

    # ------------------------------------------------------------------ the result

    def check_result(self):
        self.must("keygen", "--sign", "director")
        self.must("sign", "hosted/day.db", "--key", "director.key")
        self.must("export", "hosted/day.db", "--records", "-o", "day.records")
        root = None
        for path in ("hosted/day.db", "day.records"):
            proof = self.must("verify", path, "--signer", "director.pub")[0]
            self.assertIn("signed: by director on ", proof)
            said = re.search("^root: ([0-9a-f]{64})", proof, re.M)[1]
            self.assertEqual(said, root or said, "two roots")
            root = said
        beside = subprocess.run(["/usr/bin/python3", VERIFY_MATCH, self.path("day.records"), root], capture_output=True,
                                text=True, timeout=120, check=False)
        self.assertEqual(beside.returncode, 0, beside.stderr)
        self.assertIn("signed by director on ", beside.stdout)
        games = self.course.rows("select count(*) from game")[0][0]
        self.assertIn(f"{games} games hold", beside.stdout)
        print(f"the day: {games} games in {self.begun} runs over {self.net.name}, signed and proved", flush=True)
