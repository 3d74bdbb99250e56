"""Drawing to map: areas per hex, hexsides, points and boxes, grid fit."""
