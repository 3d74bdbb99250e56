"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const $ = (id) => document.getElementById(id);
const canvas = $("map"), pen = canvas.getContext("2d");
const FIND = 40, READABLE = 1.2; // mm of a cell of the index of spaces; pixels to a mm at which numbers can be read
const state = { board: 0, setup: -1, space: -1, unit: -1, scale: 1, x: 0, y: 0 };
const LAYERS = [
  ["art", "Map as printed", true], ["terrain", "Terrain", false], ["numbers", "Numbers and names", false],
  ["hexsides", "Hexsides", false], ["ways", "Roads and links", false], ["counters", "Counters", true],
];
const shown = new Set(LAYERS.filter((l) => l[2]).map((l) => l[0]).concat(["findings"]));

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
  return large >= 0 ? large : hexAt(x, y);
}
function hexAt(x, y) {
  const cx = Math.floor(x / FIND), cy = Math.floor(y / FIND);
  for (let i = -1; i <= 1; i++) for (let j = -1; j <= 1; j++)
    for (const n of cells.get(`${cx + i},${cy + j}`) || []) if (inside(map().spaces[n], x, y)) return n;
  return -1;
}
let bigSpaces = [];

// How neighbours are joined where a way is drawn: by pair of spaces, its kind and its parts. Else a line goes straight.
const drawnWays = new Map();
const pair = (a, b) => (a < b ? `${a}-${b}` : `${b}-${a}`);
function indexWays() {
  drawnWays.clear();
  for (const [, kind, a, b, ...line] of map().ways) {
    const known = drawnWays.get(pair(a, b));
    if (!known) drawnWays.set(pair(a, b), { kind, parts: [line] }); else if (known.kind === kind) known.parts.push(line);
  }
}
function way(a, b) {
  const p = map().spaces[a], q = map().spaces[b], known = drawnWays.get(pair(a, b));
  return here(p) && here(q) ? (known ? known.parts : [[p.x, p.y, q.x, q.y]]) : [];
}

// The border of an area: the edges of its spaces that only one of them has, and that one. Over the edge of a hex lies
// another hex or none; areas that are drawn have the same corners where they meet.
const borders = new Map();
function border(numbers) {
  if (borders.has(numbers)) return borders.get(numbers);
  const edges = new Map(), at = (v) => Math.round(4 * v), within = new Set(numbers);
  for (const i of numbers) {
    const s = map().spaces[i], o = ring(s);
    for (let k = 0, j = o.length - 2; k < o.length; j = k, k += 2) {
      if (!s.o && within.has(hexAt(o[j] + o[k] - s.x, o[j + 1] + o[k + 1] - s.y))) continue;
      const p = `${at(o[j])},${at(o[j + 1])}`, q = `${at(o[k])},${at(o[k + 1])}`, key = p < q ? `${p} ${q}` : `${q} ${p}`;
      if (!edges.delete(key)) edges.set(key, [s, o[j], o[j + 1], o[k], o[k + 1]]);
    }
  }
  borders.set(numbers, [...edges.values()]);
  return borders.get(numbers);
}
function drawBorder(numbers, seen, share) { // share: how far from the middles of the spaces, of the way to their edges
  const near = border(numbers).filter(([s]) => seen(s)), to = (m, v) => m + share * (v - m);
  inSome(near, ([s, x, y, u, v]) => { pen.moveTo(to(s.x, x), to(s.y, y)); pen.lineTo(to(s.x, u), to(s.y, v)); }, stroke);
}

// Drawing ------------------------------------------------------------------------------------------------------------
const art = data.boards.map((b) => { const i = new Image(); i.onload = draw; i.src = b.img; return i; });
const faces = data.pictures.map(() => null);
function face(n) {
  if (!faces[n]) { faces[n] = new Image(); faces[n].onload = draw; faces[n].src = data.pictures[n]; }
  return faces[n];
}

let asked = false, far = false; // far: too far to read numbers
function draw() { if (!asked) { asked = true; requestAnimationFrame(paint); } }

function add(o) { pen.moveTo(o[0], o[1]); for (let i = 2; i < o.length; i += 2) pen.lineTo(o[i], o[i + 1]); pen.closePath(); }
function trace(o) { pen.beginPath(); add(o); }
// Some outlines to a path: browsers are slow with a path for each, and slower with one path for thousands.
const SOME = 8;
function inSome(rows, put, end) { for (let i = 0; i < rows.length; i += SOME) { pen.beginPath(); rows.slice(i, i + SOME).forEach(put); end(); } }
const fill = () => pen.fill(), stroke = () => pen.stroke();
function traceAll(numbers, end) { const spaces = map().spaces; inSome(numbers, (i) => add(ring(spaces[i])), end); }
function follow(line) { pen.moveTo(line[0], line[1]); for (let i = 2; i < line.length; i += 2) pen.lineTo(line[i], line[i + 1]); }

function paint() {
  asked = false;
  const ratio = window.devicePixelRatio || 1, w = canvas.clientWidth, h = canvas.clientHeight;
  if (canvas.width !== Math.round(w * ratio) || canvas.height !== Math.round(h * ratio)) {
    canvas.width = Math.round(w * ratio); canvas.height = Math.round(h * ratio);
  }
  if (far !== (state.scale <= READABLE)) { far = !far; legends(); }
  render(ratio, w, h);
}

function render(ratio, w, h) {
  const { scale, x, y } = state, b = board(), m = map(), mm = 1 / scale;
  pen.setTransform(1, 0, 0, 1, 0, 0);
  pen.fillStyle = "#d9d2c1"; pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.setTransform(scale * ratio, 0, 0, scale * ratio, -x * scale * ratio, -y * scale * ratio);
  pen.fillStyle = "#f8f2e2"; pen.fillRect(0, 0, b.w, b.h);
  pen.save(); pen.beginPath(); pen.rect(0, 0, b.w, b.h); pen.clip(); // hexes at the edges of the sheet are cut as it is
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
  if (shown.has("hexsides")) lines(m.sides, m.hexsides, Math.max(0.8, 2.2 * mm), 2, [left, top, right, low]);
  if (shown.has("ways")) lines(m.ways, m.links, Math.max(0.5, 1.6 * mm), 4, [left, top, right, low]);
  overlays(visible, seen, mm);
  pen.restore();
  if (shown.has("numbers") && scale > READABLE) {
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

function lines(rows, legend, width, from, [left, top, right, low]) { // from: where the coordinates of a row begin
  pen.lineWidth = width; pen.lineCap = "round"; pen.lineJoin = "round";
  const sheet = within(), kinds = new Map();
  for (const row of rows) if (row[0] === sheet) {
    const ends = row.length - 2, x = [row[from], row[ends]], y = [row[from + 1], row[ends + 1]];
    if (Math.max(...x) < left || Math.min(...x) > right || Math.max(...y) < top || Math.min(...y) > low) continue;
    (kinds.get(row[1]) || kinds.set(row[1], []).get(row[1])).push(row);
  }
  for (const [kind, some] of kinds) {
    pen.strokeStyle = legend[kind].c;
    inSome(some, (row) => follow(row.slice(from)), stroke);
  }
}

function overlays(visible, seen, mm) {
  const s = setup(); if (!s) return;
  const on = new Set(visible), spaces = map().spaces;
  data.sides.forEach((side, number) => {
    if (shown.has(`control-${side.name}`)) {
      const held = s.control[side.name] || [];
      pen.fillStyle = side.ink + "30"; traceAll(held.filter((i) => on.has(i)), fill);
      pen.strokeStyle = side.ink; pen.lineWidth = Math.max(0.6, 2 * mm); pen.lineCap = "round"; drawBorder(held, seen, 0.97);
    }
    if (shown.has(`zones-${side.name}`)) {
      pen.strokeStyle = side.ink; pen.lineWidth = Math.max(0.5, 1.6 * mm); pen.setLineDash([4 * mm, 3 * mm]);
      drawBorder(s.zones[side.name] || [], seen, 0.88 - 0.08 * (number % 4));
      pen.setLineDash([]);
    }
    if (shown.has(`supply-${side.name}`)) {
      pen.strokeStyle = side.ink + "aa"; pen.lineWidth = Math.max(0.5, 1.5 * mm);
      const drawn = new Set(), ways = [];
      for (const p of s.pieces) {
        if (!p[5] || data.counters[p[0]].s !== side.name) continue;
        if (p[5].p) for (let i = 1; i < p[5].p.length; i++) {
          const a = p[5].p[i - 1], b = p[5].p[i];
          if (!drawn.has(pair(a, b))) ways.push(...way(a, b));
          drawn.add(pair(a, b));
        }
      }
      inSome(ways, follow, stroke);
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
  const spaces = map().spaces, line = p[5].p || [];
  if (line.length) {
    const { w, h } = data.counters[p[0]], own = new Path2D(); // the line begins at the edge of the unit
    own.rect(-1e4, -1e4, b.w + 2e4, b.h + 2e4); own.rect(p[3] - w / 2, p[4] - h / 2, w, h);
    pen.save(); pen.clip(own, "evenodd");
    for (const [ink, width] of [["#fff", 8], ["#167a3e", 4.5]]) {
      pen.strokeStyle = ink; pen.lineWidth = width * mm; pen.lineJoin = pen.lineCap = "round"; pen.beginPath();
      for (let i = 1; i < line.length; i++) way(line[i - 1], line[i]).forEach(follow);
      pen.stroke();
    }
    const end = spaces[line[line.length - 1]];
    if (here(end)) { pen.fillStyle = "#167a3e"; pen.beginPath(); pen.arc(end.x, end.y, 9 * mm, 0, 7); pen.fill(); }
    pen.restore();
  }
  for (const i of p[5].x || []) {
    const r = 7 * mm, s = spaces[i]; if (!here(s)) continue;
    pen.strokeStyle = "#d0021b"; pen.lineWidth = 4 * mm; pen.beginPath();
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

