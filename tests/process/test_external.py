"""GNU Backgammon plays against our bots as external players, and keeps the score itself."""
import os
import re
import shutil
import signal
import socket
import subprocess

from harness import BGREF, ROGUE, Case, kill, main

GNUBG = shutil.which("gnubg", path=os.environ.get("PATH", "") + ":/usr/games")
START = "0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0"


def question(turn=1, dice=(3, 1), doubled=0, length=5, scores=(0, 0), board=START, cube=1,
             flags="1:1", crawford="0:1"):
    high, low = dice
    return (f"board:Alice:Bob:{length}:{scores[0]}:{scores[1]}:{board}:{turn}:{high}:{low}:{high}:"
            f"{low}:{cube}:{flags}:{doubled}:1:-1:0:25:0:0:0:0:0:0:{crawford}")


class External(Case):
    def serve(self, *words):
        server = subprocess.Popen([BGREF, "serve", "--port", "0", *words], cwd=self.folder,
                                  env=self.environment, text=True, stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE)
        self.addCleanup(kill, server)
        line = server.stdout.readline()
        found = re.fullmatch(r"listening on 127\.0\.0\.1:(\d+)\n", line)
        self.assertIsNotNone(found, line)
        return server, int(found[1])

    def stop(self, server, number=signal.SIGTERM):
        server.send_signal(number)
        _, talk = server.communicate(timeout=60)
        self.assertEqual(server.returncode, 0, talk)
        self.assert_nothing_lives()
        return talk

    def gnubg(self, port, *commands):
        """gnubg's question; it plays both sides: player 0 is ours, player 1 its own."""
        script = ["set threads 1", "set automatic game on", "set automatic roll on",
                  "set automatic bearoff on", f"set player 0 external 127.0.0.1:{port}",
                  "set player 1 gnubg",
                  "set player 1 chequerplay evaluation plies 0",
                  "set player 1 cubedecision evaluation plies 0", "set display off", *commands]
        done = self.run_program(GNUBG, "-t", "-q", "-r", env={**self.environment, "HOME": self.folder, "LC_ALL": "C"},
                                input="".join(line + "\n" for line in script))
        return done.stdout + done.stderr

    def test_gnubg_plays_matches_against_greedy_to_the_end(self):
        server, port = self.serve("greedy")
        saved = self.path("match.mat")
        for seed in (1, 2):  # one connection after another
            said = self.gnubg(port, f"set seed {seed}", "new match 3", f"export match mat {saved}")
            final = re.findall(r"[Tt]he score \(after \d+ games?\) is: (.*)", said)
            self.assertTrue(final, said[-2000:])
            scores = [int(number) for number in re.findall(r" (\d+)(?=,| \()", final[-1])][:2]
            self.assertGreaterEqual(max(scores), 3, final)
            self.assertNotIn("Error", said)
            self.assertNotIn("illegal", said.lower())
            with open(saved, encoding="latin-1") as text:
                games = text.read()
            self.assertIn("3 point match", games)
            won = [int(points) for points in re.findall(r"Wins (\d+) point", games)]
            self.assertEqual(sum(won), sum(scores), "what gnubg says and what it has saved")
            os.remove(saved)
        talk = self.stop(server)
        self.assertEqual(talk.count("gnubg is connected"), 2)
        self.assertNotIn("at fault", talk)

    def ask(self, port, *lines):
        answers = []
        with socket.create_connection(("127.0.0.1", port), timeout=60) as client, \
                client.makefile("rb") as reader:
            for line in lines:
                client.sendall(line.encode() + b"\n\0")
                answers.append(reader.readline().decode().rstrip("\n"))
        return answers

    def test_each_kind_of_question(self):
        server, port = self.serve("--quiet", "greedy")
        # At the start the negative side's checkers mirror the positive side's.
        self.assertEqual(self.ask(port, question(1), question(-1)), ["8/5 6/5"] * 2)
        self.assertEqual(self.ask(port, question(1, (0, 0)), question(1, (0, 0), 1)),
                         ["roll", "take"])
        shut = "-1:2:2:2:2:2:2:3:" + "0:" * 12 + "-14:" + "0:" * 4 + "0"
        self.assertEqual(self.ask(port, question(-1, board=shut)), [""])
        self.assertEqual(self.ask(port, question(1, (0, 0), flags="0:1", cube=2)), ["roll"])
        for line, text in (
                ("hello", "Error: expected 'board:...'"),
                ("board:a:b:1:2", "Error: board: number 2 of 50 is wrong"),
                (question(1, (7, 1)), "Error: board: dice 7 1"),
                (question(1, cube=3), "Error: board: cube at 3"),
                (question(2), "Error: board: turn 2"),
                (question(1, scores=(5, 0)), "Error: score 5"),
                (question(1, board=START.replace("5", "9")), "Error: board: ")):
            self.assertIn(text, self.ask(port, line)[0])
        self.assertEqual(self.ask(port, question(1)), ["8/5 6/5"], "it goes on after all that")
        self.stop(server, signal.SIGINT)

    def test_a_bot_at_fault_makes_no_play(self):
        self.write("rogue.sh", f"#!/bin/sh\nexec {ROGUE} wrong-die --after 0\n")
        os.chmod(self.path("rogue.sh"), 0o755)
        server, port = self.serve("./rogue.sh")
        self.assertIn("Error: the bot is at fault (illegal): rule G", self.ask(port, question())[0])
        self.assertIn("at fault", self.stop(server))

    def test_requests_that_cannot_be_served_are_explained(self):
        with socket.create_server(("127.0.0.1", 0)) as taken:
            port = str(taken.getsockname()[1])
            _, talk = self.must("serve", "--port", port, "greedy", status=5)
            self.assertIn(f"listen on 127.0.0.1 port {port}: Address already in use", talk)
        _, talk = self.must("serve", "--port", "0", "nobody", status=2)
        self.assertIn("no bot is called 'nobody'", talk)
        _, talk = self.must("serve", "--port", "99999", "greedy", status=2)
        self.assertIn("--port: '99999' is not", talk)
        _, talk = self.must("serve", "--bind", "0.0.0.0", "greedy", status=2)
        self.assertIn("--bind needs --port", talk)
        _, talk = self.must("serve", "--port", "0", "--bind", "everywhere", "greedy", status=2)
        self.assertIn("--bind everywhere: not an IPv4 address", talk)
        self.assert_nothing_lives()


main()
