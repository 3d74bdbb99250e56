"""The page in a real browser, used as people use it: with a mouse, with keys, with two fingers, and on paper."""

from __future__ import annotations

import io
import json
import re

import pypdf
import pytest
from chromium import address
from PIL import Image
from test_view import PROJECTS, read

from toolchain.cli.making import Maker
from toolchain.cli.session import Session
from toolchain.cli.viewing import view_page
from toolchain.export.view import page

RED = "Red 1st"


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    """The pages of the tiny games, as files."""
    folder = tmp_path_factory.mktemp("view")
    for name in ("tiny", "points", "blocks"):
        session = Session(PROJECTS, name, quiet=True)
        (folder / f"{name}.html").write_bytes(view_page(Maker(session, session.load(), cached=False)))
    return {path.stem: path for path in folder.glob("*.html")}


@pytest.fixture
def opened(browser, pages):
    """Open the page of a game afresh, as on a desk or on a phone; nothing may go wrong in it until the test ends."""

    def open_(name="tiny", *, phone=False, size=None):
        browser.size(*(size or ((390, 844) if phone else (1100, 760))), phone=phone)
        browser.open(address(pages[name]))
        browser.js("(sessionStorage.clear(), removeEventListener('pagehide', remember))")
        browser.open(address(pages[name]))
        browser.wait("art.every((i) => i.complete) && faces.every((f) => f && f.complete)")
        return browser

    browser.errors()
    yield open_
    assert browser.errors() == []


def middle(browser, key):
    """Return where the middle of a space is in the window, by its key or name."""
    code = (
        "((k) => { const s = map().spaces.find((s) => s.k === k || s.n === k);"
        " return [(s.x - state.x) * state.scale, (s.y - state.y) * state.scale]; })(arguments[0])"
    )
    return browser.js(code, key)


def told(browser):
    return browser.js("$('about').innerText")


def choose(browser, select, title):
    """Choose from a list as its own control would."""
    browser.js(
        "((id, title) => { const box = $(id); box.value = [...box.options].find((o) => o.text === title).value;"
        " box.dispatchEvent(new Event('change')); })(arguments[0], arguments[1])",
        select,
        title,
    )


def ink(browser, x, y):
    """Return the colour of the window at a place."""
    picture = Image.open(io.BytesIO(browser.picture())).convert("RGB")
    ratio = picture.width / browser.js("innerWidth")
    return picture.getpixel((int(x * ratio), int(y * ratio)))


def test_it_opens_with_all_of_the_map_in_sight(opened):
    b = opened()
    assert b.js("document.title") == b.js("$('title').textContent") == "Tiny"
    left, top, right, low = b.js(
        "[-state.x, -state.y, board().w - state.x, board().h - state.y].map((v) => v * state.scale)"
    )
    assert left > 0 and right < 1100 and low < 760
    assert top > b.js("document.querySelector('header').getBoundingClientRect().bottom")
    assert b.js("$('about').innerText") == "" and b.js("$('board-label').hidden")


def test_a_hovered_space_says_what_it_is_and_who_is_there(opened):
    b = opened()
    b.hover(*middle(b, "Crossing"))
    words = b.wait("$('about').innerText")
    for word in ("Crossing", "0302", "Forest", "Town", "Stacking: 2", "Controlled by Red", RED, "Red 2nd"):
        assert word in words
    b.hover(*middle(b, "0401"))
    b.wait("$('about').innerText.includes('0401')")
    assert RED not in told(b)


def test_the_wheel_zooms_about_the_mouse_and_dragging_pans(opened):
    b = opened()
    x, y = middle(b, "Ford")
    was = b.js("state.scale")
    b.mouse("Wheel", x, y, deltaX=0, deltaY=-400)
    b.wait(f"state.scale > {was} * 1.5")
    assert middle(b, "Ford") == pytest.approx([x, y], abs=1)
    b.drag(x, y, 120, 60)
    assert middle(b, "Ford") == pytest.approx([x + 120, y + 60], abs=1)
    assert b.js("state.unit") == -1 and not b.js("pinned")  # a drag chooses nothing
    b.js("$('fit').click()")
    assert b.js("state.scale") == pytest.approx(was)
    b.js("$('in').click()")
    assert b.js("state.scale") > was


def test_a_clicked_unit_shows_its_line_of_supply(opened):
    b = opened()
    b.click(*middle(b, "Crossing"))
    # The upper one of the stack lies there; the other is in the list.
    assert b.js("document.querySelectorAll('#about [aria-pressed=true]').length") == 1
    b.js(f"[...document.querySelectorAll('#about li button')].find((x) => x.innerText.includes('{RED}')).click()")
    words = told(b)
    assert "Crossing › Ford › Harbour" in words and f"{RED} in Crossing: in" in words
    green = ink(b, *[(p + q) / 2 for p, q in zip(middle(b, "Ford"), middle(b, "Harbour"), strict=True)])
    assert green[1] > green[0] + 40 and green[1] > green[2]
    # A click on the open paper lets go again.
    b.click(1090, 740)
    assert told(b) == ""


def test_a_unit_without_supply_shows_where_its_line_breaks(opened, pages, browser, tmp_path):
    data = json.loads(read(pages["tiny"].read_bytes()).scripts["data"])
    spaces = [s.get("n", s["k"]) for s in data["maps"][0]["spaces"]]
    piece = next(p for p in data["maps"][0]["setups"][0]["pieces"] if spaces[p[1]] == "Hill")
    piece[5:] = [{"g": "out", "w": "No line.", "r": ["Ford: an enemy is there"], "x": [spaces.index("Ford")]}]
    other = tmp_path / "out.html"
    other.write_bytes(page("Tiny", data))
    pages["out"] = other
    b = opened("out")
    b.click(*middle(b, "Hill"))
    words = told(b)
    assert "out of supply" in words and "No line." in words and "an enemy is there" in words
    x, y = middle(b, "Ford")
    assert ink(b, x, y)[0] > 180 > 80 > ink(b, x, y)[1]  # a red cross


def test_a_place_is_found_by_name(opened):
    b = opened()
    b.press("/")
    b.press(*"hil", "Enter")
    b.wait("$('about').innerText.includes('Hill')")
    x, y = middle(b, "Hill")
    assert 200 < x < 900 and 100 < y < 660  # and brought into sight
    b.js("$('place').value = 'Nowhere'")
    b.js("$('find').requestSubmit()")
    assert b.js("$('place').validationMessage") == "no such place or unit"


@pytest.mark.parametrize(
    ("typed", "found"),
    [("HÍLL", "Hill"), ("crosing", "Crossing"), ("0302", "Crossing"), ("red 2nd", "Red 2nd"), ("harbor", "Harbour")],
)
def test_a_name_is_found_as_people_type_it(opened, typed, found):
    b = opened()
    b.js(f"(($('place').value = '{typed}'), $('find').requestSubmit())")
    assert found in told(b)


def test_clicks_on_a_stack_go_through_it(opened):
    b = opened()
    pressed = "document.querySelector('#about [aria-pressed=true] span').textContent"
    seen = []
    for _ in range(3):
        b.click(*middle(b, "Crossing"))
        seen.append(b.js(pressed))
    assert seen[0] == seen[2] != seen[1] and sorted(seen[:2]) == ["Red 1st", "Red 2nd"]


def test_keys_choose_a_unit_and_stay_with_it(opened):
    b = opened()
    b.click(*middle(b, "Crossing"))
    b.press("Escape")
    b.js("show(map().spaces.findIndex((s) => s.n === 'Crossing'))")
    b.js("$('about').querySelector('[data-unit]').focus()")
    b.press("Enter")
    assert b.js("document.activeElement.getAttribute('aria-pressed')") == "true"


def test_what_a_deck_holds_is_told_in_its_space(opened, pages, tmp_path):
    data = json.loads(read(pages["tiny"].read_bytes()).scripts["data"])
    one = data["maps"][0]
    at = [s.get("n") for s in one["spaces"]].index("Hill")
    laid = one["setups"][0]["pieces"][0][0]
    other = next(n for n in range(len(data["counters"])) if n not in [p[0] for p in one["setups"][0]["pieces"]])
    one["decks"] = [{"n": "Draw pile", "s": at, "c": [laid, other, other]}, {"n": "Discards", "s": at, "c": []}]
    pages["decks"] = tmp_path / "decks.html"
    pages["decks"].write_bytes(page("Tiny", data))
    b = opened("decks")
    b.click(*middle(b, "Hill"))
    copies = sum(p[0] == laid for p in one["setups"][0]["pieces"])
    assert copies and "Draw pile: 2 cards" in told(b) and "Discards: a pile for cards, empty" in told(b)
    b.js("document.querySelector('.deck summary').click()")
    assert f"{data['counters'][other]['n']} × 2" in told(b)


def test_an_area_has_no_border_within_however_its_middles_are_rounded(opened, pages, tmp_path):
    data = json.loads(read(pages["tiny"].read_bytes()).scripts["data"])
    hexes = [s for s in data["maps"][0]["spaces"] if "o" not in s]
    for n, s in enumerate(hexes):
        s["x"], s["y"] = round(s["x"] + n % 3 / 100, 2), round(s["y"] - n % 2 / 100, 2)
    pages["rounded"] = tmp_path / "rounded.html"
    pages["rounded"].write_bytes(page("Tiny", data))
    b = opened("rounded")
    got = b.js("border(map().spaces.flatMap((s, i) => (s.o ? [] : [i]))).length")
    ring = data["maps"][0]["rings"]["main"]
    middles = [(ring[k] + ring[(k + 2) % 12], ring[k + 1] + ring[(k + 3) % 12]) for k in range(0, 12, 2)]
    at = [(s["x"], s["y"]) for s in hexes]
    near = [(x + dx, y + dy) for x, y in at for dx, dy in middles]
    assert got == sum(all(abs(u - x) + abs(v - y) > 1 for x, y in at) for u, v in near) > 10


def test_two_fingers_move_the_map_along(opened):
    b = opened(phone=True)
    x, y = middle(b, "Ford")
    b.touch(*[[(x - 30 + d, y + d), (x + 30 + d, y + d)] for d in (0, 20, 40)])
    assert middle(b, "Ford") == pytest.approx([x + 40, y + 40], abs=2)


def test_keys_go_from_space_to_space(opened):
    b = opened()
    b.click(*middle(b, "0303"))
    seen = []
    for key in ("ArrowUp", "ArrowLeft", "ArrowDown", "ArrowRight"):
        b.press(key)
        seen.append(b.js("map().spaces[state.space].k"))
    assert seen[0] == "Crossing" and len(set(seen)) == 4
    was = b.js("state.scale")
    b.press("+")
    assert b.js("state.scale") > was
    b.press("-")
    assert b.js("state.scale") == pytest.approx(was)
    b.press("Escape")
    assert told(b) == ""
    assert b.js("document.querySelectorAll('button, select, input, summary').length") > 8
    b.press("Tab")
    assert b.js("document.activeElement !== document.body")


def test_layers_change_what_is_seen(opened):
    b = opened()
    b.js("$('layers').open = true")
    x, y = middle(b, "0303")
    plain = ink(b, x, y)
    b.js("document.querySelector('#choices [name=art]').click()")
    bare = ink(b, x, y)
    b.js("document.querySelector('#choices [name=terrain]').click()")
    assert plain != bare != ink(b, x, y)
    key = "[...document.querySelectorAll('#key span span')].map((e) => e.parentElement.textContent)"
    assert b.js(key) == ["Sea", "Forest", "Clear"]
    zones = b.js("data.sides.map((s) => s.name).filter((n) => setup().zones[n].length).map((n) => `zones-${n}`)")
    assert zones
    for name in ("counters", "control-red", "supply-red", "control-blue", "numbers", "hexsides", "ways", *zones):
        before = b.picture()
        b.js(f"document.querySelector('#choices [name={name}]').click()")
        b.wait("!asked")
        assert b.picture() != before, name
    assert {"River", "Control: Red", "Supply: Red"} <= set(b.js(key))


def test_findings_are_listed_and_lead_to_their_place(opened):
    b = opened()
    assert b.js("$('count').textContent") == "1"  # one warning; notes stand below it
    assert "G102" in b.js("document.querySelector('#list button').textContent")
    b.js("document.querySelector('#list button').click()")
    assert "G102" in told(b) and "0104" in told(b)


def test_a_set_up_and_an_arrangement_are_chosen(opened):
    b = opened()
    choose(b, "setup", "none")
    b.hover(*middle(b, "Crossing"))
    b.wait("$('about').innerText.includes('Crossing')")
    assert RED not in told(b)
    choose(b, "setup", "Opening")
    assert RED in told(b)
    b = opened("blocks")
    boards = b.js("[...$('board').options].map((o) => o.text)")
    assert len(boards) == 2 and not b.js("$('board-label').hidden")
    setups = [b.js("[...$('setup').options].map((o) => o.text)")]
    choose(b, "board", boards[1])
    setups.append(b.js("[...$('setup').options].map((o) => o.text)"))
    assert setups[0] != setups[1]
    b.wait("art[1].complete")


def test_a_point_map_answers_as_a_hex_map_does(opened):
    b = opened("points")
    b.click(*middle(b, "South Cape"))
    assert "South Cape › Midway › Westburg" in told(b)
    # The line runs along the ways as they are drawn; one round the world leaves the sheet at both edges.
    drawn = b.js("[...drawnWays.values()].flatMap((w) => w.parts)")
    parts = b.js("setup().pieces[state.unit][5].p.flatMap((n, i, p) => (i ? way(p[i - 1], n) : []))")
    assert parts and all(p in drawn for p in parts)
    assert any(len(w["parts"]) == 2 for w in b.js("[...drawnWays.values()]"))


def test_the_place_in_the_page_outlives_a_reload(opened):
    b = opened()
    b.click(*middle(b, "Hill"))
    b.press("+", "+")
    b.js("document.querySelector('#choices [name=numbers]').click()")
    was = b.js("[state, [...shown]]")
    words = told(b)
    b.js("(remember(), addEventListener('pagehide', remember), location.reload())")
    b.wait("document.readyState === 'complete' && typeof state === 'object' && state.space >= 0")
    now = b.js("[state, [...shown]]")
    assert now[0] == pytest.approx(was[0]) and sorted(now[1]) == sorted(was[1])
    assert told(b) == words


def test_a_phone_has_room_for_the_map_and_answers_fingers(opened):
    b = opened(phone=True)
    assert b.js("document.documentElement.scrollWidth") == 390
    assert b.js("document.querySelector('header').getBoundingClientRect().bottom") < 130
    x, y = middle(b, "Ford")
    was = b.js("state.scale")
    b.touch([(x - 20, y), (x + 20, y)], [(x - 30, y), (x + 30, y)], [(x - 60, y), (x + 60, y)])
    assert b.js("state.scale") > was * 2
    b.touch([tuple(middle(b, "Ford"))])
    b.wait("$('about').innerText.includes('Ford')")
    box = b.js("(({left, right, bottom, top}) => [left, right, bottom, top])($('about').getBoundingClientRect())")
    assert box[0] >= 0 and box[1] <= 390 and box[2] <= 844 and box[3] > 400
    for menu in ("layers", "found"):
        b.js(f"$('{menu}').open = true")
        b.wait(f"document.querySelectorAll('details[open]').length === 1 && $('{menu}').open")
        seen = "[...document.querySelectorAll('select, input, button, summary')].filter((e) => e.checkVisibility())"
        sizes = b.js(f"{seen}.map((e) => [e.getBoundingClientRect().left, e.getBoundingClientRect().right])")
        assert len(sizes) > 7 and all(0 <= left < right <= 390 for left, right in sizes), menu
    picture = Image.open(io.BytesIO(b.picture()))
    assert picture.size == (780, 1688)


def test_printed_it_is_the_map_with_its_title_on_one_page(opened):
    b = opened()
    printed = pypdf.PdfReader(io.BytesIO(b.pdf()))
    assert len(printed.pages) == 1
    words = printed.pages[0].extract_text()
    assert "Tiny" in words and "Opening" in words and "Layers" not in words
    assert len(printed.pages[0].images) >= 1
    b.click(*middle(b, "Crossing"))
    assert "Stacking: 2" in "".join(p.extract_text() for p in pypdf.PdfReader(io.BytesIO(b.pdf())).pages)


def test_ten_thousand_hexes_are_panned_and_zoomed_at_ease(opened, pages, tmp_path, capsys):
    data = json.loads(read(pages["tiny"].read_bytes()).scripts["data"])
    one, across, down = data["maps"][0], 20.8, 24.0
    hexes = [s for s in one["spaces"] if "o" not in s]
    one["spaces"] = [
        {**hexes[n % len(hexes)], "k": f"{n // 100:02}{n % 100:02}", "x": across * (n // 100), "y": down * (n % 100)}
        | {"n": f"Place {n}"}
        for n in range(10_000)
    ]
    pieces = one["setups"][0]["pieces"]
    one["setups"][0]["pieces"] = [
        [p[0], 7 * n, p[2], one["spaces"][7 * n]["x"], one["spaces"][7 * n]["y"]]
        for n in range(1_400)
        for p in [pieces[n % len(pieces)]]
    ]
    one["findings"], one["ways"] = [], []
    one["sides"] = [
        [0, 0, *(round(v + (s["x"], s["y"])[n % 2], 2) for n, v in enumerate(one["rings"]["main"][:4]))]
        for s in one["spaces"]
    ]
    data["boards"][0] |= {"w": across * 100, "h": down * 100}
    pages["large"] = tmp_path / "large.html"
    pages["large"].write_bytes(page("Large", data))
    b = opened("large")
    code = (
        "((scales) => scales.map((scale) => { state.scale = scale; const took = [];"
        " for (let i = 0; i < 12; i++) { const t = performance.now(); state.x += 2; render(1, 1100, 760);"
        " pen.getImageData(0, 0, 1, 1); took.push(performance.now() - t); }"
        " return Math.round(took.sort((a, b) => a - b)[6] * 10) / 10; }))([0.3, 1, 3, 8])"
    )
    plain = b.js(code)
    b.js("[...$('choices').querySelectorAll('input:not(:checked)')].forEach((box) => box.click())")
    with capsys.disabled():
        print(f"\n10,000 hexes: ms a frame, from all of the map to a few hexes: {plain}; with all layers: {b.js(code)}")
    b.js("fit()")
    b.hover(*middle(b, "5050"))
    b.wait("$('about').innerText.includes('Place 5050')")


def test_the_page_is_named_in_the_tab_and_for_readers_of_screens(opened):
    b = opened()
    for selector in ("select", "input", "canvas", "#zoom"):
        named = "(e) => e.getAttribute('aria-label') || (e.labels && e.labels.length)"
        assert b.js(f"[...document.querySelectorAll('{selector}')].every({named})"), selector
    assert re.search(r"polite", b.js("$('about').getAttribute('aria-live')"))
