"""bgref host over a month: what an operator mistypes, moves, forgets or finds missing, and what is said then."""
import os
import signal

from harness import main, read
from host_case import LONG, HostCase

DOOR = """host: {{name: a test, folder: {folder}{more}}}
bots:
  listen: "tcp://127.0.0.1:{port}"
  key: host.key
  allow: allow.yaml
events:
  - {{file: cup.yaml, start: always}}
"""


class Trouble(HostCase):
    def public(self, name):
        if not os.path.exists(self.path(f"{name}.pub")):
            self.must("keygen", "--join", name)
        return self.text(f"{name}.pub").split()[3]

    def allow(self, *names):
        self.write("allow.yaml", "".join(f"- {{name: {name}, key: {self.public(name)}}}\n" for name in names) or "[]\n")

    def remote(self, bot="anna"):
        self.write("cup.yaml", f"event: cup\nbots: [{{name: {bot}, remote: true}}, random]\nlength: 1\npairs: 2\n")

    def door(self, folder="hosted", more=""):
        self.write("host.yaml", DOOR.format(folder=folder, port=0, more=more))

    # ------------------------------------------------------------------ before the start

    def refused_alike(self, what, said, started="."):
        """By --check, by the doctor, and by the start, which leaves nothing behind."""
        before = sorted(os.listdir(self.folder))
        self.assertRegex(self.must("host", "host.yaml", "--check", status=2)[1], said)
        self.assertRegex(self.must("doctor", "host.yaml", status=5)[0], rf"(?m)^bad   {what} .*{said}")
        done = self.run_bgref("host", "host.yaml")
        self.assertIn(done.returncode, (2, 5))
        self.assertRegex(done.stderr, started)
        self.assertEqual(sorted(os.listdir(self.folder)), before)

    def test_the_check_finds_what_a_start_would_be_refused_for_as_the_doctor_does(self):
        self.public("host")
        self.allow("anna")
        self.remote()
        self.door()
        self.assertIn("cup from cup.yaml", self.must("host", "host.yaml", "--check")[0])
        os.rename(self.path("host.key"), self.path("away"))
        self.refused_alike("key", "host.key: No such file or directory; 'bgref keygen --join host' makes host.key")
        os.rename(self.path("away"), self.path("host.key"))
        os.chmod(self.path("host.key"), 0o640)
        self.refused_alike("key", "others may read host.key; chmod 600 host.key")
        os.chmod(self.path("host.key"), 0o600)
        secret = self.text("host.key")
        for text, said in ((self.text("host.pub"), "host.key is a public key"), ("no key\n", "host.key: not a key file")):
            self.write("host.key", text)
            self.refused_alike("key", said)
        self.write("host.key", secret)
        self.door(folder="not/there/hosted")
        self.refused_alike("folder", "not/there/hosted: No such file or directory; make the folder above it: mkdir -p not/there",
                           started="make the folder above it: mkdir -p not/there")
        self.door(folder="cup.yaml")
        self.refused_alike("folder", "cup.yaml is not a folder that the host's user may write to",
                           started="cup.yaml is not a folder")
        os.symlink("nowhere/at/all", self.path("link"))
        self.door(folder="link")
        self.refused_alike("folder", "link is a link to nowhere; remove it")
        self.door()
        self.write("host.yaml", self.text("host.yaml") + "admin: {socket: nowhere/admin}\n")
        self.refused_alike("admin", "nowhere/admin: there is no folder nowhere; make it: mkdir -p nowhere",
                           started="make it: mkdir -p nowhere")
        self.door(more=", log: not/there/host.log")
        self.refused_alike("log", "not/there/host.log: No such file or directory; make its folder")
        self.door()
        whole = self.text("host.yaml")
        for page, said in (("{listen: 8080}", "'8080' is not an address like tcp://127.0.0.1:8080"),
                           ("{listen: 'tcp://127.0.0.1:0', registrations: no/where.yaml}", "the host's user may not write no/where.yaml")):
            self.write("host.yaml", whole + f"page: {page}\n")
            self.refused_alike("page", said, started=said)
        self.write("host.yaml", whole + "page: {listen: 'tcp://127.0.0.1:0', registrations: hosted/waiting.yaml}\n")
        self.must("host", "host.yaml", "--check")  # in the folder that the start makes

    def test_a_list_of_keys_with_a_mistake_is_named_at_its_own_key(self):
        self.public("host")
        self.remote()
        self.door()
        anna, ben = (f"- {{name: {name}, key: {self.public(name)}}}\n" for name in ("anna", "ben"))
        self.refused_alike("host", r"host.yaml:5: allow: allow.yaml: No such file or directory; make it, with one '- \{name: anna, "
                           r"key: 64 digits\}' a line, or \[\] for no keys yet")
        for text, said in ((anna + "\t" + ben, "allow.yaml:2: not YAML: a tab where the line is indented"),
                           (anna.replace("anna", "an na"), "allow.yaml:1: name: 'an na' is not a bot's name: 1 to 64 of letters"),
                           (anna.replace("name: anna, ", ""), "allow.yaml:1: name: the bot's name in the event is needed"),
                           ("", "allow.yaml:1: a list is needed")):
            self.write("allow.yaml", text)
            self.refused_alike("host", f"host.yaml:5: allow: {said}")
        self.write("allow.yaml", ben)
        self.refused_alike("host", "host.yaml:7: file: allow.yaml: has no key of the remote bot anna")
        self.write("allow.yaml", anna)
        self.remote("Anna, bot: greedy}, {name: anna")
        self.refused_alike("host", "host.yaml:7: file: cup.yaml: bots: Anna looks like anna; give one of them another name")
        self.remote()
        for text in (anna.replace("\n", "\r\n"), "\ufeff" + anna, "# keys\n\n" + anna + "\n\n"):
            self.write("allow.yaml", text)
            self.must("host", "host.yaml", "--check")

    def test_a_host_that_is_asked_from_another_folder_says_where_it_looked(self):
        self.calendar()
        self.start()
        os.mkdir(self.path("below"))
        os.symlink(self.path("host.yaml"), self.path("below/host.yaml"))
        folder, self.folder = self.folder, self.path("below")
        try:
            self.assertIn("hosted is looked for in the current folder: ask where the host was started, or write whole paths",
                          self.must("host", "host.yaml", "status", status=5)[1])
        finally:
            self.folder = folder

    # ------------------------------------------------------------------ while it runs

    def test_an_event_that_is_taken_out_of_the_file_plays_on_until_the_host_ends(self):
        self.event("league", LONG)
        self.calendar("league, start: always")
        self.start()
        self.wait_begun("league")
        pid = self.pid("league")
        whole = read(self.path("host.yaml"))
        self.calendar()
        self.host.send_signal(signal.SIGHUP)
        self.wait_journal("league\tnot in the host's file any more: it is played until the host ends; 'cancel' ends it")
        self.assertEqual(self.pid("league"), pid)
        self.assertRegex(self.status(), r"league  running since .*, process \d+\n    not in host.yaml any more\n")
        self.end()
        self.start()
        said = "not in the host's file any more: it is not played until it is there again; 'cancel' ends it"
        self.wait_journal(f"league\t{said}")
        self.assertEqual((self.state("league"), self.pid("league")), ("running", 0))
        self.assertIn(said.replace("the host's file", "host.yaml"), self.status())
        self.assertNotIn("entrants: 0", self.status())
        with open(self.path("host.yaml"), "wb") as file:
            file.write(whole)
        self.host.send_signal(signal.SIGHUP)
        self.wait_until(lambda: self.pid("league") > 0, "league to go on")
        self.assertNotIn("any more", self.status())

    def test_a_pipe_in_the_place_of_an_events_log_is_not_waited_for(self):
        self.event("league")
        self.calendar("league, start: always")
        os.mkdir(self.path("hosted"), 0o700)
        os.mkfifo(self.path("hosted/league.log"))
        self.start()
        self.wait_journal("league\tits process ended with status 127; league.log says why; again in 2 s")
        os.remove(self.path("hosted/league.log"))
        self.wait_for("league", "ended")

    def test_an_event_whose_bots_all_stay_away_is_tried_again_until_it_is_cancelled(self):
        self.public("host")
        self.allow("anna", "ben")
        self.write("cup.yaml", "event: cup\nbots: [{name: anna, remote: true}, {name: ben, remote: true}]\nlength: 1\npairs: 2\n"
                               "absent: unplayed\ndoor: {appear: 1s}\n")
        self.door()
        self.start()
        self.wait_journal("cup\ta bot did not start or come; cup.log says which")
        self.wait_journal("again in 1 s")
        self.assertRegex(self.log("cup"), "anna")
        self.wait_journal("again in 2 s")
        self.assertEqual(self.state("cup"), "running")
        self.ask("cancel", "cup", "--reason", "nobody came")
        self.assertEqual(self.state("cup"), "cancelled")
        self.wait_until(lambda: self.pid("cup") == 0, "its process to end")

    def wait_journal(self, text):
        self.wait_until(lambda: text in self.text("hosted/host.journal"), f"'{text}' in the journal")


main()
