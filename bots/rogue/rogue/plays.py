"""Plays that break one rule each."""
import bgref_pb2 as pb

from .base import BAR, HOME, OFF, POINTS, Roll, Rogue


def sums(numbers):
    reach = {0}
    for number in numbers:
        reach |= {number + before for before in reach}
    return reach


def wrong_die(roll):
    for slot in roll.movers():
        for target in POINTS:
            far = slot - target
            if far > 0 and far not in sums(roll.numbers) and roll.may_stand(target):
                return [slot, target]
    return None


def no_checker(roll):
    for slot in POINTS:
        if not roll.has(BAR) and not roll.has(slot) and roll.may_stand(slot - roll.numbers[0]):
            return [slot, slot - roll.numbers[0]]
    return None


def no_slot(_roll):
    return [40, 38]


def one_die(roll):
    longer = [play for play in roll.plays if len(play) == 4]
    return list(longer[0][:2]) if longer and not roll.is_double() else None


def lower_die(roll):
    """Each number alone can be played, both cannot."""
    if roll.is_double() or not roll.plays or any(len(play) != 2 for play in roll.plays):
        return None
    high, low = max(roll.numbers), min(roll.numbers)
    slots = [BAR, *POINTS]
    if any(roll.may_move(slot, high) for slot in slots):
        for slot in slots:
            if roll.may_move(slot, low):
                return [slot, max(slot - low, OFF)]
    return None


def past_bar(roll):
    for slot in POINTS if roll.has(BAR) else ():
        for number in roll.numbers:
            if roll.has(slot) and roll.may_stand(slot - number):
                return [slot, slot - number]
    return None


def bear_early(roll):
    for slot in HOME:
        if slot in roll.movers() and not roll.all_home() and slot in roll.numbers:
            return [slot, OFF]
    return None


def bear_higher(roll):
    for slot in HOME:
        if slot in roll.movers() and roll.all_home() and any(roll.own[slot + 1:7]):
            if max(roll.numbers) > slot and slot not in sums(roll.numbers):
                return [slot, OFF]
    return None


def blocked(roll):
    for slot in roll.movers():
        for number in roll.numbers:
            if roll.opponents_on(slot - number) >= 2:
                return [slot, slot - number]
    return None


def extra_move(roll):
    """A whole legal play, and one of its numbers once more by another checker."""
    for play in roll.plays:
        if roll.is_double() or len(play) != 4:
            continue
        for slot in roll.movers():
            for number in roll.numbers:
                if slot not in play and roll.may_stand(slot - number):
                    return [*play, slot, slot - number]
    return None


def no_move(_roll):
    return []


def two_ways(roll):
    """A merged move over a blot on one of its two ways."""
    if roll.is_double() or len(roll.numbers) != 2:
        return None
    first, second = roll.numbers
    for slot in roll.movers():
        ways = [slot - first, slot - second]
        if (all(map(roll.may_stand, ways)) and roll.may_stand(slot - first - second)
                and sum(map(roll.opponents_on, ways)) == 1):
            return [slot, slot - first - second]
    return None


def wrong_result(_roll):
    return pb.Position(own=bytes([14, 1]), opponent=bytes([14, 1]))


class Illegal(Rogue):
    """Answers with moves that break one rule, as soon as a position allows it."""
    fault = "illegal"
    moves = None

    def is_due(self, ask):
        return ask.kind == pb.DECISION_PLAY and self.plays >= self.options.after

    def misdeed(self, ask, out):
        wrong = type(self).moves(Roll(ask))
        if wrong is None:
            return self.plain(ask, out)
        if isinstance(wrong, pb.Position):
            out.result.CopyFrom(wrong)
        else:
            out.moves = bytes(wrong)
        return True


class Stuck(Illegal):
    """Keeps its last checkers back, so that soon little can move."""

    def plain(self, ask, out):
        super().plain(ask, out)
        if ask.kind == pb.DECISION_PLAY and ask.results:
            held = [sum(slot * slot * count for slot, count in enumerate(result.position.own))
                    for result in ask.results]
            out.index = held.index(max(held))
        return True


def breaks(rule, moves, does, fault="illegal", base=Illegal):
    return type("Illegal", (base,), {"fault": fault, "rule": rule, "moves": staticmethod(moves),
                                        "does": does})


DEEDS = {
    "wrong-die": breaks("G1", wrong_die, "moves by no number of the roll: loses the game"),
    "no-checker": breaks("G1", no_checker, "moves from an empty point: loses the game"),
    "no-slot": breaks("N1", no_slot, "moves from a point that does not exist: loses the game"),
    "blocked": breaks("G2", blocked, "moves to a closed point: loses the game"),
    "past-bar": breaks("G3", past_bar, "moves while a checker is on the bar: loses the game"),
    "bear-early": breaks("G4", bear_early, "bears off before all are home: loses the game"),
    "bear-higher": breaks("G4", bear_higher, "bears off below a higher checker: loses the game"),
    "extra-move": breaks("G5", extra_move, "plays a number too often: loses the game"),
    "one-die": breaks("G6.1", one_die, "plays one number where both go: loses the game"),
    "no-move": breaks("G6.1", no_move, "plays nothing where something goes: loses the game"),
    "lower-die": breaks("G6.2", lower_die, "plays the lower of two numbers: loses the game",
                        base=Stuck),
    "wrong-result": breaks("G6", wrong_result, "a position no play leads to: loses the game"),
    "two-ways": breaks("N2", two_ways, "a merged move with two outcomes: loses the game",
                       "ambiguous"),
}
