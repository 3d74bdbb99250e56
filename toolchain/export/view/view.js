"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const $ = (id) => document.getElementById(id);
const canvas = $("map"), pen = canvas.getContext("2d");
const FIND = 40; // mm of a cell of the index of spaces
const state = { board: 0, setup: -1, space: -1, unit: -1, scale: 1, x: 0, y: 0 };
const LAYERS = [
  ["art", "Map as printed", true], ["terrain", "Terrain", false], ["numbers", "Numbers and names", false],
  ["hexsides", "Hexsides", false], ["ways", "Roads and links", false], ["counters", "Counters", true],
];
const shown = new Set(LAYERS.filter((l) => l[2]).map((l) => l[0]).concat(["findings"]));
const KINDS = ["#2a5fa8", "#12a0c8", "#3c7a3a", "#7b3fa0", "#a8322a", "#b26a00", "#5a5048", "#c2408a"];

// What is shown now ------------------------------------------------------------------------------------------------
const board = () => data.boards[state.board];
const map = () => data.maps[board().map];
const within = () => data.boards.filter((b, n) => b.map === board().map && n < state.board).length; // sheet of its map
const setup = () => map().setups[state.setup];
const here = (s) => (s.b || 0) === within();
const named = (s) => s.n || s.k;

const cells = new Map();
function indexSpaces() {
  cells.clear();
  map().spaces.forEach((s, i) => {
    if (!here(s)) return;
    const key = `${Math.floor(s.x / FIND)},${Math.floor(s.y / FIND)}`;
    (cells.get(key) || cells.set(key, []).get(key)).push(i);
  });
}

function ring(s) {
  if (s.o && s.o.length) return s.o;
  const own = map().rings[board().name];
  if (!own || s.o) { const r = 4, out = []; for (let a = 0; a < 12; a++) out.push(s.x + r * Math.cos(a * Math.PI / 6), s.y + r * Math.sin(a * Math.PI / 6)); return out; }
  return own.map((v, n) => v + (n % 2 ? s.y : s.x));
}

function inside(s, x, y) {
  const o = ring(s); let hit = false;
  for (let i = 0, j = o.length - 2; i < o.length; j = i, i += 2)
    if (o[i + 1] > y !== o[j + 1] > y && x < (o[j] - o[i]) * (y - o[i + 1]) / (o[j + 1] - o[i + 1]) + o[i]) hit = !hit;
  return hit;
}

function spaceAt(x, y) {
  let large = -1;
  for (const [i, s] of bigSpaces) if (inside(s, x, y)) large = i;
  if (large >= 0) return large;
  const cx = Math.floor(x / FIND), cy = Math.floor(y / FIND);
  for (let i = -1; i <= 1; i++) for (let j = -1; j <= 1; j++)
    for (const n of cells.get(`${cx + i},${cy + j}`) || []) if (inside(map().spaces[n], x, y)) return n;
  return -1;
}
let bigSpaces = [];

// Drawing ------------------------------------------------------------------------------------------------------------
const art = data.boards.map((b) => { const i = new Image(); i.onload = draw; i.src = b.img; return i; });
const faces = data.pictures.map(() => null);
function face(n) {
  if (!faces[n]) { faces[n] = new Image(); faces[n].onload = draw; faces[n].src = data.pictures[n]; }
  return faces[n];
}

let asked = false;
function draw() { if (!asked) { asked = true; requestAnimationFrame(paint); } }

function add(o) { pen.moveTo(o[0], o[1]); for (let i = 2; i < o.length; i += 2) pen.lineTo(o[i], o[i + 1]); pen.closePath(); }
function trace(o) { pen.beginPath(); add(o); }
// Some outlines to a path: browsers are slow with a path for each, and slower with one path for thousands.
const SOME = 8;
function inSome(rows, put, end) { for (let i = 0; i < rows.length; i += SOME) { pen.beginPath(); rows.slice(i, i + SOME).forEach(put); end(); } }
const fill = () => pen.fill(), stroke = () => pen.stroke();
function traceAll(numbers, end, shape = ring) { const spaces = map().spaces; inSome(numbers, (i) => add(shape(spaces[i])), end); }
function shrunk(s) { return ring(s).map((v, n) => (n % 2 ? s.y : s.x) + 0.88 * (v - (n % 2 ? s.y : s.x))); }

function paint() {
  asked = false;
  const ratio = window.devicePixelRatio || 1, w = canvas.clientWidth, h = canvas.clientHeight;
  if (canvas.width !== Math.round(w * ratio) || canvas.height !== Math.round(h * ratio)) {
    canvas.width = Math.round(w * ratio); canvas.height = Math.round(h * ratio);
  }
  render(ratio, w, h);
}

function render(ratio, w, h) {
  const { scale, x, y } = state, b = board(), m = map(), mm = 1 / scale;
  pen.setTransform(1, 0, 0, 1, 0, 0);
  pen.fillStyle = "#d9d2c1"; pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.setTransform(scale * ratio, 0, 0, scale * ratio, -x * scale * ratio, -y * scale * ratio);
  pen.fillStyle = "#f8f2e2"; pen.fillRect(0, 0, b.w, b.h);
  if (shown.has("art") && art[state.board].complete) pen.drawImage(art[state.board], 0, 0, b.w, b.h);
  const left = x - 30, top = y - 30, right = x + w / scale + 30, low = y + h / scale + 30;
  const seen = (s) => here(s) && s.x > left && s.x < right && s.y > top && s.y < low;
  const spaces = m.spaces, visible = [];
  spaces.forEach((s, i) => { if (seen(s) || (s.o && here(s))) visible.push(i); });
  if (shown.has("terrain")) {
    pen.globalAlpha = shown.has("art") ? 0.55 : 1;
    m.terrain.forEach((t, n) => { pen.fillStyle = t.c; traceAll(visible.filter((i) => spaces[i].t === n), fill); });
    pen.globalAlpha = 1;
    pen.strokeStyle = "#4a403555"; pen.lineWidth = Math.max(0.15, 0.6 * mm);
    if (scale > 0.8) traceAll(visible, stroke); // from afar, borders would only darken
  }
  if (shown.has("hexsides")) lines(m.sides, Math.max(0.8, 2.2 * mm), 0, [left, top, right, low]);
  if (shown.has("ways")) lines(m.ways, Math.max(0.5, 1.6 * mm), 4, [left, top, right, low]);
  overlays(visible, mm);
  if (shown.has("numbers") && scale > 1.2) {
    pen.textAlign = "center"; pen.fillStyle = "#1d1b18"; pen.strokeStyle = "#ffffffcc";
    for (const i of visible) {
      const s = spaces[i], size = Math.min(3.4, 13 * mm);
      pen.font = `${s.n ? 600 : 400} ${size}px system-ui, sans-serif`; pen.lineWidth = size / 4;
      const text = s.n ? (s.l ? `${s.n} ${s.l}` : s.n) : s.k;
      pen.strokeText(text, s.x, s.y + size * 1.6); pen.fillText(text, s.x, s.y + size * 1.6);
    }
  }
  if (setup()) { if (shown.has("counters")) counters(seen); lineOfSupply(mm, b); }
  if (shown.has("findings")) alarms(visible, mm);
  if (state.space >= 0 && here(spaces[state.space])) {
    trace(ring(spaces[state.space])); pen.strokeStyle = "#fff"; pen.lineWidth = 5 * mm; pen.stroke();
    pen.strokeStyle = "#8c2f26"; pen.lineWidth = 3 * mm; pen.stroke();
  }
}

function lines(rows, width, shift, [left, top, right, low]) {
  pen.lineWidth = width; pen.lineCap = "round"; pen.lineJoin = "round";
  const sheet = within(), kinds = new Map();
  for (const row of rows) if (row[0] === sheet) {
    const ends = row.length - 2, x = [row[2], row[ends]], y = [row[3], row[ends + 1]];
    if (Math.max(...x) < left || Math.min(...x) > right || Math.max(...y) < top || Math.min(...y) > low) continue;
    (kinds.get(row[1]) || kinds.set(row[1], []).get(row[1])).push(row);
  }
  for (const [kind, some] of kinds) {
    pen.strokeStyle = KINDS[(kind + shift) % KINDS.length];
    inSome(some, (row) => { pen.moveTo(row[2], row[3]); for (let i = 4; i < row.length; i += 2) pen.lineTo(row[i], row[i + 1]); }, stroke);
  }
}

function overlays(visible, mm) {
  const s = setup(); if (!s) return;
  const on = new Set(visible), spaces = map().spaces;
  data.sides.forEach((side) => {
    if (shown.has(`control-${side.name}`)) {
      pen.fillStyle = side.ink + "3c";
      traceAll((s.control[side.name] || []).filter((i) => on.has(i)), fill);
    }
    if (shown.has(`zones-${side.name}`)) {
      pen.strokeStyle = side.ink; pen.lineWidth = Math.max(0.5, 1.6 * mm); pen.setLineDash([4 * mm, 3 * mm]);
      traceAll((s.zones[side.name] || []).filter((i) => on.has(i)), stroke, shrunk);
      pen.setLineDash([]);
    }
    if (shown.has(`supply-${side.name}`)) {
      pen.strokeStyle = side.ink + "aa"; pen.lineWidth = Math.max(0.5, 1.5 * mm);
      const drawn = new Set(), ways = [];
      for (const p of s.pieces) {
        if (!p[5] || data.counters[p[0]].s !== side.name) continue;
        if (p[5].p) for (let i = 1; i < p[5].p.length; i++) {
          const a = p[5].p[i - 1], b = p[5].p[i], key = a < b ? `${a}-${b}` : `${b}-${a}`;
          if (drawn.has(key)) continue;
          drawn.add(key); ways.push([spaces[a], spaces[b]]);
        }
      }
      inSome(ways, ([a, b]) => { pen.moveTo(a.x, a.y); pen.lineTo(b.x, b.y); }, stroke);
      const out = new Set(s.pieces.filter((p) => p[5] && p[5].g === "out" && data.counters[p[0]].s === side.name && on.has(p[1])).map((p) => p[1]));
      pen.fillStyle = "#b3261e99"; traceAll([...out], fill);
    }
  });
}

function counters(seen) {
  const s = setup(), spaces = map().spaces;
  for (const p of s.pieces) {
    const c = data.counters[p[0]], space = spaces[p[1]];
    if (!seen(space)) continue;
    const px = c.w * state.scale, side = data.sides.find((x) => x.name === c.s);
    const n = c.f.length ? c.f[Math.min(p[2], c.f.length - 1)] : -1;
    if (px < 9 || n < 0 || !face(n).complete) {
      pen.fillStyle = c.c || (side ? side.ink : "#6a6258"); pen.fillRect(p[3] - c.w / 2, p[4] - c.h / 2, c.w, c.h);
      pen.strokeStyle = "#2b2620"; pen.lineWidth = c.w / 12; pen.strokeRect(p[3] - c.w / 2, p[4] - c.h / 2, c.w, c.h);
    } else pen.drawImage(face(n), p[3] - c.w / 2, p[4] - c.h / 2, c.w, c.h);
    if (p[5] && p[5].g === "out") { pen.strokeStyle = "#d0021b"; pen.lineWidth = c.w / 10; pen.strokeRect(p[3] - c.w / 2, p[4] - c.h / 2, c.w, c.h); }
  }
}

function lineOfSupply(mm, b) {
  const p = setup().pieces[state.unit]; if (!p || !p[5]) return;
  const spaces = map().spaces;
  if (p[5].p) {
    const { w, h } = data.counters[p[0]], own = new Path2D(); // the line begins at the edge of the unit
    own.rect(-1e4, -1e4, b.w + 2e4, b.h + 2e4); own.rect(p[3] - w / 2, p[4] - h / 2, w, h);
    pen.save(); pen.clip(own, "evenodd");
    for (const [ink, width] of [["#fff", 8], ["#167a3e", 4.5]]) {
      pen.strokeStyle = ink; pen.lineWidth = width * mm; pen.lineJoin = "round"; pen.beginPath();
      for (const i of p[5].p) pen.lineTo(spaces[i].x, spaces[i].y);
      pen.stroke();
    }
    const end = spaces[p[5].p[p[5].p.length - 1]];
    pen.fillStyle = "#167a3e"; pen.beginPath(); pen.arc(end.x, end.y, 9 * mm, 0, 7); pen.fill();
    pen.restore();
  }
  for (const i of p[5].x || []) {
    const r = 7 * mm, s = spaces[i]; pen.strokeStyle = "#d0021b"; pen.lineWidth = 4 * mm; pen.beginPath();
    pen.moveTo(s.x - r, s.y - r); pen.lineTo(s.x + r, s.y + r); pen.moveTo(s.x + r, s.y - r); pen.lineTo(s.x - r, s.y + r); pen.stroke();
  }
}

function alarms(visible, mm) {
  const on = new Set(visible), worst = new Map();
  for (const f of map().findings.concat(setup() ? setup().findings : [])) {
    if (!on.has(f.s) || f.v === "note") continue;
    if (worst.get(f.s) !== "error") worst.set(f.s, f.v);
  }
  for (const [i, v] of worst) {
    const s = map().spaces[i], r = 8 * mm;
    pen.fillStyle = v === "error" ? "#d0021b" : "#c58a1a"; pen.beginPath(); pen.arc(s.x + r, s.y - r, r, 0, 7); pen.fill();
    pen.fillStyle = "#fff"; pen.font = `700 ${11 * mm}px system-ui`; pen.textAlign = "center"; pen.fillText("!", s.x + r, s.y - r + 4 * mm);
  }
}

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
  const was = state.scale, most = 24;
  state.scale = Math.min(most, Math.max(0.12, was * by));
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
  const close = el("button", "×", "close"); close.title = "Close (Escape)"; close.onclick = () => { pinned = false; choose(-1); };
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
      button.onclick = () => choose(i, n === state.unit ? -1 : n);
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
  for (const f of m.findings.concat(u ? u.findings : [])) if (f.s === i) box.append(el("p", `${f.c} ${f.m}`, `finding ${f.v}`));
}

// Choices --------------------------------------------------------------------------------------------------------------
function chooseBoard(n) {
  const same = data.boards[n].map === board().map;
  state.board = n; $("board").value = String(n);
  if (!same) fillSetups();
  bigSpaces = map().spaces.map((s, i) => [i, s]).filter(([, s]) => s.o && here(s));
  indexSpaces(); state.space = state.unit = -1; $("about").replaceChildren(); fit();
}
function fillSetups() {
  const box = $("setup"); box.replaceChildren(); box.append(new Option("none", "-1"));
  map().setups.forEach((s, n) => box.append(new Option(s.t, String(n))));
  state.setup = map().setups.length ? 0 : -1; box.value = String(state.setup);
  fillFindings(); legends();
  $("places").replaceChildren(...map().spaces.filter((s) => s.n).map((s) => new Option(s.n)));
}
function fillLayers() {
  const rows = LAYERS.map(([key, title]) => [key, title, ""]);
  for (const s of data.sides) for (const [key, title] of [["control", "Control"], ["zones", "Zones of control"], ["supply", "Supply"]]) rows.push([`${key}-${s.name}`, `${title}: ${s.title}`, s.ink]);
  rows.push(["findings", "Findings", "#d0021b"]);
  for (const [key, title, ink] of rows) {
    const label = el("label"), box = el("input"); box.type = "checkbox"; box.name = key; box.checked = shown.has(key);
    box.onchange = () => { if (box.checked) shown.add(key); else shown.delete(key); legends(); draw(); };
    label.append(box);
    if (ink) { const dot = el("span", "", "swatch"); dot.style.background = ink; label.append(dot); }
    label.append(title); $("choices").append(label);
    if (LEGENDS[key]) { const p = el("p", "", "legend"); p.id = `legend-${key}`; $("choices").append(p); }
  }
}
const LEGENDS = {
  terrain: () => map().terrain.map((t) => [t.t, t.c]),
  hexsides: () => map().hexsides.map((t, n) => [t, KINDS[n % KINDS.length]]),
  ways: () => map().links.map((t, n) => [t, KINDS[(n + 4) % KINDS.length]]),
};
function legends() {
  for (const key of Object.keys(LEGENDS)) {
    $(`legend-${key}`).hidden = !shown.has(key);
    $(`legend-${key}`).replaceChildren(...LEGENDS[key]().map(([title, ink]) => { const row = el("span"), dot = el("span", "", "swatch"); dot.style.background = ink; row.append(dot, title); return row; }));
  }
}
function fillFindings() {
  const rank = ["error", "warning", "note"], all = (setup() ? setup().findings : []).concat(map().findings);
  all.sort((a, b) => rank.indexOf(a.v) - rank.indexOf(b.v));
  const grave = all.filter((f) => f.v !== "note").length;
  $("found").hidden = !all.length; $("count").textContent = String(grave || all.length); $("count").className = all.length ? all[0].v : "";
  $("list").replaceChildren(...all.slice(0, 300).map((f) => {
    const item = el("li"), button = el("button", `${f.v} ${f.c}: ${f.m}${f.w ? `\n${f.w}` : ""}`, f.v);
    button.onclick = () => { $("found").open = false; if (f.s >= 0) { pinned = true; show(f.s, true); } };
    item.append(button); return item;
  }));
}

function find(word) {
  const want = word.trim().toLowerCase(); if (!want) return false;
  const spaces = map().spaces, test = [(s) => named(s).toLowerCase() === want || (s.l || "").toLowerCase() === want, (s) => named(s).toLowerCase().startsWith(want), (s) => named(s).toLowerCase().includes(want)];
  for (const t of test) { const i = spaces.findIndex(t); if (i >= 0) { show(i, true); return true; } }
  return false;
}

// What a person does ----------------------------------------------------------------------------------------------------
const fingers = new Map(); let moved = 0, spread = 0;
canvas.addEventListener("pointerdown", (e) => { canvas.setPointerCapture(e.pointerId); fingers.set(e.pointerId, [e.offsetX, e.offsetY]); moved = 0; spread = 0; canvas.classList.add("dragging"); $("layers").open = $("found").open = false; });
canvas.addEventListener("pointermove", (e) => {
  const was = fingers.get(e.pointerId);
  if (!was) { const i = spaceAt(state.x + e.offsetX / state.scale, state.y + e.offsetY / state.scale); if (i !== hovered) { hovered = i; if (state.unit < 0 && !pinned) { state.space = i; tell(i); draw(); } } return; }
  const dx = e.offsetX - was[0], dy = e.offsetY - was[1]; fingers.set(e.pointerId, [e.offsetX, e.offsetY]);
  if (fingers.size === 1) { moved += Math.abs(dx) + Math.abs(dy); state.x -= dx / state.scale; state.y -= dy / state.scale; draw(); return; }
  const [a, b] = [...fingers.values()], now = Math.hypot(a[0] - b[0], a[1] - b[1]);
  if (spread) zoom(now / spread, (a[0] + b[0]) / 2, (a[1] + b[1]) / 2);
  spread = now; moved = 99;
});
let hovered = -1, pinned = false;
function lift(e) {
  fingers.delete(e.pointerId); spread = 0; canvas.classList.toggle("dragging", fingers.size > 0);
  if (moved < 6 && e.type === "pointerup") { const i = spaceAt(state.x + e.offsetX / state.scale, state.y + e.offsetY / state.scale); pinned = i >= 0; choose(i, unitAt(e, i)); }
}
function unitAt(e, i) {
  if (!setup() || i < 0 || !shown.has("counters")) return -1;
  const x = state.x + e.offsetX / state.scale, y = state.y + e.offsetY / state.scale; let top = -1;
  setup().pieces.forEach((p, n) => { const c = data.counters[p[0]]; if (Math.abs(x - p[3]) < c.w / 2 && Math.abs(y - p[4]) < c.h / 2) top = n; });
  return top >= 0 && setup().pieces[top][1] === i ? top : -1;
}
canvas.addEventListener("pointerup", lift); canvas.addEventListener("pointercancel", lift);
canvas.addEventListener("wheel", (e) => { e.preventDefault(); zoom(Math.exp(-e.deltaY * (e.deltaMode ? 0.05 : 0.0016)), e.offsetX, e.offsetY); }, { passive: false });
document.addEventListener("keydown", (e) => {
  if (e.target.closest("input, select, fieldset") || e.ctrlKey || e.metaKey || e.altKey) return;
  const go = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[e.key];
  if (go) { e.preventDefault(); pinned = true; step(...go); }
  else if (e.key === "+" || e.key === "=") zoom(1.4); else if (e.key === "-") zoom(1 / 1.4); else if (e.key === "0") fit();
  else if (e.key === "Escape") { pinned = false; choose(-1); } else if (e.key === "/") { e.preventDefault(); $("place").focus(); }
});
$("in").onclick = () => zoom(1.5); $("out").onclick = () => zoom(1 / 1.5); $("fit").onclick = fit;
$("find").onsubmit = (e) => { e.preventDefault(); $("place").setCustomValidity(""); pinned = find($("place").value); if (pinned) $("place").blur(); else { $("place").setCustomValidity("no such place"); $("place").reportValidity(); } };
$("place").oninput = () => $("place").setCustomValidity("");
$("place").onchange = () => { if (map().spaces.some((s) => s.n === $("place").value)) pinned = find($("place").value); };
$("setup").onchange = () => { state.setup = Number($("setup").value); state.unit = -1; fillFindings(); tell(state.space); draw(); };
$("board").onchange = () => chooseBoard(Number($("board").value));
let touched = false;
for (const kind of ["pointerdown", "wheel", "keydown"]) window.addEventListener(kind, () => { touched = true; });
window.addEventListener("resize", () => { if (touched || state.space >= 0) draw(); else fit(); });
// Printed, the whole sheet fills the width of the page.
for (const id of ["layers", "found"]) $(id).addEventListener("toggle", () => { if ($(id).open) $(id === "layers" ? "found" : "layers").open = false; });
window.addEventListener("beforeprint", () => { $("printed").textContent = setup() ? setup().t : ""; const b = board(), keep = { ...state }; Object.assign(state, { scale: 1, x: 0, y: 0 }); const r = Math.min(8, 3000 / b.w); canvas.width = b.w * r; canvas.height = b.h * r; render(r, b.w, b.h); Object.assign(state, keep); });
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
const asked_for = decodeURIComponent(location.hash.slice(1)); if (asked_for) pinned = find(asked_for);
// Pictures of counters are made ready a few at a time, before they are wanted.
(function ready(n) { if (n < data.pictures.length) { for (let i = n; i < n + 40 && i < data.pictures.length; i++) face(i); setTimeout(ready, 60, n + 40); } })(0);
if (data.live) {
  const news = new EventSource("/events");
  news.addEventListener("made", (e) => { if (Number(e.data) !== data.live) location.reload(); });
  news.addEventListener("trouble", (e) => { $("trouble").textContent = `The game cannot be made as its files are now; this is how it was before.\n\n${JSON.parse(e.data)}`; $("trouble").hidden = false; });
  news.addEventListener("well", () => { $("trouble").hidden = true; });
}
