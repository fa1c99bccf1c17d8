"""A person's seat as its page uses it: by HTTP only."""
import http.client
import json
import os
import random
from urllib.parse import urlencode, urlsplit

HOLDER = "a" * 32


def call(port, method, path, body=None, headers=()):
    """(status, text)"""
    line = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    line.request(method, path, body, dict(headers))
    answer = line.getresponse()
    text = answer.read().decode()
    line.close()
    return answer.status, text


class Seat:
    """link: the invitation. Reads the stream of states, asks where moves lead, and answers."""

    def __init__(self, link, holder=HOLDER):
        parts = urlsplit(link)
        self.origin, self.port, self.path, self.holder = f"http://{parts.netloc}", parts.port, parts.path, holder
        self.open()

    def open(self):
        self.line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        self.line.request("GET", f"{self.path}/events?holder={self.holder}")
        self.stream = self.line.getresponse()

    def close(self):
        self.stream.close()
        self.line.close()

    def state(self):
        """The next state; None at the stream's end."""
        for line in self.stream:
            if line.startswith(b"data: "):
                return json.loads(line[6:])
        return None

    def call(self, *request):
        return call(self.port, *request)

    def post(self, body, holder=None, **headers):
        given = {"Origin": self.origin, "Content-Type": "application/json", **{name.replace("_", "-"): value for name, value in headers.items()}}
        return self.call("POST", f"{self.path}/answer?holder={holder or self.holder}", body, {name: value for name, value in given.items() if value})

    def answer(self, state, **answer):
        return self.post(json.dumps({"decision": state["ask"]["decision"], **answer}))

    def where(self, state, moves):
        return self.call("GET", f"{self.path}/path?{urlencode({'decision': state['ask']['decision'], 'moves': moves})}")

    def play(self, state, choose):
        """A whole play by single moves that were offered; returns them."""
        path, moves = state["ask"]["path"], []
        while path["next"]:
            move = choose(path["next"])
            moves.append(f"{move['from']}.{move['number']}")
            status, text = self.where(state, "-".join(moves))
            assert status == 200, text
            path = json.loads(text)
        assert path["whole"]
        return "-".join(moves)

    def play_on(self):
        """Plays at random to the end; returns the kinds of decisions and all lines that were told."""
        choose, kinds, lines, answered = random.Random(1).choice, set(), {}, None
        while (state := self.state()) is not None:
            first = state["line_count"] - len(state["lines"])
            lines.update((first + i, line) for i, line in enumerate(state["lines"]))
            ask = state.get("ask")
            if state["over"]:
                break
            if ask is None or ask["decision"] == answered:
                continue
            answered = ask["decision"]
            kinds.add(ask["kind"])
            if ask["kind"] == "PLAY":
                done = self.answer(state, answer="moves", moves=self.play(state, choose))
            elif ask["kind"] == "NAME":
                done = self.answer(state, answer="name", number=choose(range(1, 7)))
            else:
                done = self.answer(state, answer=choose(ask["answers"]))
            assert done == (200, "taken\n"), done
        return kinds, [lines[i] for i in sorted(lines)]


def link_of(case, name="link"):
    """Waits for the invitation."""
    case.wait_until(lambda: os.path.exists(case.path(name)) and case.text(name).endswith("\n"), "the invitation")
    return case.text(name).strip()
