// The page that games of a long event share in a folder (site_pack.c): takes the game that the address names, as
// game.html?A/B/PAIR/LEG/GAME, from the file of its pairs, fills board and steps, and starts the replay.
import { Replay, make } from "./replay.js";

const PAIRS = 32; // of a file
const find = (selector) => document.querySelector(selector);

// The parts of a position in the order of pos_changes (results/record/pos.c); a part that stays is empty, or left out at the end.
const ORDER = [0, 8, 9, 4, 1, 2, 3, 5, 6, 7];
const VERBS = { "=": "", "+": "", p: " plays ", r: " rolls " };

const merge = (before, parts) => before.map((part, i) => parts[i] || part);

// The position after a step, of the one before and what changes; of the board only the quarters that do.
function nextPos(before, changes) {
  const old = before.split("|"), parts = [];
  changes.split("|").forEach((part, i) => { parts[ORDER[i]] = part; });
  if (old.length > 1) {
    parts[0] = parts[0] && merge(old[0].split("/"), parts[0].split("/")).join("/");
  }
  parts[8] = parts[8] === "." ? old[8].replace(/\d/g, "$&.") : parts[8];
  return merge(old.length > 1 ? old : parts, parts).join("|");
}

// The steps of a game, as the rows of its own page would have them.
function readSteps({ names, steps }) {
  let pos = "", turn = 0;

  return steps.map((text, i) => {
    const [, seat, next, isNew, form, changes, times, words] = /^(.)(.)(.)(.)(\S*) (\S*) (.*)$/.exec(text);
    const [ms, ...left] = times.split(","), bot = names[seat] ?? "";
    pos = nextPos(pos, changes);
    turn += isNew === "+" ? 1 : 0;
    return { cells: { step: i + 1, turn, bot, did: (form === "=" ? "" : bot) + VERBS[form] + words, seconds: ms && (ms / 1000).toFixed(3) },
      data: { pos, ...(next === "-" ? {} : { next_seat: next }), ...Object.fromEntries(left.map((one, side) => [`left_s_seat${side}`, one])) } };
  });
}

function fillTable(table, rows) {
  const heads = [...table.tHead.querySelectorAll("th")];

  table.tBodies[0].replaceChildren(...rows.map(({ cells, data }) => {
    const row = make("tr", {}, ...heads.map((head, i) => {
      const { key } = head.dataset, words = make("bdi", {}, cells[key]);
      return make(i === 0 ? "th" : "td", { className: head.className },
        key === "bot" && cells.bot !== "" ? make("a", { href: `b/${encodeURIComponent(cells.bot)}.html` }, words) : words);
    }));
    row.cells[0].scope = "row";
    Object.entries(data).forEach(([name, value]) => row.setAttribute(`data-${name}`, value));
    return row;
  }));
}

function fillPage(game) {
  const figure = find("#board figure");

  document.title = game.title;
  find("h1").textContent = game.title;
  find(".lead").replaceWith(make("dl", { className: "top" }, ...game.facts.map(([, title, value]) => make("div", {},
    make("dt", {}, title), make("dd", {}, value)))));
  figure.querySelector("figcaption").textContent = game.end;
  for (const side of figure.querySelectorAll(".side")) {
    side.querySelector("bdi").textContent = game.names[side.dataset.seat];
    side.querySelector(".score").textContent = game.scores[side.dataset.seat];
  }
  fillTable(find("table[data-table=shared]"), readSteps(game));
  globalThis.replay = new Replay(find("table[data-table=shared]"), figure);
}

// Where a link is shared, the slashes may be written as %2F, and "=" or "&fbclid=..." behind it.
async function load() {
  const id = decodeURIComponent(location.search.slice(1).split(/[&=]/)[0]).split("/"), event = location.pathname.split("/").at(-2);
  const name = id.join("|"), file = `${id[0]}/${id[1]}/${id[2] - id[2] % PAIRS}.json`;
  const answer = await fetch(`../../api/v1/e/${event}/g/${file}`);
  const found = answer.ok && (await answer.json()).games.find(({ game }) => game === name);
  const own = `g/${id[0]}/${id[1]}/${id.slice(2).join("-")}.html`;
  if (found) {
    fillPage(found);
  } else if ((await fetch(own, { method: "HEAD" })).ok) { // the folder was written again, with a page for it
    location.replace(own + location.hash);
  } else {
    throw new Error(name);
  }
}

load().catch(() => {
  find(".lead").textContent = "There is no such game, or its file cannot be read. The list of games leads to each of them.";
});
