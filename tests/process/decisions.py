"""What followers were asked and answered (their files `decisions`), compared with the records of the same games."""
import collections
import contextlib

SLOTS = {"bar": "25", "off": "0"}

Ask = collections.namedtuple("Ask", "turn kind numbers clocks")


def logged(path):
    """The words of each whole line so far."""
    with contextlib.suppress(FileNotFoundError), open(path, encoding="utf-8") as log:
        return [line.split() for line in log.read().rpartition("\n")[0].splitlines()]
    return []


def by_alias(texts):
    """Records as lists of words, by the name under which bots know the game."""
    records = {}
    for text in texts:
        words = [line.rpartition(" #")[0].split() for line in text.splitlines()]
        records[next(line[1] for line in words if line and line[0] == "alias")] = words
    return records


def differences(lines, records, is_clock_kept=True):
    """What the bots saw or answered and the records do not have: a list of sentences. is_clock_kept: a decision that is asked
    again comes with the same clocks, as with bots of this machine."""
    wrong = []
    games = collections.defaultdict(list)
    answers = collections.defaultdict(dict)
    for word, game, turn, *rest in lines:
        if word == "play":
            answers[game][int(turn)] = rest[0] if rest else ""
        else:
            games[game].append(Ask(int(turn), *rest[:2], rest[2:]))
            answers[game].pop(int(turn), None)  # asked again, since its answer did not arrive; the next one may be no play
    for game in set(games) - set(records):
        wrong.append(f"{game} has no record")
    for game in set(games) & set(records):
        rolls, plays = steps_of(records[game])
        asks = games[game]
        for before, ask in zip(asks, asks[1:]):
            if ask.turn < before.turn:
                wrong.append(f"{game}: turn {ask.turn} is asked after turn {before.turn}")
            if is_clock_kept and ask[:3] == before[:3] and ask.numbers != "-" and ask.clocks != before.clocks:
                wrong.append(f"{game}: turn {ask.turn} is asked again with other clocks")
        for ask in asks:
            if ask.numbers != "-" and sorted(set(ask.numbers)) != sorted(set(rolls.get(ask.turn, ""))):
                wrong.append(f"{game}: turn {ask.turn} was asked with {ask.numbers}, not {rolls.get(ask.turn)}")
        for turn, answer in answers[game].items():
            if sorted(answer.split(",")) != sorted(plays.get(turn, "").split(",")):
                wrong.append(f"{game}: turn {turn} was answered {answer}, the record has {plays.get(turn)}")
    return wrong


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
