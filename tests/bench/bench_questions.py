"""CPU time of gnubg for one question of its external protocol, by kind of question, without any bot or referee.

Usage: bench_questions.py GNUBG MOVES.tsv [COUNT]
       bench_questions.py GNUBG MOVES.tsv feed PROCESSES SECONDS

GNUBG is the program (/usr/games/gnubg), MOVES.tsv are the move vectors (tests/vectors/backgammon-moves.tsv).
help: a line without a board, so only reading, writing and the wait. forced: a board with one legal play, so the
same and the text of board and play. play and cube: decisions of positions from played games.
feed: the ceiling of a gnubg duel. Each of PROCESSES gnubg has a feeder that writes plays and cube decisions in turn
and throws the answers away; printed are gnubg's share of the cores and its part of the CPU time of both.
"""
import base64
import os
import pathlib
import re
import socket
import subprocess
import sys
import tempfile
import time

FRAME = 256  # bytes that gnubg reads at once; it uses the first line in them
OPEN = 64    # questions that wait at gnubg


def board_of(position):
    """The 26 numbers of a Position ID, as the side to move counts them."""
    bits = [(byte >> bit) & 1 for byte in base64.b64decode(position + "==") for bit in range(8)]
    sides, at = [], 0
    for _ in range(2):
        side = []
        for _ in range(25):
            end = bits.index(0, at)
            side.append(end - at)
            at = end + 1
        sides.append(side)
    other, mine = sides
    return [-other[24]] + [mine[point] or -other[23 - point] for point in range(24)] + [mine[24]]


def question(board, dice):
    numbers = ["7", "0", "0", *map(str, board), "1", *map(str, dice + dice)]
    return "board:me:you:" + ":".join(numbers) + ":1:1:1:0:1:-1:0:25:0:0:0:0:0:0:0:1"


def questions(path):
    """Lines by kind of question."""
    plays = []
    for row in pathlib.Path(path).read_text(encoding="ascii").splitlines():
        if not row.startswith("#") and "selfplay" in row and row.split()[3] != "0":
            words = row.split()
            plays.append(question(board_of(words[0]), sorted((int(words[1]), int(words[2])), reverse=True)))
    forced = [0] * 26
    forced[1], forced[24] = 1, -1
    cubes = [re.sub(r":1:\d:\d:\d:\d:1:1:1:0:", ":1:0:0:0:0:1:1:1:0:", line) for line in plays]
    return {"help": ["help"], "forced": [question(forced, [6, 5])], "play": plays, "cube": cubes}


def start(program, home):
    """gnubg's process and the connection to it."""
    path = home + "/socket"
    commands = ["set threads 1", "set cache 0", "set beavers 0", "set evaluation chequerplay evaluation plies 0",
                "set evaluation cubedecision evaluation plies 0", "external " + path]
    gnubg = subprocess.Popen([program, "-t", "-q", "-r"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                             env={"HOME": home, "LC_ALL": "C", "PATH": "/usr/bin:/bin"})
    gnubg.stdin.write(("\n".join(commands) + "\n").encode())
    gnubg.stdin.close()
    said = b""
    while b"Waiting for a connection" not in said:
        more = gnubg.stdout.read1(4096)
        if not more:
            sys.exit("bench_questions: gnubg does not serve: " + said.decode(errors="replace"))
        said += more
    peer = socket.socket(socket.AF_UNIX)
    peer.connect(path)
    return gnubg, peer


def cpu_ns(pid):
    """CPU time of all threads."""
    return sum(int(path.read_text(encoding="ascii").split()[0])
               for path in pathlib.Path(f"/proc/{pid}/task").glob("*/schedstat"))


def measure(gnubg, peer, lines, count):
    """CPU time of gnubg for a question, in us."""
    sent = answered = 0
    before = cpu_ns(gnubg.pid)
    while answered < count:
        if sent - answered <= OPEN // 2:
            more = range(sent, min(count, answered + OPEN))
            peer.sendall(b"".join((lines[i % len(lines)].encode() + b"\n").ljust(FRAME) for i in more))
            sent += len(more)
        time.sleep(0.001)  # takes many answers at once, as the bot does
        reply = peer.recv(65536)
        if not reply or b"Error" in reply:
            sys.exit(f"bench_questions: gnubg answered {reply!r}")
        answered += reply.count(b"\n")
    return (cpu_ns(gnubg.pid) - before) / count / 1000


def feeder(peer, frames, deadline):
    """Keeps OPEN questions waiting at gnubg until the deadline."""
    sent = answered = 0
    while time.monotonic() < deadline:
        if sent - answered <= OPEN // 2:
            count = OPEN - (sent - answered)
            first = sent % (len(frames) - OPEN)
            peer.sendall(b"".join(frames[first:first + count]))
            sent += count
        time.sleep(0.001)
        answered += peer.recv(65536).count(b"\n")


def feed(program, kinds, processes, seconds):
    """Prints gnubg's share of the cores and its part of the CPU time."""
    frames = [(line.encode() + b"\n").ljust(FRAME)
              for pair in zip(kinds["play"], kinds["cube"]) for line in pair]
    running, spent = [], 0
    with tempfile.TemporaryDirectory(prefix="bgref-bench-") as home:
        try:
            for i in range(processes):
                os.mkdir(f"{home}/{i}")
                running.append(start(program, f"{home}/{i}"))
            begun, before = time.monotonic(), sum(cpu_ns(gnubg.pid) for gnubg, _ in running)
            feeders = []
            for _, peer in running:
                child = os.fork()
                if child == 0:
                    feeder(peer, frames, begun + seconds)
                    os._exit(0)
                feeders.append(child)
            for child in feeders:
                used = os.wait4(child, 0)[2]
                spent += used.ru_utime + used.ru_stime
            wall, own = time.monotonic() - begun, sum(cpu_ns(gnubg.pid) for gnubg, _ in running) - before
        finally:
            for gnubg, _ in running:
                gnubg.kill()
                gnubg.wait()
    own /= 1e9
    print(f"share {100 * own / wall / len(os.sched_getaffinity(0)):.1f} %, part {100 * own / (own + spent):.1f} %")


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__.split("\n\n")[1])
    kinds = questions(sys.argv[2])
    if sys.argv[3:4] == ["feed"] and len(sys.argv) == 6:
        feed(sys.argv[1], kinds, int(sys.argv[4]), float(sys.argv[5]))
        return
    count = int(sys.argv[3]) if len(sys.argv) > 3 else 20000
    with tempfile.TemporaryDirectory(prefix="bgref-bench-") as home:
        gnubg, peer = start(sys.argv[1], home)
        try:
            measure(gnubg, peer, kinds["play"], 1000)
            for kind, lines in kinds.items():
                print(f"{kind}: {measure(gnubg, peer, lines, count):.1f} us")
        finally:
            gnubg.kill()
            gnubg.wait()


if __name__ == "__main__":
    main()
