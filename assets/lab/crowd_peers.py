"""Time for a step of other simulators in the scene of `wayloom bench crowds`.

Reads JSON from standard input: people [[x, y, goal x, goal y, speed]], walls [[x0, y0, x1, y1]] (boxes),
size [width, height], radius, step, warm, steps. Prints JSON: milliseconds for a step of each that
can be imported, in processor time, median of all steps; and the version.
"""

import json
import math
import statistics
import sys
import time

scene = json.load(sys.stdin)
people, walls = scene["people"], scene["walls"]
warm, steps, step, radius = scene["warm"], scene["steps"], scene["step"], scene["radius"]


def measured(advance):
    times = []
    for _ in range(warm):
        advance()
    for _ in range(steps):
        begin = time.process_time()
        advance()
        times.append((time.process_time() - begin) * 1e3)
    return statistics.median(times)


def corners(box):
    x0, y0, x1, y1 = box
    return [(x0, y0), (x1, y0), (x1, y1), (x0, y1)]


def rvo():
    import pyrvo
    from importlib.metadata import version

    simulator = pyrvo.RVOSimulator()
    simulator.set_time_step(step)
    simulator.set_agent_defaults(4.0, 10, 2.0, 0.5, radius, 2.0)
    for x, y, *_ in people:
        simulator.add_agent([x, y])
    for box in walls:
        simulator.add_obstacle([list(p) for p in corners(box)])
    width, height = scene["size"]
    simulator.add_obstacle([[0, 0], [0, height], [width, height], [width, 0]])
    simulator.process_obstacles()
    for i, (x, y, gx, gy, speed) in enumerate(people):
        far = math.hypot(gx - x, gy - y) or 1.0
        simulator.set_agent_pref_velocity(i, [(gx - x) / far * speed, (gy - y) / far * speed])
    # Preferred velocities stay: only the library's own step is timed.
    return {"ms": measured(simulator.do_step), "version": version("pyrvo")}


def jupedsim():
    import jupedsim as jps
    import shapely
    from importlib.metadata import version

    area = shapely.box(0, 0, *scene["size"])
    holes = shapely.unary_union([shapely.box(*box) for box in walls])
    simulation = jps.Simulation(
        model=jps.CollisionFreeSpeedModel(), geometry=area.difference(holes), dt=step
    )
    stages = {}
    for x, y, gx, gy, speed in people:
        if (gx, gy) not in stages:
            stage = simulation.add_waypoint_stage((gx, gy), 0.5)
            journey = simulation.add_journey(jps.JourneyDescription([stage]))
            stages[(gx, gy)] = (journey, stage)
        journey, stage = stages[(gx, gy)]
        simulation.add_agent(
            jps.CollisionFreeSpeedModelAgentParameters(
                position=(x, y), journey_id=journey, stage_id=stage, radius=radius, desired_speed=speed
            )
        )
    return {"ms": measured(simulation.iterate), "version": version("jupedsim")}


found = {}
for name, run in [("rvo", rvo), ("jupedsim", jupedsim)]:
    try:
        found[name] = run()
    except Exception as error:
        found[name] = {"error": f"{type(error).__name__}: {error}"}
print(json.dumps(found))
