"""A person's seat as its page uses it: by HTTP only."""
import http.client
import json
import os
from urllib.parse import urlencode, urlsplit

HOLDER = "a" * 32


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

    def call(self, method, path, body=None, headers=()):
        """(status, text)"""
        line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        line.request(method, path, body, dict(headers))
        answer = line.getresponse()
        text = answer.read().decode()
        line.close()
        return answer.status, text

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


def link_of(case, name="link"):
    """Waits for the invitation."""
    case.wait_until(lambda: os.path.exists(case.path(name)) and case.text(name).endswith("\n"), "the invitation")
    return case.text(name).strip()
