"""Counts, densities and speeds of a trajectory file, by PedPy, as JSON."""

import json
import sys

import pandas as pd
import pedpy

path, rate, scale, polygon, line, area, every = (
    sys.argv[1],
    float(sys.argv[2]),
    float(sys.argv[3]),
    *map(json.loads, sys.argv[4:7]),
    int(sys.argv[7]),
)
table = pd.read_csv(
    path, sep=r"\s+", comment="#", header=None, usecols=[0, 1, 2, 3], names=["id", "frame", "x", "y"]
)
table[["x", "y"]] *= scale
everyone = pedpy.TrajectoryData(table, frame_rate=rate)
walkable = pedpy.WalkableArea(polygon)
measured = pedpy.MeasurementArea(area)
_, crossings = pedpy.compute_n_t(
    traj_data=everyone, measurement_line=pedpy.MeasurementLine(line)
)
first = int(table.frame.min())
some = table[(table.frame - first) % every == 0]
chosen = pedpy.TrajectoryData(some, frame_rate=rate)
cells = pedpy.compute_individual_voronoi_polygons(
    traj_data=chosen, walkable_area=walkable, cut_off=pedpy.Cutoff(radius=0.8, quad_segments=3)
)
voronoi, _ = pedpy.compute_voronoi_density(
    individual_voronoi_data=cells, measurement_area=measured
)
classic = pedpy.compute_classic_density(traj_data=chosen, measurement_area=measured)
voronoi = voronoi.reset_index()
classic = classic.reset_index()
print(
    json.dumps(
        {
            "crossings": [[int(f) - first, int(i)] for i, f in crossings[["id", "frame"]].values],
            "voronoi": {int(r.frame) - first: float(r.density) for r in voronoi.itertuples()},
            "classic": {int(r.frame) - first: float(r.density) for r in classic.itertuples()},
        }
    )
)
