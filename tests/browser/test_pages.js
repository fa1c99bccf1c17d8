// The pages of results in a browser: the board by script is the one of C, keys and addresses, every kind of page by day and night.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { BIN, POISON, bgref, folder, read, script, serve, serveFolder, suite, visit, write } from "./support.js";

let results; // the origin of a duel's pages

async function prepare() {
  bgref("duel", "greedy", "random", "--pairs", "8", "--seed", "3", "--results", "r.db", "--quiet");
  bgref("judge", "r.db", "--judge", "td", "--errors");
  bgref("keygen", "--join", "host");
  write("host.bgref", `host: spring\nendpoint: tcp://127.0.0.1:5555\nkey: ${read("host.pub").split(/\s+/)[3]}\n`);
  results = await serve(null, "r.db", "--join", "host.bgref", "--registrations", "waiting.yaml");
}

// A test of the duel's pages, unless it turns to others.
const see = (name, body, options) => visit(name, async (v) => {
  v.turnTo(results);
  await body(v);
}, options);

const pathOf = (v, selector) => v.evaluate((what) => new URL(document.querySelector(what).href).pathname, selector);

async function eventOf(v) {
  await v.open("/");
  return pathOf(v, 'a[href^="./e/"]');
}

const games = new Map(); // of an origin: one game's path

async function gameOf(v) {
  if (!games.has(v.origin)) {
    await v.open(`${await eventOf(v)}games`);
    games.set(v.origin, await pathOf(v, 'td a[href*="/g/"], th a[href*="/g/"]'));
  }
  return games.get(v.origin);
}

const button = (v, label) => v.page.locator("#board").getByRole("button", { name: label, exact: true }).click();

async function areText(v, ...pages) {
  for (const page of pages) {
    await v.open(page);
    await v.checkText(page);
  }
}

suite("pages of results", prepare, () => {
  see("the script draws as the program does", async (v) => {
    const drawings = execFileSync(join(BIN, "board_drawings"), { encoding: "utf8", maxBuffer: 1 << 26 }).split(/(?<=<\/svg>\n)/);
    await v.open(await gameOf(v));
    const differ = await v.evaluate(async (all) => {
      const { drawPos } = await import(document.querySelector("script").src.replace("replay", "board"));
      const box = document.createElement("template");
      return all.filter((text) => {
        box.innerHTML = text;
        const svg = box.content.firstElementChild, { pos, below } = svg.dataset;
        return drawPos(pos, Number(below), svg.getAttribute("aria-label")) !== text;
      });
    }, drawings);
    assert.ok(drawings.length > 26 * 10);
    assert.ok(drawings.some((drawing) => drawing.includes("!")), "no cube is offered");
    assert.deepEqual(differ, []);
  });

  see("keys and addresses lead to a step", async (v) => {
    const path = await gameOf(v);
    await v.open(path);
    assert.ok(await v.evaluate(() => document.querySelector("svg.board").getBoundingClientRect().top) < 300, "the board is what one sees first");
    const last = await v.caption();
    const steps = await v.page.locator("table[data-table=turns] tbody tr").count();
    assert.match(last, new RegExp(`^${steps}/${steps}: .*wins \\d+ point`));
    await v.press("Home");
    assert.match(await v.caption(), /^1\/\d+: opening/);
    await v.press("ArrowRight");
    await v.press("ArrowRight");
    assert.match(await v.caption(), /^3\/\d+: /);
    await v.press("ArrowLeft");
    assert.match(await v.caption(), /^2\/\d+: \w+ plays /);
    assert.equal(await v.evaluate(() => location.hash), "#t=2");
    const before = await v.board();
    await v.press("f");
    assert.notEqual(await v.board(), before);
    assert.equal(await v.evaluate(() => [...document.querySelectorAll("#board .side")].map((side) => side.dataset.seat).join()), "0,1");
    await v.press("f");
    assert.equal(await v.board(), before);
    await v.press("End");
    assert.equal(await v.caption(), last);
    await v.press("?");
    assert.ok(await v.evaluate(() => document.querySelector("dialog").open));
    await v.press("Escape");
    await v.open(`${path}#t=12`);
    assert.match(await v.caption(), /^12\//);
    await v.evaluate(() => document.querySelector('table[data-table=list] tr[data-step="6"] th').click());
    assert.match(await v.caption(), /^6\//);
    assert.equal(await v.page.locator("tr[data-now]").count(), 2, "the step, and its turn");
  });

  see("jumps, graph and swipes lead to a step", async (v) => {
    const path = await gameOf(v);
    await v.open(`${path}#t=1`, 390);
    const blunders = await v.evaluate(() => [...document.querySelectorAll("table[data-table=list] tr[data-mark=blunder]")].map((row) => Number(row.dataset.step)));
    assert.ok(blunders.length > 2);
    for (const step of blunders.slice(0, 2)) {
      await button(v, "the next blunder");
      assert.match(await v.caption(), new RegExp(`^${step}/\\d+: .*blunder \u2212\\d+.*; best: `));
    }
    await button(v, "the blunder before");
    assert.equal(await v.evaluate(() => location.hash), `#t=${blunders[0]}`);
    await v.evaluate(() => new Promise((done) => { addEventListener("hashchange", done); document.querySelectorAll("#blunders dd a")[1].click(); }).then(() => 1));
    assert.match(await v.caption(), /^\d+\/\d+: .*blunder/);
    assert.ok(Math.abs(await v.evaluate(() => document.querySelector("#board figure").getBoundingClientRect().top)) < 200);
    await v.evaluate(() => {
      const area = document.querySelector(".area"), box = area.getBoundingClientRect();
      area.dispatchEvent(new MouseEvent("click", { clientX: box.right, clientY: box.top + 5 }));
    });
    assert.match(await v.caption(), /^(\d+)\/\1: /);
    await v.open(`${path}#t=5`, 390);
    const finger = await v.page.context().newCDPSession(v.page); // playwright's touchscreen only taps
    const y = await v.evaluate(() => document.querySelector("svg.board").getBoundingClientRect().top + 60);
    for (const [from, to, step] of [[300, 100, 6], [100, 300, 5], [200, 190, 5]]) {
      for (const [type, touchPoints] of [["touchStart", [{ x: from, y }]], ["touchMove", [{ x: to, y }]], ["touchEnd", []]]) {
        await finger.send("Input.dispatchTouchEvent", { type, touchPoints });
      }
      assert.equal(await v.evaluate(() => location.hash), `#t=${step}`);
    }
  }, { hasTouch: true });

  see("what is copied is the position that is seen", async (v) => {
    const copied = async (what) => { // the words come when the clipboard has taken it
      await v.until((words) => document.querySelector(".copied").textContent.startsWith(words), `${what}: `);
      return v.page.locator(".copied").textContent();
    };
    await v.open(`${await gameOf(v)}#t=2`);
    await button(v, "copy XGID");
    const row = await v.page.locator("table[data-table=turns] tbody tr:nth-child(3)").innerText();
    assert.ok(row.includes((await copied("XGID")).split(": ")[1]), row);
    await button(v, "copy Position ID");
    assert.match(await copied("Position ID"), /^Position ID: [A-Za-z0-9+/]{14}$/);
  });

  see("play goes on by itself and stops at the end", async (v) => {
    await v.open(await gameOf(v));
    await v.evaluate(() => { const { setInterval } = globalThis; globalThis.setInterval = (call) => setInterval(call, 1); });
    await v.press(" ");
    await v.until(() => globalThis.replay.timer === 0);
    assert.match(await v.caption(), /^(\d+)\/\1: /);
  });

  see("every button is large enough for a finger", async (v) => {
    await v.open(await gameOf(v), 390);
    assert.deepEqual(await v.evaluate(() => [...document.querySelectorAll("#board button, #board .button")].filter((one) => one.offsetParent !== null &&
      (one.offsetWidth < 36 || one.offsetHeight < 36)).map((one) => one.textContent)), []);
  });

  see("paper has boards and no buttons", async (v) => {
    await v.open(await gameOf(v));
    await v.page.emulateMedia({ media: "print" });
    assert.ok(await v.evaluate(() => [...document.querySelectorAll("svg.board")].filter((svg) => svg.getBoundingClientRect().width > 100).length) > 3);
    assert.equal(await v.evaluate(() => [...document.querySelectorAll("button")].filter((one) => one.offsetParent !== null).length), 0);
    assert.ok((await v.page.pdf({ printBackground: true })).length > 15000);
  });

  see("without script the page has its tables", async (v) => {
    const [rows, boards, plots, sides, codes, controls] = await v.countWithoutScript(await gameOf(v), "table[data-table=list] tr[data-mark]", "svg.board",
      "svg.plot", "#board .side", "table[data-table=turns] code", ".controls");
    assert.ok(rows >= 3 && boards >= 2 && plots >= 1 && sides >= 2 && codes >= 9, String([rows, boards, plots, sides, codes]));
    assert.equal(controls, 0);
  });

  see("every variant replays on the board", async (v) => {
    for (const [variant, checkers] of [["hypergammon", 6], ["plakoto", 30], ["fevga", 30]]) {
      bgref("duel", "random", "random", "--variant", variant, "--pairs", "1", "--seed", "1", "--results", `${variant}.db`, "--quiet");
      v.turnTo(await serve(v, `${variant}.db`));
      await v.open(`${await gameOf(v)}#t=1`);
      assert.equal(await v.evaluate(() => document.querySelectorAll("svg.board .c0, svg.board .c1").length +
        [...document.querySelectorAll("svg.board .n0, svg.board .n1")].reduce((sum, number) => sum + Number(number.textContent) - 5, 0)), checkers, variant);
    }
  });

  see("games of a long event share a page of a folder", async (v) => {
    for (const [variant, ...words] of [["backgammon", "--length", "3", "--clock", "bank=60s,inc=100ms"], ["plakoto"], ["tapa"], ["acey-deucey"]]) {
      const name = `shared-${variant}`, rows = "table[data-table=shared] tbody tr";
      bgref("duel", "greedy", "random", "--variant", variant, "--pairs", "40", "--seed", "1", "--results", `${name}.db`, "--quiet", ...words);
      bgref("publish", `${name}.db`, name, "--games", "4");
      const origin = await serve(v, `${name}.db`);
      v.turnTo(await serveFolder(v, join(folder, name)));
      for (const game of ["2/0/0", "31/1/0", "39/1/0"]) {
        const path = `greedy/random/${game}`, { title, tables } = await (await fetch(`${origin}api/v1/e/greedy-vs-random/g/${path}.json`)).json();
        await v.open(`/e/greedy-vs-random/game.html?${path}`);
        await v.until((what) => document.querySelectorAll(what).length > 1, rows);
        assert.deepEqual(await v.evaluate((what) => [...document.querySelectorAll(what)].map((row) => ({ ...row.dataset, now: undefined,
          words: [...row.cells].map((cell) => cell.textContent) })), rows), tables.turns.rows.map((row) => ({ now: undefined, pos: row.pos,
          ...Object.fromEntries(["next_seat", "left_s_seat0", "left_s_seat1"].filter((key) => row[key] !== null)
            .map((key) => [key, key === "next_seat" ? String(row[key]) : row[key].toFixed(1)])),
          words: [row.step, row.turn, row.bot ?? "", row.did, row.seconds?.toFixed(3) ?? ""].map(String) })), path);
        assert.equal(await v.page.title(), title);
        assert.match(await v.caption(), new RegExp(`^(\\d+)/\\1: .* – ${tables.end.rows[0].title.replace(/[()]/g, "\\$&")}$`));
        await v.press("Home");
        await v.press("ArrowRight");
        assert.match(await v.caption(), /^2\/\d+: \w+ (plays|rolls) /);
        assert.equal(await v.evaluate(() => location.hash), "#t=2");
      }
      if (variant === "backgammon") {
        assert.ok(await v.evaluate(() => document.querySelector("#steps h2").getBoundingClientRect().top) < 300, "steps stand beside the board");
        await v.check("game");
      }
      await v.open("/e/greedy-vs-random/games.html");
      const links = await v.evaluate(() => [...document.querySelectorAll("th a")].map(({ href }) => href.slice(href.indexOf("e/greedy"))));
      assert.ok(links.some((link) => link.includes("/g/greedy/random/0-0-0.html")) && links.some((link) => link.includes("/game.html?greedy/random/3/")));
    }
    for (const query of ["?greedy%2Frandom%2F2%2F0%2F0", "?greedy/random/2/0/0&fbclid=a/b", "?greedy/random/2/0/0="]) { // as other sites write links
      await v.open(`/e/greedy-vs-random/game.html${query}`);
      await v.until(() => document.querySelectorAll("table[data-table=shared] tbody tr").length > 1);
    }
    await v.open("/e/greedy-vs-random/game.html?greedy/random/0/0/0#t=5"); // has a page of its own
    await v.until(() => location.href.endsWith("/g/greedy/random/0-0-0.html#t=5") && document.querySelector(".controls") !== null);
    v.expected = /404|icon[.]svg' from origin 'null'|ERR_FAILED/; // Chromium may ask for the icon after the page has gone on
    for (const query of ["", "?greedy", "?greedy/random/99/0/0", "?greedy/random/9999/0/0", "?%"]) {
      await v.open(`/e/greedy-vs-random/game.html${query}`);
      await v.until(() => document.querySelector(".lead")?.textContent.startsWith("There is no such game"));
    }
    assert.deepEqual(await v.countWithoutScript("/e/greedy-vs-random/game.html", "svg.board", ".lead"), [1, 1]);
  });

  see("every page fits by day and night without a barrier", async (v) => {
    const event = await eventOf(v), game = await gameOf(v);
    for (const path of ["/", "/archive", "/about", "/join", game, ...["", "standings", "games", "b/greedy", "m/greedy-vs-random"].map((name) => event + name),
      `/embed${event}standings`, `/overlay${game}`]) {
      await v.open(path);
      await v.check(path);
      assert.ok(await v.evaluate(() => document.querySelector("main") !== null), path);
    }
  });

  see("a barrier is found", async (v) => {
    await v.open("/");
    await v.evaluate(() => document.body.insertAdjacentHTML("beforeend", '<a href="/"></a>'));
    await assert.rejects(v.check("/"), /link-name/);
  });

  see("a name with markup is text", async (v) => {
    bgref("export", "r.db", "--format", "mat", "--out", "games.mat");
    write("games.mat", read("games.mat").replaceAll("greedy", POISON));
    bgref("import", "games.mat", "--results", "poisoned.db");
    v.turnTo(await serve(v, "poisoned.db"));
    const event = await eventOf(v);
    const bots = new Set((await (await fetch(`${v.origin}${event}standings`)).text()).match(/b\/[\w.+-]+/g));
    await areText(v, "/", "/archive", event, `${event}games`, await gameOf(v), ...[...bots].map((bot) => event + bot));
    await v.open(event);
    assert.ok((await v.evaluate(() => document.body.textContent)).includes("<img"));
  });

  see("an event with markup, its people and a bot's last words are text", async (v) => {
    script("dying", `def best_index(ask):\n    sys.exit(${JSON.stringify(POISON)})\n`);
    write("event.yaml", "event: e\npairs: 1\nseed: 1\nbots: [random, {name: dying, cmd: ./dying}]\n" +
      ["title", "place", "organiser", "director"].map((key) => `${key}: "${POISON}"\n`).join(""));
    bgref("tournament", "event.yaml", "--results", "event.db", "--quiet");
    v.turnTo(await serve(v, "event.db"));
    await areText(v, "/", "/archive", "/e/e/", "/e/e/standings", "/e/e/games", "/e/e/b/dying", "/e/e/m/dying-vs-random", await gameOf(v));
    await v.open("/e/e/");
    assert.ok((await v.evaluate(() => document.body.textContent)).split("<img").length > 4);
  });
});
