// A person's seat. The seat's process says what may be done, and draws nothing; this page shows it and sends what was chosen.
// It knows no rules: each single move is asked of the process (GET path), which answers with the board after it and the next ones.
import { drawPos, areaOf } from "/board.js";

const base = location.pathname.replace(/\/$/, "");
const find = (id) => document.getElementById(id);
const LEVELS = ["", "a single game", "a gammon", "a backgammon"];
const WORDS = { roll: "Roll", double: "Double", take: "Take", pass: "Pass", raise: "Beaver", keep: "Keep", reroll: "Roll again",
  accept: "Accept", refuse: "Refuse" };
const KEYS = { d: ["double"], t: ["take", "accept"], p: ["pass", "refuse"], b: ["raise"], k: ["keep"], o: ["reroll"] };
const KEY_OF = { roll: "Enter", double: "d", take: "t", accept: "t", pass: "p", refuse: "p", raise: "b", keep: "k", reroll: "o" };

// The same page after a reload; another tab is another one.
const holder = sessionStorage.getItem("holder") ??
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
sessionStorage.setItem("holder", holder);

let state = null;   // what the process said last
let at = 0;         // when, for clocks
let path = null;    // where the moves made so far lead
let moves = [];     // "24.6": made and not sent
let waiting = null; // { words, send }: an answer that waits to be confirmed
let from = null, aim = 0; // the chosen checker, and which of its moves is aimed at
let busy = null;          // the request of this decision that is under way; who clicks meanwhile clicks in vain

const placeOf = (slot) => slot === 0 ? "off" : slot === 25 ? "bar" : slot === 26 ? "hand" : slot > 26 ? slot - 2 : slot;
const sources = () => [...new Set((path?.next ?? []).map((move) => move.from))];
const targets = () => (path?.next ?? []).filter((move) => move.from === from);
const opponent = () => state.opponent || "the opponent";

// isShown: it stands on the page already, and is only for those who hear it.
function say(text, isShown = false) {
  find("said").textContent = text;
  find("said").classList.toggle("shown", isShown);
}

// ---------------------------------------------------------------- requests

// Tries again once: a browser opens connections ahead, and the seat closes one that is idle, perhaps just when it is wanted. If
// the first one has come through after all, its decision is closed (409), and the next state says so.
async function request(what, options) {
  for (let tries = 1; tries <= 2; tries++) {
    try {
      const answer = await fetch(`${base}/${what}`, options);
      return { isGood: answer.ok || (tries > 1 && answer.status === 409), text: (await answer.text()).trim() };
    } catch {
      // a cut line has no answer
    }
  }
  return { isGood: false, text: "The seat does not answer. It was closed, or the network is away." };
}

// Returns the text of a good answer. The stream may tell of the next decision before the answer about this one is here, and the
// person go on at once: then nothing waits for that answer, and nobody wants it.
async function ask(what, options) {
  if (busy !== null) {
    return null;
  }
  const own = busy = request(what, options);
  const { isGood, text } = await own;
  if (busy !== own) {
    return null;
  }
  busy = null;
  if (!isGood) {
    say(text);
  }
  return isGood ? text : null;
}

function send(answer) {
  ask(`answer?holder=${holder}`, { method: "POST",
    headers: { "Content-Type": "application/json" }, body: JSON.stringify({ decision: state.ask.decision, ...answer }) });
}

// Makes the moves of a list from the beginning.
async function walk(list) {
  const text = state?.ask?.path === undefined ? null : await ask(`path?decision=${state.ask.decision}&moves=${list.join("-")}`);
  if (text !== null) {
    take(JSON.parse(text), list);
    say(path.whole && path.next.length === 0 ? `${path.text}. Enter sends it.` : path.text);
  }
}

function take(next, list) {
  path = next;
  moves = list;
  from = null;
  aim = 0;
  show();
}

const move = ({ from, number }) => walk([...moves, `${from}.${number}`]);

// ---------------------------------------------------------------- what is shown

// A double is said as it was rolled, though it is played up to four times.
const rolled = (dice) => (new Set(dice).size === 1 ? dice.slice(0, 2) : dice ?? []).join("-");

function question() {
  const { ask } = state;

  if (state.over !== "") {
    return `This seat is closed: ${state.over}`;
  }
  if (ask === undefined) {
    return state.board === undefined ? "Waiting for the game" : `${opponent()} is to play`;
  }
  return {
    DOUBLE: "Roll, or double?", PLAY: `Play ${rolled(ask.dice)}`, TAKE: `${opponent()} doubles: take or pass?`,
    RAISE: `${opponent()} turns the cube again: take or pass?`, KEEP: `Keep ${rolled(ask.dice)}, or roll again?`,
    NAME: "Name a double: 1 to 6", RESIGNATION: `${opponent()} resigns ${LEVELS[ask.resign_level] ?? `${ask.resign_level} points`}: accept or refuse?`,
  }[ask.kind];
}

function detail() {
  if (waiting !== null) {
    return `${waiting.words}: Enter sends it, u takes it back.`;
  }
  if (path === null) {
    return "";
  }
  const left = path.left.length > 0 && path.next.length > 0 ? ` Left to play: ${path.left.join(" ")}.` : "";
  const forced = state.ask.forced === undefined ? "" : `Only one play is legal: ${state.ask.forced}. `;
  return `${forced}${path.text}${path.text === "" ? "" : "."}${left}`;
}

function button(words, key, act, isMain) {
  const made = document.createElement("button");
  made.type = "button";
  made.textContent = words;
  made.title = `${words} (${key})`;
  made.setAttribute("aria-keyshortcuts", key);
  made.classList.toggle("go", isMain === true);
  made.addEventListener("click", act);
  find("buttons").append(made);
}

function showButtons() {
  find("buttons").replaceChildren();
  if (state.ask === undefined) {
    return;
  }
  const { ask } = state;
  if (waiting !== null) {
    button(waiting.words, "Enter", confirm, true);
  } else if (path?.whole) {
    button("Send this play", "Enter", confirm, true);
  }
  if (waiting !== null || moves.length > 0) {
    button("Undo", "u", undo);
  }
  if (waiting === null) {
    for (const word of ask.answers) {
      button(word === "double" ? `Double to ${2 ** (state.board.cube + 1)}` : WORDS[word], KEY_OF[word], () => choose(word), word === "roll");
    }
    for (let number = 1; ask.kind === "NAME" && number <= 6; number++) {
      button(String(number), String(number), () => wait(`Name ${number}`, { answer: "name", number }));
    }
    if (ask.resign.length > 0) {
      button("Resign", "r", resign);
    }
  }
}

function clockText(ms) {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

function showClocks() {
  if (state?.ask === undefined) {
    return;
  }
  const { clock, ceiling_ms: ceiling } = state.ask, passed = performance.now() - at;
  if (clock === null) { // a day is no limit that a person has to see
    find("clock0").textContent = ceiling < 3600000 ? `${clockText(ceiling - passed)} for this decision` : "";
    return;
  }
  const own = clock.left_ms[0] - Math.max(0, passed - clock.delay_ms);
  find("clock0").textContent = clockText(own) + (passed < clock.delay_ms ? ` + ${clockText(clock.delay_ms - passed)}` : "");
  find("clock0").classList.toggle("low", own < 10000);
  find("clock1").textContent = clockText(clock.left_ms[1]);
}

function spot(svg, slot, name, act) {
  const area = areaOf(svg.dataset.pos, 0, 0, placeOf(slot));
  const made = document.createElementNS("http://www.w3.org/2000/svg", "rect");
  for (const [key, value] of Object.entries({ class: `spot ${name}`, "data-slot": slot, rx: 4, ...area })) {
    made.setAttribute(key, value);
  }
  svg.append(made);
}

function showBoard() {
  const board = path?.board ?? state.board, place = find("place");
  if (board === undefined) {
    return;
  }
  place.innerHTML = drawPos(board.pos, 0, `${question()} ${detail()}`);
  const svg = place.querySelector("svg");
  sources().forEach((slot) => spot(svg, slot, slot === from ? "from chosen" : "from"));
  targets().forEach(({ to }, i) => spot(svg, to, i === aim ? "to aim" : "to"));
}

function show() {
  const { score, length } = state;
  find("own").textContent = state.bot;
  find("opponent").textContent = state.opponent || "Opponent";
  [0, 1].forEach((seat) => {
    const pips = (path?.board ?? state.board)?.pips[seat];
    find(`score${seat}`).textContent = `${score[seat]}${length > 0 ? `/${length}` : " points"}${pips === undefined ? "" : `, ${pips} pips`}`;
  });
  find("question").textContent = question();
  find("detail").textContent = detail();
  showButtons();
  showBoard();
  showClocks();
}

function showLines(before) {
  const fresh = Math.min(state.lines.length, state.line_count - before);
  find("lines").replaceChildren(...state.lines.map((line) => {
    const item = document.createElement("li");
    item.textContent = line;
    return item;
  }).reverse());
  return fresh > 0 ? state.lines.slice(-fresh).join(" ") : "";
}

// ---------------------------------------------------------------- what the person does

function wait(words, answer) {
  waiting = { words, answer };
  show();
  say(detail());
}

function choose(word) {
  if (word === "roll") {
    send({ answer: "roll" });
  } else {
    wait(word === "double" ? `Double to ${2 ** (state.board.cube + 1)}` : WORDS[word], { answer: word });
  }
}

// Again: the next level.
function resign() {
  const { resign: levels } = state.ask;
  const now = waiting?.answer.answer === "resign" ? levels.indexOf(waiting.answer.number) + 1 : 0;
  const number = levels[now % levels.length];
  wait(`Resign ${LEVELS[number] ?? `${number} points`}`, { answer: "resign", number });
}

function confirm() {
  if (waiting !== null) {
    send(waiting.answer);
  } else if (path?.whole) {
    send({ answer: "moves", moves: moves.join("-") });
  }
}

function undo() {
  if (waiting !== null) {
    waiting = null;
    show();
    say(`Taken back. ${question()}`);
  } else if (moves.length > 0) {
    walk(moves.slice(0, -1));
  }
}

function pick(slot) {
  from = slot;
  aim = 0;
  show();
  say(aimWords());
}

const nameOf = (slot) => `${placeOf(slot)}`;
const aimWords = () => from === null ? "" : `${nameOf(from)} to ${nameOf(targets()[aim].to)}`;

function turn(list, now, step) {
  return list[(list.indexOf(now) + step + list.length + (now === null && step < 0 ? 1 : 0)) % list.length];
}

function arrow(key) {
  if (sources().length === 0) {
    return;
  }
  if (key === "ArrowLeft" || key === "ArrowRight" || from === null) {
    pick(turn(sources(), from, key === "ArrowLeft" || key === "ArrowUp" ? -1 : 1));
  } else {
    aim = (aim + (key === "ArrowUp" ? -1 : 1) + targets().length) % targets().length;
    show();
    say(aimWords());
  }
}

function enter() {
  if (waiting === null && from !== null) {
    move(targets()[aim]);
  } else if (waiting === null && state.ask.answers.includes("roll")) {
    choose("roll");
  } else {
    confirm();
  }
}

function key(event) {
  if (event.ctrlKey || event.altKey || event.metaKey || find("keys").open) {
    return;
  }
  if (event.key === "?") {
    find("keys").showModal();
  } else if (state?.ask === undefined || (event.key === "Enter" && event.target.tagName === "BUTTON")) {
    return;
  } else if (event.key.startsWith("Arrow")) {
    arrow(event.key);
  } else if (event.key === "Enter") {
    enter();
  } else if (event.key === "u" || event.key === "Escape" || event.key === "Backspace") {
    undo();
  } else if (event.key === "r" && state.ask.resign.length > 0) {
    resign();
  } else if (state.ask.kind === "NAME" && /^[1-6]$/.test(event.key)) {
    wait(`Name ${event.key}`, { answer: "name", number: Number(event.key) });
  } else {
    const word = (KEYS[event.key] ?? []).find((one) => state.ask.answers.includes(one));
    if (word === undefined) {
      return;
    }
    choose(word);
  }
  event.preventDefault();
}

// ---------------------------------------------------------------- mouse and finger

let held = null; // { slot, wasChosen, circle }

const slotAt = (event) => {
  const spots = document.elementsFromPoint(event.clientX, event.clientY).filter((one) => one.classList.contains("spot"));
  return spots.map((one) => ({ slot: Number(one.dataset.slot), isTarget: one.classList.contains("to") }));
};

function press(event) {
  const spots = slotAt(event), target = spots.find((one) => one.isTarget), source = spots.find((one) => !one.isTarget);
  if (event.button !== 0 || state?.ask === undefined || waiting !== null) {
    return;
  }
  if (target !== undefined && target.slot !== from) {
    move(targets().find(({ to }) => to === target.slot));
  } else if (source !== undefined) {
    held = { slot: source.slot, wasChosen: from === source.slot, circle: null };
    if (!held.wasChosen) {
      pick(source.slot);
    }
  } else if (from !== null) {
    from = null;
    show();
  }
}

// The checker follows the pointer once that has gone a few pixels.
function drag(event) {
  if (held === null) {
    return;
  }
  const svg = find("place").querySelector("svg");
  held.start ??= { x: event.clientX, y: event.clientY };
  if (held.circle === null && Math.hypot(event.clientX - held.start.x, event.clientY - held.start.y) > 6) {
    held.circle = document.createElementNS("http://www.w3.org/2000/svg", "circle");
    held.circle.setAttribute("class", "held c0");
    held.circle.setAttribute("r", 28);
    svg.append(held.circle);
  }
  if (held.circle !== null) {
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
    held.circle.setAttribute("cx", point.x);
    held.circle.setAttribute("cy", point.y);
  }
}

function release(event) {
  if (held === null) {
    return;
  }
  const { slot, wasChosen, circle } = held, to = slotAt(event).find((one) => one.isTarget)?.slot;
  held = null;
  circle?.remove();
  if (circle !== null && to !== undefined) {
    move(targets().find((one) => one.to === to));
  } else if (circle === null && wasChosen && slotAt(event).some((one) => one.slot === slot)) {
    move(targets()[0]);
  }
}

// ---------------------------------------------------------------- what comes

// The only legal play is made at once, and waits to be sent.
async function makeForced() {
  while (path !== null && path.next.length > 0 && state.ask.forced !== undefined) {
    const before = moves.length;
    await move(path.next[0]);
    if (moves.length === before) {
      return;
    }
  }
}

function news(event) {
  const before = state;
  state = JSON.parse(event.data);
  at = performance.now();
  if (state.over !== "") {
    stream.close(); // its end would be an error
  }
  if (state.ask === undefined || state.ask.decision !== before?.ask?.decision) {
    waiting = null;
    busy = null;
    take(state.ask?.path ?? null, []);
  } else {
    show();
  }
  const told = showLines(before?.line_count ?? state.line_count);
  if (state.ask === undefined || state.ask.decision !== before?.ask?.decision) {
    say(`${told} ${question()}`, true);
    makeForced();
  } else if (told !== "") {
    say(told, true);
  }
}

// A stream that was refused is not tried again by the browser; one that was cut is.
async function lost() {
  if (state !== null && state.over !== "") {
    stream.close();
  } else if (stream.readyState === EventSource.CLOSED) {
    const answer = await fetch(`${base}/events?holder=${holder}`).catch(() => null);
    find("question").textContent = answer === null || answer.ok ? "The line is cut; reload this page" : await answer.text();
  } else {
    say("The line is cut; it is tried again.");
  }
}

addEventListener("keydown", key);
find("place").addEventListener("pointerdown", press);
addEventListener("pointermove", drag);
addEventListener("pointerup", release);
addEventListener("pointercancel", () => { held?.circle?.remove(); held = null; });
find("help").addEventListener("click", () => find("keys").showModal());
setInterval(showClocks, 250);
const stream = new EventSource(`${base}/events?holder=${holder}`);
stream.addEventListener("snapshot", news);
stream.addEventListener("state", news);
stream.addEventListener("error", lost);
