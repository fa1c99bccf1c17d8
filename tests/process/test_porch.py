"""Registration at a host: the porch, invitations, the operator's word, and what strangers may not do there."""
import os
import re
import secrets
import signal
import time

from door_case import DoorCase
from harness import kill, main, read

RELAY = os.path.join(os.path.dirname(os.path.abspath(__file__)), "relay.py")
HOST = """host: {{name: spring, folder: hosted, drain: 1s}}
bots: {{registration: {policy}, porch: "tcp://127.0.0.1:0", key: host.key, allow: allow.yaml}}
events: {events}
"""


class Porch(DoorCase):
    def setUp(self):
        super().setUp()
        self.host = None
        self.asked = 0  # requests; each comes from an address of its own
        self.tokens = []

    def begin_host(self, policy="invite", events="[]"):
        self.write("host.yaml", HOST.format(policy=policy, events=events))
        self.host = self.start("host", "host.yaml")
        self.waits_for(self.host, "porch: tcp://")
        self.wait_until(lambda: self.run_bgref("host", "host.yaml", "status").returncode == 0, "the host")

    def again(self):
        kill(self.host)
        self.begin_host()

    def ask(self, *words, status=0):
        out, talk = self.must("host", "host.yaml", *words, status=status)
        return talk if status else out

    def invite(self, name, *words):
        out = self.ask("invite", "--name", name, *words)
        token = out.split("\n")[1]
        self.assertRegex(token, r"^[0-9a-f]{32}$")
        self.tokens.append(token)
        return token

    def key(self, name):
        if not os.path.exists(self.path(f"{name}.key")):
            self.must("keygen", "--join", name)
        return f"{name}.key"

    def file(self, **more):
        """The host's file for the next request, which comes from another address."""
        self.asked += 1
        text = read(self.path("hosted/porch.bgref")).decode()
        host, port = re.search(r"porch: tcp://([\d.]+):(\d+)", text).groups()
        own = f"127.0.1.{self.asked}"
        relay = self.start_program("/usr/bin/python3", RELAY, host, port, own)
        self.waits_for(relay, "\n")
        text = text.replace(f"porch: tcp://{host}:{port}", f"porch: tcp://{own}:{self.said(relay).strip()}")
        for old, new in more.items():
            text = re.sub(f"(?m)^{old}: .*$", f"{old}: {new}", text)
        self.write("asker.bgref", text)
        return "asker.bgref"

    def register(self, name, *words, key=None, status=0, file=None):
        out, talk = self.must("register", file or self.file(), name, "--key", self.key(key or name), *words, status=status)
        return out or talk

    def registrations(self):
        return self.ask("registrations")

    def everything(self):
        """All that was written or printed, but for the tokens' own answers and the secret key files."""
        text = ""
        for folder, _, names in os.walk(self.folder):
            for name in names:
                path = os.path.join(folder, name)
                if os.path.isfile(path) and not name.endswith(".key") and name != "bgref":
                    text += read(path).decode(errors="replace")
        return text

    # ------------------------------------------------------------------ invitations

    def test_an_invitation_registers_once_and_nothing_secret_is_written(self):
        self.begin_host()
        token, other = self.invite("bert"), self.invite("carl", "--days", "1")
        self.assertIn("the token is not one of an open invitation", self.register("bert", "--token", other, status=3))
        self.assertIn("the token is not one", self.register("bert", "--token", "0" * 32, status=3))
        self.assertIn("the token is not one", self.register("bert", status=3))
        self.again()  # invitations are kept
        self.assertEqual(self.register("bert", "--token", token, "--contact", "bert@example.org"),
                         "bert at spring: registered: the key is known from now on\n")
        self.assertEqual(self.register("bert"), "bert at spring: registered: the key is known\n")
        self.assertIn("the name belongs to another key", self.register("bert", "--token", token, key="thief", status=3))
        self.assertIn("the key has another name here", self.register("carl", "--token", other, key="bert", status=3))
        self.assertIn("the name or the key is in use at this host", self.register("anna", "--token", token, status=3))
        self.assertIn("anna is in allow.yaml", self.ask("invite", "--name", "anna", status=2))
        self.assertIn("bert is registered already", self.ask("invite", "--name", "bert", status=2))
        self.assertRegex(self.registrations(), r"^bert  registered since \S+, fingerprint [0-9a-f ]+, bert@example.org\n"
                                               r"carl  invited until \S+\n$")
        allowed = read(self.path("hosted/allowed.yaml")).decode()
        self.assertIn(f"name: anna, key: '{self.public('anna')}'", allowed)
        self.assertIn(f"name: bert, key: '{self.public('bert')}'", allowed)
        self.assertRegex(read(self.path("hosted/host.journal")).decode(), r"bert is registered\tfingerprint .*, bert@example.org\n")
        kill(self.host)
        everything = self.everything()
        for secret in [*self.tokens, *(read(self.path(f"{name}.key")).decode().split()[-1] for name in ("host", "bert"))]:
            self.assertNotIn(secret, everything)
            self.assertNotIn(secret.upper(), everything)

    def test_a_key_hands_its_name_on(self):
        self.begin_host()
        self.register("bert", "--token", self.invite("bert"))
        self.key("next")
        self.assertIn("only the key that holds this name", self.register("bert", "--new-key", "next.pub", key="thief", status=3))
        self.assertIn("the next key holds the name", self.register("bert", "--new-key", "next.pub"))
        self.assertIn("the next key holds the name already", self.register("bert", "--new-key", "next.pub"))
        self.assertIn("the name belongs to another key", self.register("bert", status=3))
        self.assertIn("the key is known", self.register("bert", key="next"))
        self.assertIn(f"name: bert, key: '{self.public('next')}'", read(self.path("hosted/allowed.yaml")).decode())
        self.assertEqual(read(self.path("hosted/host.journal")).decode().count("bert has a new key"), 1)

    def test_join_hands_a_name_on_too(self):
        self.begin_host()
        self.register("bert", "--token", self.invite("bert"))
        self.key("next")
        self.assertIn("needs the host's file and your present key",
                      self.must("join", "host.bgref", "random", "--key", "bert.key", "--new-key", "next.pub", status=2)[1])
        self.assertEqual(self.must("join", self.file(), "--key", "bert.key", "--new-key", "next.pub")[0],
                         "bert at spring: registered: the next key holds the name from now on\n")
        self.assertIn(f"name: bert, key: '{self.public('next')}'", read(self.path("hosted/allowed.yaml")).decode())

    def test_the_operators_list_is_read_again(self):
        self.begin_host()
        self.key("dora")
        self.allow("anna", "dora")
        self.host.send_signal(signal.SIGHUP)
        self.wait_until(lambda: "name: dora" in read(self.path("hosted/allowed.yaml")).decode(), "the new key")
        self.write("allow.yaml", "- {name: anna}\n")
        self.host.send_signal(signal.SIGHUP)
        self.wait_until(lambda: "read again, nothing changed: host.yaml:2: allow: allow.yaml:1:" in self.ask("status"), "the mistake")
        self.assertIn("name: dora", read(self.path("hosted/allowed.yaml")).decode())

    def test_the_operators_list_counts_for_a_key_that_is_registered(self):
        self.begin_host()
        self.register("bert", "--token", self.invite("bert"))
        with open(self.path("allow.yaml"), "a", encoding="ascii") as file:
            file.write(f"- {{name: bertha, key: {self.public('bert')}}}\n")
        self.host.send_signal(signal.SIGHUP)
        self.wait_until(lambda: "name: bertha" in read(self.path("hosted/allowed.yaml")).decode(), "the operator's word")
        self.assertNotIn("name: bert,", read(self.path("hosted/allowed.yaml")).decode())
        self.write("e.yaml", "event: spring\nbots:\n  - {name: bertha, remote: true}\n  - random\nlength: 1\npairs: 2\n"
                             'door: {listen: "tcp://127.0.0.1:0", key: host.key, allow: hosted/allowed.yaml}\n')
        kill(self.host)
        self.begin_host(events="[{file: e.yaml, start: always}]")
        self.wait_until(lambda: os.path.exists(self.path("host.bgref")), "the door")
        self.assertIn("goodbye: the event has ended", self.ends(self.join(key="bert.key")))

    def test_thousands_are_registered(self):
        os.mkdir(self.path("hosted"))
        with open(self.path("hosted/host.people"), "w", encoding="ascii") as file:
            file.write("bgref-people 1\n")
            for i in range(3000):
                file.write(f"known\t{f'guest{i}':x<60}\t{secrets.token_hex(32)}\t1700000000\t\n")
        self.write("e.yaml", "event: spring\nbots:\n  - {name: bert, remote: true}\n  - random\nlength: 1\npairs: 2\n"
                             'door: {listen: "tcp://127.0.0.1:0", key: host.key, allow: hosted/allowed.yaml}\n')
        self.begin_host()
        self.register("bert", "--token", self.invite("bert"))
        kill(self.host)
        self.begin_host(events="[{file: e.yaml, start: always}]")
        self.wait_until(lambda: os.path.exists(self.path("host.bgref")), "the door")
        self.assertIn("goodbye: the event has ended", self.ends(self.join(key="bert.key")))

    def test_a_list_that_cannot_be_read_is_not_called_a_name_in_use(self):
        self.begin_host()
        token = self.invite("bert")
        self.write("allow.yaml", "- {name: anna}\n")
        self.assertIn("the host cannot read its own list of keys now", self.register("bert", "--token", token, status=3))
        self.assertIn("allow.yaml:1:", self.ask("invite", "--name", "carl", status=2))
        self.allow("anna")
        self.assertIn("registered", self.register("bert", "--token", token))

    def test_what_cannot_be_stored_is_refused_and_what_is_stored_reaches_the_doors_later(self):
        self.begin_host()
        token = self.invite("bert")
        os.mkdir(self.path("hosted/host.people.new"))
        self.assertIn("the host cannot store it now", self.register("bert", "--token", token, status=3))
        os.rmdir(self.path("hosted/host.people.new"))
        os.mkdir(self.path("hosted/allowed.yaml.new"))
        self.assertIn("bert at spring: registered", self.register("bert", "--token", token))
        self.assertNotIn("name: bert", read(self.path("hosted/allowed.yaml")).decode())
        os.rmdir(self.path("hosted/allowed.yaml.new"))
        self.registrations()
        self.assertIn("name: bert", read(self.path("hosted/allowed.yaml")).decode())

    def test_an_approval_looks_at_the_operators_list(self):
        self.begin_host("open")
        self.register("bert")
        self.allow("anna", "bert")
        self.assertIn("bert, or its key, is in allow.yaml", self.ask("approve", "bert", status=2))

    def test_who_is_registered_plays(self):
        self.begin_host()
        self.register("bert", "--token", self.invite("bert"))
        kill(self.host)
        self.write("e.yaml", "event: spring\nbots:\n  - {name: bert, remote: true}\n  - random\nlength: 1\npairs: 2\n"
                             'door: {listen: "tcp://127.0.0.1:0", key: host.key, allow: hosted/allowed.yaml}\n')
        self.begin_host(events="[{file: e.yaml, start: always}]")
        self.wait_until(lambda: os.path.exists(self.path("host.bgref")), "the door")
        self.assertIn("porch: tcp://127.0.0.1:", read(self.path("host.bgref")).decode())
        self.assertIn("goodbye: the event has ended", self.ends(self.join(key="bert.key")))

    def test_an_event_with_an_invited_stranger_lets_the_host_start_and_waits_for_the_key(self):
        os.remove(self.path("allow.yaml"))
        self.write("e.yaml", "event: spring\nbots:\n  - {name: bert, remote: true}\n  - random\nlength: 1\npairs: 2\n"
                             'door: {listen: "tcp://127.0.0.1:0", key: host.key, allow: hosted/allowed.yaml}\n')
        self.write("host.yaml", HOST.format(policy="invite", events="[{file: e.yaml, start: always}]").replace(", allow: allow.yaml", ""))
        self.must("host", "host.yaml", "--check")
        self.host = self.start("host", "host.yaml")
        self.wait_until(lambda: "has no key of the remote bot bert" in self.run_bgref("host", "host.yaml", "status").stdout, "the event", 30)
        self.register("bert", "--token", self.invite("bert"))
        self.wait_until(lambda: os.path.exists(self.path("host.bgref")), "the door")
        self.assertIn("goodbye: the event has ended", self.ends(self.join(key="bert.key")))

    # ------------------------------------------------------------------ open to all

    def test_with_open_the_operator_decides(self):
        self.begin_host("open")
        self.assertEqual(self.register("bert", "--contact", "bert@example.org"),
                         "bert at spring: waiting: the operator decides; ask again to hear what\n")
        self.assertIn("waiting", self.register("bert"))
        self.assertIn("another key has asked for this name", self.register("bert", key="carl", status=3))
        self.assertIn("is in use at this host", self.register("Anna", key="carl", status=3))  # allow has anna
        self.assertIn("this key has asked for another name", self.register("dora", key="bert", status=3))
        self.register("carl")
        self.assertRegex(self.registrations(), r"(?s)^bert  waits since .*, bert@example.org\ncarl  waits since [^\n]*\n$")
        self.assertIn("open at tcp://127.0.0.1:", self.ask("status"))
        self.assertEqual(self.ask("approve", "bert"), "bert is registered\n")
        self.assertEqual(self.ask("refuse", "carl"), "carl does not wait any more\n")
        self.assertIn("nobody waits for the name carl", self.ask("approve", "carl", status=2))
        self.assertIn("registered: the key is known", self.register("bert"))
        self.ask("ban", self.public("bert"), "--reason", "spam")
        self.assertIn("refused: banned: spam", self.register("bert", status=3))

    # ------------------------------------------------------------------ strangers

    def test_one_request_a_minute_of_an_address(self):
        self.begin_host("open")
        file = self.file()
        self.assertIn("waiting", self.register("bert", file=file))
        self.assertIn("one request a minute", self.register("bert", file=file, status=3))
        self.assertIn("waiting", self.register("bert"))  # from another address

    def test_a_wrong_host_key_names_itself_within_ten_seconds(self):
        self.begin_host("open")
        self.key("other")
        begun = time.monotonic()
        told = self.register("bert", status=5, file=self.file(key=f"'{self.public('other')}'"))
        self.assertIn("the key in the host file is not its key", told)
        self.assertLess(time.monotonic() - begun, 10)
        self.assertIn("waiting", self.register("bert"))

    def test_what_is_not_a_registration_is_refused(self):
        self.begin_host("open")
        self.assertIn("visible text", self.register("bert", "--contact", "a\x1b[31mb", status=2))
        self.assertIn("at most 200 bytes", self.register("bert", "--contact", "x" * 300, status=2))
        self.assertIn("32 hexadecimal digits", self.register("bert", "--token", "12", status=2))
        self.assertIn("not a name", self.register("a b", key="bert", status=2))
        self.assertIn("waiting", self.register("bert"))

    def test_a_closed_host_has_no_porch(self):
        self.write("host.yaml", "host: {folder: hosted}\nevents: []\n")
        self.host = self.start("host", "host.yaml")
        self.wait_until(lambda: self.run_bgref("host", "host.yaml", "status").returncode == 0, "the host")
        self.assertIn("registration is closed here", self.ask("invite", "--name", "bert", status=2))
        self.host.send_signal(signal.SIGTERM)
        self.ends(self.host, status=0)
        for bots, want in (("registration: ajar", "registration: 'ajar'"), ("registration: open", "needs porch"),
                           ('registration: invite, porch: "tcp://127.0.0.1:0"', "needs key"),
                           ('registration: open, porch: "tcp://127.0.0.1:0", key: host.key, allow: hosted/allowed.yaml',
                            "the host writes hosted/allowed.yaml itself")):
            self.write("host.yaml", f"host: {{folder: hosted}}\nbots: {{{bots}}}\nevents: []\n")
            self.assertIn(want, self.must("host", "host.yaml", "--check", status=2)[1])
        text = f"host: spring\nendpoint: tcp://127.0.0.1:1\nkey: '{self.public('host')}'\n"
        self.write("old.bgref", text)
        self.assertIn("takes no registrations", self.register("anna", status=2, file="old.bgref"))
        self.assertIn("send your .pub file to its operator, also that of a new key",
                      self.must("join", "old.bgref", "--key", "anna.key", "--new-key", "host.pub", status=2)[1])


if __name__ == "__main__":
    main()
