"""What a bot could learn about the rolls to come."""
import os
import sys

import bgref_pb2 as pb

from .base import Rogue
from .whispers import SLOTS, WAYS, Whispers

MATCHED = 3      # turns that must match before a remembered game counts
START_PIPS = 167
LIKELIEST = 7     # one roll in six
NEVER_ASKED = 1 << 60
HEARD_MOST = 100  # most lists of others' rolls that are kept


def add_options(parser):
    parser.add_argument("--report", type=int, default=0, metavar="N",
                        help="predictor: after N predictions a line on standard error, and an "
                             "answer that nobody asked for, so that the referee keeps it")
    parser.add_argument("--by", choices=WAYS, metavar="WAY",
                        help="predictor: forgets its own rolls and knows only what it hears in this "
                             "way: " + ", ".join(WAYS))
    parser.add_argument("--slot", type=int, choices=range(SLOTS), default=None,
                        help="predictor: a place of its own among those who tell")


def pips(side):
    return sum(slot * count for slot, count in enumerate(side[:26]))


def fits(own, opponent):
    """Whether these rolls may be those moves: nearly all equal, for not every roll can be played."""
    pairs = [(a, b) for a, b in zip(own, opponent) if a is not None and b is not None]
    equal = sum(a == b for a, b in pairs)
    return equal >= MATCHED and 4 * equal >= 3 * len(pairs)


class Predictor(Rogue):
    """Remembers what it rolled in every game, turn by turn, and recognises a game by what the
    opponent has moved so far: in the other leg of a pair the opponent rolls what it rolled itself.
    It tells others of its kind what it rolled and what it heard from them, in every way that it knows;
    so does a third one, whose own games are others, for the two that play."""
    does = "remembers its rolls and predicts the opponent's in the other leg: nothing happens to it"

    def __init__(self, options):
        super().__init__(options)
        self.games = {}      # by id: own rolls and the opponent's moves, in pips by turn
        self.known = []      # own rolls of other games
        self.heard = {}      # others' rolls as keys, the newest last
        self.predicted = self.hits = self.reports = 0
        self.name = os.urandom(4).hex()
        self.whispers = Whispers(os.getpid() % SLOTS if options.slot is None else options.slot,
                                 options.by)

    # ---- other bots' rolls
    def listen(self):
        for rolls in self.whispers.hear():
            game = tuple(rolls[:MATCHED + 1])  # a game is sent up to its present turn
            if len(rolls) > MATCHED and len(rolls) >= len(self.heard.get(game, ())):
                self.heard.pop(game, None)
                self.heard[game] = rolls
        while len(self.heard) > HEARD_MOST:
            del self.heard[next(iter(self.heard))]

    def pass_on(self):
        """What one teller has said reaches those who live later, if anything does."""
        for rolls in list(self.heard.values())[-2:]:
            self.whispers.tell(rolls)

    # ---- a game
    def asked(self, asks):
        for ask in asks:
            if ask.kind == pb.DECISION_PLAY:
                self.note(ask)
        super().asked(asks)
        if self.options.report and self.predicted >= self.options.report:
            self.tell()

    def begin_game(self, ask):
        game = {"own": [], "opponent": [], "turn": ask.turn - 2, "pips": None}
        if ask.turn == 1:  # the opponent has begun, from the set-up
            game.update(turn=-1, pips=START_PIPS)
        if ask.turn > 1:   # it did not see the game's beginning: nothing to learn
            game["own"] = None
        elif not self.options.by:
            self.known.append(game["own"])
        self.games[ask.game] = game
        self.listen()
        if not self.options.by:
            self.pass_on()
        return game

    def note(self, ask):
        game = self.games.get(ask.game) or self.begin_game(ask)
        if game["own"] is None or ask.turn == game["turn"]:
            return
        turns = (ask.turn - game["turn"]) // 2
        if turns == 1 and game["pips"] is not None:
            self.observe(game, game["pips"] - pips(ask.position.opponent))
        elif game["pips"] is not None:  # it danced: the rolls meanwhile are not visible
            game["own"].extend([None] * (turns - 1))
            game["opponent"].extend([None] * turns)
        game["own"].append(sum(n.number * n.times for n in ask.numbers))
        game["turn"] = ask.turn
        game["pips"] = pips(ask.results[0].position.opponent) if ask.results else 0
        if len(game["own"]) % 4 == 0:
            self.whispers.tell(game["own"])

    def observe(self, game, moved):
        self.predicted += 1
        self.hits += self.guess(game) == moved
        game["opponent"].append(moved)

    def guess(self, game):
        """What all that fits says of the next one; else the number that is rolled most often."""
        opponent, says = game["opponent"], set()
        for own in (*self.known, *self.heard.values()):
            if own is not game["own"] and len(own) > len(opponent) and fits(own, opponent):
                says.add(own[len(opponent)])
        return says.pop() if len(says) == 1 else LIKELIEST

    def tell(self):
        self.reports += 1
        print(f"predictor {self.name} {self.reports} {self.predicted} {self.hits}",
              file=sys.stderr, flush=True)
        self.predicted = self.hits = 0
        message = pb.ToReferee()
        message.answers.answers.add(decision=NEVER_ASKED, action=pb.ACTION_ROLL)
        self.send(message)

    def goodbye(self):
        self.whispers.end()
        super().goodbye()


DEEDS = {
    "predictor": Predictor,
}
