"""A person plays in a browser: a script does by HTTP what the page does."""
import json
import os
import random
import stat

import harness
from page_seat import Seat, link_of

GARBAGE = (b"", b"{", b"[1]", b'{"decision": 7, "answer": "roll"}', b'{"decision": "7"}', b'{"decision": "7", "answer": "roll", "also": 1}',
           b'{"decision": "7", "decision": "8", "answer": "roll"}', b"\xff\xfe", b"[" * 4000)


class Play(harness.Case):
    def begin_duel(self, *words):
        self.duel = self.begin("duel", "-engine", "bot=person", f"option.Link={self.path('link')}", "-engine", *(words or ("bot=random",)),
                               "--games", "1", "--seed", "5", "--results", "r.db", "--fresh")
        self.addCleanup(harness.kill, self.duel)
        seat = Seat(link_of(self))
        self.addCleanup(seat.close)
        return seat

    def to_ask(self, seat, kind=None):
        while (state := seat.state()).get("ask") is None or (kind is not None and state["ask"]["kind"] != kind):
            if kind is not None and state.get("ask") is not None and state["ask"]["kind"] == "DOUBLE":
                self.assertEqual(seat.answer(state, answer="roll")[0], 200)
        return state

    def test_a_script_plays_whole_games_that_are_verified(self):
        for variant, kinds in (("backgammon", {"DOUBLE", "PLAY", "TAKE"}), ("plakoto", {"PLAY"}), ("acey-deucey", {"PLAY", "NAME"}), ("tabula", {"PLAY"})):
            os.path.exists(self.path("link")) and os.remove(self.path("link"))
            seat = self.begin_duel("bot=random", "--variant", variant)
            seen, lines = seat.play_on()
            self.assertEqual(self.duel.communicate(timeout=60)[1].count("fault"), 0)
            self.assertEqual(self.duel.returncode, 0)
            self.assertLessEqual(seen, kinds)
            self.assertIn("PLAY", seen)
            self.assertRegex(lines[0], f"A new game.*: {variant}")
            self.assertRegex("\n".join(lines), r"You play \S+(.|\n)*The opponent rolled \d+ and played \S+(.|\n)*You (win|lose) \d+ point")
            self.assertEqual(self.rows("select count(*), (select count(*) from fault) from game"), [(1, 0)])
            self.must("verify", "r.db")
        self.assert_nothing_lives()

    def test_only_the_link_has_the_seat_and_every_slip_is_refused(self):
        seat = self.begin_duel()
        self.assertEqual(stat.S_IMODE(os.stat(self.path("link")).st_mode), 0o600)
        self.assertRegex(seat.path, r"\A/play/[0-9a-f]{32}\Z")
        state = self.to_ask(seat, "PLAY")
        decision, next_ = state["ask"]["decision"], state["ask"]["path"]["next"][0]
        good = {"decision": decision, "answer": "moves", "moves": f"{next_['from']}.{next_['number']}"}

        for path in ("/play/", "/play/" + "0" * 32, seat.path[:-1], seat.path + "x", "/", seat.path + "/else"):
            status, text = seat.call("GET", path)
            self.assertEqual(status, 404, path)
            self.assertIn("no such", text)
        for headers, status, why in (({"Origin": "http://evil.example"}, 403, "Origin"), ({"Origin": None}, 403, "Origin"),
                                     ({"Content_Type": "text/plain"}, 415, ""),
                                     ({"Content_Type": "application/x-www-form-urlencoded"}, 415, "application/json")):
            answer = seat.post(json.dumps(good), **headers)
            self.assertEqual(answer[0], status, answer)
            self.assertIn(why, answer[1])
        self.assertEqual(seat.post(json.dumps({**good, "moves": "1" * 5000}))[0], 413)
        for body in GARBAGE:
            status, text = seat.post(body)
            self.assertEqual((status, text.count("\n")), (400, 1), (body[:20], text))
        for change, status in (({"moves": ""}, 422), ({"moves": good["moves"]}, 422), ({"moves": "1.9"}, 400), ({"moves": "99.6"}, 400),
                               ({"moves": "24"}, 400), ({"moves": "0.6"}, 422), ({"answer": "double"}, 422), ({"answer": "index"}, 400),
                               ({"answer": "resign", "number": 9}, 422), ({"decision": "1"}, 409), ({"decision": decision + " "}, 409)):
            answer = seat.post(json.dumps({**good, **change}))
            self.assertEqual((answer[0], answer[1].count("\n")), (status, 1), (change, answer))
        other = Seat(seat.origin + seat.path, holder="b")
        self.addCleanup(other.close)
        self.assertEqual(other.stream.status, 409)
        self.assertIn("another page", other.stream.read().decode())
        self.assertEqual(seat.post(json.dumps(good), holder="b")[0], 409)

        moves = seat.play(state, random.Random(2).choice)
        self.assertEqual(seat.answer(state, answer="moves", moves=moves), (200, "taken\n"))
        self.assertEqual(seat.answer(state, answer="moves", moves=moves)[0], 409, "a second click")
        seat.play_on()
        self.assertEqual(self.duel.wait(60), 0)
        self.assertEqual(self.count("fault"), 0)

    def test_a_page_that_is_loaded_again_goes_on(self):
        seat = self.begin_duel()
        before = self.to_ask(seat, "PLAY")
        again = Seat(seat.origin + seat.path)
        self.addCleanup(again.close)
        state = again.state()
        self.assertEqual((state["ask"]["decision"], state["board"], state["lines"]), (before["ask"]["decision"], before["board"], before["lines"]))
        self.assertEqual(again.answer(state, answer="moves", moves=again.play(state, random.Random(3).choice))[0], 200)
        again.play_on()
        self.assertEqual(self.duel.wait(60), 0)

    def test_a_duel_opens_the_link_in_a_browser(self):
        self.script("xdg-open", f'#!/bin/sh\nprintf "%s\\n" "$1" >{self.path("link")}\n')
        self.environment["PATH"] = f"{self.folder}:{os.environ['PATH']}"
        duel = self.begin("duel", "person", "random", "--variant", "hypergammon", "--games", "1", "--seed", "5", "--results", "r.db", "--browser")
        self.addCleanup(harness.kill, duel)
        seat = Seat(link_of(self))
        self.addCleanup(seat.close)
        seat.play_on()
        self.assertEqual(duel.wait(60), 0)

    def test_a_link_that_nobody_would_see_is_refused(self):
        error = self.must("duel", "person", "random", "--results", "r.db", status=3)[1]
        self.assertIn("nobody would see the invitation link", error)


if __name__ == "__main__":
    harness.main()
