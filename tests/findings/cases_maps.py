"""Cases for the codes S101 to S199, M101 to M199 and G101 to G199: drawings, map data, connectivity."""

from __future__ import annotations

import json
from pathlib import Path

import shapely
from drawn import CENTRE, EVERYWHERE, HEAD, TERRAIN, survey

from toolchain.checks.structure import check_map, check_names
from toolchain.report import Location, Report

LEFT = shapely.box(-50, -50, 14, 90)  # the first column
SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="40mm" height="40mm" viewBox="0 0 40 40">{}</svg>'
SQUARE = '<path d="M0 0H40V40H0Z"/>'
NAMES = "name,column,row\n"
OPEN = '[[terrain]]\nname = "clear"\nrest = true\n'


def drawn(text: str = "", **parts):
    """Survey a tiny map."""

    def call(folder: Path) -> Report:
        return survey(folder, text, **parts)[1]

    return call


def checked(text: str = "", **parts):
    """Survey a tiny map and check its structure."""

    def call(folder: Path) -> Report:
        warmap, report = survey(folder, text, **parts)
        report.extend(check_map(warmap))
        return report

    return call


def named(word: str):
    def call(folder: Path) -> Report:
        warmap, _ = survey(folder, OPEN, places=NAMES + "Le Havre,1,1\n")
        return Report(check_names(warmap, [(word, Location("start.csv", 5, "at"))]))

    return call


def raw(geometry: object) -> str:
    return json.dumps({"type": "FeatureCollection", "features": [{"type": "Feature", "geometry": geometry}]})


def svg_layer(label: str):
    return f'[layers.land]\nfile = "land.svg"\nlayer = "{label}"\n'


def filtered(key: str, value: str):
    return f'[layers.land]\nfile = "land.geojson"\nwhere = {{ {key} = "{value}" }}\n'


def projected(crs: str):
    text = f'[projection]\ncrs = "{crs}"\nscale = 1e6\ncentre = [8.0, 48.0]\nat = [20, 20]\n'
    return drawn(text)


def in_crs(crs: str):
    """Survey a layer in metres of UTM zone 32."""
    layer = f'[layers.land]\nfile = "land.geojson"\ncrs = "{crs}"\n'
    return drawn(PLACED + layer, land=[shapely.box(420_000, 5_310_000, 430_000, 5_320_000)])


def wooded(share: float):
    """Cover this share of the middle hex, a square of equal width to both sides, with wood."""
    x, y = CENTRE
    half = (share * 100 * 3**0.5 / 2) ** 0.5 / 2
    return [shapely.box(x - half, y - half, x + half, y + half)]


PLACED = (
    '[projection]\ncrs = "+proj=lcc +lat_1=40 +lat_2=56 +lon_0=8"\nscale = 1e6\ncentre = [8.0, 48.0]\nat = [20, 20]\n'
)
RING = [[0, 0], [40, 0], [40, 40], [0, 40], [0, 0]]
BOWTIE = [[0, 0], [40, 40], [40, 0], [0, 30], [0, 0]]
GROUP = '<g id="Land">' + SQUARE + "</g>"
SIDE = '[[hexside]]\nname = "wall"\n[[side]]\nbetween = ["{}", "{}"]\nadd = ["wall"]\n'
PORT = '[[feature]]\nname = "port"\nneeds = "sea"\n'
WALL = '[[hexside]]\nname = "wall"\nbars = ["land", "sea"]\n'
LAND = '[[hexside]]\nname = "wall"\nbars = ["land"]\n'
ROUND = "".join(
    f'[[side]]\nbetween = ["0202", "{b}"]\nadd = ["wall"]\n' for b in ("0201", "0203", "0102", "0103", "0302", "0303")
)
BOX = '[[box]]\nkey = "Reserve"\nat = [{}, 10]\nsize = [10, 10]\n'
RESERVE = '[[link]]\nname = "reserve"\n'
CLOSED = HEAD + 'enterable = "named"\n'

ROAD = '[[link]]\nname = "road"\n[[crossing]]\nlayer = "roads"\nlink = "road"\n'
SITES = '[[feature]]\nname = "town"\n[[site]]\nlayer = "towns"\nfeature = "town"\n'
RHINE = (shapely.LineString([(3, 10), (22, 10)]), {"name": "Rhine"})
FLOW = '[[hexside]]\nname = "river"\nlayer = "river"\nriver = true\n[[river]]\nname = "{}"\nmouth = "0201"\n'
CASES = {
    "S101": (drawn(svg_layer("Lnad"), land=SVG.format(GROUP)), drawn(svg_layer("Land"), land=SVG.format(GROUP))),
    "S102": (
        drawn(land=raw({"type": "Polygon", "coordinates": [RING[:2]]})),
        drawn(land=raw({"type": "Polygon", "coordinates": [RING]})),
    ),
    "S103": (
        drawn(land=raw({"type": "Polygon", "coordinates": [BOWTIE]})),
        drawn(land=raw({"type": "Polygon", "coordinates": [RING]})),
    ),
    "S104": (drawn(land=raw(None)), drawn(land=raw({"type": "Point", "coordinates": [1, 1]}))),
    "S105": (drawn(land=[shapely.box(500, 500, 510, 510)]), drawn(land=[EVERYWHERE])),
    "S106": (
        drawn(filtered("klass", "a"), land=[(EVERYWHERE, {"class": "a"})]),
        drawn(filtered("class", "a"), land=[(EVERYWHERE, {"class": "a"})]),
    ),
    "S107": (drawn(land=SVG.format(SQUARE + "<image/>")), drawn(land=SVG.format(SQUARE + "<text>Sea</text>"))),
    "S108": (projected("+proj=nonsense"), projected("+proj=lcc +lat_1=40 +lat_2=56 +lon_0=8")),
    "S109": (
        drawn(land=SVG.format(SQUARE.replace("/>", ' clip-path="url(#c)"/>'))),
        drawn(land=SVG.format(SQUARE.replace("/>", ' clip-path="none"/>'))),
    ),
    "S110": (
        drawn(filtered("class", "b"), land=[(EVERYWHERE, {"class": "a"})]),
        drawn(filtered("class", "a"), land=[(EVERYWHERE, {"class": "a"})]),
    ),
    "S111": (in_crs("EPSG:99999"), in_crs("EPSG:25832")),
    "S112": (
        drawn(PLACED, land=[shapely.box(47.9, 7.9, 48.1, 8.1)]),
        drawn(PLACED, land=[shapely.box(7.9, 47.9, 8.1, 48.1)]),
    ),
    "S113": (
        drawn(land=SVG.format(SQUARE).replace("40mm", "40px")),
        drawn(land=SVG.format(SQUARE).replace("40mm", "50mm")),
    ),
    "S114": (drawn(land=[LEFT, LEFT]), drawn(land=[LEFT, EVERYWHERE])),
    "S115": (projected("EPSG:26917"), projected("EPSG:25832")),
    "S116": (
        drawn(svg_layer("Land"), land=SVG.format(GROUP + GROUP.replace("Land", "Rails"))),
        drawn(svg_layer("Land"), land=SVG.format(GROUP + '<g id="Empty"/>')),
    ),
    "M101": (drawn(places="name,x,y\nA,18,20\nB,19,21\n"), drawn(places="name,x,y\nA,18,20\nB,19,12\n")),
    "M102": (drawn(places="name,x,y\nA,18,200\n"), drawn(places="name,x,y\nA,18,20\n")),
    "M103": (drawn(places=NAMES + "A,0,0\nA,1,1\n"), drawn(places=NAMES + "A,0,0\nB,1,1\n")),
    "M104": (drawn(SIDE.format("0101", "0303")), drawn(SIDE.format("0101", "0201"))),
    "M105": (
        drawn(places=NAMES + "Oslo,0,0\n", links="a,b,kind\nOslo,Olso,road\n"),
        drawn(places=NAMES + "Oslo,0,0\nOlso,1,1\n", links="a,b,kind\nOslo,Olso,road\n"),
    ),
    "M106": (
        checked(PORT, places="name,column,row,features\nA,0,0,prot\n"),
        checked(PORT.replace('needs = "sea"\n', ""), places="name,column,row,features\nA,0,0,port\n"),
    ),
    "M107": (drawn(TERRAIN, land=[EVERYWHERE], wood=wooded(0.38)), drawn(TERRAIN, land=[EVERYWHERE], wood=wooded(0.2))),
    "M108": (
        drawn(TERRAIN, land=[LEFT], wood=[LEFT], places=NAMES + "A,1,1\n"),
        drawn(TERRAIN, land=[LEFT], wood=[LEFT], places="name,column,row,terrain\nA,1,1,clear\n"),
    ),
    "M109": (
        checked(OPEN, head=CLOSED, places=NAMES + "A,0,0\n"),
        checked(OPEN, places=NAMES + "A,0,0\n"),
    ),
    "M110": (
        drawn(TERRAIN, land=[EVERYWHERE], wood=[shapely.LineString([(0, 0), (30, 30)])]),
        drawn(TERRAIN, land=[EVERYWHERE], wood=[LEFT]),
    ),
    "M111": (drawn(BOX.format(36)), drawn(BOX.format(35))),
    "M112": (
        drawn(places="name,x,y,column,row\nA,18,20,0,0\n"),
        drawn(places="name,x,y,column,row,assumed\nA,18,20,0,0,to make room\n"),
    ),
    "M113": (
        checked(TERRAIN + PORT, land=[EVERYWHERE], wood=[LEFT], places="name,column,row,features\nA,1,1,port\n"),
        checked(TERRAIN + PORT, land=[LEFT], wood=[LEFT], places="name,column,row,features\nA,0,1,port\n"),
    ),
    "M114": (named("La Havre"), named("Le Havre")),
    "M115": (
        drawn(SITES, towns=[shapely.Point(18, 20), shapely.Point(20, 20)]),
        drawn(SITES, towns=[shapely.Point(18, 20), shapely.Point(10, 5)]),
    ),
    "M116": (drawn(FLOW.format("Rhien"), river=[RHINE]), drawn(FLOW.format("Rhine"), river=[RHINE])),
    "M117": (
        drawn(ROAD, roads=[shapely.LineString([(16, 15), (21, 15)])]),
        drawn(ROAD, roads=[shapely.LineString([(16, 17), (21, 17)])]),
    ),
    "M118": (
        drawn(ROAD, roads=[shapely.LineString([(16, 17), (21, 17)]), LEFT]),
        drawn(ROAD, roads=[shapely.LineString([(16, 17), (21, 17)])]),
    ),
    "G101": (checked(WALL + ROUND), checked(LAND + ROUND)),
    "G102": (checked(LAND + ROUND), checked(LAND)),
    "G103": (checked(head=CLOSED), checked(head=CLOSED, places=NAMES + "A,0,0\n")),
}
