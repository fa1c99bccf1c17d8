// The board of a game's page: draws a position from its XGID, and walks through the steps.
// The drawing is that of results/document/board_svg.c, byte for byte (tests/process/test_watch.py compares
// them), so that a page looks the same with and without script.

const POINT = 20, LEFT = 26, BAR = LEFT + 6 * POINT, HALF = BAR + POINT, RIGHT = HALF + 6 * POINT;
const TRAY = RIGHT + 4, TRAY_WIDTH = 30, WIDTH = TRAY + TRAY_WIDTH + 2;
const TOP = 13, BOTTOM = TOP + 184, MIDDLE = (TOP + BOTTOM) / 2, HEIGHT = BOTTOM + 13;
const STACK = 5, RADIUS = 9, SPIKE = 78;
const EYES = ["", "5", "37", "357", "1379", "13579", "134679"];

// Returns what an XGID says: checkers by seat and slot (1 to 24 seen by the seat, 25 its bar), cube, dice.
// Capital letters are seat 1, which an XGID sees at the bottom.
export function readXgid(text) {
  const [points, cube, owner, turn, dice] = text.replace(/^XGID=/, "").split(":");
  const at = [new Array(26).fill(0), new Array(26).fill(0)];

  for (let i = 0; i < 26; i++) {
    const letter = points[i];
    if (letter === "-") {
      continue;
    }
    const seat = letter < "a" ? 1 : 0;
    at[seat][seat === 1 ? i : 25 - i] = letter.toLowerCase().charCodeAt(0) - 96;
  }
  return {
    at, cube: Number(cube), owner: [0, -1, 1][Number(owner) + 1], move: turn === "1" ? 1 : 0,
    dice: /^[1-6]{2}$/.test(dice) ? [Number(dice[0]), Number(dice[1])].sort((a, b) => b - a) : [],
  };
}

export function escapeText(text) {
  const names = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
  return text.replace(/[&<>"]/g, (letter) => names[letter]);
}

const pointX = (point) => {
  const column = point <= 12 ? 12 - point : point - 13;
  return LEFT + column * POINT + (column >= 6 ? POINT : 0);
};
const isLow = (point) => point <= 12;
const words = (name, x, y, number) =>
  `<text class="${name}" x="${x.toFixed(1)}" y="${y.toFixed(1)}">${number}</text>\n`;

function spikes() {
  let out = `<rect class="felt" x="${LEFT}" y="${TOP}" width="${RIGHT - LEFT}" height="${BOTTOM - TOP}"/>\n` +
    `<rect class="wood" x="${BAR}" y="${TOP}" width="${POINT}" height="${BOTTOM - TOP}"/>\n` +
    `<rect class="wood" x="${TRAY}" y="${TOP}" width="${TRAY_WIDTH}" height="${BOTTOM - TOP}"/>\n`;

  for (let point = 1; point <= 24; point++) {
    const x = pointX(point), low = isLow(point);
    out += `<path class="p${point % 2}" d="M${x} ${low ? BOTTOM : TOP}l${POINT / 2} ${low ? -SPIKE : SPIKE}l` +
      `${POINT / 2} ${low ? SPIKE : -SPIKE}z"/>\n` +
      words("num", x + POINT / 2, low ? HEIGHT - 3 : TOP - 4, point);
  }
  return out;
}

function stack(side, x, base, way, count) {
  let out = "";

  for (let i = 0; i < count && i < STACK; i++) {
    out += `<circle class="c${side}" cx="${x.toFixed(1)}" cy="${(base + way * (RADIUS + 0.5 + 2 * RADIUS * i)).toFixed(1)}" ` +
      `r="${RADIUS}"/>\n`;
  }
  if (count > STACK) {
    out += words(side === 0 ? "n0" : "n1", x, base + way * (RADIUS + 0.5 + 2 * RADIUS * (STACK - 1)) + 4, count);
  }
  return out;
}

function checkers(position, below) {
  let out = "";

  for (let side = 0; side < 2; side++) {
    const at = position.at[side === 0 ? below : 1 - below];

    for (let slot = 1; slot <= 24; slot++) {
      const point = side === 0 ? slot : 25 - slot;
      if (at[slot] > 0) {
        out += stack(side, pointX(point) + POINT / 2, isLow(point) ? BOTTOM : TOP, isLow(point) ? -1 : 1, at[slot]);
      }
    }
    if (at[25] > 0) {
      out += stack(side, BAR + POINT / 2, MIDDLE + (side === 0 ? 6 : -6), side === 0 ? 1 : -1, at[25]);
    }
  }
  return out;
}

function tray(position, below, ofSide) {
  let out = "";

  for (let side = 0; side < 2; side++) {
    const at = position.at[side === 0 ? below : 1 - below];
    const off = ofSide - at.reduce((sum, count) => sum + count, 0);
    const pips = at.reduce((sum, count, slot) => sum + count * slot, 0);

    for (let i = 0; i < off; i++) {
      out += `<rect class="c${side}" x="${TRAY + 3}" y="${side === 0 ? BOTTOM - 5 * (i + 1) : TOP + 5 * i}" ` +
        `width="${TRAY_WIDTH - 6}" height="4"/>\n`;
    }
    out += words("num", TRAY + TRAY_WIDTH / 2, side === 0 ? HEIGHT - 3 : TOP - 4, pips);
  }
  return out;
}

function cube(position, below) {
  const y = position.owner < 0 ? MIDDLE - 10 : position.owner === below ? BOTTOM - 20 : TOP;
  return `<rect class="cube" x="2" y="${y}" width="20" height="20" rx="3"/>\n` +
    words("n1", 12, y + 14, 2 ** position.cube);
}

function dice(position, below) {
  const middle = position.move === below ? HALF + 3 * POINT : LEFT + 3 * POINT;
  let out = "";

  position.dice.forEach((number, i) => {
    const x = middle - 21 + 24 * i, y = MIDDLE - 9;
    out += `<rect class="die" x="${x}" y="${y}" width="18" height="18" rx="3"/>\n`;
    for (const eye of EYES[number]) {
      out += `<circle class="eye" cx="${x + 4 + 5 * ((eye - 1) % 3)}" cy="${y + 4 + 5 * Math.floor((eye - 1) / 3)}" r="1.8"/>\n`;
    }
  });
  return out;
}

// Returns the drawing of a position; below: the seat at the bottom; ofSide: how many checkers a side has in this game.
export function drawXgid(xgid, below, label, ofSide = 15) {
  const position = readXgid(xgid);
  return `<svg class="board" role="img" viewBox="0 0 ${WIDTH} ${HEIGHT}" xmlns="http://www.w3.org/2000/svg" ` +
    `aria-label="${escapeText(label)}">\n${spikes()}${tray(position, below, ofSide)}${checkers(position, below)}` +
    `${cube(position, below)}${dice(position, below)}</svg>\n`;
}

// ---------------------------------------------------------------- the page of a game

const KEYS = { Home: "first", ArrowLeft: "back", ArrowRight: "on", End: "last", " ": "play", f: "flip" };
const BUTTONS = [["first", "|◀", "first step (Home)"], ["back", "◀◀", "one step back (←)"], ["play", "▶", "play, stop (space)"],
  ["on", "▶▶", "one step on (→)"], ["last", "▶|", "last step (End)"], ["flip", "⇅", "turn the board (f)"]];
const PLAY_MS = 900;

// Walks through the rows of the table of steps that have a position, beside its figure.
class Replay {
  constructor(table, figure) {
    this.figure = figure;
    this.caption = figure.querySelector("figcaption");
    this.end = { board: figure.querySelector("svg").outerHTML, words: this.caption.textContent };
    const place = (key) => table.querySelector(`th[data-key=${key}]`)?.cellIndex ?? -1;
    const words = place("did"), xgid = place("xgid"); // a column without content is not there
    this.rows = [...table.tBodies[0].rows].map((row) => ({ row, words: row.cells[words]?.textContent ?? "",
      xgid: row.cells[xgid]?.textContent ?? "" }));
    this.below = 0;
    this.ofSide = document.querySelector("[data-key=rules] dd")?.textContent === "hypergammon" ? 3 : 15;
    this.timer = 0;
    this.addButtons();
    this.rows.forEach(({ row }, i) => row.addEventListener("click", () => this.show(i)));
    addEventListener("keydown", (event) => this.key(event));
    addEventListener("hashchange", () => this.fromAddress());
    this.at = this.rows.length;
    this.fromAddress();
  }

  addButtons() {
    const bar = document.createElement("p");
    bar.className = "replay";
    for (const [what, sign, title] of BUTTONS) {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = sign;
      button.title = title;
      button.setAttribute("aria-label", title);
      button.addEventListener("click", () => this.act(what));
      bar.append(button);
    }
    this.figure.append(bar);
  }

  // "#t=12": step 12. Without one the last position is shown, as the page has it.
  fromAddress() {
    const step = /^#t=(\d+)$/.exec(location.hash);
    if (step !== null) {
      this.show(Number(step[1]) - 1);
    }
  }

  show(at) {
    this.at = Math.max(0, Math.min(at, this.rows.length));
    const now = this.rows[this.at];
    this.rows.forEach(({ row }, i) => row.toggleAttribute("data-now", i === this.at));
    this.caption.textContent = now === undefined ? this.end.words : `step ${this.at + 1}: ${now.words}`;
    if (now === undefined) {
      this.figure.querySelector("svg").outerHTML = this.end.board;
    } else if (now.xgid.startsWith("XGID=")) {
      this.figure.querySelector("svg").outerHTML = drawXgid(now.xgid, this.below, this.caption.textContent, this.ofSide);
    }
    history.replaceState(null, "", now === undefined ? location.pathname : `#t=${this.at + 1}`);
  }

  stop() {
    clearInterval(this.timer);
    this.timer = 0;
  }

  act(what) {
    const to = { first: 0, back: this.at - 1, on: this.at + 1, last: this.rows.length }[what];

    if (what === "flip") {
      this.below = 1 - this.below;
      this.show(this.at);
    } else if (what !== "play") {
      this.stop();
      this.show(to);
    } else if (this.timer !== 0) {
      this.stop();
    } else {
      this.show(this.at >= this.rows.length ? 0 : this.at);
      this.timer = setInterval(() => {
        this.show(this.at + 1);
        if (this.at >= this.rows.length) {
          this.stop();
        }
      }, PLAY_MS);
    }
  }

  key(event) {
    const what = KEYS[event.key];
    const isTyping = ["INPUT", "TEXTAREA", "SELECT"].includes(event.target.tagName);

    if (what === undefined || isTyping || event.ctrlKey || event.altKey || event.metaKey ||
      (event.key === " " && event.target.tagName === "BUTTON")) {
      return;
    }
    event.preventDefault();
    this.act(what);
  }
}

if (typeof document !== "undefined") {
  const table = document.querySelector("table[data-table=turns]");
  const figure = document.querySelector("figure.position:has(svg)");
  if (table !== null && figure !== null) {
    globalThis.replay = new Replay(table, figure);
  }
}
