// Games in play: the page of one of them, the boards of the lobby or of one event, and the other pages of an event that is
// played. They follow streams (docs/report.md); every step has its number, so one that comes twice is shown once.
import { drawPos, pipsOf, readPos } from "./board.js";

const PLACE = /^(.*?\/)(?:(?:embed|overlay)\/)?e\/([^/]+)\/(?:g\/(.+)|\w*)$/.exec(location.pathname);
const ROOT = PLACE !== null ? PLACE[1] : location.pathname;
const EVENT = PLACE?.[3] === undefined && location.pathname.endsWith("/live") ? PLACE?.[2] ?? null : null; // whose boards alone
const ENDED = "The game has ended: its page has every turn.";
const VOID = "The game does not go on, and does not count.";
const BOARDS = 6, PACE_MS = 800, TICK_MS = 200, AGAIN_MS = 15000;

// A stream that is closed while nobody looks at the page. poll: takes all games in play while it is refused, since
// too many follow already, or the server is starting anew.
function follow(query, listeners, poll) {
  let source = null, isDone = false;
  const open = () => {
    if (isDone) {
      return;
    }
    source = new EventSource(`${ROOT}api/v1/stream${query}`);
    for (const [kind, take] of Object.entries(listeners)) {
      source.addEventListener(kind, (event) => take(JSON.parse(event.data)));
    }
    source.onerror = () => {
      if (source !== null && source.readyState === EventSource.CLOSED) {
        source = null;
        fetch(`${ROOT}api/v1/live.json`).then((answer) => answer.json()).then(poll).catch(() => {});
        setTimeout(() => { if (source === null && !document.hidden) open(); }, AGAIN_MS);
      }
    };
  };
  const close = () => {
    source?.close();
    source = null;
  };
  document.addEventListener("visibilitychange", () => document.hidden ? close() : source ?? open());
  open();
  return () => {
    isDone = true;
    close();
  };
}

const seconds = (left) => {
  const all = Math.max(0, left);
  return all < 60 ? `${all.toFixed(1)} s` : `${Math.floor(all / 60)}:${String(Math.floor(all % 60)).padStart(2, "0")}`;
};

const SIDE = '<p class="side"><span class="disc"></span><bdi></bdi> <span class="score"></span> <span class="count"></span> ' +
  '<span class="clock"></span> <span class="next"></span></p>';

// One board with its players, from the lines of its game.
class LiveBoard {
  constructor(place) {
    this.element = document.createElement("figure");
    this.element.className = "position live";
    this.element.innerHTML = `${SIDE}<div></div>${SIDE}<figcaption></figcaption>`;
    [this.above, this.below] = this.element.querySelectorAll(".side");
    this.above.dataset.seat = 1;
    this.below.dataset.seat = 0;
    this.drawing = this.element.querySelector("div");
    this.caption = this.element.querySelector("figcaption");
    this.away = [false, false];
    place.append(this.element);
  }

  // step: a line of the stream, or what the game began with; its clocks run from now on.
  show(begin, step, isRunning) {
    const [below, above] = begin.names;
    this.begin = begin;
    this.step = step;
    this.at = performance.now();
    this.isRunning = isRunning;
    this.drawing.innerHTML = step.pos ? drawPos(step.pos, 0, `${below} against ${above}`) : "";
    this.pips = step.pos ? [0, 1].map((seat) => `${pipsOf(readPos(step.pos), seat)} pips`) : ["", ""];
    this.caption.textContent = step.result ? this.result(begin, step.result) : step.did ?? "";
    this.tick();
  }

  result(begin, result) {
    return result.winner === null ? `drawn (${result.end})`
      : `${begin.names[result.winner]} wins ${result.points} (${result.how})`;
  }

  tick() {
    if (this.begin === undefined) {
      return;
    }
    for (const [seat, line] of [[0, this.below], [1, this.above]]) {
      const { names, length } = this.begin, score = this.step.score ?? [0, 0];
      const isOn = this.isRunning && this.step.to_play === seat;
      const spent = isOn ? (performance.now() - this.at) / 1000 : 0;
      const words = { "bdi": names[seat], ".score": length > 0 ? `${score[seat]} of ${length}` : `${score[seat]} points`, ".count": this.pips[seat],
        ".clock": this.step.left_s ? seconds(this.step.left_s[seat] - spent) : "",
        ".next": this.away[seat] ? "away, waited for" : isOn ? "to play" : "" };

      for (const [part, text] of Object.entries(words)) {
        line.querySelector(part).textContent = text;
      }
    }
  }
}

// ---------------------------------------------------------------- the page of a game

class LiveGame {
  constructor(table) {
    const place = document.createElement("section");
    place.id = "board";
    this.table = table;
    this.steps = [];
    this.at = null; // null: follows
    this.seen = 0;
    table.closest("section").before(place);
    this.board = new LiveBoard(place);
    this.board.caption.setAttribute("aria-live", "polite"); // one line for each turn
    this.controls = document.createElement("p");
    this.controls.className = "replay";
    this.button("◀◀", "one step back (←)", () => this.go(-1));
    this.button("▶▶", "one step on (→)", () => this.go(1));
    this.now = this.button("", "to the last step (End)", () => this.follow());
    place.append(this.controls);
    addEventListener("keydown", (event) => this.key(event));
    const id = decodeURIComponent(PLACE[3]).replaceAll("/", "|");
    this.close = follow(`?event=${PLACE[2]}&game=${encodeURIComponent(id)}`, {
      snapshot: (game) => {
        this.board.away = game.away;
        this.steps = []; // some of them may be missing, if it was refused for a while
        this.table.tBodies[0].replaceChildren();
        this.take(game.begin, game.steps);
        if (game.state !== "playing") { // its end was told before
          this.finish(game.state === "ended" ? ENDED : VOID);
        }
      },
      ...Object.fromEntries(["roll", "cube", "play", "notice"].map((kind) => [kind, (step) => this.take(this.begin, [step])])),
      away: ({ seat, away }) => { this.board.away[seat] = away; },
      end: () => this.finish(ENDED),
      void: () => this.finish(VOID),
    }, ({ games }) => {
      const game = games.find(({ event, game }) => event === PLACE[2] && game === id);
      if (game?.last) {
        this.board.away = game.away;
        this.take(game.begin, [game.last]);
      } else if (game === undefined) {
        this.lookForEnd();
      }
    });
    setInterval(() => this.board.tick(), TICK_MS);
  }

  // A gallery that began after the game had ended knows nothing of it; the results do.
  async lookForEnd() {
    const answer = await fetch(`${ROOT}api/v1/e/${PLACE[2]}/g/${PLACE[3]}.json`);
    if (answer.ok && (await answer.json()).tables.turns !== undefined) {
      this.finish(ENDED);
    }
  }

  button(sign, title, act) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = sign;
    button.setAttribute("aria-label", title);
    button.addEventListener("click", act);
    this.controls.append(button);
    return button;
  }

  take(begin, steps) {
    this.begin = begin;
    for (const step of steps) {
      if (this.steps.length === 0 || step.n > this.steps.at(-1).n) {
        this.steps.push(step);
        this.addRow(step);
      }
    }
    this.show();
  }

  addRow(step) {
    const head = [...this.table.tHead.querySelectorAll("th")], row = this.table.tBodies[0].insertRow();
    const cells = { step: step.n, bot: this.begin.names[step.seat] ?? "", did: step.did,
      seconds: step.spent_s === null ? "" : step.spent_s.toFixed(3), xgid: step.xgid ?? "" };
    for (const title of head) {
      const cell = document.createElement(title === head[0] ? "th" : "td");
      cell.className = title.className || "number";
      cell.append(title.dataset.key === "xgid" ? document.createElement("code") : "");
      (cell.firstElementChild ?? cell).textContent = cells[title.dataset.key] ?? "";
      row.append(cell);
    }
  }

  show() {
    const isBehind = this.at !== null && this.at < this.steps.length - 1;
    const step = this.steps[this.at ?? this.steps.length - 1] ?? this.begin;
    const turns = new Set(this.steps.slice(this.seen).map(({ turn }) => turn)).size;

    this.board.show(this.begin, step, !isBehind && !this.isOver);
    if (!isBehind) {
      this.seen = this.steps.length;
    }
    if (this.at === null) { // the list, not the page
      const frame = this.table.closest(".scroll");
      frame.scrollTop = frame.scrollHeight;
    }
    this.now.textContent = !isBehind ? "live" : turns > 0 ? `${turns} new ${turns === 1 ? "turn" : "turns"}` : "▶|";
    this.now.disabled = !isBehind;
  }

  go(by) {
    this.at = Math.max(0, Math.min((this.at ?? this.steps.length - 1) + by, this.steps.length - 1));
    this.at = this.at >= this.steps.length - 1 ? null : this.at;
    this.show();
  }

  follow() {
    this.at = null;
    this.show();
  }

  finish(words) {
    const link = document.createElement("a");
    this.isOver = true;
    this.close();
    document.querySelector(".lead")?.replaceChildren("This game is over.");
    link.href = location.pathname;
    link.textContent = words;
    this.controls.append(" ", link);
    this.show();
  }

  key(event) {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (event.ctrlKey || event.altKey || event.metaKey) {
      return;
    }
    if (by !== undefined) {
      this.go(by);
    } else if (event.key === "End") {
      this.follow();
    } else {
      return;
    }
    event.preventDefault();
  }
}

// ---------------------------------------------------------------- the lobby

const gamePath = (event, game) => `e/${event}/g/${game.split("|").map(encodeURIComponent).join("/")}`;

// A place for a board: it follows one game, and takes the next one when that has ended. Games that are over before
// anybody could follow them, and those of pairs, are shown from the results, at the pace of people.
class Place {
  constructor(lobby, list) {
    const item = document.createElement("a");
    item.className = "live-board";
    list.append(item);
    this.lobby = lobby;
    this.item = item;
    this.board = new LiveBoard(item);
    this.game = null;
  }

  show(game) {
    this.game = game;
    this.item.href = ROOT + gamePath(game.event, game.game);
    this.board.away = game.away;
    this.board.show(game.begin, game.last ?? game.begin, game.state === "playing");
  }

  async replay(event, id, begin) {
    this.isReplaying = true;
    const answer = await fetch(`${ROOT}api/v1/${gamePath(event, id)}.json`);
    if (answer.ok) {
      const rows = (await answer.json()).tables.turns.rows;
      this.board.away = [false, false];
      this.item.href = ROOT + gamePath(event, id);
      for (const row of rows) {
        this.board.show(begin, { ...row, score: begin.score ?? null }, false);
        this.board.caption.prepend("Replay: ");
        await new Promise((done) => setTimeout(done, PACE_MS));
      }
    }
    this.isReplaying = false;
    this.game = null;
    this.lobby.fill();
  }
}

class Lobby {
  constructor(section) {
    this.games = new Map();
    this.ended = [];
    this.places = [];
    this.list = document.createElement("div");
    this.list.className = "live-boards";
    this.table = section.querySelector("table");
    this.nothing = this.table === null ? section : null; // says that no game is in play
    section.before(this.list);
    const takeAll = ({ games }) => {
      const now = new Set(games.map(({ event, game }) => `${event} ${game}`));
      this.places.filter(({ key }) => !now.has(key)).forEach((place) => { place.key = undefined; }); // they ended unheard
      this.games.clear();
      games.forEach((game) => this.take(game));
    };
    follow("", { snapshot: takeAll, game: (game) => this.take(game) }, takeAll);
    setInterval(() => this.places.forEach(({ board }) => board.tick()), TICK_MS);
  }

  take(game) {
    if (EVENT !== null && game.event !== EVENT) {
      return;
    }
    const key = `${game.event} ${game.game}`, place = this.places.find((one) => one.key === key);
    if (game.state === "playing") {
      this.games.set(key, game);
    } else {
      this.games.delete(key);
    }
    this.showTable();
    if (game.state === "ended") {
      this.ended = [game, ...this.ended].slice(0, BOARDS);
    }
    if (place !== undefined && !place.isReplaying) {
      place.show(game);
      if (game.state !== "playing") {
        setTimeout(() => {
          place.key = undefined;
          this.fill();
        }, 2 * PACE_MS);
      }
    }
    this.fill();
  }

  // The table that the page came with, as it would be now.
  showTable() {
    this.table?.tBodies[0].replaceChildren(...[...this.games.values()].map(({ event, game, final, begin, last }) => {
      const row = document.createElement("tr"), id = document.createElement(begin.hidden === undefined ? "a" : "span");
      id.textContent = game;
      id.href = ROOT + gamePath(event, game);
      row.innerHTML = '<th scope="row" class="text"><code></code></th><td class="text"></td><td class="text"></td>';
      row.querySelector("code").append(id);
      row.cells[1].textContent = `${final ? "Final: " : ""}${begin.names.join(" against ")}`;
      row.cells[2].textContent = begin.hidden ?? last?.did ?? "";
      return row;
    }));
  }

  // Most at stake first: finals, leaders, the longest matches, then those that are played longest.
  waiting() {
    const ranks = (game) => game.ranks === null ? Infinity : game.ranks[0] + game.ranks[1];
    const shown = new Set(this.places.map(({ key }) => key));
    return [...this.games].filter(([key, game]) => game.begin.hidden === undefined && !shown.has(key))
      .sort(([, a], [, b]) => b.final - a.final || (ranks(a) < ranks(b) ? -1 : Number(ranks(a) > ranks(b))) || b.begin.length - a.begin.length);
  }

  fill() {
    for (const [key, game] of this.waiting()) {
      let place = this.places.find((one) => one.key === undefined && !one.isReplaying);
      if (place === undefined && this.places.length < BOARDS) {
        place = new Place(this, this.list);
        this.places.push(place);
      }
      if (place === undefined) {
        return;
      }
      place.key = key;
      place.show(game);
      this.nothing?.remove();
    }
    if (this.places.every(({ key, isReplaying }) => key === undefined && !isReplaying) && this.ended.length > 0) {
      const game = this.ended.shift();
      const place = this.places[0] ?? new Place(this, this.list);
      this.places[0] = place;
      place.replay(game.event, game.begin.hidden?.includes("pair") ? `${game.game}|0|0` : game.game, game.begin);
    }
  }
}

// ---------------------------------------------------------------- the pages of an event

// Shows the page as it is now. All who look hear of it at once, and ask one after another within so many seconds.
let isPlanned = false;
function renew({ within_s = 15 }) {
  if (isPlanned) {
    return;
  }
  isPlanned = true;
  setTimeout(async () => {
    isPlanned = false;
    const answer = await fetch(location.href, { cache: "no-cache" }).catch(() => null);
    if (answer === null) { // the gallery is away: what it says when it is back renews the page
      return;
    }
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const old = document.querySelector("main"), now = page.querySelector("main");
    if (answer.ok && now.textContent !== old.textContent) {
      const isOpen = [...old.querySelectorAll("details")].map(({ open }) => open);
      now.querySelectorAll("details").forEach((part, i) => { part.open = isOpen[i] ?? part.open; });
      document.querySelector("header").replaceWith(page.querySelector("header"));
      old.replaceWith(now);
    }
  }, Math.random() * within_s * 1000);
}

const table = document.querySelector("table[data-table=live]"), lobby = document.getElementById("live");
if ((PLACE === null || EVENT !== null) && lobby !== null) {
  globalThis.live = new Lobby(lobby);
} else if (PLACE !== null && PLACE[3] === undefined) {
  follow(`?event=${PLACE[2]}`, { standings: renew, reset: renew }, renew);
} else if (table !== null) {
  globalThis.live = new LiveGame(table);
}
