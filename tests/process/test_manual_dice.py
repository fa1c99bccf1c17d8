"""People roll (dice: manual): two operators at one board, each at a console of its own, over a real door."""
import concurrent.futures
import json
import os
import random
import re
import signal

from door_case import DoorCase
from harness import kill, main
from terminal import Terminal, listed


EVENT = """event: board
bots:
  - {{name: anna, remote: true}}
  - {{name: bert, remote: true}}
dice: manual
length: {length}
duplicate: off
pairs: {pairs}
results: r.db
events: e.jsonl
metrics: e.prom
ceiling: 10m
clock: bank=60m,inc=1s
door: {{listen: "tcp://127.0.0.1:{port}", key: host.key, allow: allow.yaml, appear: 60s}}
"""


class Board:
    """What lies on the board, and what both operators have said."""

    def __init__(self, seed):
        self.dice = random.Random(seed)
        self.thrown = None
        self.agreed = []
        self.plays = 0


class Operator:
    """One operator: reads the question, looks at the board, types."""

    def __init__(self, case, name, board, host="host.bgref"):
        self.case, self.name, self.board = case, name, board
        self.terminal = Terminal(case, "join", host, "--seat", "--key", f"{name}.key", "--plain", "--quiet")
        self.disagreed = self.corrected = 0

    def play(self):
        text = self.terminal.question()
        while "says goodbye" not in text:
            text = self.answer(text)
        return self

    def answer(self, text):
        if text.rstrip().endswith("is gone."):
            return self.terminal.question()
        rolls = re.search(r"Roll your (?:die|dice)\. Which (?:(\w+) )?numbers?\? $", text)
        if rolls:
            self.board.thrown = "".join(str(self.board.dice.randint(1, 6)) for _ in range(2 if rolls[1] else 1))
            return self.terminal.answer(self.board.thrown)
        sees = re.search(r"the other operator sees ([\d-]+)\. yes, or what you see: $", text)
        if sees:
            return self.look(text, sees[1].replace("-", ""))
        self.case.assertRegex(text, r"lists them\)\? $")
        self.board.plays += 1
        return self.case.event_at_play(self, text)

    def look(self, text, said):
        if "\nYour " in "\n" + text.splitlines()[-1]:  # the other one did not agree
            self.case.assertNotEqual(sorted(said), sorted(self.board.thrown))
            self.case.assertIn("do not agree on this roll (1 so far)", text)
            self.corrected += 1
            return self.terminal.answer(self.board.thrown)
        self.case.assertEqual(sorted(said), sorted(self.board.thrown))
        return self.case.event_at_confirmation(self)

    def confirm(self):
        self.board.agreed.append("".join(sorted(self.board.thrown)))
        return self.terminal.type("yes")

    def disagree(self):
        self.disagreed += 1
        self.case.assertIn("Type the numbers that you see.", self.terminal.type("no"))
        other = "".join(str(7 - int(die)) for die in self.board.thrown)
        return self.terminal.answer(other)


class ManualDice(DoorCase):
    def setUp(self):
        super().setUp()
        self.must("keygen", "--join", "bert")
        self.allow("anna", "bert")
        self.port = self.free_port()
        self.confirmations = 0
        self.referee = None

    def begin(self, length=1, pairs=1):
        self.write("e.yaml", EVENT.format(length=length, pairs=pairs, port=self.port))
        self.referee = self.start("tournament", "e.yaml")
        self.waits_for(self.referee, "door: tcp://")

    def restart(self):
        kill(self.referee)
        self.referee = self.again(self.port)

    def event_at_confirmation(self, operator):
        self.confirmations += 1
        if self.confirmations == 9:
            return operator.disagree()
        if self.confirmations == 15:  # one has said the dice, the other has not: both are asked again
            self.restart()
            return operator.terminal.question()
        return operator.confirm()

    def event_at_play(self, operator, text):
        if operator.board.plays == 4:  # both have said them: they stand
            rolled = re.findall(r"You rolled (\S+)\.", text)[-1]
            self.restart()
            text = operator.terminal.question()
            while text.rstrip().endswith("is gone."):
                text = operator.terminal.question()
            self.assertIn(f"You rolled {rolled}.", text)
        return operator.terminal.answer(listed(operator.terminal.type("?"))[0])

    def test_a_match_with_a_disagreement_and_two_kills(self):
        board = Board(5)
        self.begin()
        operators = [Operator(self, name, board) for name in ("anna", "bert")]
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            operators = list(pool.map(Operator.play, operators))
        self.ends(self.referee)
        self.assertEqual(sum(operator.disagreed for operator in operators), 1)
        self.assertEqual(sum(operator.corrected for operator in operators), 1)
        self.assertGreater(self.confirmations, 30)
        self.assertEqual(self.rows("select count(*) from game where match_over"), [(1,)])
        self.assertEqual(self.rows("select count(*) from fault"), [(0,)])
        self.check_dice(board)

    def check_dice(self, board):
        """The record has the dice that both have said, no others, and says that people rolled."""
        records = self.must("export", "r.db", "--records")[0]
        self.write("records.txt", records)
        steps = re.findall(r"^(?:[01] roll|open) (\d+)", records, re.M)
        said, at = [], 0
        for step in steps:  # the opening's two dice were said one after the other
            one = board.agreed[at:at + 1] if len(board.agreed[at]) == 2 else board.agreed[at:at + 2]
            at += len(one)
            said.append(sorted("".join(one)))
        self.assertEqual(at, len(board.agreed))
        self.assertEqual([sorted(step) for step in steps], said)
        self.assertRegex(records, r"(?m)^dice manual #")
        words = "entered by people, each roll confirmed by both operators"
        self.assertIn(f"dice: {len(steps)} rolls entered by people, each confirmed by both operators (dice=manual); no key gives them",
                      self.must("verify", "r.db")[0])
        proof = self.verify_beside("records.txt")
        self.assertEqual(proof.returncode, 0, proof.stdout + proof.stderr)
        self.assertIn(words, proof.stdout)
        self.assertNotIn("chain, dice", proof.stdout)
        self.assertIn(words, self.must("report", "r.db", "--text")[0])
        self.assertIn(words, self.must("show", "r.db")[0])
        self.assertIn(words, self.said(self.referee))
        self.write("lie.txt", records.replace("\ndice manual\n", "\ndice keyed\n", 1))
        self.assertIn("dice", self.must("verify", "lie.txt", status=6)[1])

    def see(self, operator, dice):
        text = operator.terminal.question()
        while not text.endswith("what you see: "):
            text = operator.terminal.question()
        operator.terminal.press(dice + "\n\n")
        return text

    def operators(self):
        return [Operator(self, name, Board(1)) for name in ("anna", "bert")]

    def hold(self, pairs=1):
        """Begins an event, and lets its first game be held; returns the two operators."""
        self.begin(pairs=pairs)
        first, second = self.operators()
        first.terminal.read_until(r"Roll your die. Which number\? $")
        first.terminal.press("6\n\n")
        for time in range(3):  # the second one does not want to see the 6
            self.see(second, "1")
            if time < 2:
                self.assertIn("sees 1.", self.see(first, "6"))
        self.wait_until(lambda: "is held" in self.said(self.referee), "the word to the director")
        return first, second

    def stream(self, kind):
        lines = self.text("e.jsonl").splitlines()
        return [line for line in map(json.loads, lines) if line["kind"] == kind]

    def held_game(self):
        told = self.json("join", "host.bgref", "--key", "anna.key", "--status")
        return told["events"][0]["held"]

    def metric(self):
        return int(re.search(r"(?m)^bgref_games_held{.*} (\d+)$", self.text("e.prom"))[1])

    def test_a_game_that_is_held_is_in_stream_status_and_metrics(self):
        self.hold()
        self.wait_until(lambda: self.stream("held"), "the line of the stream")
        held, = self.stream("held")
        self.assertEqual((held["game"], held["sees"]), ("anna|bert|0|0|0", {"anna": "6", "bert": "1"}))
        self.assertEqual(self.held_game(), "anna|bert|0|0|0")
        self.assertIn("held: anna|bert|0|0|0: the operators do not agree on a roll; the director has to look",
                      self.must("join", "host.bgref", "--key", "bert.key", "--status")[0])
        self.wait_until(lambda: self.metric() == 1, "the metrics")

    def act(self, *words):
        return self.must("desk", "r.db", *words, "--reason", "the board was moved")[0]

    def test_a_held_game_is_voided_and_the_next_one_begins(self):
        first, second = self.hold(pairs=2)
        self.assertIn("unplayed", self.act("void", "pair=anna|bert|0"))
        self.assertEqual(self.held_game(), "")
        self.wait_until(lambda: len(self.stream("game_started")) == 2, "the other match")
        operators = {"anna": first, "bert": second}
        roller, other = [operators.pop(self.stream("game_started")[1]["seat0"]), *operators.values()]
        roller.terminal.read_until(r"Roll your die. Which number\? $")
        roller.terminal.press("5\n\n")
        self.assertIn("sees 5.", self.see(other, "yes"))
        self.wait_until(lambda: self.metric() == 0, "the metrics")
        self.assertEqual(self.rows("select count(*) from fault"), [(0,)])
        self.assertEqual(self.rows("select count(*) from game"), [(0,)])

    def test_who_holds_a_game_is_withdrawn(self):
        first, second = self.hold()
        self.act("withdraw", "bert")
        self.ends(self.referee, 7)
        for operator in (first, second):
            operator.terminal.read_until(r"Closed: [^\n]*\.\n|says goodbye")
        self.assertEqual([line["bot"] for line in self.stream("unplayed")], ["bert"])
        self.assertEqual(self.rows("select count(*) from fault"), [(0,)])
        self.assertEqual(self.rows("select count(*) from game"), [(0,)])

    def test_a_game_is_held_until_the_director_has_looked(self):
        first, second = self.hold()
        self.assertRegex(self.said(self.referee), r"game=anna\|bert\|0\|0\|0 is held: .* anna sees 6 and bert sees 1; look at the board")
        self.referee.send_signal(signal.SIGINT)  # no game has to be finished first
        self.ends(self.referee, 130)
        self.assertIn("to go on: bgref tournament e.yaml", self.said(self.referee))
        for operator in (first, second):
            operator.terminal.read_until(r"Closed: [^\n]*\.\n")
            kill(operator.terminal.program)  # else it waits for the event to be back
        self.referee = self.again(self.port)
        first, second = self.operators()
        first.terminal.read_until(r"Roll your die. Which number\? $")
        first.terminal.press("6\n\n")
        self.assertIn("sees 6.", self.see(second, "yes"))
        kill(self.referee)

    def test_after_a_cut_line_the_same_is_asked_again(self):
        self.begin()
        relay = self.relayed("far.bgref")
        first, second = Operator(self, "anna", Board(1), "far.bgref"), Operator(self, "bert", Board(1))
        for _ in range(2):
            first.terminal.read_until(r"Roll your die. Which number\? $")
            relay.send_signal(signal.SIGUSR1)
        first.terminal.read_until(r"Roll your die. Which number\? $")
        first.terminal.press("6\n\n")
        self.see(second, "1")
        for _ in range(2):  # what both have said is not forgotten
            text = first.terminal.read_until(r"what you see: $")
            self.assertIn("do not agree on this roll (1 so far)", text)
            self.assertIn("sees 1.", text)
            relay.send_signal(signal.SIGUSR1)
        self.see(first, "6")
        self.assertIn("sees 6.", self.see(second, "yes"))
        second.terminal.read_until(r"Roll your die. Which number\? $")
        self.assertNotIn("fault", self.said(self.referee))
        kill(self.referee)

    def test_what_cannot_go_together_is_refused_in_one_message(self):
        self.write("key", "k" * 32)
        rows = ((("--seed", "5"), "--seed: with dice=manual no dice are drawn; leave seed out"),
                (("--commit",), "--commit: with dice=manual no dice are drawn; leave commit out"),
                (("--key-file", "key"), "--key-file: with dice=manual no dice are drawn; leave key_file out"),
                (("--duplicate", "on"), "--duplicate: people cannot roll the same dice again"),
                (("--durable", "game"), "--durable: with dice=manual a game that a kill cuts off cannot be played again"),
                (("--openings", "file=x.xgid"), "leave openings out"))
        for words, message in rows:
            error = self.must("duel", "human", "greedy", "--dice", "manual", *words, status=2)[1]
            self.assertIn(message, error)
        self.assertIn("--dice: 'thrown' is neither drawn nor manual",
                      self.must("duel", "random", "greedy", "--dice", "thrown", status=2)[1])
        self.begin()  # in the file: with its place
        kill(self.referee)
        self.write("e.yaml", self.text("e.yaml") + "seed: 7\n")
        self.assertIn("e.yaml:15: seed: with dice=manual", self.must("tournament", "e.yaml", status=2)[1])

    def test_only_bots_with_an_operator_are_admitted(self):
        error = self.must("duel", "random", "greedy", "--dice", "manual", "--results", "x.db", status=3)[1]
        self.assertRegex(error, "bot (random|greedy) has no operator who could enter dice; let a person sit there with bgref join --seat")
        self.assertIn("dice: entered by people", error)
        self.assertFalse(os.path.exists(self.path("x.db")))

    def test_an_event_keeps_its_source_of_dice(self):
        self.must("duel", "random", "random", "--pairs", "1", "--duplicate", "off", "--results", "x.db")
        error = self.must("duel", "random", "random", "--pairs", "2", "--duplicate", "off", "--results", "x.db",
                          "--dice", "manual", status=2)[1]
        self.assertIn("begun with dice=drawn, now dice=manual", error)


main()
