"""Counts the tiles of each kind in maps of Tiled."""

import pathlib
import sys

import pytiled_parser

for name in sys.argv[1:]:
    read = pytiled_parser.parse_map(pathlib.Path(name))
    layer = next(layer for layer in read.layers if hasattr(layer, "data") and layer.data)
    counts = {}
    for row in layer.data:
        for tile in row:
            counts[tile] = counts.get(tile, 0) + 1
    print("TILES", sorted(counts.items()))
