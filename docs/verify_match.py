#!/usr/bin/python3
"""Verifies exported records (bgref export --records) by themselves: checks, hashes, chain, dice, scores, journal, root.
Usage: verify_match.py RECORDS.txt [ROOT]      ROOT: the root that was published elsewhere
Needs nothing of bgref: docs/record.md has the text, docs/protocol.md the dice. Moves are not judged here ('bgref verify').
"""
import hashlib, re, sys
def clean(text):  # records come from strangers: nothing in them may command a terminal
    return "".join(c if c.isprintable() else "?" for c in str(text))[:300]
def damaged(_, wrong, __):  # instead of a traceback
    print(clean("%s: damaged, or not records of bgref: %s" % (sys.argv[1] if len(sys.argv) > 1 else "no file", wrong)), file=sys.stderr)
sys.excepthook = damaged
if len(sys.argv) not in (2, 3):
    sys.exit(__doc__.splitlines()[1])
def blake(data, key=b""):
    return hashlib.blake2b(data, digest_size=32, key=key)
def crc16(text, crc=0xFFFF):
    for byte in text.encode():
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x8408 if crc & 1 else 0)
    return crc
def check(lines):  # CRC-16 over all lines so far, without their ends
    crc = 0xFFFF
    for number, line in enumerate(lines, 1):
        crc = crc16(line[:-6], crc)
        assert line.endswith(" #%04x" % crc), "line %d: does not fit its check" % number
def dice(key, game, stream, n, count):
    out, block = [], 0
    while len(out) < count:
        message = "bgref-dice-1|%s|%s|%d" % (game, stream, n) + ("|%d" % block if block else "")
        out, block = out + [str(b % 6 + 1) for b in blake(message.encode(), key).digest() if b < 252], block + 1
    return "".join(out[:count])
def verify(text, before, keys, aside):
    body, _, last = text.rpartition("hash ")
    last, _, at = last.strip().partition("\n")  # at: when the game ended
    assert not at or at.endswith(" #%04x" % crc16(last + at[:-6])), "the date does not fit its check"
    lines = body.splitlines()
    check(lines)
    assert blake(body.encode()).hexdigest() == last.strip(), "the hash over all lines differs"
    plain = [line[:-6] for line in lines]
    head = dict(line.partition(" ")[::2] for line in plain[: plain.index("steps")])
    a, b, pair, leg, game = head["id"].split("|")
    attempt = head.get("attempt", "0")  # of the pair: a game that was cut off is played again with other dice
    assert attempt == "0" or "|".join([a, b, pair, attempt]) in attempts, "its attempt is not listed"
    leg_id = (a, b, pair, leg)
    old = before.get(leg_id) if not aside or game != "0" else None
    old = old or {"game": -1, "hash": "", "score": [0, 0], "attempt": 0}
    start = dict(word.split("=") for word in head["start"].split())
    assert int(game) == old["game"] + 1 and head["prev"] == old["hash"], "not the next game of its leg"
    assert int(attempt) >= old["attempt"], "the game before it is of a later attempt"
    assert [int(n) for n in start["score"].split(":")] == old["score"], "begins at another score"
    assert head["dice"].split()[0] == meta.get("dice", head["dice"].split()[0]), "dice of another source than the event's"
    by_hand = head["dice"] == "manual"  # people rolled, and both operators said the dice: no key gives them
    nonces = head["dice"].split()[1:]  # committed dice: those of A and B
    assert keys, "its dice cannot be verified: the key is published when the event ends"
    event_key = keys[head.get("key", next(iter(keys)))]
    key = blake("|".join(["bgref-pair-1", a, b, pair, attempt] + nonces).encode(), event_key).digest()
    used = {"0": 0, "1": 0, "open": 0}
    steps = [line for line in plain[plain.index("steps") + 1 : -1] if not line.startswith("thought ")]
    for number, step in enumerate(steps, 1):
        seat, kind, rolled = (step.split() + ["", ""])[:3] if step[0] in "01" else ("open", "roll", step[5:])
        if kind == "roll":
            assert by_hand or dice(key, game, seat, used[seat], len(rolled)) == rolled, "step %d: other dice" % number
            used[seat] += 1
    end = dict(word.split("=") for word in plain[-1].split()[2:])
    if end["winner"] != "-" and " length=0 " not in head["rules"]:
        old["score"][int(end["winner"])] += int(end["points"])
    before[leg_id] = {"game": int(game), "hash": last.strip(), "score": old["score"], "attempt": int(attempt)}
    return ("set-aside %s|%s" % (head["id"], attempt) if aside else head["id"]) + " " + last.strip() + "\n"
text = open(sys.argv[1], encoding="utf-8", newline="").read()
top, *records = re.split("^bgref-record 1 #", text, flags=re.M)  # not within a line: texts are foreign
meta = dict(line.partition(" ")[::2] for line in top.splitlines())
told = [line.split()[1] for line in top.splitlines() if line.startswith(("digest ", "key "))]
keys = {digest: bytes.fromhex(key) for digest, key in zip(told[::2], told[1::2])}  # one more for each extension
for digest, key in keys.items():
    assert blake(b"bgref-key-1|" + key.hex().encode()).hexdigest() == digest, "another key was published"
covered = "".join(line + "\n" for line in top.splitlines() if line.startswith(("attempt ", "settings ", "unplayed ", "faults ", "act ", "acts ")))
attempts = {line.split(" ")[1] for line in top.splitlines() if line.startswith("attempt ")}
journal, acts = "0" * 64, 0
for row in [line[4:].split("\t") for line in top.splitlines() if line.startswith("act ")]:
    journal, acts = blake("".join(field + "\n" for field in ["bgref-act 1", journal] + row[:-1]).encode()).hexdigest(), acts + 1
    assert row[0] == str(acts) and row[-1] == journal, "row %d of the journal does not follow" % acts
assert meta.get("acts", "0 " + journal) == "%d %s" % (acts, journal), "rows of the journal are missing after row %d" % acts
before, aside = {}, False
root = blake(b"bgref-root 2\n" + covered.encode())
for record in records:
    try:
        record, mark, _ = record.partition("\nset-aside ")  # behind this line: games that count for nothing
        line = verify("bgref-record 1 #" + record, before, keys, aside).encode()
        root.update(line)
        before, aside = ({}, True) if mark else (before, aside)
    except (AssertionError, ValueError, KeyError, IndexError) as wrong:
        sys.exit(clean("%s: %s" % ("".join(record.split("\n")[1:2]).split(" #")[0], wrong)))
P, L = 2**255 - 19, 2**252 + 27742317777372353535851937790883648493  # Ed25519, RFC 8032
D, ROOT = -121665 * pow(121666, -1, P) % P, pow(2, (P - 1) // 4, P)
def point(data):
    y = int.from_bytes(data, "little") & (1 << 255) - 1
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    x = pow(square, (P + 3) // 8, P)
    x = x if x * x % P == square else x * ROOT % P
    assert y < P and x * x % P == square, "not a point of the curve"
    return (x if x & 1 == data[31] >> 7 else P - x), y
def add(one, two):
    (a, b), (c, d) = one, two
    t = D * a * b * c * d
    return (a * d + b * c) * pow(1 + t, -1, P) % P, (b * d + a * c) * pow(1 - t, -1, P) % P
def times(n, base):
    out = (0, 1)
    while n:
        out, base, n = add(out, base) if n & 1 else out, add(base, base), n >> 1
    return out
def signature(line):
    name, time, key, value, *words = line.split(" ")[1:]
    key, value = bytes.fromhex(key), bytes.fromhex(value)
    assert words[:2] == [str(acts), journal], "it has another journal"
    said = "|".join(["bgref-signed-2", name, time, meta["games"], published, *words, meta["event"]]).encode()
    assert (name + time).isascii() and (name + time).isprintable(), "characters that no signature has"
    s = int.from_bytes(value[32:], "little")
    hashed = int.from_bytes(hashlib.sha512(value[:32] + key + said).digest(), "little") % L
    base = point((4 * pow(5, -1, P) % P).to_bytes(32, "little"))
    assert s < L and times(s, base) == add(point(value[:32]), times(hashed, point(key))), "the signature does not fit"
    print("signed by %s on %s with the key %s" % (name, time, key.hex()))
published = sys.argv[2] if len(sys.argv) > 2 else meta["root"]
if published != root.hexdigest():
    sys.exit(clean("the root is %s, published %s" % (root.hexdigest(), published)))
for line in top.splitlines():
    if line.startswith("signed "):
        try:
            signature(line)
        except (AssertionError, ValueError, KeyError, IndexError) as wrong:
            sys.exit(clean("%s...: %s" % (line[:60], wrong)))
print("%d games hold: hashes, chain, %sscores and the root" % (len(records), "" if meta.get("dice") == "manual" else "dice, "))
if meta.get("dice") == "manual":
    print("dice: entered by people, each roll confirmed by both operators; no key gives them")
