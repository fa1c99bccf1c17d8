"""The bundled bots bkg and td in games: legal plays, strength, the cube; td also as a judge."""
import os
import re
import shutil
import subprocess

from harness import BGREF, Case, main, read

GAMES = ("backgammon", "nackgammon", "hypergammon", "short-nardi", "portes", "tavla", "old-english", "irish",
         "shuanglu", "hoyle-1870")


# Races in the checkers of one side by point, the side's on roll first; and what players know of them:
# its action and the other side's answer, without and with beavers.
HOME = {6: 3, 5: 3, 4: 3, 3: 2, 2: 2, 1: 2}
CUBES = (
    ("even", {8: 3, 7: 3, 6: 3, 5: 2, 4: 2, 3: 2}, {8: 3, 7: 3, 6: 3, 5: 2, 4: 2, 3: 2}, "roll", "take", None),
    ("a lead of 12 %", {8: 3, 7: 3, 6: 3, 5: 2, 4: 2, 3: 2}, {9: 4, 8: 4, 7: 2, 6: 2, 5: 1, 4: 1, 3: 1}, "double", None,
     None),
    ("a lead of a half", HOME, {12: 2, 10: 2, 6: 4, 5: 3, 4: 2, 3: 2}, "double", "pass", "pass"),
    ("a third behind", {12: 2, 10: 2, 6: 4, 5: 3, 4: 2, 3: 2}, HOME, "roll", "take", "raise"),
)


def xgid(own, other, dice="00", rules=0):
    """A money position: own has capital letters and is on roll, or has doubled ("D")."""
    board = ["-"] * 26
    for slot, count in own.items():
        board[slot] = chr(ord("A") + count - 1)
    for slot, count in other.items():
        board[25 - slot] = chr(ord("a") + count - 1)
    return f"XGID={''.join(board)}:0:0:1:{dice}:0:0:{rules}:0:10"


class Bkg(Case):
    results = 0  # files

    def duel(self, *words):
        """Plays a duel in which nobody is at fault; returns the points a game of the first, and the records."""
        self.results += 1
        results = f"{self.results}.db"
        printed = self.must("duel", "--seed", "5", "--results", results, *words)[0]
        self.assertEqual(self.rows("select bot, fault, story from fault", results), [])
        records = [record for record, in self.rows("select record from game", results)]
        points = re.search(r"RESULT \S+ vs \S+ +([+-][\d.]+)", printed)
        return float(points[1]) if points else None, records

    def test_it_plays_every_game_that_is_played_like_backgammon(self):
        for game in GAMES:
            with self.subTest(game):
                self.assertGreaterEqual(len(self.duel("bkg", "random", "--variant", game, "--length", "3",
                                                      "--pairs", "1")[1]), 2)
        printed = self.must("duel", "bkg", "random", "--variant", "plakoto", status=3)[1]
        self.assertIn("game plakoto", printed)

    def test_it_beats_greedy(self):
        """Measured +0.5 points a game in 800 games; here the dice are given by the seed."""
        points, records = self.duel("bkg", "greedy", "--pairs", "100", "--cube", "off")
        self.assertEqual(len(records), 200)
        self.assertGreater(points, 0.2)

    def test_it_doubles_takes_passes_beavers_and_resigns(self):
        _, records = self.duel("bkg", "greedy", "--pairs", "60", "--beavers", "on")
        steps = "\n".join(records)
        for word in ("double", "take", "pass", "resign"):
            self.assertRegex(steps, rf"(?m)^[01] {word}\b", f"{word} in no record")

    def action(self, *words):
        printed = self.must("ask", *words)[0]
        return re.search(r"(?m)^answered +(\w+)", printed)[1]

    def test_races_are_doubled_taken_passed_and_beavered(self):
        for bot in ("bkg", "greedy"):
            for name, own, other, action, answer, beavered in CUBES:
                with self.subTest(name, bot=bot):
                    self.assertEqual(self.action(bot, xgid(own, other)), action)
                    if answer:
                        self.assertEqual(self.action(bot, xgid(own, other, "D")), answer)
                    if beavered:
                        self.assertEqual(self.action(bot, xgid(own, other, "D", 2)), beavered)

    def test_a_beaver_is_passed_where_the_double_was_hopeless(self):
        for bot in ("bkg", "greedy"):
            for name, own, other, answer in (("hopeless", {12: 5, 10: 5, 6: 5}, HOME, "pass"),
                                             ("good", HOME, {12: 2, 10: 2, 6: 4, 5: 3, 4: 2, 3: 2}, "take")):
                with self.subTest(name, bot=bot):
                    self.assertEqual(self.action(bot, xgid(own, other), "--rules", "beavers=on", "--then",
                                                 "double, raise"), answer)

    def test_greedy_knows_when_to_double_in_other_games(self):
        """Measured in 40 games each: the side that doubles first wins 68 to 80 % of them."""
        for game in ("plakoto", "gul", "nard", "tabula", "acey-deucey"):
            with self.subTest(game):
                _, records = self.duel("-engine", "name=one", "bot=greedy", "-engine", "name=two", "bot=greedy",
                                       "--variant", game, "--length", "money", "--games", "40", "--cube", "on")
                first = [re.search(r"(?m)^([01]) double", record) for record in records]
                won = [f"winner={double[1]} " in record for double, record in zip(first, records) if double]
                self.assertGreater(len(won), 25)
                self.assertGreater(sum(won), 0.62 * len(won))


NETS = os.path.join(os.path.dirname(BGREF), "bots", "td")
NETTED = sorted(name.removesuffix(".td") for name in os.listdir(NETS)
               if name.endswith(".td") and name.count(".") == 1)
WITHOUT = ("kiz-tavlasi",)  # a game without choices


class Td(Case):
    results = 0  # files

    def duel(self, a, b, *words):
        """Plays a duel in which nobody is at fault; returns the points a game of a, and what was printed."""
        self.results += 1
        results = f"{self.results}.db"
        printed = self.must("duel", a, b, "--seed", "5", "--results", results, *words)[0]
        self.assertEqual(self.rows("select bot, fault, story from fault", results), [])
        return float(re.search(r"RESULT \S+ vs \S+ +([+-][\d.]+)", printed)[1]), printed

    def test_it_has_a_net_for_every_game_with_choices(self):
        listed = re.findall(r"^  V\d+ +(\S+)", self.must("rules")[0], re.M)
        self.assertEqual(sorted(set(listed) - set(WITHOUT)), NETTED)
        printed = self.must("duel", "td", "random", "--variant", "kiz-tavlasi", status=3)[1]
        self.assertIn("game kiz-tavlasi", printed)

    def test_it_beats_random_plays_in_every_game(self):
        """At least 0.5 points a game in 40 games, where 0.12 is about one standard error: random plays would be 4 of them below."""
        for game in NETTED:
            with self.subTest(game):
                points, _ = self.duel("td", "random", "--variant", game, "--pairs", "20", "--cube", "off")
                self.assertGreater(points, 0.5)

    def test_it_beats_greedy_and_judges_the_games(self):
        points, printed = self.duel("td", "greedy", "--pairs", "100", "--cube", "off", "--judge", "td")
        self.assertGreater(points, 0.5)
        self.assertGreater(float(re.search(r"VARIANCE +ratio ([\d.]+)", printed)[1]), 1.5)
        self.assertLess(abs(float(re.search(r"APART +[+-][\d.]+ +SE [\d.]+ += ([\d.]+) SE", printed)[1])), 4)

    def test_it_judges_turns_of_several_stages(self):
        """Every game is judged, also its first stages (errors); the results stay where they were on average."""
        for game, pairs in (("tabula", 2), ("gulbara", 4), ("acey-deucey", 3)):
            with self.subTest(game):
                _, printed = self.duel("td", "td-noise", "--variant", game, "--pairs", str(pairs), "--cube", "off",
                                       "--judge", "td")
                self.assertIn(f"td vs td-noise   {2 * pairs} games judged", printed)
                self.assertLess(abs(float(re.search(r"APART +[+-][\d.]+ +SE [\d.]+ += ([\d.]+) SE", printed)[1])), 5)
        printed = self.must("judge", f"{self.results}.db", "--judge", "td", "--errors")[0]
        self.assertIn(f"{2 * pairs} games judged", printed)

    def test_a_rollout_refuses_them(self):
        self.duel("td", "random", "--variant", "tabula", "--pairs", "1")
        said = self.run_bgref("judge", f"{self.results}.db", "--judge", "rollout:td").stderr
        self.assertIn("tabula: a turn is more than one roll of two dice, which a rollout cannot play", said)

    def test_one_ply_more_and_noise(self):
        points, _ = self.duel("td-1ply", "random", "--pairs", "5", "--variant", "hypergammon")
        self.assertGreater(points, 0.5)
        self.write("weak.yaml", "event: weak\nbots:\n  - td\n  - {name: noisy, bot: td, options: {Noise: 0.5, Cube: false}}\n"
                                "length: money\npairs: 60\ncube: off\nseed: 4\nresults: weak.db\n")
        printed = self.must("tournament", "weak.yaml")[0]
        self.assertRegex(printed, r"(?m)^ +1  td ")

    def own_folder(self):
        """A bot that is no longer beside its nets."""
        folder = self.path("bots")
        os.mkdir(folder)
        shutil.copy(os.path.join(os.path.dirname(NETS), "bgref-td"), folder)
        shutil.copytree(os.path.join(os.path.dirname(NETS), "lib"), os.path.join(folder, "lib"))
        return folder

    def test_a_damaged_net_is_named_with_the_remedy(self):
        folder = self.own_folder()
        for name, game in (("tavla.td", "tavla"), ("backgammon.race.td", "backgammon"),
                           ("backgammon.sieve.td", "backgammon")):
            with self.subTest(name):
                nets = os.path.join(folder, "td")
                shutil.rmtree(nets, ignore_errors=True)
                shutil.copytree(NETS, nets)
                data = bytearray(read(os.path.join(nets, name)))
                data[-100] ^= 1
                with open(os.path.join(nets, name), "wb") as file:
                    file.write(data)
                said = self.must("duel", "bots/bgref-td", "random", "--pairs", "1", status=3)[1]
                self.assertIn(f"{name}: it is damaged; 'bgref-td-train {game}' makes it again", said)

    def test_a_bad_table_of_bear_offs_is_named_with_the_remedy(self):
        """Before Ready, whatever the question: td does not compute it inside a decision."""
        folder = self.own_folder()
        shutil.copytree(NETS, os.path.join(folder, "td"))
        table = os.path.join(folder, "td", "bear-off.values")
        data = read(table)
        changed = bytearray(data)
        changed[-1000] ^= 1
        for what, now, part in (("damaged", bytes(changed), "damaged"),
                                ("short", data[:-4], "not complete"), ("empty", b"", "not complete"),
                                ("other", bytes(len(data)), "not a table of bear-offs"),
                                ("missing", None, "No such file")):
            with self.subTest(what):
                os.unlink(table)
                if now is not None:
                    with open(table, "wb") as file:
                        file.write(now)
                said = self.must("duel", "bots/bgref-td", "random", "--pairs", "1", status=3)[1]
                self.assertRegex(said, f"bear-off.values: {part}.*; 'bgref-td-train --bear-off "
                                       ".*/bear-off.values' makes it again")
                if now is None:
                    with open(table, "wb"):
                        pass
        trainer = os.path.join(os.path.dirname(NETS), "bgref-td-train")
        subprocess.run([trainer, "--bear-off", table], check=True, timeout=300)
        self.assertEqual(read(table), data)
        self.must("duel", "bots/bgref-td", "random", "--pairs", "1")


main()
