#!/usr/bin/python3
"""bgref watch: the pages of results by HTTP, of a finished event, of imported games, and while a referee writes."""
import glob
import gzip
import html
import http.client
import json
import os
import re
import resource
import shutil
import signal
import sqlite3
import subprocess
from urllib.parse import urljoin, urlsplit
from urllib.request import Request, urlopen

import harness
from prometheus import families_of, needs_prometheus

# Behind an event's path, and behind the site's.
ODD = ("g", "g/", "g/a/b", "g/bkg/greedy/0/0", "g/bkg/greedy/0/0/0/", "g/bkg/greedy/0/0/00", "g/bkg/greedy/0/0/9", "g/greedy/bkg/0/0/0",
       "g/../../etc/passwd", "g/bkg%7Cgreedy%7C0%7C0%7C0", "games/", "games/x", "b/", "b/nobody", "m/greedy-vs-bkg", "m/bkg-vs-", "m/-vs-greedy",
       "standings/")
ODD_TOP = ("/e", "/e/", "/e/nothing/", "/s/", "/s/0/style.css", "/style.css", "/api/v1/", "/api/v1/index", "/api/v1/e/nothing/index.json", "//", "/..",
           "/%2e%2e/%2e%2e/etc/passwd", "/" + "a" * 5000)


class Site(harness.Case):
    def setUp(self):
        super().setUp()
        # What librsvg brings keeps fonts for as long as the process lives, in places where the sanitizer does not look.
        with open(self.path("fonts.supp"), "w", encoding="utf-8") as file:
            file.write("leak:libfontconfig\nleak:libpango\n")
        self.environment["LSAN_OPTIONS"] = f"suppressions={self.path('fonts.supp')}:print_suppressions=0"

    def watch(self, *results, words=()):
        """Starts it."""
        process = subprocess.Popen((harness.BGREF, "watch", *(results or ("r.db",)), *words), cwd=self.folder, stdout=subprocess.PIPE, text=True, env=self.environment)
        self.addCleanup(process.stdout.close)
        self.addCleanup(harness.kill, process)
        self.process = process
        line = process.stdout.readline().strip()
        self.assertRegex(line, r"\Ahttp://127\.0\.0\.1:\d+/\Z")
        self.port = urlsplit(line).port
        self.event = "/" + re.search(r'href="\./(e/[^"]+)"', self.page("/"))[1]

    def get(self, path, method="GET", fields=()):
        """(status, headers, text)"""
        line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        self.addCleanup(line.close)
        line.putrequest(method, path, skip_accept_encoding=True)
        for name, value in dict(fields).items():
            line.putheader(name, value)
        line.endheaders()
        answer = line.getresponse()
        return answer.status, answer.headers, answer.read().decode(errors="replace")

    def page(self, path):
        status, headers, text = self.get(path)
        self.assertEqual(status, 200, text)
        self.assertIn("frame-ancestors 'none'", headers["Content-Security-Policy"])
        self.assertNotRegex(text, r"<style|<script>|\sstyle=|\son\w+=|https?://(?!www\.w3\.org/)", "a page brings nothing that its policy forbids")
        return text

    def data(self, path):
        """The same as JSON."""
        status, headers, text = self.get(f"/api/v1{path}{'index' if path.endswith('/') else ''}.json")
        self.assertEqual((status, headers["Content-Type"]), (200, "application/json"), text)
        answer = json.loads(text)
        self.assertEqual(answer["schema"], 1)
        return answer

    def games(self):
        return [self.event + path for path in re.findall(r'href="(?:\.\./)+e/[^/]+/(g/[^"]+)"', self.page(self.event + "games"))]


class Watch(Site):
    def duel(self, *words):
        self.must("duel", "greedy", "bkg", "--pairs", "3", "--seed", "3", "--results", "r.db", "--quiet", *words)

    def test_a_game_has_the_steps_that_show_prints(self):
        self.duel("--clock", "bank=2m,inc=50ms")
        self.watch()
        self.assertIn("<table", self.page(self.event))
        paths = self.games()
        self.assertEqual(len(paths), 6)
        for path in paths[:2]:
            text = self.page(path)
            shown = self.must("show", "r.db", path.partition("/g/")[2].replace("/", "|"))[0]
            words = [html.unescape(row) for row in re.findall(r'<td class="text words"><bdi>([^<]*)</bdi>', text.partition('data-table="turns"')[2])]
            said = [re.sub(r"   \(\d+\.\d+ s\)$", "", line[5:]) for line in shown.splitlines() if re.match(r"( *\d+\. |     )\w", line)]
            self.assertGreater(len(words), 20)
            self.assertEqual(words, said)
            rows = self.data(path)["tables"]["turns"]["rows"]
            self.assertEqual([row["did"] for row in rows], words)
            left = re.search(r"^end .* left=(\d+),(\d+)", self.get(path + ".txt")[2], re.M)
            for seat in (0, 1):  # as the referee charged its clocks
                self.assertEqual(rows[-1][f"left_s_seat{seat}"], int(left[1 + seat]) / 1e9)
            self.assertEqual(rows[1]["xgid"][:31], "XGID=-b----E-C---eE---c-e----B-")
            self.assertIn(html.escape(rows[-1]["xgid"]), text)

    def test_paths_that_are_no_page_are_404_and_name_the_pages(self):
        self.duel()
        self.watch()
        for path in [self.event + path for path in ODD] + list(ODD_TOP):
            status, _, text = self.get(path)
            self.assertIn(status, (400, 404, 414), path)
            if status == 404:
                self.assertIn("no such", text, path)
        self.assertEqual(self.get("/", "POST")[0], 405)
        self.assertEqual(self.get("/", "HEAD")[2], "")
        self.process.send_signal(signal.SIGTERM)
        self.assertEqual(self.process.wait(30), 0)

    def test_the_gallery_can_be_looked_after(self):
        self.duel()
        for words in (("--trusted-proxy", "10.0.0.1/8"), ("--trusted-proxy", "nginx"), ("--spectators", "-1")):
            self.assertIn(words[0], self.must("watch", "r.db", *words, status=2)[1])
        self.watch(words=("--trusted-proxy", "127.0.0.1"))
        self.assertEqual((self.get("/healthz")[0], self.get("/readyz")[0]), (200, 200))
        _, headers, _ = self.get(self.event)
        self.assertEqual(self.get(self.event, fields={"If-None-Match": headers["ETag"]})[::2], (304, ""))
        self.assertEqual(self.get("/metrics", fields={"X-Forwarded-For": "10.0.0.9"})[0], 404)
        # No other spelling of ".." is one: web.c refuses all of those (tests/unit/referee/loop/test_web.c).
        for dots in ("%252e%252e", "%c0%ae%c0%ae", "%uff0e%uff0e", "%e0%80%ae.", ".%00.", ".%0a."):
            for path in (f"/{dots}/r.db", f"{self.event}{dots}/{dots}/r.db", f"/s/{dots}%2fr.db"):
                self.assertIn(self.get(path)[0], (400, 404), path)

    def test_pages_that_may_be_kept_are_packed_for_those_who_ask(self):
        self.duel()
        self.watch()
        game = self.games()[0]
        for path in ("/", self.event, f"{game}", f"{game}.txt", f"/api/v1{self.event}index.json", "/" + re.search(r"s/[^\"]+\.css", self.page("/"))[0]):
            with urlopen(Request(f"http://127.0.0.1:{self.port}{path}", headers={"Accept-Encoding": "br, gzip"})) as answer:
                packed = answer.read()
            status, headers, text = self.get(path, fields={"Accept-Encoding": "br, gzip; q=0"})
            self.assertIsNone(self.get(path, fields={"Accept-Encoding": "gzip;Q=0.0, br"})[1]["Content-Encoding"])
            self.assertEqual((status, gzip.decompress(packed).decode()), (200, text))
            self.assertLess(len(packed), len(text) / 2, path)
            for name in ("ETag", "Vary", "Cache-Control", "Content-Type"):
                self.assertEqual(answer.headers[name], headers[name])
            self.assertEqual((answer.headers["Content-Encoding"], headers["Content-Encoding"], headers["Vary"]), ("gzip", None, "Accept-Encoding"))
        _, headers, text = self.get("/healthz", fields={"Accept-Encoding": "gzip"})
        self.assertEqual((headers["Content-Encoding"], headers["Vary"]), (None, None), text)

    def test_lists_are_refused_first_when_pages_use_too_much(self):
        self.duel()
        self.watch(words=("--budget", "1"))
        board = self.games()[0]
        while self.get(self.event + "games")[0] == 200:
            pass
        for path in ("/", self.event, board) * 8:
            self.page(path)
        status, headers, _ = self.get(self.event + "standings")
        self.assertEqual((status, headers["Retry-After"]), (503, "15"))

    @needs_prometheus
    def test_metrics_count_what_was_answered(self):
        self.duel()
        self.watch()
        self.assertEqual(self.get("/metrics", fields={"X-Forwarded-For": "127.0.0.1"})[0], 404)
        self.assertEqual([self.get("/nothing")[0] for _ in range(3)], [404] * 3)
        families = families_of(self.get("/metrics")[2])
        answers = {sample.labels["status"]: sample.value for sample in families["bgref_gallery_requests"].samples}
        self.assertEqual((answers["404"], families["bgref_gallery_spectators"].samples[0].value), (4, 0))

    def test_the_report_follows_a_referee_that_writes(self):
        self.duel()
        self.watch()
        before = self.page(self.event)
        self.assertEqual(self.page(self.event), before)
        self.duel("--pairs", "5")
        # The sums are read again when that takes no more than a tenth of the time.
        self.wait_until(lambda: self.page(self.event) != before, "the page follows")
        self.assertEqual(len(self.games()), 10)

    def test_games_without_an_xgid_have_their_last_position_as_text(self):
        self.must("duel", "random", "random", "--variant", "tavla", "--pairs", "1", "--seed", "1", "--results", "t.db", "--quiet")
        self.must("duel", "random", "random", "--variant", "plakoto", "--pairs", "1", "--seed", "1", "--results", "p.db", "--quiet")
        for results in ("t.db", "p.db"):
            self.watch(results)
            self.assertRegex(self.page(self.games()[0]), r"<pre>|<svg class=\"board\"")

    def test_only_games_that_an_xgid_can_express_have_one(self):
        for variant, has in (("nackgammon", True), ("hypergammon", True), ("fevga", False), ("tavla", False), ("tapa", False)):
            self.must("duel", "random", "random", "--variant", variant, "--pairs", "1", "--seed", "1", "--results", f"{variant}.db", "--quiet")
            self.watch(f"{variant}.db")
            rows = self.data(self.games()[0])["tables"]["turns"]["rows"]
            self.assertEqual(any(row["xgid"] for row in rows), has, variant)

    def test_results_that_give_no_answer_soon_are_503(self):
        self.duel()
        self.watch()
        shell = sqlite3.connect(self.path("r.db"), isolation_level=None)
        self.addCleanup(shell.close)
        shell.execute("pragma locking_mode=exclusive")
        shell.execute("begin exclusive")
        status, headers, text = self.get(self.event + "games")
        self.assertEqual((status, headers["Retry-After"]), (503, "15"), text)
        self.assertNotIn(self.folder, text)
        self.page(self.event)  # its sums were read before
        shell.close()
        self.page(self.event + "games")

    def test_results_that_go_away_are_told(self):
        self.duel()
        self.watch()
        self.assertEqual(self.get(self.event + "games?bot=nobody")[::2], (404, "no such bot; e/EVENT/standings lists them\n"))
        shutil.move(self.path("r.db"), self.path("elsewhere"))
        status, _, text = self.get(self.event)
        self.assertEqual(status, 404)
        self.assertIn("r.db: No such file", text)


class Links(Site):
    """Every page that a page leads to is there, of a server and in a folder."""
    EVENT = "event: cup\nbots: [first, random, greedy]\nlength: 1\nseed: 2\nstages:\n  - swiss rounds=2 pairs=1\n  - knockout take=2 pairs=1\n"

    def setUp(self):
        super().setUp()
        with open(self.path("cup.yaml"), "w", encoding="utf-8") as file:
            file.write(self.EVENT)
        self.must("tournament", "cup.yaml", "--results", "cup.db", "--quiet")

    def crawl(self, get, *first):
        """Follows every link from some pages; returns all addresses."""
        seen, open_ = set(first), list(first)
        while open_:
            page = open_.pop()
            text = get(page)
            for link in re.findall(r'(?:href|src|og:image" content)="([^"#]+)"' if text.startswith("<!DOCTYPE html>") else r'from "([^"]+[.]js)"', text):
                address = urljoin(page, html.unescape(link))
                if address not in seen:
                    seen.add(address)
                    open_.append(address)
        return seen

    def test_every_link_of_a_server_leads_to_a_page(self):
        self.must("duel", "greedy", "random", "--pairs", "2", "--seed", "3", "--results", "r.db", "--quiet")
        self.watch("cup.db", "r.db", words=("--budget", "100"))
        seen = self.crawl(self.page, "/")
        for path in ("", "standings", "rounds", "bracket", "crosstable", "games", "b/first", "m/first-vs-greedy"):
            self.assertIn("/e/cup/" + path, seen)
        self.assertNotIn("/e/cup/ladder", seen)
        self.assertNotIn("/e/greedy-vs-random/bracket", seen)
        self.assertEqual(self.get("/e/greedy-vs-random/bracket")[0], 404)
        for path in seen:
            if path.startswith("/e/") and path.endswith(("standings", "bracket", "/0/0/0")):
                framed = self.get("/embed" + path)
                self.assertEqual(framed[0], 200, path)
                self.assertIn("frame-ancestors *", framed[1]["Content-Security-Policy"])
            if path.startswith("/e/") and not re.search("[?]|[.](mat|sgf|txt|json|db|ics|atom|png)$", path):
                self.data(path)

    def test_the_database_of_an_event_that_is_over_is_a_download(self):
        self.must("duel", "greedy", "random", "--pairs", "2", "--seed", "3", "--results", "r.db", "--quiet")
        sql = sqlite3.connect(self.path("r.db"))
        sql.execute("delete from meta where key='results.root'")  # as if it were played
        sql.commit()
        sql.close()
        self.watch("cup.db")
        self.assertNotIn("cup.db\"", self.page("/archive"))
        self.assertEqual(self.get("/e/cup/cup.db")[0], 404)
        os.mkdir(self.path("tmp"))
        self.environment["TMPDIR"] = self.path("tmp")
        self.watch("cup.db", "r.db", words=("--databases",))
        self.assertIn("./e/cup/cup.db\"", self.page("/archive"))
        for _ in range(2):
            with urlopen(f"http://127.0.0.1:{self.port}/e/cup/cup.db") as answer, open(self.path("got.db"), "wb") as file:
                self.assertEqual(answer.headers["Content-Disposition"], 'attachment; filename="cup.db"')
                shutil.copyfileobj(answer, file)
            self.must("verify", "got.db")
            with open(self.path("cup.db"), "ab") as file:  # the copy stays what it is
                file.write(b" ")
            self.page("/e/cup/")
        self.assertEqual(self.get("/e/cup/cup.db", fields={"If-None-Match": answer.headers["ETag"]})[0], 304)
        for path in ("/e/greedy-vs-random/greedy-vs-random.db", "/e/cup/r.db", "/e/greedy-vs-random/cup.db", "/api/v1/e/cup/cup.db.json"):
            self.assertEqual(self.get(path)[0], 404, path)
        self.watch("cup.db", words=("--databases",))
        resource.prlimit(self.process.pid, resource.RLIMIT_FSIZE, (20000, resource.RLIM_INFINITY))  # a full disk
        self.assertEqual(self.get("/e/cup/cup.db")[0], 500)
        resource.prlimit(self.process.pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        self.assertEqual(self.get("/e/cup/cup.db")[0], 200)
        self.assertEqual(os.listdir(self.path("tmp")), [])

    def test_pages_have_no_pictures_where_nothing_draws_them(self):
        self.watch("cup.db")
        self.assertRegex(self.page("/e/cup/"), r'og:image" content="../../e/cup/picture.png"')
        self.assertEqual(self.get("/e/cup/picture.png")[1]["Content-Type"], "image/png")
        with open(self.path("librsvg-2.so.2"), "w", encoding="utf-8"):
            pass
        self.environment["LD_LIBRARY_PATH"] = self.folder
        self.watch("cup.db")
        self.assertNotIn("og:image", self.page("/e/cup/"))
        self.assertEqual(self.get("/e/cup/picture.png")[0], 404)

    def test_every_link_of_a_folder_leads_to_a_file(self):
        self.must("duel", "random", "random", "--pairs", "101", "--variant", "hypergammon", "--seed", "1", "--results", "r.db", "--quiet")
        self.must("publish", "cup.db", "r.db", "pages")
        game = self.path("pages/e/cup/g/first/greedy/0-0-0.html")
        made = os.stat(game).st_ino
        # A folder that was published before is replaced, and games that would look the same are kept; one with other files is not.
        os.mkdir(self.path("pages.new"))
        self.must("publish", "cup.db", "r.db", "pages")
        self.assertEqual(os.stat(game).st_ino, made)
        self.must("publish", "cup.db", "r.db", "pages", "--address", "https://bg.example/")
        self.assertNotEqual(os.stat(game).st_ino, made)
        self.assertIn('og:image" content="https://bg.example/e/cup/picture.png"', harness.read(game).decode())
        # Other results of the same name, with games of the same ids.
        self.must("duel", "first", "greedy", "--event", "cup", "--pairs", "1", "--seed", "9", "--results", "other.db", "--quiet")
        before = harness.read(game)
        self.must("publish", "other.db", "pages")
        self.assertNotEqual(harness.read(game), before)
        self.must("publish", "cup.db", "r.db", "pages", "--databases")
        self.must("verify", "pages/e/cup/cup.db")
        seen = self.crawl(lambda path: harness.read(path).decode(errors="replace"), self.path("pages/index.html"), self.path("pages/embed/e/cup/bracket.html"))
        self.assertTrue(all(path.startswith(self.path("pages/")) for path in seen))
        self.assertIn(self.path("pages/e/cup/bracket.html"), seen)
        there = {os.path.join(folder, name) for folder, _, names in os.walk(self.path("pages")) for name in names}
        self.assertEqual({path for path in there - seen if not path.endswith((".json", ".root")) and "/embed/" not in path and "/s/" not in path},
                         {self.path("pages/bgref-site.txt")})
        games = [path for path in seen if "/g/" in path and path.endswith(".html")]
        self.assertEqual(len(games), 202 + len(self.must("export", "cup.db", "--format", "jsonl")[0].splitlines()))
        # Of a longer event the first pairs of every two have pages, and the others share one, with all of them in its files.
        self.must("publish", "r.db", "few", "--games", "58")
        seen = self.crawl(lambda path: harness.read(path.partition("?")[0]).decode(errors="replace"), self.path("few/index.html"))
        self.assertEqual(len([path for path in seen if "/g/" in path]), 58)
        shared = sorted(path.partition("?")[2].replace("/", "|") for path in seen if "/game.html?" in path)
        self.assertEqual(len(shared), 202 - 58)
        files = glob.glob(self.path("few/api/v1/e/*/g/random/random-2/*.json"))
        self.assertEqual(sorted(os.path.basename(path) for path in files), ["0.json", "32.json", "64.json", "96.json"])
        self.assertEqual(sorted(game["game"] for path in files for game in json.loads(harness.read(path))["games"]), shared)
        # A file is made again when it has other games.
        made = {path: os.stat(path).st_ino for path in files}
        self.must("publish", "r.db", "few", "--games", "58")
        self.assertEqual({path: os.stat(path).st_ino for path in files}, made)
        self.must("duel", "random", "random", "--pairs", "103", "--variant", "hypergammon", "--seed", "1", "--results", "r.db", "--quiet")
        self.must("publish", "r.db", "few", "--games", "58")
        self.assertEqual([os.path.basename(path) for path in sorted(files) if os.stat(path).st_ino == made[path]], ["0.json", "32.json", "64.json"])
        self.assertEqual(len(json.loads(harness.read(self.path(f"{os.path.dirname(files[0])}/96.json")))["games"]), 2 * (103 - 96))
        # Also when it has as many of other pairs.
        self.must("publish", "r.db", "few", "--games", "194")
        self.must("duel", "random", "random", "--pairs", "104", "--variant", "hypergammon", "--seed", "1", "--results", "r.db", "--quiet")
        self.must("publish", "r.db", "few", "--games", "196")
        packed = json.loads(harness.read(self.path(f"{os.path.dirname(files[0])}/96.json")))["games"]
        self.assertEqual(sorted({int(game["game"].split("|")[2]) for game in packed}), list(range(98, 104)))
        os.mkdir(self.path("other"))
        with open(self.path("other/file"), "w", encoding="utf-8"):
            pass
        self.assertEqual(self.run_bgref("publish", "cup.db", "other").returncode, 2)
        self.assertEqual(os.listdir(self.path("other")), ["file"])


if __name__ == "__main__":
    harness.main()
