"""Authors register over the pages of a host, and their bots play once the operator has moved the line."""
import json
import os
import re
import subprocess
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from door_case import DoorCase
from harness import BGREF, kill, main
from page_seat import call


class Proxy(BaseHTTPRequestHandler):
    """A proxy whose host is away: it says so in one line that is longer than anybody reads."""

    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(502)
        self.send_header("Content-Length", "1000")
        self.end_headers()
        self.wfile.write(1000 * b"x")

    def log_message(self, *_):
        """Says nothing."""


class Register(DoorCase):
    def watch(self, *words):
        self.write("host.bgref", f"host: spring\nendpoint: tcp://127.0.0.1:5555\nkey: {self.public('host')}\n")
        self.must("duel", "first", "first", "--pairs", "1", "--length", "1", "--seed", "1", "--results", "old.db", "--quiet")
        process = subprocess.Popen((BGREF, "watch", "old.db", "--join", "host.bgref", *words), cwd=self.folder, stdout=subprocess.PIPE, text=True,
                                   env=self.environment)
        self.addCleanup(kill, process)
        self.port = int(process.stdout.readline().rstrip("/\n").rpartition(":")[2])

    def post(self, kind="application/json", **fields):
        body = json.dumps(fields) if kind == "application/json" else "&".join(f"{name}={value}" for name, value in fields.items())
        return call(self.port, "POST", "/join/register", body, {"Content-Type": kind})

    def another(self, *words):
        """The same site without those whom it remembers for a minute."""
        self.watch("--registrations", "waiting.yaml", *words)

    def test_a_registered_bot_plays_when_its_line_is_in_the_list(self):
        os.remove(self.path("allow.yaml"))
        self.another()
        status, page = call(self.port, "GET", "/join")
        self.assertEqual(status, 200)
        print_ = self.must("keygen", "--join", "other")[0].split("fingerprint: ")[1].strip()
        self.assertNotIn(print_, page)
        self.assertRegex(page, r"(?s)Join spring.*tcp://127.0.0.1:5555.*[0-9a-f]{4}( [0-9a-f]{4}){7}.*<form method=\"post\"")
        self.assertNotIn("Invitation", page)
        lobby = call(self.port, "GET", "/")[1]
        self.assertIn('<a href="./join">Join</a>', lobby)
        self.assertIn('<a href="../../join">Join</a>', call(self.port, "GET", re.search(r'href="[.](/e/[^"]+)"', lobby)[1])[1])
        self.assertEqual(call(self.port, "GET", "/join.bgref"), (200, self.text("host.bgref")))
        status, text = self.post(name="anna", key=self.text("anna.pub").strip(), contact="anna@example.org \"<b>\"")
        self.assertEqual((status, text), (200, "anna is registered and waits for the operator\n"))
        os.rename(self.path("waiting.yaml"), self.path("allow.yaml"))
        event = self.event(pairs=1)
        joined = self.start("join", "host.bgref", "random", "--key", "anna.key")
        self.ends(event)
        self.assertEqual(joined.wait(60), 0)
        self.assertEqual(self.count("fault"), 0)

    def test_what_is_not_a_registration_is_refused_with_one_line(self):
        key, other = self.public("anna"), self.public("host")
        for fields, status, why in (({"name": "anna"}, 400, "expected name and key"), ({"name": "a b", "key": key}, 400, "name"),
                                    ({"name": "..", "key": key}, 400, "name"), ({"name": "n" * 70, "key": key}, 400, "expected"),
                                    ({"name": "anna", "key": key[:-1]}, 400, "key"), ({"name": "anna", "key": "bgref-key-1 join anna " + key}, 200, "waits"),
                                    ({"name": "anna", "key": other}, 409, "already"), ({"name": "bert", "key": key}, 400, "anna"),
                                    ({"name": "bert", "key": other, "contact": "\n- {name: carl}"}, 400, "note"),
                                    ({"name": "bert", "key": other, "kind": "application/x-www-form-urlencoded"}, 200, "waits"),
                                    ({"name": "carl", "key": self.text("anna.key").strip()}, 400, "secret"),
                                    ({"name": "carl", "key": "1" * 64, "contact": "é" * 200}, 400, "too long"),
                                    ({"name": "bert", "key": other, "kind": "text/plain"}, 415, "")):
            self.another()
            answer = self.post(**fields)
            self.assertEqual((answer[0], answer[1].count("\n")), (status, 1), (fields, answer))
            self.assertIn(why, answer[1])
        self.assertEqual(self.text("waiting.yaml").count("\n"), 2)
        # What an operator's editor leaves; and a list that cannot be read is not replaced.
        for list_, status in (("# mine\n", 200), ("- {name: bert, key: %s}" % other, 200), ("\n", 200), ("#" * 300000, 500)):
            self.write("waiting.yaml", list_)
            self.another()
            self.assertEqual(self.post(name="anna", key=key)[0], status, list_[:40])
            self.assertTrue(self.text("waiting.yaml").startswith(list_))
        self.another()
        self.assertEqual(self.post(name="x")[0], 400)
        self.assertEqual(self.post(name="x")[0], 429)
        self.assertEqual(call(self.port, "GET", "/join/register")[0], 405)
        self.write("waiting.yaml", "".join(f"- {{name: bot{i}, key: {i:064x}}}\n" for i in range(1, 101)))
        self.another()
        self.assertEqual(self.post(name="carl", key=key)[0], 503)
        self.watch()
        self.assertEqual(self.post(name="carl", key=key)[0], 405)
        self.assertIn("closed", call(self.port, "GET", "/join/register")[1])

    def test_an_invitation_is_for_one_name_and_a_time(self):
        token, line = self.must("keygen", "--invite", "anna")[0].removeprefix("for the author: ").split("\nfor the list:\n")
        self.write("invited.yaml", line)
        for fields, status in (({}, 403), ({"token": "0" * 32}, 403), ({"name": "bert", "token": token}, 403), ({"token": token}, 200)):
            self.another("--invitations", "invited.yaml")
            self.assertIn("Invitation", call(self.port, "GET", "/join")[1])
            self.assertEqual(self.post(**{"name": "anna", "key": self.public("anna"), **fields})[0], status, fields)
        os.remove(self.path("waiting.yaml"))
        for until, status in (("2020-01-01", 403), ("2999-01-01", 200)):
            self.write("invited.yaml", line.replace("}", f", until: {until}}}"))
            self.another("--invitations", "invited.yaml")
            self.assertEqual(self.post(name="anna", key=self.public("anna"), token=token)[0], status)

    def host(self, *words, status=0):
        return self.must("host", "host.yaml", *words, status=status)[1 if status else 0]

    def registers_and_is_approved(self):
        self.must("keygen", "--join", "bert")
        page = f"http://127.0.0.1:{self.port}/join"
        self.assertIn("--register 'bg.example.org' is not an address like", self.must("join", "--register", "bg.example.org", "--key", "bert.key", status=2)[1])
        out, _ = self.must("join", "--register", page, "--key", "bert.key", "--contact", "bert's \u00e9", "--invitation", "none")
        self.assertRegex(out, fr"\Abert is registered and waits for the operator\n.*\n  curl -O {page}.bgref\n  bgref join join.bgref BOT --key bert.key\n\Z")
        self.assertIn("one registration a minute; come again in a minute (status 429 of HTTP)", self.must("join", "--register", page, "--key", "bert.key", status=3)[1])
        with ThreadingHTTPServer(("127.0.0.1", 0), Proxy) as proxy:
            threading.Thread(target=proxy.serve_forever, daemon=True).start()
            words = self.must("join", "--register", f"http://127.0.0.1:{proxy.server_port}", "--key", "bert.key", status=3)[1]
            proxy.shutdown()
        self.assertRegex(words, r"\Abgref join: x{200,299} [(]status 502 of HTTP[)]\n\Z")
        self.assertIn("curl: (7)", self.must("join", "--register", "http://127.0.0.1:1", "--key", "bert.key", status=5)[1])
        self.assertIn("bert's \u00e9", self.text("waiting.yaml"))
        self.must("join", "host.bgref", "--key", "bert.key", "--status", status=5)
        self.assertEqual(self.host("approve", "bert"), "bert is in allow.yaml, and may join\n")
        self.must("join", "host.bgref", "--key", "bert.key", "--status")
        self.assertRegex(self.text("hosted/host.journal"), "approve bert.*done")

    def acts_on_registrations(self):
        """anna is in the list."""
        self.write("waiting.yaml", "- {name: dora, key: %064x}\n# mine\n- name: carl\n  key: %064x\n- {name: anna, key: %064x}\n" % (1, 2, 3))
        self.assertRegex(self.host("status"), r"registrations: 3; 'approve NAME' or 'refuse NAME'\n  waits: dora, key ([0-9a-f]{4} ?){8}\n  waits: carl")
        self.assertIn("there is no 'bret'", self.host("approve", "bret", status=2))
        self.assertIn("allow.yaml has anna already", self.host("approve", "anna", status=2))
        owner = os.geteuid() or 1
        os.rename(self.path("allow.yaml"), self.path("keys.yaml"))
        os.symlink("keys.yaml", self.path("allow.yaml"))
        for name in ("keys", "waiting"):
            os.chmod(self.path(f"{name}.yaml"), 0o640)
            os.chown(self.path(f"{name}.yaml"), owner, -1)
        self.assertEqual(self.host("approve", "carl"), "carl is in allow.yaml, and may join\n")
        self.assertEqual(self.host("refuse", "anna"), "anna is refused, and waits no more\n")
        self.assertEqual(self.host("refuse", "dora"), "dora is refused, and waits no more\n")
        self.assertEqual(self.text("waiting.yaml"), "# mine\n")
        for about in (os.lstat(self.path(f"{name}.yaml")) for name in ("keys", "waiting")):
            self.assertEqual((about.st_mode & 0o777, about.st_uid), (0o640, owner))
        self.assertEqual(os.readlink(self.path("allow.yaml")), "keys.yaml")
        self.assertEqual([line[:16] for line in self.text("allow.yaml").splitlines()[1:]], ['- {"name": "bert', "- name: carl", "  key: 000000000"])
        self.assertNotIn("registrations:", self.host("status"))
        self.write("waiting.yaml", "nothing\n")
        self.assertIn("not well: registrations: waiting.yaml:1: a list is needed", self.host("status"))
        self.assertIn("host.yaml: registrations: waiting.yaml:1:", self.host("--check", status=2))
        self.assertIn("waiting.yaml:1: a list is needed", self.host("refuse", "bert", status=2))

    def test_a_host_takes_registrations_on_its_pages(self):
        self.write("host.yaml", "host: {folder: hosted}\nbots: {listen: 'tcp://127.0.0.1:0', key: host.key, allow: allow.yaml}\n"
                                "page: {listen: 'tcp://127.0.0.1:0', registrations: waiting.yaml}\nevents: []\n")
        host = self.start("host", "host.yaml")
        self.waits_for(host, "pages")
        self.port = int(re.search(r"pages +http://127\.0\.0\.1:(\d+)/", self.said(host))[1])
        self.assertIn(self.public("host"), call(self.port, "GET", "/join.bgref")[1])
        self.registers_and_is_approved()
        self.acts_on_registrations()
        host.terminate()
        self.assertEqual(host.wait(60), 0)
        for page, why in (("{listen: 'tcp://127.0.0.1:0', invitations: i.yaml}", "invitations are for registrations"),
                          ("{registrations: waiting.yaml}", "registrations are for a host with a page")):
            self.write("host.yaml", self.text("host.yaml").split("page:")[0] + f"page: {page}\nevents: []\n")
            self.assertIn(why, self.must("host", "host.yaml", "--check", status=2)[1])


main()
