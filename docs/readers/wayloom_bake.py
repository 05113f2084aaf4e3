#!/usr/bin/env python3
"""Reads what `wayloom bake` wrote, and plans on it. No library needed.

    wayloom_bake.py DIR FROM_X FROM_Y TO_X TO_Y [RADIUS]

prints the length of the path and its points, or why there is none.

    wayloom_bake.py DIR --links FROM_X FROM_Y TO_X TO_Y PROFILE

does the same through links that the profile may use: prints the cost, then the points, each with the name of the link that leads to
it.

    wayloom_bake.py DIR --corridors FROM_X FROM_Y TO_X TO_Y RADIUS

does the same along the middle of corridors, after checking the whole map.

    wayloom_bake.py DIR --voxels FROM_X FROM_Y FROM_Z TO_X TO_Y TO_Z PROFILE

does the same through storeys, after checking the whole grid: prints the cost in metres of cells, then each
cell that is stepped on and how one gets there.

    wayloom_bake.py DIR --constraints AGENT FROM_X FROM_Y TO_X TO_Y

checks the field of an agent's constraints against its regions and weights, then prints what the straight line
costs and the forbidden regions that it crosses.
"""

import array
import heapq
import json
import math
import pathlib
import struct
import sys

WALL = 0xFFFFFFFF


def read_blob(path):
    """The columns of a .wlb file by name."""
    data = pathlib.Path(path).read_bytes()
    if data[:4] != b"WLB1":
        raise ValueError(f"{path}: not a Wayloom blob")
    (count,) = struct.unpack_from("<I", data, 4)
    at, columns = 8, {}
    for _ in range(count):
        name_length, kind, values = struct.unpack_from("<IIQ", data, at)
        at += 16
        name = data[at : at + name_length].decode()
        at += -(-name_length // 8) * 8
        column = array.array({1: "d", 2: "I"}[kind])
        size = values * column.itemsize
        column.frombytes(data[at : at + size])
        if sys.byteorder == "big":
            column.byteswap()
        at += -(-size // 8) * 8
        columns[name] = column
    return columns


class Space:
    """Convex cells and portals for one radius."""

    def __init__(self, columns):
        corners, starts = columns["corners"], columns["starts"]
        self.cells = [
            [(corners[2 * i], corners[2 * i + 1]) for i in range(starts[c], starts[c + 1])]
            for c in range(len(starts) - 1)
        ]
        self.components = columns["components"]
        sides = columns["sides"]
        self.portals_of = [
            [sides[i] for i in range(starts[c], starts[c + 1]) if sides[i] != WALL]
            for c in range(len(starts) - 1)
        ]
        ends = columns["portal_ends"]
        self.ends = [
            ((ends[4 * i], ends[4 * i + 1]), (ends[4 * i + 2], ends[4 * i + 3]))
            for i in range(len(ends) // 4)
        ]
        pairs = columns["portal_cells"]
        self.sides_of = [(pairs[2 * i], pairs[2 * i + 1]) for i in range(len(pairs) // 2)]

    def locate(self, p):
        """The cell around a point, or None. A real engine would use a tree here."""
        for index, ring in enumerate(self.cells):
            if all(cross(a, b, p) >= -1e-9 for a, b in zip(ring, ring[1:] + ring[:1])):
                return index
        return None

    def place(self, portal, cell, at, goal):
        """Where a path in a cell enters a portal: while the goal lies ahead, as near as possible to the straight
        line to it; else at the nearest point."""
        a, b = self.ends[portal]
        x, y = b[0] - a[0], b[1] - a[1]
        # The ends are left and right as seen from the first cell.
        side = 1 if self.sides_of[portal][0] == cell else -1
        to_portal = side * ((a[1] - at[1]) * x - (a[0] - at[0]) * y)
        to_goal = side * ((goal[1] - at[1]) * x - (goal[0] - at[0]) * y)
        ahead = min(max(to_portal / to_goal, 0.0), 1.0) if to_goal > 0 else 0.0
        wanted = (at[0] + ahead * (goal[0] - at[0]), at[1] + ahead * (goal[1] - at[1]))
        squared = x * x + y * y
        share = ((wanted[0] - a[0]) * x + (wanted[1] - a[1]) * y) / squared if squared > 0 else 0.0
        share = min(max(share, 0.0), 1.0)
        return (a[0] + share * x, a[1] + share * y)

    def path(self, start, goal):
        """The cells that A* finds, with movable points on their portals, pulled taut."""
        first, last = self.locate(start), self.locate(goal)
        if first is None or last is None:
            return None
        if self.components[first] != self.components[last]:
            return None
        if first == last:
            return [start, goal]
        # A node is a portal with the cell that is entered through it.
        best, queue, closed = {}, [], set()
        node, cell, at, cost = None, first, start, 0.0
        found, shortest = None, math.inf
        while True:
            for portal in self.portals_of[cell]:
                one, other = self.sides_of[portal]
                entered = (portal, other if cell == one else one)
                if entered in closed:
                    continue
                place = self.place(portal, cell, at, goal)
                g = cost + math.dist(at, place)
                estimate = g + math.dist(place, goal)
                # A portal may be entered elsewhere by another path: what counts is the whole path.
                if entered not in best or estimate < best[entered][0] + math.dist(best[entered][2], goal):
                    best[entered] = (g, node, place)
                    heapq.heappush(queue, (estimate, entered))
            while queue and queue[0][1] in closed:
                heapq.heappop(queue)
            if not queue or queue[0][0] >= shortest:
                break
            _, node = heapq.heappop(queue)
            closed.add(node)
            cost, _, at = best[node]
            cell = node[1]
            if cell == last and cost + math.dist(at, goal) < shortest:
                found, shortest = node, cost + math.dist(at, goal)
        return None if found is None else self.pulled_taut(start, goal, best, found)

    def pulled_taut(self, start, goal, best, node):
        """The funnel through the portals that lead to the goal."""
        gates = []
        while node is not None:
            portal, entered = node
            left, right = self.ends[portal]
            gates.append((left, right) if self.sides_of[portal][1] == entered else (right, left))
            node = best[node][1]
        gates = gates[::-1] + [(goal, goal)]
        path, apex = [start], start
        left = right = start
        left_at = right_at = -1
        i = 0
        while i < len(gates):
            next_left, next_right = gates[i]
            if cross(apex, right, next_right) >= 0:
                if apex == right or cross(apex, left, next_right) <= 0:
                    right, right_at = next_right, i
                else:
                    path.append(left)
                    apex = right = left
                    i = right_at = left_at
                    i += 1
                    continue
            if cross(apex, left, next_left) <= 0:
                if apex == left or cross(apex, right, next_left) >= 0:
                    left, left_at = next_left, i
                else:
                    path.append(right)
                    apex = left = right
                    i = left_at = right_at
                    i += 1
                    continue
            i += 1
        return path + [goal]


class Links:
    """Places that are connected without walking, for one profile: hops from place to place."""

    def __init__(self, columns, about, profile):
        ends, costs = columns["link_ends"], columns["link_costs"]
        both, starts = columns["link_both_ways"], columns["link_profile_starts"]
        self.hops = []
        for i, cost in enumerate(costs):
            admitted = columns["link_profiles"][starts[i] : starts[i + 1]]
            if admitted and profile not in admitted:
                continue
            a, b = ((ends[6 * i + k], ends[6 * i + k + 1]) for k in (0, 3))
            name = about["links"][i]["name"]
            self.hops.append((a, b, cost, i, name))
            if both[i]:
                self.hops.append((b, a, cost, i, name))

    def path(self, space, start, goal):
        """The cost of the cheapest path, and its points with the names of the links that lead to them."""
        cache = {}

        def walk(a, b):
            if (a, b) not in cache:
                path = space.path(a, b)
                length = math.inf if path is None else sum(map(math.dist, path, path[1:]))
                cache[a, b] = (length, path)
            return cache[a, b]

        # Dijkstra from the start through hops to the goal; walks are searched when their straight line comes up.
        queue, best, count = [(0.0, 0, None, ())], {}, 0
        while queue:
            cost, _, at, chain = heapq.heappop(queue)
            if at == "goal":
                return cost, self.points(walk, start, goal, chain)
            if isinstance(at, tuple):  # a walk that has only been estimated yet
                before, hop = at
                here = start if before is None else self.hops[before][1]
                there = goal if hop is None else self.hops[hop][0]
                length, _ = walk(here, there)
                cost += length - math.dist(here, there)
                if not math.isinf(cost):
                    more = 0.0 if hop is None else self.hops[hop][2]
                    count += 1
                    node = "goal" if hop is None else hop
                    longer = chain if hop is None else chain + (hop,)
                    heapq.heappush(queue, (cost + more, count, node, longer))
                continue
            if at in best:
                continue
            best[at] = cost
            here = start if at is None else self.hops[at][1]
            for hop in [None, *range(len(self.hops))]:
                if hop is not None and at is not None and self.hops[hop][3] == self.hops[at][3]:
                    continue
                there = goal if hop is None else self.hops[hop][0]
                count += 1
                heapq.heappush(queue, (cost + math.dist(here, there), count, (at, hop), chain))
        return None

    def points(self, walk, start, goal, chain):
        points, here, name = [], start, None
        for hop in [*chain, None]:
            there = goal if hop is None else self.hops[hop][0]
            for i, p in enumerate(walk(here, there)[1]):
                points.append((p, name if i == 0 else None))
            if hop is not None:
                here, name = self.hops[hop][1], self.hops[hop][4]
        return points


class Corridors:
    """The medial axis with clearance and nearest places of walls."""

    def __init__(self, columns):
        def points(name):
            values = columns[name]
            return [(values[2 * i], values[2 * i + 1]) for i in range(len(values) // 2)]

        self.vertices = points("vertex_points")
        self.vertex_clearances = columns["vertex_clearances"]
        ends, ranges = columns["edge_vertices"], columns["edge_samples"]
        self.ends = [(ends[2 * i], ends[2 * i + 1]) for i in range(len(ends) // 2)]
        self.samples_of = [
            range(ranges[2 * i], ranges[2 * i + 1]) for i in range(len(ranges) // 2)
        ]
        self.lengths = columns["edge_lengths"]
        self.min_clearances = columns["edge_min_clearances"]
        self.points = points("sample_points")
        self.clearances = columns["sample_clearances"]
        self.left, self.right = points("sample_left"), points("sample_right")

    def check(self, tolerance=1e-6):
        """Raises ValueError where the map is not what the description says."""
        for i, clearance in enumerate(self.clearances):
            for touch in (self.left[i], self.right[i]):
                if abs(math.dist(self.points[i], touch) - clearance) > tolerance:
                    raise ValueError(f"sample {i} is not as far from its walls as it says")
        for edge, samples in enumerate(self.samples_of):
            first, last = (self.vertices[v] for v in self.ends[edge])
            if self.points[samples[0]] != first or self.points[samples[-1]] != last:
                raise ValueError(f"edge {edge} does not end at its vertices")
            if min(self.clearances[i] for i in samples) != self.min_clearances[edge]:
                raise ValueError(f"edge {edge} is narrower than it says")
            steps = (math.dist(self.points[i], self.points[i + 1]) for i in samples[:-1])
            if abs(sum(steps) - self.lengths[edge]) > tolerance:
                raise ValueError(f"edge {edge} is not as long as it says")

    def path(self, start, goal, radius):
        """The shortest way along the axis where it is wide enough, entered and left anywhere at a
        place whose disc holds the start or the goal."""
        links = {}

        def link(a, b, length):
            links.setdefault(a, []).append((b, length))
            links.setdefault(b, []).append((a, length))

        fits = [clearance >= radius for clearance in self.clearances]
        for ends, samples in zip(self.ends, self.samples_of):
            for i in samples[:-1]:
                if fits[i] and fits[i + 1]:
                    link(i, i + 1, math.dist(self.points[i], self.points[i + 1]))
            for vertex, i in zip(ends, (samples[0], samples[-1])):
                if fits[i]:
                    link(i, ("vertex", vertex), 0.0)

        def entry(p):
            """The nearest such place: its distance, its line between samples, and where on it."""
            best = None
            for samples in self.samples_of:
                for i in samples[:-1]:
                    (x, y), (u, v) = self.points[i], self.points[i + 1]
                    square = (u - x) ** 2 + (v - y) ** 2
                    along = ((p[0] - x) * (u - x) + (p[1] - y) * (v - y)) / square if square else 0
                    along = min(max(along, 0.0), 1.0)
                    at = (x + (u - x) * along, y + (v - y) * along)
                    room = self.clearances[i] * (1 - along) + self.clearances[i + 1] * along
                    away = math.dist(p, at)
                    if away + radius <= room and (best is None or away < best[0]):
                        best = (away, i, at)
            return best

        places = {"start": entry(start), "goal": entry(goal)}
        if None in places.values():
            return None
        for name, (_, i, at) in places.items():
            for end in (i, i + 1):
                if fits[end]:
                    link(name, end, math.dist(at, self.points[end]))
        (_, i, first), (_, j, last) = places["start"], places["goal"]
        if i == j:
            link("start", "goal", math.dist(first, last))
        queue, best, count = [(0.0, 0, "start", None)], {}, 0
        while queue:
            cost, _, node, before = heapq.heappop(queue)
            if node in best:
                continue
            best[node] = before
            if node == "goal":
                break
            for beyond, length in links.get(node, ()):
                count += 1
                heapq.heappush(queue, (cost + length, count, beyond, node))
        if "goal" not in best:
            return None
        path, node = [goal, last], best["goal"]
        while node != "start":
            if isinstance(node, int):
                path.append(self.points[node])
            node = best[node]
        return [start, first] + path[::-1]


class Voxels:
    """Space in cells: runs of occupied layers, surfaces to stand on, and one body's marks."""

    def __init__(self, columns, about, profile):
        self.size, self.origin = about["size"], about["origin"]
        self.cell, self.layer = about["cell"], about["layer"]
        self.body = next(b for b in about["bodies"] if b["profile"] == profile)
        self.spans = (columns["span_starts"], columns["span_bottoms"], columns["span_tops"])
        self.starts = columns["surface_starts"]
        self.layers, self.heights = columns["surface_layers"], columns["surface_heights"]
        self.clearances = columns["surface_clearances"]
        self.forbidden = columns["surface_forbidden"]
        self.marks = columns[self.body["column"]]
        self.columns = [0] * len(self.layers)
        for column in range(len(self.starts) - 1):
            for i in range(self.starts[column], self.starts[column + 1]):
                self.columns[i] = column
        self.strides = list(self.all_strides())

    def check(self):
        """Raises ValueError where surfaces are not the tops of runs with nothing above them."""
        starts, bottoms, tops = self.spans
        for column in range(len(starts) - 1):
            runs = range(starts[column], starts[column + 1])
            found = []
            for i in runs:
                above = bottoms[i + 1] - tops[i] - 1 if i + 1 in runs else WALL
                if above > 0 and tops[i] + 1 < self.size[2]:
                    found.append((tops[i], above))
            told = range(self.starts[column], self.starts[column + 1])
            if found != [(self.layers[i], self.clearances[i]) for i in told]:
                raise ValueError(f"column {column} has other surfaces than it says")

    def all_strides(self):
        """Offsets that the body covers in one move: dx, dy, cost, whether it is a jump, and the
        columns that the line between touches."""
        body, furthest = self.body, 24
        for dy in range(-furthest, furthest + 1):
            for dx in range(-furthest, furthest + 1):
                if (dx, dy) == (0, 0) or body["neighbours"] == 4 and dx and dy:
                    continue
                beside = abs(dx) <= 1 and abs(dy) <= 1
                cells = math.hypot(dx, dy)
                step = beside or cells * self.cell <= body["foot_span"] + 1e-9
                if not step and (cells - 1) * self.cell > body["jump"] + 1e-9:
                    continue
                between = [
                    (i, j)
                    for j in range(min(dy, 0), max(dy, 0) + 1)
                    for i in range(min(dx, 0), max(dx, 0) + 1)
                    if (i, j) not in ((0, 0), (dx, dy))
                    and 2 * abs(dx * j - dy * i) <= abs(dx) + abs(dy)
                ]
                cost = abs(dx) + abs(dy) if body["neighbours"] == 4 else max(abs(dx), abs(dy))
                yield dx, dy, cost, not step, beside, between

    def column(self, x, y):
        inside = 0 <= x < self.size[0] and 0 <= y < self.size[1]
        return y * self.size[0] + x if inside else None

    def ceiling(self, i):
        open_ = self.clearances[i] == WALL
        return math.inf if open_ else self.layers[i] + self.clearances[i] + 1

    def room(self, column, layer):
        """The surface beneath a layer, if any, and the lowest occupied layer above it."""
        if column is None:
            return None, math.inf
        below = [
            i for i in range(self.starts[column], self.starts[column + 1]) if self.layers[i] <= layer
        ]
        if below:
            return below[-1], self.ceiling(below[-1])
        starts, bottoms, _ = self.spans
        first = starts[column]
        return None, bottoms[first] if first < starts[column + 1] else math.inf

    def action(self, a, b, jump, beside, between):
        """How one gets from surface a to surface b, or None."""
        body = self.body
        rise = self.heights[b] - self.heights[a]
        if abs(rise) > body["step"]:
            return None
        bottom = max(self.layers[a], self.layers[b])
        low = min(self.layers[a], self.layers[b]) - (body["step"] + 254) // 255
        ceiling = min(self.ceiling(a), self.ceiling(b))
        x, y = self.columns[a] % self.size[0], self.columns[a] // self.size[0]
        for i, j in between:
            beneath, above = self.room(self.column(x + i, y + j), bottom)
            ceiling = min(ceiling, above)
            on_way = beneath is not None and self.layers[beneath] >= low
            if on_way and self.forbidden[beneath] and not beside:
                return None
        empty = ceiling - bottom - 1
        if empty < (body["height"] if jump else body["bent"]):
            return None
        if empty < body["height"]:
            return "bend"
        if jump:
            return "jump"
        if abs(rise) >= body["walked"]:
            return "step up" if rise > 0 else "step down"
        return "walk"

    def moves(self, a):
        x, y = self.columns[a] % self.size[0], self.columns[a] // self.size[0]
        for dx, dy, cost, jump, beside, between in self.strides:
            column = self.column(x + dx, y + dy)
            if column is None:
                continue
            for b in range(self.starts[column], self.starts[column + 1]):
                if self.marks[b] != WALL:
                    action = self.action(a, b, jump, beside, between)
                    if action:
                        yield b, cost, action

    def under(self, p):
        """The surface of p's column that is nearest to it in height and can be stood on."""
        x, y = (int((p[axis] - self.origin[axis]) // self.cell) for axis in (0, 1))
        column = self.column(x, y)
        if column is None:
            return None
        cells = range(self.starts[column], self.starts[column + 1])
        standing = [i for i in cells if self.marks[i] != WALL]
        return min(standing, key=lambda i: abs(self.point(i)[2] - p[2]), default=None)

    def point(self, i):
        x, y = self.columns[i] % self.size[0], self.columns[i] // self.size[0]
        height = self.heights[i] / 255 * self.layer
        return (
            self.origin[0] + (x + 0.5) * self.cell,
            self.origin[1] + (y + 0.5) * self.cell,
            self.origin[2] + height,
        )

    def path(self, start, goal):
        """The way of least cost, borders or not: its cost in cells, and its cells with actions."""
        first, last = self.under(start), self.under(goal)
        if first is None or last is None:
            return None
        queue, best = [(0, first, None, "walk")], {}
        while queue:
            cost, at, before, action = heapq.heappop(queue)
            if at in best:
                continue
            best[at] = (before, action)
            if at == last:
                break
            for b, more, how in self.moves(at):
                if b not in best:
                    heapq.heappush(queue, (cost + more, b, at, how))
        if last not in best:
            return None
        cells, at = [], last
        while at is not None:
            before, action = best[at]
            cells.append((self.point(at), action))
            at = before
        return cost, cells[::-1]


class Constraints:
    """The field of one agent: regions with weights, and the multiplier on a raster."""

    def __init__(self, columns, about, agent):
        known = {a["name"]: a for a in about["agents"]}
        if agent not in known:
            sys.exit(f"there are no constraints of {agent}; there are: {', '.join(known)}")
        self.agent, self.about = known[agent], about
        points, rings, starts = (columns[f"region_{c}"] for c in ("points", "ring_starts", "starts"))
        self.regions = [
            [
                [(points[2 * i], points[2 * i + 1]) for i in range(rings[r], rings[r + 1])]
                for r in range(starts[region], starts[region + 1])
            ]
            for region in range(len(starts) - 1)
        ]
        self.values = columns[self.agent["column"]]

    def edges(self, region):
        for ring in self.regions[region]:
            yield from zip(ring, ring[1:] + ring[:1])

    def inside(self, region, p):
        """By the even-odd rule."""
        crossings = 0
        for (ax, ay), (bx, by) in self.edges(region):
            if (ay <= p[1]) != (by <= p[1]) and p[0] < ax + (p[1] - ay) / (by - ay) * (bx - ax):
                crossings += 1
        return crossings % 2 == 1

    def distance(self, region, p):
        if self.inside(region, p):
            return 0.0
        best = math.inf
        for (ax, ay), (bx, by) in self.edges(region):
            dx, dy = bx - ax, by - ay
            along = ((p[0] - ax) * dx + (p[1] - ay) * dy) / (dx * dx + dy * dy)
            along = min(max(along, 0.0), 1.0)
            best = min(best, math.dist(p, (ax + along * dx, ay + along * dy)))
        return best

    def acts(self, term):
        """Whether its region is felt at the agent's height."""
        heights = self.about["region_heights"][term["region"]]
        return heights is None or heights[0] <= self.agent["height"] <= heights[1]

    def multiplier(self, p):
        """1.1 to the power of the base weight less all weights here, and at least 1."""
        total = 0.0
        for term in filter(self.acts, self.agent["terms"]):
            weight = term["weight"]
            if term["rule"] == "in" and self.inside(term["region"], p):
                total += weight
            elif term["rule"] == "near":
                reach = abs(weight)
                total += weight * max(0.0, (reach - self.distance(term["region"], p)) / reach)
        return max(1.0, 1.1 ** (self.agent["base"] - total))

    def check(self, cells=1500):
        """Some cells of the raster, evenly spread, are what regions and weights say."""
        (x0, y0), cell = self.about["origin"], self.about["cell"]
        columns = self.about["size"][0]
        for i in range(0, len(self.values), max(1, len(self.values) // cells)):
            p = (x0 + (i % columns + 0.5) * cell, y0 + (i // columns + 0.5) * cell)
            expected = self.multiplier(p)
            assert abs(self.values[i] - expected) < 1e-9 * expected, (p, self.values[i], expected)

    def cost(self, a, b, parts=400):
        middles = [
            (a[0] + (b[0] - a[0]) * (i + 0.5) / parts, a[1] + (b[1] - a[1]) * (i + 0.5) / parts)
            for i in range(parts)
        ]
        forbidden = [
            term["name"]
            for term in filter(self.acts, self.agent["terms"])
            if term["rule"] == "forbidden" and any(self.inside(term["region"], p) for p in middles)
        ]
        return math.dist(a, b) * sum(map(self.multiplier, middles)) / parts, forbidden


def cross(a, b, p):
    """Above 0 if p is to the left of the line from a to b."""
    return (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0])


def through_voxels(folder, index, arguments):
    about = index.get("voxels")
    if not about:
        sys.exit("there are no voxels in this bake")
    numbers = [float(a) for a in arguments[1:7]]
    voxels = Voxels(read_blob(folder / about["file"]), about, arguments[7])
    voxels.check()
    found = voxels.path(numbers[:3], numbers[3:])
    if found is None:
        sys.exit("no path")
    cost, cells = found
    print(cost * voxels.cell)
    for (x, y, z), action in cells:
        print(x, y, z, action)


def with_constraints(folder, index, arguments):
    about = index.get("constraints")
    if not about:
        sys.exit("there are no constraints in this bake")
    constraints = Constraints(read_blob(folder / about["file"]), about, arguments[1])
    constraints.check()
    numbers = [float(a) for a in arguments[2:]]
    cost, forbidden = constraints.cost(numbers[:2], numbers[2:])
    print(cost)
    for name in forbidden:
        print("forbidden:", name)


def through_links(folder, index, arguments):
    profile = next((p for p in index["profiles"] if p["name"] == arguments[5]), None)
    if profile is None:
        sys.exit(f"there is no profile {arguments[5]}")
    spaces = [s for s in index["spaces"] if abs(s["radius"] - profile["radius"]) < 5e-4]
    if not spaces:
        sys.exit("there is no space of this radius")
    space = Space(read_blob(folder / spaces[0]["file"]))
    things = index["things"]
    links = Links(read_blob(folder / things["file"]), things, profile["id"])
    numbers = [float(a) for a in arguments[1:5]]
    found = links.path(space, tuple(numbers[:2]), tuple(numbers[2:]))
    if found is None:
        sys.exit("no path")
    cost, points = found
    print(cost)
    for (x, y), link in points:
        print(x, y, *([link] if link else []))


def along_corridors(folder, index, arguments):
    corridors = Corridors(read_blob(folder / index["corridors"]["file"]))
    corridors.check()
    numbers = [float(a) for a in arguments[1:6]]
    show(corridors.path(tuple(numbers[:2]), tuple(numbers[2:4]), numbers[4]))


def through_cells(folder, index, arguments):
    spaces = index["spaces"]
    if len(arguments) == 6:
        spaces = [s for s in spaces if abs(s["radius"] - float(arguments[5])) < 5e-4]
    if not spaces:
        sys.exit("there is no space of this radius")
    space = Space(read_blob(folder / spaces[0]["file"]))
    numbers = [float(a) for a in arguments[1:5]]
    show(space.path(tuple(numbers[:2]), tuple(numbers[2:])))


# What a switch asks for, and how many words that takes with the folder.
QUERIES = {
    "--links": (through_links, (6,)),
    "--constraints": (with_constraints, (6,)),
    "--voxels": (through_voxels, (8,)),
    "--corridors": (along_corridors, (6,)),
}


def main(arguments):
    switch = next((a for a in arguments if a in QUERIES), None)
    query, counts = QUERIES.get(switch, (through_cells, (5, 6)))
    arguments = [a for a in arguments if a != switch]
    if len(arguments) not in counts:
        sys.exit(__doc__)
    folder = pathlib.Path(arguments[0])
    query(folder, read_index(folder), arguments)


def read_index(folder):
    index = json.loads((folder / "bake.json").read_text())
    if index.get("format") != "wayloom bake" or index.get("version") != 2:
        sys.exit(f"{folder}: not a bake of version 2")
    return index


def show(path):
    if path is None:
        sys.exit("no path")
    print(sum(math.dist(a, b) for a, b in zip(path, path[1:])))
    for x, y in path:
        print(x, y)


if __name__ == "__main__":
    main(sys.argv[1:])
