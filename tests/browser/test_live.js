// Games in play in a browser: boards that move, a page that misses no turn over a line that is cut and a gallery that is killed.
import assert from "node:assert/strict";
import { readFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import { BIN, HERE, POISON, firstLine, folder, read, script, suite, until, visit, write } from "./support.js";

const BGREF = join(BIN, "bgref");
const MOVED_MS = 1000; // from a play to its board
const ALL = 1e6;

// Lets the bot gated play so many answers in all.
function allow(answers) {
  write("gated.new", String(answers));
  renameSync(join(folder, "gated.new"), join(folder, "gated.allowed"));
}

function gated() {
  allow(0);
  write("gated.asked", "0");
  return script("gated", `honest, asked = bgref_bot.best_index, 0
def best_index(ask):
    global asked
    open(${JSON.stringify(join(folder, "gated.asked"))}, "w").write(str(asked + 1))
    while int(open(${JSON.stringify(join(folder, "gated.allowed"))}).read()) <= asked:
        time.sleep(0.005)
    asked += 1
    return honest(ask)
`);
}

// Starts a program that has pages of games in play. Its end cuts their lines.
async function begin(v, ...words) {
  v.expected = /^Failed to load resource: /;
  v.program = v.start(BGREF, words, ["ignore", "ignore", "pipe"]);
  v.turnTo(/http:\S+/.exec(await firstLine(v.program.stderr))[0]);
}

const play = (v, ...words) => begin(v, "duel", "-engine", "name=gated", `cmd=${gated()}`, "-engine", "greedy", "--seed", "5", "--clock", "bank=5m",
  "--concurrency", "1", "--page", "tcp://127.0.0.1:0", "--quiet", "--title", POISON, ...words);

const games = async (origin) => (await (await fetch(`${origin}/api/v1/live.json`)).json()).games;
const pathOf = ({ event, game }) => `/e/${event}/g/${game.replaceAll("|", "/")}`;
const steps = (v) => v.evaluate(() => globalThis.live.steps.length);
const boardMoves = (v, before) => v.until((old) => document.querySelector("svg.board").outerHTML !== old, before);
const hasBoard = (v) => v.until(() => document.querySelector(".live-board svg.board") !== null);

// No step is missing or doubled.
async function checkSteps(v) {
  const rows = await v.evaluate(() => [...document.querySelectorAll("table[data-table=live] tbody tr")].map((row) => Number(row.cells[0].textContent)));
  assert.deepEqual(rows, rows.map((_, i) => i + 1));
  assert.deepEqual(await v.evaluate(() => globalThis.live.steps.map(({ n }) => n)), rows);
}

function killGallery({ pid }) {
  for (const child of readFileSync(`/proc/${pid}/task/${pid}/children`, "ascii").trim().split(" ")) {
    if (readFileSync(`/proc/${child}/cmdline`, "utf8").includes("--fed")) {
      process.kill(Number(child), "SIGKILL");
    }
  }
}

// While body runs, nothing comes through the relay; behind it the gallery is killed.
async function whileCut(v, origin, isKilled, body) {
  v.relay.kill("SIGUSR2"); // lets no new ones in
  v.relay.kill("SIGUSR1");
  await body();
  if (isKilled) {
    killGallery(v.program);
    await until(async () => await games(origin).catch(() => null));
  }
  v.relay.kill("SIGUSR2");
}

// Plays until another game has begun; returns it.
async function toNextGame(origin) {
  const [before] = await games(origin);
  return until(async () => {
    allow(Number(read("gated.asked")));
    return (await games(origin)).find(({ game }) => game !== before.game);
  });
}

suite("games in play", () => {}, () => {
  visit("boards move in the lobby and on the page of a game", async (v) => {
    await play(v, "--duplicate", "off", "--pairs", "1", "--results", "live.db");
    await v.open("/");
    await hasBoard(v);
    for (const answers of [1, 2]) {
      const before = await v.board(), begun = performance.now();
      allow(answers);
      await boardMoves(v, before);
      const moved = performance.now() - begun;
      assert.ok(moved < MOVED_MS, `a board moved ${moved} ms after its play`);
    }
    await v.check("/");
    const path = await v.evaluate(() => new URL(document.querySelector(".live-board").href).pathname);
    assert.deepEqual(await v.countWithoutScript("/", "table[data-table=live] tbody tr a"), [1]);
    assert.ok((await v.countWithoutScript(path, "table[data-table=live] tbody tr"))[0] > 3);
    await v.open(path);
    await v.until(() => globalThis.live.steps.length > 3 && document.querySelector("svg.board") !== null);
    assert.match(await v.evaluate(() => [...document.querySelectorAll(".side")].map((line) => line.textContent).join()), /gated.*4:5\d.*to play/);
    await v.check(path);
    const seen = await steps(v);
    await v.press("ArrowLeft");
    const back = await v.board();
    allow(4);
    await v.until((count) => globalThis.live.steps.length > count + 2, seen);
    assert.match(await v.page.locator(".replay").textContent(), /\d new turns?/);
    assert.equal(await v.board(), back);
    await v.press("End");
    assert.notEqual(await v.board(), back);
    await checkSteps(v);
    assert.deepEqual(await v.evaluate(() => [...document.querySelectorAll("table[data-table=live] tbody tr:last-child > *")]
      .map((cell) => getComputedStyle(cell).textAlign)), ["right", "left", "left"]);
    await v.page.emulateMedia({ media: "print" });
    assert.ok((await v.page.pdf({ printBackground: true })).length > 15000);
    assert.deepEqual(await v.evaluate(() => [...document.querySelectorAll("button")].filter((one) => one.offsetParent !== null).length), 0);
    await v.page.emulateMedia({ media: "screen" });
    allow(ALL);
    await v.until(() => document.querySelector(".replay a") !== null);
    assert.match(await v.caption(), /wins/);
    assert.equal(await v.page.locator(".lead").textContent(), "This game is over.");
  });

  visit("a host's lobby and a running event fit by day and night without a barrier", async (v) => {
    write("cup.yaml", `event: cup\ntitle: "${POISON}"\nduplicate: off\nstages: [swiss rounds=2 pairs=1]\nseed: 3\n` +
      `bots: [greedy, random, first, {name: gated, cmd: ${gated()}}]\n`);
    write("next.yaml", "event: next\nbots: [greedy, random]\n");
    write("other.yaml", `event: other\nduplicate: off\npairs: 1\nseed: 3\nbots: [greedy, {name: gated, cmd: ${join(folder, "gated")}}]\n`);
    write("host.yaml", "host: {folder: hosted}\npage: {listen: 'tcp://127.0.0.1:0'}\nevents:\n" +
      "  - {file: cup.yaml, start: always}\n  - {file: other.yaml, start: always}\n  - {file: next.yaml, start: 2099-01-18T12:00Z}\n");
    await begin(v, "host", "host.yaml", "--allow-root", "--quiet");
    const game = await until(async () => (await games(v.origin).catch(() => [])).find((one) => one.event === "cup" && one.game.includes("gated")));
    await until(async () => (await games(v.origin)).some(({ event }) => event === "other"));
    await v.open("/");
    await v.until(() => document.querySelectorAll(".live-board svg.board").length > 1);
    const rowsOf = () => v.evaluate(() => [...document.querySelectorAll("table[data-table=live] tbody a")].map(({ href }) => new URL(href).pathname));
    const all = await rowsOf();
    await v.open("/e/cup/live");
    await hasBoard(v);
    assert.deepEqual(await rowsOf(), all.filter((path) => path.startsWith("/e/cup/")));
    assert.ok((await v.evaluate(() => globalThis.live.places.map(({ item }) => item.href))).every((href) => href.includes("/e/cup/")));
    for (const path of ["/", "/e/cup/", "/e/cup/live", "/embed/e/cup/live", "/e/cup/rounds", pathOf(game), "/e/cup/standings", "/e/cup/games", "/e/cup/b/gated", `/overlay${pathOf(game)}`]) {
      await v.open(path);
      await v.check(path);
    }
    assert.equal(await v.page.locator("button:visible").count(), 0, "an overlay has no buttons");
  });

  visit("a lobby that was opened before the first game shows its board", async (v) => {
    await play(v, "--duplicate", "off", "--pairs", "1", "--results", "early.db");
    await v.page.route(`${v.origin}/`, async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, body: (await response.text()).replace(/<table[^>]* data-table="live"[^]*?<\/table>/, "") });
    });
    await v.open("/");
    await hasBoard(v);
    assert.equal(await v.page.locator("#live").count(), 0);
  });

  visit("the lobby shows pairs when both games have ended", async (v) => {
    await play(v, "--pairs", "2", "--results", "paired.db");
    await v.open("/");
    await v.until(() => document.body.textContent.includes("the pair is in play"));
    assert.equal(await v.page.locator("svg.board").count(), 0);
    allow(100);
    await hasBoard(v);
    await v.until(() => document.querySelector(".position figcaption").textContent.startsWith("Replay: "));
  });

  visit("boards are there for more than may follow", async (v) => {
    await play(v, "--duplicate", "off", "--pairs", "1", "--results", "full.db", "--broadcast-spectators", "0");
    await v.open("/");
    await hasBoard(v);
    await v.open(await v.evaluate(() => new URL(document.querySelector(".live-board").href).pathname));
    await v.until(() => document.querySelector("svg.board") !== null);
  });

  visit("the page of an event has each result without being loaded again", async (v) => {
    await play(v, "--duplicate", "off", "--games", "3", "--results", "renewed.db");
    const [{ event }] = await until(async () => (await games(v.origin)).length > 0 && games(v.origin));
    await v.page.addInitScript(() => { Math.random = () => 0; }); // asks at once when it is told, and once only
    await v.open(`/e/${event}/`);
    const before = await v.evaluate(() => {
      globalThis.isSame = true;
      return document.querySelector("main").textContent;
    });
    await toNextGame(v.origin);
    await v.until((old) => document.querySelector("main").textContent !== old, before);
    assert.ok(await v.evaluate(() => globalThis.isSame));
  });

  visit("a cut line and a killed gallery cost no turn and double none", async (v) => {
    await play(v, "--duplicate", "off", "--games", "3", "--results", "cut.db");
    const { origin } = v;
    v.relay = v.start("/usr/bin/python3", [join(HERE, "..", "process", "relay.py"), "127.0.0.1", new URL(origin).port, "127.0.0.1"]);
    v.turnTo(`http://127.0.0.1:${await firstLine(v.relay.stdout)}`);
    const game = await until(async () => (await games(origin))[0]);
    await v.open(pathOf(game));
    for (const [answers, isKilled] of [[3, false], [6, true]]) {
      let seen;
      allow(answers);
      await v.until((count) => globalThis.live.steps.length > count, answers);
      await whileCut(v, origin, isKilled, async () => {
        seen = await steps(v);
        allow(answers + 2);
        await until(async () => (await games(origin))[0].last.n > seen + 2);
        assert.equal(await steps(v), seen);
      });
      await v.until((count) => globalThis.live.steps.length > count + 2, seen);
      await checkSteps(v);
    }
    await whileCut(v, origin, true, () => toNextGame(origin)); // another gallery knows nothing of a game that has ended
    await v.until(() => document.querySelector(".replay a")?.textContent.includes("has ended"));
    await v.open("/");
    await hasBoard(v);
    let next;
    await whileCut(v, origin, true, async () => { next = pathOf(await toNextGame(origin)); });
    await v.until((path) => document.querySelector(".live-board").href.endsWith(path), next);
  });
});
