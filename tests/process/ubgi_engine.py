"""A UBGI engine, written from the protocol's text: it plays the first legal play of a sorted list.

    ubgi_engine.py [--dialect 0.1|0.2|mixed|chequer] [--cube] [--variants A,B] [--no-limits]
                   [--log FILE] [--deed DEED --after N] [--noise] [--slow SECONDS] [--codes]
                   [--capitals]

Dialects: 0.1 knows `go role X` and `setoption`; 0.2 knows `go`, `go X` and keys, and takes `go` lines
literally; mixed has keys and `go role X`, like a well-known engine; chequer answers every line that begins
with go with a play. --no-limits: a time limit is refused (0.2 always does that).

--noise: extra lines before every answer, and on standard error. --slow: each answer takes SECONDS.
--capitals: Bar and OFF. --codes: refusals have the engine's own words.

Deeds, at the Nth `go`: die, illegal, hang, nonsense, nothing (pass although there is a play), long.
"""
import argparse
import base64
import sys
import time

BAR, OFF = 25, 0


def board_of_id(text):
    """Own and opponent's 26 counts, each in its own numbering, of a Position ID; own is on roll."""
    bits = [byte >> i & 1 for byte in base64.b64decode(text + "==") for i in range(8)]
    sides, at = [], 0
    for _ in range(2):
        side = [0] * 26
        for point in range(1, 26):
            while bits[at]:
                side[point] += 1
                at += 1
            at += 1
        sides.append(side)
    return tuple(sides[1]), tuple(sides[0])


def steps(own, opponent, die):
    """Every single move with this die: (from, to, hit, own after, opponent after)."""
    sources = [BAR] if own[BAR] else [p for p in range(24, 0, -1) if own[p]]
    for source in sources:
        to = source - die
        if to < 1:
            home = not any(own[7:])
            if not home or (to < 0 and any(own[source + 1:])):
                continue
            to = OFF
        elif opponent[25 - to] >= 2:
            continue
        mine, theirs = list(own), list(opponent)
        mine[source] -= 1
        hit = False
        if to != OFF:
            mine[to] += 1
            hit = theirs[25 - to] == 1
            if hit:
                theirs[25 - to] = 0
                theirs[BAR] += 1
        yield source, to, hit, tuple(mine), tuple(theirs)


def sequences(own, opponent, dice):
    found = False
    if dice:
        for source, to, hit, mine, theirs in steps(own, opponent, dice[0]):
            found = True
            for rest in sequences(mine, theirs, dice[1:]):
                yield ((source, to, hit, dice[0]),) + rest
    if not found:
        yield ()


def plays(own, opponent, high, low):
    orders = [[high] * 4] if high == low else [[high, low], [low, high]]
    found = {play for order in orders for play in sequences(own, opponent, order)}
    most = max(map(len, found))
    found = [play for play in found if len(play) == most]
    if most == 1 and high != low and any(play[0][3] == high for play in found):
        found = [play for play in found if play[0][3] == high]
    return sorted(found)


class Engine:
    def __init__(self, arguments):
        self.arguments = arguments
        self.new = arguments.dialect in ("0.2", "mixed")
        self.plain = arguments.dialect == "0.2"
        self.asked = 0
        self.forget()

    def forget(self):
        self.position = self.dice = None
        self.cube = 1

    def say(self, text):
        if self.arguments.codes and text.startswith("error "):
            text = "error E_4711 no thank you, " + text
        if self.arguments.noise:
            sys.stdout.write("info string thinking\n\ninfo nodes 17\n")
            print("noise", file=sys.stderr)
        sys.stdout.write(text + ("\n" if self.new else "\r\n"))
        sys.stdout.flush()

    def run(self):
        log = open(self.arguments.log, "a", encoding="ascii") if self.arguments.log else None
        for line in sys.stdin:
            if log:
                log.write(line)
                log.flush()
            line = line.rstrip("\n")
            if line == "quit":
                break
            if line:
                self.obey(line, line.split(" "))

    def obey(self, line, words):
        command = getattr(self, "on_" + words[0], None)
        if command is None or words[0] in ("set", "get", "keys") and not self.new or \
                words[0] == "setoption" and self.new:
            self.say("error bad_command unknown" if self.plain else "error unknown_command unknown")
        else:
            command(line, words)

    def on_ubgi(self, _line, _words):
        self.say("id name Sorted")
        self.say("id author the tests")
        if self.new:
            self.say("id version 1")
            self.say("proto 0.2")
            self.say("key engine.ply int 0..7 2")
            self.say(f"key game.variant enum {self.arguments.variants.replace(',', '|')} backgammon")
        else:
            self.say("option name Threads type spin default 1 min 1 max 4")
        self.say("ubgiok")

    def on_isready(self, _line, _words):
        self.say("readyok")

    def on_set(self, _line, words):
        if len(words) != 3:
            self.say("error bad_command set")
        elif words[1] == "game.variant":
            if words[2] not in self.arguments.variants.split(","):
                self.say("error bad_value game.variant")
        elif words[1] != "engine.ply":
            self.say("error unsupported key")

    def on_setoption(self, _line, words):
        if len(words) != 5 or words[2] != "Threads" and (
                words[2] != "Variant" or words[4] not in self.arguments.variants.split(",")):
            self.say("error bad_argument setoption")

    def on_newgame(self, _line, _words):
        self.forget()

    def on_newsession(self, _line, words):
        if words[1] != "type" or words[2] not in ("match", "money"):
            self.say("error bad_argument newsession")

    def on_setscore(self, _line, words):
        if len(words) != 3:
            self.say("error bad_argument setscore")

    def on_setcube(self, _line, words):
        if len(words) != 5 or words[4] not in ("center", "p0", "p1"):
            self.say("error bad_argument setcube")
        else:
            self.cube = int(words[2])

    def on_setturn(self, _line, words):
        if words[1] not in ("p0", "p1"):
            self.say("error bad_argument setturn")

    def on_position(self, _line, words):
        if words[1] != "gnubgid":
            self.say("error unsupported_feature position_" + words[1])
        elif len(words[2]) != 14:
            self.say("error bad_argument invalid_position")
        else:
            self.position = board_of_id(words[2])

    def on_dice(self, _line, words):
        self.dice = tuple(sorted(map(int, words[1:3]), reverse=True))

    def on_go(self, line, words):
        self.asked += 1
        time.sleep(self.arguments.slow)
        if self.arguments.deed and self.asked == self.arguments.after:
            self.misbehave()
        elif self.arguments.dialect == "chequer":
            self.play()
        elif self.plain:
            self.go_plain(line)
        else:
            self.go_role(words)

    def go_plain(self, line):
        """Only exact spelling is accepted."""
        if line not in ("go", "go chequer", "go cube", "go turn"):
            self.say("error bad_command go")
        elif self.position is None:
            self.say("error bad_state position")
        elif line in ("go", "go chequer"):
            self.play()
        elif line == "go cube" and self.arguments.cube:
            self.decide()
        else:
            self.say("error unsupported " + line)

    def go_role(self, words):
        if len(words) > 1 and words[1] != "role" or len(words) > 3 and self.arguments.no_limits:
            self.say("error bad_argument go")
            return
        role = words[2] if len(words) > 2 else "chequer"
        if self.position is None:
            self.say("error missing_context position")
        elif role == "chequer":
            self.play()
        elif role == "cube" and self.arguments.cube:
            self.decide()
        else:
            self.say("error unsupported_feature go_role_" + role)

    def decide(self):
        own, opponent = self.position
        ahead = pips(opponent) - pips(own)
        self.say("bestcube double" if ahead * 10 > pips(own) else "bestcube nodouble")

    def play(self):
        if self.dice is None and self.arguments.dialect == "chequer":
            self.dice = (6, 1)
        if self.dice is None:
            self.say("error bad_state dice" if self.plain else "error missing_context dice")
            return
        play = plays(*self.position, *self.dice)[0]
        self.dice = None
        self.say("info nodes 1")
        self.say("bestmove " + (" ".join(map(self.step, play)) or "pass"))

    def step(self, step):
        source, to, hit, _ = step
        plain = f"{'bar' if source == BAR else source}/{'off' if to == OFF else to}"
        if self.arguments.capitals:
            plain = plain.replace("bar", "Bar").replace("off", "OFF")
        return plain + ("*" if hit and self.new and source != BAR else "")

    def misbehave(self):
        deed = self.arguments.deed
        if deed == "die":
            sys.stderr.write("sorted: out of dice\n")
            sys.exit(7)
        if deed == "hang":
            while True:
                time.sleep(60)
        self.say({"illegal": "bestmove 24/1", "nonsense": "what?", "nothing": "bestmove pass",
                  "long": "bestmove " + "8/5 " * 1000}[deed])


def pips(side):
    return sum(point * count for point, count in enumerate(side))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--dialect", choices=["0.1", "0.2", "mixed", "chequer"], default="mixed")
    parser.add_argument("--variants", default="backgammon")
    parser.add_argument("--no-limits", action="store_true")
    parser.add_argument("--cube", action="store_true")
    parser.add_argument("--log")
    parser.add_argument("--deed")
    parser.add_argument("--noise", action="store_true")
    parser.add_argument("--slow", type=float, default=0)
    parser.add_argument("--codes", action="store_true")
    parser.add_argument("--capitals", action="store_true")
    parser.add_argument("--after", type=int, default=1)
    Engine(parser.parse_args()).run()


if __name__ == "__main__":
    main()
