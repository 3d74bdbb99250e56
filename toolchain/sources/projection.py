"""From longitude and latitude to sheet millimetres, y down."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pyproj
import shapely
from numpy.typing import ArrayLike, NDArray
from shapely.geometry.base import BaseGeometry

from toolchain.catalogue import BAD_PROJECTION, FAR_FROM_HOME
from toolchain.report import Location, Report
from toolchain.sources.decode.maps import MapPlan, ProjectionData

Floats = NDArray[np.float64]
Box = tuple[float, float, float, float]

METRES_A_DEGREE = 111_320.0


@dataclass(frozen=True)
class Projection:
    """A map projection laid on the sheet: scaled, turned clockwise, and moved so that `centre` lies at `at`."""

    data: ProjectionData
    crs: pyproj.CRS

    @cached_property
    def _ahead(self) -> pyproj.Transformer:
        return pyproj.Transformer.from_crs("OGC:CRS84", self.crs, always_xy=True)

    @cached_property
    def _frame(self) -> tuple[Floats, Floats]:
        """The place of `centre` in the plane, and the matrix from the plane, y up, to the sheet, y down."""
        origin = np.array(self._ahead.transform(*self.data.centre), dtype=np.float64)
        c, s = np.cos(np.radians(self.data.turn)), np.sin(np.radians(self.data.turn))
        return origin, np.array([[c, s], [s, -c]]) * (1000.0 / self.data.scale)

    def to_sheet(self, degrees: ArrayLike) -> Floats:
        """Project points, shape (n, 2) of longitude and latitude, to millimetres; infinite where that is impossible."""
        d = np.asarray(degrees, dtype=np.float64).reshape(-1, 2)
        plane = np.stack(self._ahead.transform(d[:, 0], d[:, 1]), axis=1)
        origin, matrix = self._frame
        with np.errstate(invalid="ignore"):
            return np.asarray((plane - origin) @ matrix.T + np.asarray(self.data.at))

    def to_degrees(self, points: ArrayLike) -> Floats:
        """Return longitude and latitude of points of the sheet, shape (n, 2)."""
        p = np.asarray(points, dtype=np.float64).reshape(-1, 2)
        origin, matrix = self._frame
        plane = (p - np.asarray(self.data.at)) @ np.linalg.inv(matrix).T + origin
        back = self._ahead.transform(plane[:, 0], plane[:, 1], direction=pyproj.enums.TransformDirection.INVERSE)
        return np.stack(back, axis=1)

    def seen(self, window: Box) -> Box:
        """Return the longitudes and latitudes that a window of the sheet shows, with a margin.

        window: left, top, right, bottom in millimetres. The longitudes count from 180 degrees west of the centre, so
        that a sheet across the date line has one range.
        """
        left, top, right, bottom = window
        x, y = np.meshgrid(np.linspace(left, right, 41), np.linspace(top, bottom, 41))
        degrees = self.to_degrees(np.stack([x.ravel(), y.ravel()], axis=1))
        degrees = degrees[np.isfinite(degrees).all(axis=1)]
        middle = self.data.centre[0]
        if not len(degrees):
            return (middle - 180.0, -90.0, middle + 180.0, 90.0)
        lon = (degrees[:, 0] - middle + 180.0) % 360.0 - 180.0
        lat = degrees[:, 1]
        west, east = lon.min(), lon.max()
        south, north = lat.min(), lat.max()
        # Between two samples the outline may bulge by part of their distance; a pole is seen at every longitude.
        margin = max(1.0, (north - south) / 10)
        for pole in (-90.0, 90.0):
            spot = self.to_sheet([[middle, pole]])[0]
            if left <= spot[0] <= right and top <= spot[1] <= bottom:
                west, east = -180.0, 180.0
                south, north = min(south, pole), max(north, pole)
        stretch = margin / max(np.cos(np.radians(min(89.0, max(abs(south), abs(north))))), 0.02)
        west, east = max(west - stretch, -180.0), min(east + stretch, 180.0)
        return (middle + west, max(south - margin, -90.0), middle + east, min(north + margin, 90.0))

    def lay(self, geometries: NDArray[np.object_], window: Box) -> NDArray[np.object_]:
        """Project valid geometries and cut them to a window of the sheet; what is cut away whole is empty.

        The cut is made before the projection as well, so that nothing that the projection cannot show is projected.
        Long edges are divided first: a straight edge in degrees is a curve on the sheet.
        """
        box = shapely.box(*self.seen(window))
        seen = np.full(len(geometries), shapely.from_wkt("GEOMETRYCOLLECTION EMPTY"), dtype=object)
        for turn in (-360.0, 0.0, 360.0):
            moved = (
                shapely.transform(geometries, lambda xy, turn=turn: xy + np.array([turn, 0.0])) if turn else geometries
            )
            near = shapely.intersects(moved, box)
            if near.any():
                cut, had = clip(moved[near], box), seen[near]
                seen[near] = np.where(shapely.is_empty(had), cut, shapely.union(had, cut)) if turn > -360.0 else cut
        step = min(1.0, 10.0 * self.data.scale / 1000.0 / METRES_A_DEGREE)
        laid = shapely.transform(shapely.segmentize(seen, step), self.to_sheet)
        return clip(make_valid(laid), shapely.box(*window))


def clip(geometries: NDArray[np.object_], box: BaseGeometry) -> NDArray[np.object_]:
    """Cut geometries to a box; those inside stay as they are."""
    shapely.prepare(box)
    out = np.asarray(geometries, dtype=object).copy()
    crossing = ~shapely.covers(box, out)
    out[crossing] = shapely.intersection(out[crossing], box)
    return out


def make_valid(geometries: NDArray[np.object_]) -> NDArray[np.object_]:
    """Repair the geometries that are invalid; what is left of areas are areas."""
    out = np.asarray(geometries, dtype=object).copy()
    bad = ~shapely.is_valid(out)
    if bad.any():
        out[bad] = shapely.make_valid(out[bad], method="structure", keep_collapsed=False)
    return out


def build_projection(plan: MapPlan, report: Report) -> Projection | None:
    """Build the projection of a map; one that cannot be used is a finding. None without a projection."""
    data = plan.data.projection
    if data is None:
        return None
    where: Location = plan.at("projection.crs")
    try:
        crs = pyproj.CRS.from_user_input(data.crs)
        if not crs.is_projected or any(a.unit_name not in ("metre", "meter") for a in crs.axis_info[:2]):
            report.add(BAD_PROJECTION, where, f"{data.crs!r} is not a plane projection in metres")
            return None
        projection = Projection(data, crs)
        if np.isfinite(projection.to_sheet([data.centre])).all():
            _check_home(data, crs, where, report)
            return projection
        report.add(BAD_PROJECTION, plan.at("projection.centre"), "the projection cannot show this place")
    except pyproj.exceptions.ProjError as error:
        text = str(error).split("(Internal")[0].strip(" :.")
        report.add(BAD_PROJECTION, where, f"not a projection: {text}")
    return None


def _check_home(data: ProjectionData, crs: pyproj.CRS, where: Location, report: Report) -> None:
    """Report a centre that lies well outside the part of the world that the coordinate system is made for."""
    home = crs.area_of_use
    if home is None:
        return
    lon, lat = data.centre
    width = (home.east - home.west) % 360.0 or 360.0
    off = abs((lon - home.west - width / 2 + 180.0) % 360.0 - 180.0)
    if off > width / 2 + 5.0 or not home.south - 5.0 <= lat <= home.north + 5.0:
        text = f"{data.crs!r} is made for {home.name.rstrip('.')[:80]}, and the centre is {lon:g}, {lat:g}"
        report.add(FAR_FROM_HOME, where, text)
