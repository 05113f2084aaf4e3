"""Loads trajectories with PedPy and JuPedSim, and moving scenes with USD; prints what they make of them."""

import pathlib
import sys
import warnings

warnings.filterwarnings("ignore")


def speeds_of(trajectory, name):
    import pedpy

    speed = pedpy.compute_individual_speed(traj_data=trajectory, frame_step=1)
    data = trajectory.data
    print(
        f"TRAJECTORY {name} {trajectory.frame_rate:g} {len(data)} {data.id.nunique()} "
        f"{speed.speed.mean():.6f} {data.x.mean():.6f} {data.y.mean():.6f}"
    )


def sqlite_of(path):
    import jupedsim
    import pedpy

    area = pedpy.load_walkable_area_from_jupedsim_sqlite(trajectory_file=path)
    recording = jupedsim.Recording(str(path))
    agents = sum(len(recording.frame(i).agents) for i in range(recording.num_frames))
    print(f"JUPEDSIM {recording.num_frames} {recording.fps:g} {agents} {area.polygon.area:.4f}")
    speeds_of(pedpy.load_trajectory_from_jupedsim_sqlite(trajectory_file=path), "sqlite")


def text_of(path):
    import pedpy

    speeds_of(pedpy.load_trajectory(trajectory_file=path), "text")


def traj_of(path):
    import pedpy

    loaded = pedpy.load_trajectory_from_vadere(trajectory_file=path, frame_rate=RATE)
    speeds_of(loaded, "vadere")


def scenario_of(path):
    import pedpy

    area = pedpy.load_walkable_area_from_vadere_scenario(path, margin=1e-3)
    print(f"AREA {area.polygon.area:.3f}")


def csv_of(path):
    import pandas
    import pedpy

    table = pandas.read_csv(path)
    table["frame"] = (table.time * RATE).round().astype(int)
    speeds_of(pedpy.TrajectoryData(data=table[["id", "frame", "x", "y"]], frame_rate=RATE), "csv")


def usd_of(path):
    from pxr import Usd, UsdGeom

    stage = Usd.Stage.Open(str(path))
    rate = stage.GetTimeCodesPerSecond()
    count, length, positions = 0, 0.0, 0
    for prim in stage.Traverse():
        if not prim.GetName().startswith("Walker_"):
            continue
        count += 1
        form = UsdGeom.Xformable(prim)
        times = form.GetOrderedXformOps()[0].GetTimeSamples()
        places = [form.GetLocalTransformation(Usd.TimeCode(t)).ExtractTranslation() for t in times]
        positions += len(places)
        length += sum((b - a).GetLength() for a, b in zip(places, places[1:]))
        visible = UsdGeom.Imageable(prim).GetVisibilityAttr()
        assert visible.Get(Usd.TimeCode(times[0])) == "inherited", prim
    print(f"USD {rate:g} {stage.GetEndTimeCode():g} {count} {positions} {length:.4f}")


RATE = float(sys.argv[1])
for name in sys.argv[2:]:
    path = pathlib.Path(name)
    {
        ".sqlite": sqlite_of,
        ".txt": text_of,
        ".traj": traj_of,
        ".scenario": scenario_of,
        ".csv": csv_of,
        ".usda": usd_of,
    }[path.suffix](path)
