// Looking about --------------------------------------------------------------------------------------------------------
function fit() {
  const b = board(), w = canvas.clientWidth, top = document.querySelector("header").getBoundingClientRect().bottom, h = canvas.clientHeight - top;
  state.scale = Math.min(w / b.w, h / b.h) * 0.96;
  state.x = b.w / 2 - w / 2 / state.scale; state.y = b.h / 2 - (top + h / 2) / state.scale; draw();
}
function free() { // the part of the window that nothing covers: its top and its foot
  const about = $("about").getBoundingClientRect(), top = document.querySelector("header").getBoundingClientRect().bottom;
  return [top, about.height && about.width > canvas.clientWidth / 2 ? about.top : canvas.clientHeight];
}
function zoom(by, px = canvas.clientWidth / 2, py = canvas.clientHeight / 2) {
  const was = state.scale, most = 24, least = Math.min(0.12, canvas.clientWidth / board().w / 2);
  state.scale = Math.min(most, Math.max(least, was * by));
  state.x += px / was - px / state.scale; state.y += py / was - py / state.scale; draw();
}
function show(i, near) {
  const s = map().spaces[i];
  if (!here(s)) chooseBoard(data.boards.findIndex((b, n) => b.map === board().map && data.boards.filter((o, k) => o.map === b.map && k < n).length === (s.b || 0)));
  if (near && state.scale < 3) state.scale = 4;
  choose(i);
  const w = canvas.clientWidth, [top, low] = free(), px = (s.x - state.x) * state.scale, py = (s.y - state.y) * state.scale;
  if (near || px < 30 || px > w - 30 || py < top + 30 || py > low - 30) { state.x = s.x - w / 2 / state.scale; state.y = s.y - (top + low) / 2 / state.scale; }
}
function choose(i, unit = -1) { state.space = i; state.unit = unit; tell(i); draw(); }

function step(dx, dy) {
  const spaces = map().spaces, from = spaces[state.space] || { x: state.x + canvas.clientWidth / 2 / state.scale, y: state.y + canvas.clientHeight / 2 / state.scale };
  let best = -1, least = Infinity;
  spaces.forEach((s, i) => {
    if (i === state.space || !here(s)) return;
    const along = (s.x - from.x) * dx + (s.y - from.y) * dy, off = Math.abs((s.x - from.x) * dy) + Math.abs((s.y - from.y) * dx);
    if (along <= 0.5) return;
    const far = along + 2.2 * off; if (far < least) { least = far; best = i; }
  });
  if (best >= 0) show(best, false);
}

// Words ----------------------------------------------------------------------------------------------------------------
function el(tag, text, cls) { const e = document.createElement(tag); if (text !== undefined) e.textContent = text; if (cls) e.className = cls; return e; }
const titleOf = (name) => (data.sides.find((x) => x.name === name) || { title: name }).title;

function tell(i) {
  const box = $("about"); box.replaceChildren();
  const m = map(), s = m.spaces[i]; if (!s) return;
  const close = el("button", "×", "close"); close.title = "Close (Escape)"; close.ariaLabel = "Close"; close.onclick = () => { pinned = false; choose(-1); };
  box.append(close, el("h2", named(s)));
  const words = [s.l && s.l !== named(s) ? s.l : "", s.t !== undefined ? m.terrain[s.t].t : "", ...(s.f || []).map((n) => m.features[n])].filter(Boolean);
  box.append(el("p", words.join(" · ")));
  if (s.m) box.append(el("p", `Stacking: ${s.m}`));
  if (s.e === 0) box.append(el("p", "Closed to units"));
  if (s.a) box.append(el("p", s.a.join(" · "), "pale"));
  const u = setup();
  if (u) {
    const holders = Object.keys(u.control).filter((n) => u.control[n].includes(i)).map(titleOf);
    if (holders.length) box.append(el("p", `Controlled by ${holders.join(", ")}`));
    const zones = Object.keys(u.zones).filter((n) => u.zones[n].includes(i)).map(titleOf);
    if (zones.length) box.append(el("p", `Zone of control: ${zones.join(", ")}`));
    const list = el("ul");
    u.pieces.forEach((p, n) => {
      if (p[1] !== i) return;
      const c = data.counters[p[0]], item = el("li"), button = el("button");
      if (c.f.length) { const img = el("img"); img.alt = ""; img.src = data.pictures[c.f[Math.min(p[2], c.f.length - 1)]]; button.append(img); }
      button.append(el("span", c.n));
      if (p[5]) button.append(el("span", p[5].g === "out" ? "out of supply" : p[5].g, p[5].g === "out" ? "grade out" : "grade"));
      button.setAttribute("aria-pressed", String(n === state.unit));
      button.dataset.unit = n;
      button.onclick = () => { pinned = true; choose(i, n === state.unit ? -1 : n); $("about").querySelector(`[data-unit="${n}"]`).focus(); };
      item.append(button); list.append(item);
    });
    if (list.children.length) box.append(list);
    const p = u.pieces[state.unit];
    if (p && p[5]) {
      box.append(el("p", p[5].w));
      if (p[5].p) box.append(el("p", p[5].p.map((n) => named(m.spaces[n])).join(" › "), "pale"));
      for (const line of p[5].r || []) box.append(el("p", line, "pale"));
    }
  }
  for (const d of m.decks) if (d.s === i) box.append(...deck(d));
  for (const f of m.findings.concat(u ? u.findings : [])) if (f.s === i) box.append(el("p", `${f.c} ${f.m}`, `finding ${f.v}`));
}

function deck(d) { // its cards, but for those that the set-up lays elsewhere
  const left = new Map(); let count = 0;
  for (const c of d.c) left.set(c, (left.get(c) || 0) + 1);
  for (const p of setup() ? setup().pieces : []) if (left.has(p[0])) left.set(p[0], Math.max(0, left.get(p[0]) - 1));
  const fold = el("details", undefined, "deck"), list = el("ul");
  for (const [c, n] of left) if (n) { count += n; list.append(el("li", n > 1 ? `${data.counters[c].n} × ${n}` : data.counters[c].n)); }
  if (!count) return [el("p", `${d.n}: a pile for cards, empty`)];
  fold.append(el("summary", `${d.n}: ${count} ${count > 1 ? "cards" : "card"}`), list);
  return [fold];
}

// Choices --------------------------------------------------------------------------------------------------------------
function chooseBoard(n) {
  const same = data.boards[n].map === board().map;
  state.board = n; $("board").value = String(n);
  if (!same) fillSetups();
  bigSpaces = map().spaces.map((s, i) => [i, s]).filter(([, s]) => s.o && here(s));
  indexSpaces(); indexWays(); borders.clear(); state.space = state.unit = -1; $("about").replaceChildren(); fit();
}
function fillSetups() {
  const box = $("setup"); box.replaceChildren(); box.append(new Option("none", "-1"));
  map().setups.forEach((s, n) => box.append(new Option(s.t, String(n))));
  state.setup = map().setups.length ? 0 : -1; box.value = String(state.setup);
  fillFindings(); legends();
  $("places").replaceChildren(...map().spaces.filter((s) => s.n).map((s) => new Option(s.n)));
}
const OF_SIDES = [["control", "Control"], ["zones", "Zones of control"], ["supply", "Supply"]];
function held(key, side) { // is there anything of this layer on any map?
  const setups = data.maps.flatMap((m) => m.setups);
  if (key === "supply") return setups.some((s) => s.pieces.some((p) => p[5] && data.counters[p[0]].s === side.name));
  if (side) return setups.some((s) => (s[key][side.name] || []).length);
  const rows = { terrain: (m) => m.spaces.filter((s) => s.t !== undefined), hexsides: (m) => m.sides, ways: (m) => m.ways, counters: (m) => m.setups, findings: (m) => [...m.findings, ...m.setups.flatMap((s) => s.findings)] }[key];
  return !rows || data.maps.some((m) => rows(m).length);
}
function fillLayers() {
  const rows = LAYERS.filter(([key]) => held(key)).map(([key, title]) => [key, title, ""]);
  for (const s of data.sides) for (const [key, title] of OF_SIDES) if (held(key, s)) rows.push([`${key}-${s.name}`, `${title}: ${s.title}`, s.ink]);
  if (held("findings")) rows.push(["findings", "Findings", "#d0021b"]);
  for (const [key, title, ink] of rows) {
    const label = el("label"), box = el("input"); box.type = "checkbox"; box.name = key; box.checked = shown.has(key);
    box.onchange = () => { if (box.checked) shown.add(key); else shown.delete(key); legends(); draw(); };
    label.append(box);
    if (ink) { const dot = el("span", "", "swatch"); dot.style.color = ink; label.append(dot); }
    label.append(title); $("choices").append(label);
    if (LEGENDS[key]) { const p = el("p", "", "legend"); p.id = `legend-${key}`; $("choices").append(p); }
  }
}
const LEGENDS = {
  terrain: () => map().terrain,
  hexsides: () => map().hexsides,
  ways: () => map().links,
};
function samples(rows) { return rows.map(({ t, c, how }) => { const row = el("span"), dot = el("span", "", `swatch ${how || ""}`); dot.style.color = c; row.append(dot, t); return row; }); }
function legends() {
  const all = [];
  for (const key of Object.keys(LEGENDS)) {
    const line = $(`legend-${key}`), rows = LEGENDS[key]().map((r) => (key === "terrain" ? r : { ...r, how: "line" }));
    if (!line) continue;
    line.hidden = !shown.has(key);
    line.replaceChildren(...samples(rows));
    if (shown.has(key)) all.push(rows);
  }
  if (shown.has("numbers") && far) all.push([{ t: "Numbers and names show when you zoom in", c: "transparent", how: "line" }]);
  for (const s of data.sides) all.push(OF_SIDES.filter(([key]) => shown.has(`${key}-${s.name}`)).map(([key, t]) => ({ t: `${t}: ${s.title}`, c: s.ink, how: { control: "area", zones: "dashes", supply: "line" }[key] })));
  $("key").replaceChildren(...all.filter((rows) => rows.length).map((rows) => { const p = el("p"); p.append(...samples(rows)); return p; }));
}
function fillFindings() {
  const rank = ["error", "warning", "note"], all = (setup() ? setup().findings : []).concat(map().findings);
  all.sort((a, b) => rank.indexOf(a.v) - rank.indexOf(b.v));
  const grave = all.filter((f) => f.v !== "note").length;
  $("found").hidden = !all.length; $("count").textContent = String(grave || all.length); $("count").className = all.length ? all[0].v : "";
  $("list").replaceChildren(...all.slice(0, 300).map((f) => {
    const item = el("li"), button = el(f.s < 0 ? "p" : "button", `${f.v} ${f.c}: ${f.m}${f.w ? `\n${f.w}` : ""}`, f.v);
    if (f.s >= 0) button.onclick = () => { $("found").open = false; pinned = true; show(f.s, true); };
    item.append(button); return item;
  }));
}

// As people type: without accents, capitals and points.
const LETTERS = { "ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ı": "i" };
const plain = (text) => text.toLowerCase().replace(/[ßæœøłđı]/g, (c) => LETTERS[c]).normalize("NFD").replace(/\p{M}/gu, "").replace(/[^\p{L}\p{N}]+/gu, " ").trim();
function apart(a, b, most) { // how many letters differ, or more than `most`
  if (Math.abs(a.length - b.length) > most) return most + 1;
  let row = [...b, 0].map((_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) next.push(Math.min(row[j] + 1, next[j - 1] + 1, row[j - 1] + (a[i - 1] !== b[j - 1])));
    row = next;
  }
  return row[b.length];
}
function find(word) { // on this map, else on another one; what is nearly so named only when nothing is
  const want = plain(word); if (!want) return false;
  const maps = [board().map, ...data.maps.keys()], most = Math.floor(want.length / 4);
  for (const far of most ? [0, most] : [0]) for (const n of maps) {
    const m = data.maps[n], names = m.spaces.map((s) => [named(s), s.l || "", s.k].map(plain));
    const units = n === board().map && setup() ? setup().pieces.map((p) => plain(data.counters[p[0]].n)) : [];
    const tests = far ? [] : [(t) => t === want, (t) => t.startsWith(want), (t) => ` ${t}`.includes(` ${want}`), (t) => t.includes(want)];
    for (let d = 1; d <= far; d++) tests.push((t) => apart(t, want, d) <= d);
    for (const test of tests) {
      const i = names.findIndex((row) => row.some(test)), u = i < 0 ? units.findIndex(test) : -1;
      if (i < 0 && u < 0) continue;
      if (n !== board().map) chooseBoard(data.boards.findIndex((b) => b.map === n));
      if (u >= 0) { show(setup().pieces[u][1], true); choose(state.space, u); } else show(i, true);
      return true;
    }
  }
  return false;
}

// What a person does ----------------------------------------------------------------------------------------------------
const fingers = new Map(); let moved = 0, spread = 0, between = [0, 0];
function grip() { // what two fingers hold: the middle between them, and how far apart they are
  const [a, b] = [...fingers.values()];
  return [[(a[0] + b[0]) / 2, (a[1] + b[1]) / 2], Math.hypot(a[0] - b[0], a[1] - b[1])];
}
canvas.addEventListener("pointerdown", (e) => { canvas.setPointerCapture(e.pointerId); fingers.set(e.pointerId, [e.offsetX, e.offsetY]); moved = 0; spread = 0; if (fingers.size === 2) [between, spread] = grip(); canvas.classList.add("dragging"); $("layers").open = $("found").open = false; });
canvas.addEventListener("pointermove", (e) => {
  const was = fingers.get(e.pointerId);
  if (!was) { const i = spaceAt(state.x + e.offsetX / state.scale, state.y + e.offsetY / state.scale); if (i !== hovered) { hovered = i; if (state.unit < 0 && !pinned) { state.space = i; tell(i); draw(); } } return; }
  const dx = e.offsetX - was[0], dy = e.offsetY - was[1]; fingers.set(e.pointerId, [e.offsetX, e.offsetY]);
  if (fingers.size === 1) { moved += Math.abs(dx) + Math.abs(dy); state.x -= dx / state.scale; state.y -= dy / state.scale; draw(); return; }
  const [mid, now] = grip();
  if (spread) { state.x -= (mid[0] - between[0]) / state.scale; state.y -= (mid[1] - between[1]) / state.scale; zoom(now / spread, ...mid); }
  spread = now; between = mid; moved = 99;
});
let hovered = -1, pinned = false;
function lift(e) {
  fingers.delete(e.pointerId); spread = 0; canvas.classList.toggle("dragging", fingers.size > 0);
  if (moved < 6 && e.type === "pointerup") { const i = spaceAt(state.x + e.offsetX / state.scale, state.y + e.offsetY / state.scale); pinned = i >= 0; choose(i, unitAt(e, i)); }
}
function unitAt(e, i) { // the upper one there; after that, at every further click, the next one down
  if (!setup() || i < 0 || !shown.has("counters")) return -1;
  const x = state.x + e.offsetX / state.scale, y = state.y + e.offsetY / state.scale, under = [];
  setup().pieces.forEach((p, n) => { const c = data.counters[p[0]]; if (p[1] === i && Math.abs(x - p[3]) < c.w / 2 && Math.abs(y - p[4]) < c.h / 2) under.unshift(n); });
  return under.length ? under[(under.indexOf(state.unit) + 1) % under.length] : -1;
}
canvas.addEventListener("pointerup", lift); canvas.addEventListener("pointercancel", lift);
canvas.addEventListener("wheel", (e) => { e.preventDefault(); zoom(Math.exp(-e.deltaY * (e.ctrlKey ? 0.01 : e.deltaMode ? 0.05 : 0.0016)), e.offsetX, e.offsetY); }, { passive: false });
document.addEventListener("keydown", (e) => {
  if (e.key === "Escape" && (e.target.closest("#place, details") || document.querySelector("header details[open]"))) {
    $("layers").open = $("found").open = false; canvas.focus(); return;
  }
  if (e.target.closest("input, select, fieldset") || e.ctrlKey || e.metaKey || e.altKey) return;
  const go = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[e.key];
  if (go) { e.preventDefault(); pinned = true; step(...go); }
  else if (e.key === "+" || e.key === "=") zoom(1.4); else if (e.key === "-") zoom(1 / 1.4); else if (e.key === "0") fit();
  else if (e.key === "Escape") { pinned = false; choose(-1); } else if (e.key === "/") { e.preventDefault(); $("place").focus(); }
});
$("in").onclick = () => zoom(1.5); $("out").onclick = () => zoom(1 / 1.5); $("fit").onclick = fit;
$("find").onsubmit = (e) => { e.preventDefault(); $("place").setCustomValidity(""); pinned = find($("place").value); if (pinned) $("place").blur(); else { $("place").setCustomValidity("no such place or unit"); $("place").reportValidity(); } };
$("place").oninput = () => $("place").setCustomValidity("");
$("place").onchange = () => { if (map().spaces.some((s) => s.n === $("place").value)) pinned = find($("place").value); };
$("setup").onchange = () => { state.setup = Number($("setup").value); state.unit = -1; fillFindings(); tell(state.space); draw(); };
$("board").onchange = () => chooseBoard(Number($("board").value));
let touched = false;
for (const kind of ["pointerdown", "wheel", "keydown"]) window.addEventListener(kind, () => { touched = true; });
window.addEventListener("resize", () => { if (touched || state.space >= 0) draw(); else fit(); });
for (const id of ["layers", "found"]) $(id).addEventListener("toggle", () => { if ($(id).open) $(id === "layers" ? "found" : "layers").open = false; });
// Printed, the whole sheet fills the page, which lies as the sheet does.
window.addEventListener("beforeprint", () => {
  const b = board(), keep = { ...state }, r = Math.min(8, 3000 / b.w), scale = 2;
  $("printed").textContent = setup() ? setup().t : "";
  $("paper").textContent = `@page { size: ${b.w > b.h ? "landscape" : "portrait"}; margin: 10mm; }`;
  Object.assign(state, { scale, x: 0, y: 0 });
  canvas.width = b.w * r; canvas.height = b.h * r;
  render(r / scale, b.w * scale, b.h * scale);
  Object.assign(state, keep);
});
window.addEventListener("afterprint", draw);

$("title").textContent = data.title;
data.boards.forEach((b, n) => $("board").append(new Option(data.maps.length > 1 && data.maps[b.map].arrangement ? `${data.maps[b.map].arrangement}` : b.title, String(n))));
$("board-label").hidden = data.boards.length < 2;
fillLayers(); fillSetups(); chooseBoard(0);

// The place in the page outlives a reload.
const MEMORY = `toolchain view ${data.title}`;
function remember() {
  const s = map().spaces[state.space], p = setup() && setup().pieces[state.unit];
  const at = { x: state.x + canvas.clientWidth / 2 / state.scale, y: state.y + canvas.clientHeight / 2 / state.scale };
  const kept = { ...state, ...at, board: board().name, arrangement: map().arrangement, setup: setup() ? setup().n : "", space: s ? s.k : "", unit: p ? state.unit : -1, counter: p ? data.counters[p[0]].n : "", shown: [...shown], pinned };
  try { sessionStorage.setItem(MEMORY, JSON.stringify(kept)); } catch { /* a browser that keeps nothing */ }
}
function recall() {
  let kept = null;
  try { kept = JSON.parse(sessionStorage.getItem(MEMORY)); } catch { /* the same */ }
  if (!kept) return;
  const n = data.boards.findIndex((b) => b.name === kept.board && data.maps[b.map].arrangement === kept.arrangement);
  if (n < 0) return;
  chooseBoard(n);
  state.setup = map().setups.findIndex((s) => s.n === kept.setup); $("setup").value = String(state.setup);
  shown.clear(); kept.shown.forEach((key) => shown.add(key));
  for (const box of $("choices").querySelectorAll("input")) box.checked = shown.has(box.name);
  fillFindings(); legends();
  const i = map().spaces.findIndex((s) => s.k === kept.space), p = setup() && setup().pieces[kept.unit];
  pinned = kept.pinned && i >= 0;
  choose(i, p && p[1] === i && data.counters[p[0]].n === kept.counter ? kept.unit : -1);
  Object.assign(state, { scale: kept.scale, x: kept.x - canvas.clientWidth / 2 / kept.scale, y: kept.y - canvas.clientHeight / 2 / kept.scale }); draw();
}
recall();
window.addEventListener("pagehide", remember);
try { pinned = find(decodeURIComponent(location.hash.slice(1))) || pinned; } catch { /* no name of anything */ }
// Pictures of counters are made ready a few at a time, before they are wanted.
(function ready(n) { if (n < data.pictures.length) { for (let i = n; i < n + 40 && i < data.pictures.length; i++) face(i); setTimeout(ready, 60, n + 40); } })(0);
if (data.live) {
  const news = new EventSource("/events");
  news.addEventListener("made", (e) => { if (Number(e.data) !== data.live) location.reload(); });
  news.addEventListener("trouble", (e) => { $("trouble").textContent = `The game cannot be made as its files are now; this is how it was before.\n\n${JSON.parse(e.data)}`; $("trouble").hidden = false; });
  news.addEventListener("well", () => { $("trouble").hidden = true; });
}
