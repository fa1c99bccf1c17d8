"""`durable: decision`: after kill -9 of the referee every game goes on at its open decision, and nothing that a bot saw or
answered is forgotten. The followers keep their games from what they are told, and log what they are asked and answer."""
import collections
import contextlib
import os
import random
import sqlite3

from harness import BIN, Case, kill, main

FOLLOWER = os.path.join(BIN, "follower")
KILLS = 6
SLOTS = {"bar": "25", "off": "0"}

EVENT = """
event: durable
bots:
  - {{name: one, cmd: "{follower} log={folder}"}}
  - {{name: two, cmd: "{follower} stateful log={folder}"}}
clock: bank=20s,inc=50ms
length: 3
pairs: {pairs}
concurrency: 4
durable: {durable}
sandbox: "off"
"""

Ask = collections.namedtuple("Ask", "turn kind numbers clocks")


class Durable(Case):
    def rows(self, question):
        with contextlib.closing(sqlite3.connect(f"file:{self.path('r.db')}?mode=ro", uri=True)) as database:
            return database.execute(question).fetchall()

    def logged(self):
        """Whole lines so far."""
        with contextlib.suppress(FileNotFoundError), open(self.path("decisions"), encoding="utf-8") as log:
            return [line.split() for line in log.read().rpartition("\n")[0].splitlines()]
        return []

    def play_with_kills(self, durable, pairs=8):
        """Kills the referee after chosen numbers of decisions, and plays to the end. Returns the log."""
        self.write("event.yaml", EVENT.format(follower=FOLLOWER, folder=self.folder, pairs=pairs, durable=durable))
        chance = random.Random(durable)
        for _ in range(KILLS):
            before = len(self.logged())
            run = self.begin("tournament", "event.yaml", "--results", "r.db", "--quiet")
            self.addCleanup(kill, run)
            most = before + chance.randint(1, 400)
            self.wait_until(lambda: len(self.logged()) > most or run.poll() is not None, "decisions")
            if run.poll() is not None:
                print(self.rows("select bot, fault, game_id, story, stderr_tail from fault"), flush=True)
                self.fail(f"the event is over, or has failed, before it was killed: {run.communicate()}")
            kill(run)
            self.assert_nothing_lives()
        self.must("tournament", "event.yaml", "--results", "r.db", "--quiet")
        self.assertEqual(self.rows("select bot, fault, story, stderr_tail from fault"), [])
        self.assertEqual(self.rows("select count(*) from game where match_over"), [(2 * pairs,)])
        self.must("verify", "r.db")
        return self.logged()

    def differences(self, lines):
        """What the bots saw or answered and the records do not have: a list of sentences."""
        records = {}
        for text, in self.rows("select record from game"):
            words = [line.rpartition(" #")[0].split() for line in text.splitlines()]
            records[next(line[1] for line in words if line and line[0] == "alias")] = words
        wrong = []
        games = collections.defaultdict(list)
        answers = collections.defaultdict(dict)
        for word, game, turn, *rest in lines:
            if word == "play":
                answers[game][int(turn)] = rest[0] if rest else ""  # the last one counts
            else:
                games[game].append(Ask(int(turn), *rest[:2], rest[2:]))
        for game in set(games) - set(records):
            wrong.append(f"{game} has no record")
        for game, asks in games.items():
            if game not in records:
                continue
            rolls, plays = steps_of(records[game])
            for before, ask in zip(asks, asks[1:]):
                if ask.turn < before.turn:
                    wrong.append(f"{game}: turn {ask.turn} is asked after turn {before.turn}")
                if ask[:3] == before[:3] and ask.numbers != "-" and ask.clocks != before.clocks:
                    wrong.append(f"{game}: turn {ask.turn} is asked again with other clocks")
            for ask in asks:
                if ask.numbers != "-" and sorted(set(ask.numbers)) != sorted(set(rolls.get(ask.turn, ""))):
                    wrong.append(f"{game}: turn {ask.turn} was asked with {ask.numbers}, not {rolls.get(ask.turn)}")
            for turn, answer in answers[game].items():
                if sorted(answer.split(",")) != sorted(plays.get(turn, "").split(",")):
                    wrong.append(f"{game}: turn {turn} was answered {answer}, the record has {plays.get(turn)}")
        return wrong

    def test_games_go_on_at_their_open_decision(self):
        lines = self.play_with_kills("decision")
        self.assertGreater(len(lines), 1000)
        self.assertEqual(self.differences(lines), [])
        self.assertEqual(self.rows("select count(*) from step"), [(0,)])

    def test_without_it_the_games_that_were_cut_off_are_replayed(self):
        wrong = self.differences(self.play_with_kills("game"))
        self.assertTrue(any("is asked after turn" in line for line in wrong), "turns are seen twice")

    def tearDown(self):
        self.assert_nothing_lives()


def steps_of(record):
    """The dice and the play of each turn, by its number."""
    rolls, plays = {}, {}
    turn, lost = 0, 0  # lost: 1 while a roll has no play, which is how a turn without legal plays stays
    for words in record[record.index(["steps"]) + 1:]:
        if words[:1] == ["open"] or words[1:2] == ["roll"]:
            turn, lost = turn + (lost if words[0] != "open" else 0), 1
            rolls[turn] = words[-2] if words[-1].startswith("@") else words[-1]
        elif words[1:2] == ["play"]:
            plays[turn] = ",".join("/".join(SLOTS.get(slot, slot) for slot in move.split("/"))
                                   for move in words[2:] if not move.startswith("@"))
            turn, lost = turn + 1, 0
    return rolls, plays


if __name__ == "__main__":
    main()
