// Reads what `wayloom bake` wrote, and plans on it. C# 7, no library: Unity, Mono, .NET.
//
//     var space = new Wayloom.Space(File.ReadAllBytes("cells_0300mm.wlb"));
//     List<Wayloom.Point> path = space.FindPath(from, to);   // null if there is none
//
// x and y are those of the plan, in metres; in Unity, a place is new Vector3(x, height, y).
// docs/bake.md describes the tables. The package of this folder lets Unity import them.

using System;
using System.Collections.Generic;
using System.IO;
using System.Text;

namespace Wayloom
{
    [Serializable]
    public struct Point
    {
        public double X, Y;

        public Point(double x, double y)
        {
            X = x;
            Y = y;
        }

        public double DistanceTo(Point other)
        {
            return Math.Sqrt((other.X - X) * (other.X - X) + (other.Y - Y) * (other.Y - Y));
        }

        internal static double Cross(Point a, Point b, Point p)
        {
            return (b.X - a.X) * (p.Y - a.Y) - (b.Y - a.Y) * (p.X - a.X);
        }

        internal bool Is(Point other)
        {
            return X == other.X && Y == other.Y;
        }
    }

    /// <summary>Named tables of numbers: a .wlb file.</summary>
    public sealed class Blob
    {
        readonly Dictionary<string, double[]> numbers = new Dictionary<string, double[]>();
        readonly Dictionary<string, uint[]> indices = new Dictionary<string, uint[]>();

        public Blob(byte[] bytes)
        {
            if (bytes.Length < 8 || Encoding.ASCII.GetString(bytes, 0, 4) != "WLB1")
                throw new InvalidDataException("this is not a Wayloom blob: it does not begin with WLB1");
            long at = 8;
            uint columns = BitConverter.ToUInt32(bytes, 4);
            for (uint i = 0; i < columns; i++)
            {
                Need(bytes, at, 16);
                uint name = BitConverter.ToUInt32(bytes, (int)at);
                uint kind = BitConverter.ToUInt32(bytes, (int)at + 4);
                ulong count = BitConverter.ToUInt64(bytes, (int)at + 8);
                at += 16;
                Need(bytes, at, Padded(name));
                string key = Encoding.UTF8.GetString(bytes, (int)at, (int)name);
                at += Padded(name);
                int width = kind == 1 ? 8 : 4;
                if (kind != 1 && kind != 2 || count > (ulong)((bytes.Length - at) / width))
                    throw new InvalidDataException("the blob ends in the middle of a column");
                if (kind == 1)
                {
                    var values = new double[count];
                    Buffer.BlockCopy(bytes, (int)at, values, 0, (int)count * 8);
                    numbers[key] = values;
                }
                else
                {
                    var values = new uint[count];
                    Buffer.BlockCopy(bytes, (int)at, values, 0, (int)count * 4);
                    indices[key] = values;
                }
                at += Padded((long)count * width);
                if (at > bytes.Length)
                    throw new InvalidDataException("the blob ends in the middle of a column");
            }
        }

        static void Need(byte[] bytes, long at, long count)
        {
            if (at > bytes.Length - count)
                throw new InvalidDataException("the blob ends in the middle of a column");
        }

        public static void Check(bool whole)
        {
            if (!whole)
                throw new InvalidDataException("a table points outside of another one");
        }

        static long Padded(long size)
        {
            return (size + 7) / 8 * 8;
        }

        public bool TryNumbers(string name, out double[] values)
        {
            return numbers.TryGetValue(name, out values);
        }

        public double[] Numbers(string name)
        {
            double[] values;
            if (!numbers.TryGetValue(name, out values))
                throw new InvalidDataException("there is no table " + name);
            return values;
        }

        public uint[] Indices(string name)
        {
            uint[] values;
            if (!indices.TryGetValue(name, out values))
                throw new InvalidDataException("there is no table " + name);
            return values;
        }
    }

    /// <summary>Convex cells and portals of one radius.</summary>
    public sealed class Space
    {
        const uint None = uint.MaxValue;

        readonly double[] corners, ends;
        readonly uint[] sides, starts, components, pairs;
        readonly Blob blob;

        public int CellCount
        {
            get { return components.Length; }
        }

        public int PortalCount
        {
            get { return pairs.Length / 2; }
        }

        public Space(byte[] bytes)
        {
            blob = new Blob(bytes);
            corners = blob.Numbers("corners");
            sides = blob.Indices("sides");
            starts = blob.Indices("starts");
            components = blob.Indices("components");
            ends = blob.Numbers("portal_ends");
            pairs = blob.Indices("portal_cells");
            bool whole = starts.Length == components.Length + 1 && corners.Length == 2 * sides.Length &&
                ends.Length == 2 * pairs.Length && pairs.Length % 2 == 0 && starts[0] == 0 &&
                starts[components.Length] == sides.Length;
            for (int i = 0; whole && i < components.Length; i++)
                whole = starts[i] <= starts[i + 1];
            foreach (uint cell in pairs)
                whole = whole && cell < components.Length;
            foreach (uint portal in sides)
                whole = whole && (portal == None || portal < pairs.Length / 2);
            Blob.Check(whole);
        }

        Point Corner(uint index)
        {
            return new Point(corners[2 * index], corners[2 * index + 1]);
        }

        Point Middle(uint portal)
        {
            return new Point((ends[4 * portal] + ends[4 * portal + 2]) / 2,
                (ends[4 * portal + 1] + ends[4 * portal + 3]) / 2);
        }

        /// <summary>Where a path in a cell enters a portal: while the goal lies ahead, as near as possible to the
        /// straight line to it; else at the nearest point.</summary>
        Point Place(uint portal, int cell, Point at, Point to)
        {
            var a = new Point(ends[4 * portal], ends[4 * portal + 1]);
            double x = ends[4 * portal + 2] - a.X, y = ends[4 * portal + 3] - a.Y;
            // The ends are left and right as seen from the first cell.
            double side = pairs[2 * portal] == cell ? 1 : -1;
            double toPortal = side * ((a.Y - at.Y) * x - (a.X - at.X) * y);
            double toGoal = side * ((to.Y - at.Y) * x - (to.X - at.X) * y);
            Point wanted = at;
            if (toGoal > 0)
            {
                double ahead = Math.Max(0, Math.Min(1, toPortal / toGoal));
                wanted = new Point(at.X + ahead * (to.X - at.X), at.Y + ahead * (to.Y - at.Y));
            }
            double squared = x * x + y * y;
            double share = squared > 0 ? ((wanted.X - a.X) * x + (wanted.Y - a.Y) * y) / squared : 0;
            share = Math.Max(0, Math.Min(1, share));
            return new Point(a.X + share * x, a.Y + share * y);
        }

        /// <summary>What a metre costs the profile with this id in each cell, for FindPath and CostField; null if
        /// it is not baked for this radius.</summary>
        public double[] Weights(long profile)
        {
            double[] weights;
            return blob.TryNumbers("weights_" + profile, out weights) && weights.Length == CellCount ? weights : null;
        }

        /// <summary>The cell at a place, or -1. Linear; keep a tree for many queries.</summary>
        public int Locate(Point p)
        {
            for (int cell = 0; cell < components.Length; cell++)
            {
                bool inside = starts[cell + 1] > starts[cell];
                for (uint i = starts[cell]; i < starts[cell + 1] && inside; i++)
                {
                    uint next = i + 1 < starts[cell + 1] ? i + 1 : starts[cell];
                    inside = Point.Cross(Corner(i), Corner(next), p) >= -1e-9;
                }
                if (inside)
                    return cell;
            }
            return -1;
        }

        /// <summary>Whether one can get from one place to the other.</summary>
        public bool IsReachable(Point from, Point to)
        {
            int a = Locate(from), b = Locate(to);
            return a >= 0 && b >= 0 && components[a] == components[b];
        }

        /// <summary>The cells of the cheapest portals, pulled tight; null if there is no path. Weights are costs
        /// of a metre in each cell, or null for 1.</summary>
        public List<Point> FindPath(Point from, Point to, double[] weights = null)
        {
            int start = Locate(from), goal = Locate(to);
            if (start < 0 || goal < 0 || components[start] != components[goal])
                return null;
            if (start == goal)
                return new List<Point> { from, to };
            // A node is a portal with the cell that is entered through it.
            int nodes = pairs.Length;
            var costs = new double[nodes];
            var before = new int[nodes];
            var places = new Point[nodes];
            var closed = new bool[nodes];
            for (int i = 0; i < nodes; i++)
                costs[i] = double.PositiveInfinity;
            var open = new Heap();
            double least = 1;
            if (weights != null)
            {
                least = double.PositiveInfinity;
                foreach (double weight in weights)
                    least = Math.Min(least, weight);
            }
            int node = -1, cell = start, last = -1;
            Point at = from;
            double cost = 0, best = double.PositiveInfinity;
            while (true)
            {
                double weight = weights == null ? 1 : weights[cell];
                for (uint i = starts[cell]; i < starts[cell + 1]; i++)
                {
                    uint portal = sides[i];
                    if (portal == None)
                        continue;
                    int next = (int)(2 * portal) + (pairs[2 * portal] == cell ? 1 : 0);
                    if (closed[next])
                        continue;
                    Point place = Place(portal, cell, at, to);
                    double reached = cost + weight * at.DistanceTo(place);
                    // A portal may be entered elsewhere by another path: what counts is the whole path.
                    if (double.IsInfinity(costs[next]) ||
                        reached + least * place.DistanceTo(to) < costs[next] + least * places[next].DistanceTo(to))
                    {
                        costs[next] = reached;
                        places[next] = place;
                        before[next] = node;
                        open.Push(reached + least * place.DistanceTo(to), next);
                    }
                }
                double key;
                bool found;
                do
                    found = open.Pop(out key, out node) && key < best;
                while (found && closed[node]);
                if (!found)
                    break;
                closed[node] = true;
                cell = (int)pairs[node];
                at = places[node];
                cost = costs[node];
                double end = cost + (weights == null ? 1 : weights[cell]) * at.DistanceTo(to);
                if (cell == goal && end < best)
                {
                    best = end;
                    last = node;
                }
            }
            if (last < 0)
                return null;
            var chain = new List<uint>();
            for (int i = last; i >= 0; i = before[i])
                chain.Add((uint)(i / 2));
            chain.Reverse();
            return Pull(chain, start, from, to);
        }

        static double Length(List<Point> path)
        {
            double length = 0;
            for (int i = 1; i < path.Count; i++)
                length += path[i - 1].DistanceTo(path[i]);
            return length;
        }

        /// <summary>The shortest path through links that the profile with this id may use, or without them; null if
        /// there is none.</summary>
        public LinkedPath FindPath(Point from, Point to, Links links, long profile)
        {
            int hops = 2 * links.Count, at = -1, last = -1;
            var reached = new double[hops];
            var before = new int[hops];
            var done = new bool[hops];
            for (int i = 0; i < hops; i++)
            {
                reached[i] = double.PositiveInfinity;
                done[i] = !links.IsOpen(i, profile);
            }
            var walk = FindPath(from, to);
            double best = walk == null ? double.PositiveInfinity : Length(walk), soFar = 0;
            Point here = from;
            // Dijkstra: the end of the cheapest hop, from where one walks to the goal and to the other hops. Walks
            // are not searched where the straight line is too long already.
            while (true)
            {
                for (int i = 0; i < hops; i++)
                {
                    double cost = links.Cost(i / 2), most = Math.Min(reached[i], best);
                    if (done[i] || at >= 0 && i / 2 == at / 2 || soFar + here.DistanceTo(links.From(i)) + cost >= most)
                        continue;
                    walk = FindPath(here, links.From(i));
                    if (walk != null && soFar + Length(walk) + cost < reached[i])
                    {
                        reached[i] = soFar + Length(walk) + cost;
                        before[i] = at;
                    }
                }
                at = -1;
                for (int i = 0; i < hops; i++)
                    if (!done[i] && reached[i] < best && (at < 0 || reached[i] < reached[at]))
                        at = i;
                if (at < 0)
                    break;
                done[at] = true;
                soFar = reached[at];
                here = links.To(at);
                walk = soFar + here.DistanceTo(to) < best ? FindPath(here, to) : null;
                if (walk != null && soFar + Length(walk) < best)
                {
                    best = soFar + Length(walk);
                    last = at;
                }
            }
            if (double.IsInfinity(best))
                return null;
            var chain = new List<int>();
            for (int hop = last; hop >= 0; hop = before[hop])
                chain.Add(hop);
            chain.Reverse();
            var path = new LinkedPath { Cost = best };
            here = from;
            for (int k = 0; k <= chain.Count; k++)
            {
                walk = FindPath(here, k < chain.Count ? links.From(chain[k]) : to);
                for (int i = 0; i < walk.Count; i++)
                {
                    path.Points.Add(walk[i]);
                    path.Links.Add(i == 0 && k > 0 ? chain[k - 1] / 2 : -1);
                }
                if (k < chain.Count)
                    here = links.To(chain[k]);
            }
            return path;
        }

        /// <summary>For each cell, what it costs to get from there to a place.</summary>
        public double[] CostField(Point to, double[] weights = null)
        {
            var field = new double[components.Length];
            var portals = new double[pairs.Length / 2];
            for (int i = 0; i < field.Length; i++)
                field[i] = double.PositiveInfinity;
            for (int i = 0; i < portals.Length; i++)
                portals[i] = double.PositiveInfinity;
            int goal = Locate(to);
            if (goal < 0)
                return field;
            var open = new Heap();
            Spread(goal, to, 0, weights, field, portals, open);
            double cost;
            int portal;
            while (open.Pop(out cost, out portal))
            {
                if (cost > portals[portal])
                    continue;
                Point at = Middle((uint)portal);
                Spread((int)pairs[2 * portal], at, cost, weights, field, portals, open);
                Spread((int)pairs[2 * portal + 1], at, cost, weights, field, portals, open);
            }
            return field;
        }

        void Spread(int cell, Point at, double cost, double[] weights, double[] field, double[] portals, Heap open)
        {
            field[cell] = Math.Min(field[cell], cost);
            for (uint i = starts[cell]; i < starts[cell + 1]; i++)
            {
                if (sides[i] == None)
                    continue;
                double reached = cost + (weights == null ? 1 : weights[cell]) * at.DistanceTo(Middle(sides[i]));
                if (reached < portals[sides[i]])
                {
                    portals[sides[i]] = reached;
                    open.Push(reached, (int)sides[i]);
                }
            }
        }

        List<Point> Pull(List<uint> chain, int cell, Point from, Point to)
        {
            var lefts = new List<Point>();
            var rights = new List<Point>();
            foreach (uint portal in chain)
            {
                bool forward = pairs[2 * portal] == cell;
                var a = new Point(ends[4 * portal], ends[4 * portal + 1]);
                var b = new Point(ends[4 * portal + 2], ends[4 * portal + 3]);
                lefts.Add(forward ? a : b);
                rights.Add(forward ? b : a);
                cell = (int)pairs[2 * portal + (forward ? 1 : 0)];
            }
            lefts.Add(to);
            rights.Add(to);
            var path = new List<Point> { from };
            Point apex = from, left = lefts[0], right = rights[0];
            int leftAt = 0, rightAt = 0;
            for (int i = 1; i < lefts.Count; i++)
            {
                int turnAt = -1;
                Point turn = apex;
                if (Point.Cross(apex, right, rights[i]) >= 0)
                {
                    if (apex.Is(right) || Point.Cross(apex, left, rights[i]) <= 0)
                    {
                        right = rights[i];
                        rightAt = i;
                    }
                    else
                    {
                        turn = left;
                        turnAt = leftAt;
                    }
                }
                if (turnAt < 0 && Point.Cross(apex, left, lefts[i]) <= 0)
                {
                    if (apex.Is(left) || Point.Cross(apex, right, lefts[i]) >= 0)
                    {
                        left = lefts[i];
                        leftAt = i;
                    }
                    else
                    {
                        turn = right;
                        turnAt = rightAt;
                    }
                }
                if (turnAt >= 0)
                {
                    if (!path[path.Count - 1].Is(turn))
                        path.Add(turn);
                    apex = left = right = turn;
                    i = leftAt = rightAt = turnAt;
                }
            }
            if (!path[path.Count - 1].Is(to))
                path.Add(to);
            return path;
        }
    }

    /// <summary>Links, places that are connected without walking: things.wlb.</summary>
    public sealed class Links
    {
        readonly double[] ends, costs;
        readonly uint[] bothWays, starts, profiles;

        public Links(byte[] bytes)
        {
            var blob = new Blob(bytes);
            ends = blob.Numbers("link_ends");
            costs = blob.Numbers("link_costs");
            bothWays = blob.Indices("link_both_ways");
            starts = blob.Indices("link_profile_starts");
            profiles = blob.Indices("link_profiles");
            bool whole = ends.Length == 6 * costs.Length && bothWays.Length == costs.Length &&
                starts.Length == costs.Length + 1 && starts[0] == 0 && starts[costs.Length] == profiles.Length;
            for (int i = 0; whole && i < costs.Length; i++)
                whole = starts[i] <= starts[i + 1] && costs[i] >= 0;
            Blob.Check(whole);
        }

        public int Count
        {
            get { return costs.Length; }
        }

        /// <summary>What going through a link adds to the cost of a path.</summary>
        public double Cost(int link)
        {
            return costs[link];
        }

        public bool Admits(int link, long profile)
        {
            bool admitted = starts[link] == starts[link + 1];
            for (uint i = starts[link]; i < starts[link + 1]; i++)
                admitted = admitted || profiles[i] == profile;
            return admitted;
        }

        // A hop is a link in one direction: 2 · link, and 1 more for the way back.
        internal bool IsOpen(int hop, long profile)
        {
            return (hop % 2 == 0 || bothWays[hop / 2] != 0) && Admits(hop / 2, profile);
        }

        internal Point From(int hop)
        {
            int at = 6 * (hop / 2) + 3 * (hop % 2);
            return new Point(ends[at], ends[at + 1]);
        }

        internal Point To(int hop)
        {
            return From(hop ^ 1);
        }
    }

    /// <summary>A path that goes through links.</summary>
    public sealed class LinkedPath
    {
        public readonly List<Point> Points = new List<Point>();

        /// <summary>The link that leads to each point, or -1 where one walks.</summary>
        public readonly List<int> Links = new List<int>();

        /// <summary>The lengths of its walks and the costs of its links.</summary>
        public double Cost;
    }

    /// <summary>The ground as triangles, each of one kind of terrain or blocked: terrain.wlb.</summary>
    public sealed class Terrain
    {
        const uint None = uint.MaxValue;

        readonly double[] points;
        readonly uint[] corners, beside, kinds;

        public Terrain(byte[] bytes)
        {
            var blob = new Blob(bytes);
            points = blob.Numbers("points");
            corners = blob.Indices("triangles");
            beside = blob.Indices("beside");
            kinds = blob.Indices("kinds");
            bool whole = points.Length % 2 == 0 && corners.Length == 3 * kinds.Length && beside.Length == corners.Length;
            foreach (uint corner in corners)
                whole = whole && corner < points.Length / 2;
            foreach (uint next in beside)
                whole = whole && (next == None || next < kinds.Length);
            Blob.Check(whole);
        }

        public int TriangleCount
        {
            get { return kinds.Length; }
        }

        Point Corner(int triangle, int i)
        {
            uint index = corners[3 * triangle + i % 3];
            return new Point(points[2 * index], points[2 * index + 1]);
        }

        /// <summary>The triangle at a place, or -1.</summary>
        public int Locate(Point p)
        {
            for (int at = 0; at < kinds.Length; at++)
            {
                bool inside = true;
                for (int i = 0; i < 3 && inside; i++)
                    inside = Point.Cross(Corner(at, i), Corner(at, i + 1), p) >= -1e-9;
                if (inside)
                    return at;
            }
            return -1;
        }

        /// <summary>The kind of terrain at a place, an index into terrain.kinds of bake.json; -1 if it is
        /// blocked or outside.</summary>
        public int KindAt(Point p)
        {
            int at = Locate(p);
            return at < 0 || kinds[at] == None ? -1 : (int)kinds[at];
        }

        /// <summary>What a straight line costs with the weight of each kind; infinity if it touches blocked
        /// ground.</summary>
        public double LineCost(Point from, Point to, double[] weights)
        {
            int at = Locate(from), came = -1;
            double length = from.DistanceTo(to), share = 0, cost = 0;
            for (int steps = 0; at >= 0 && steps <= kinds.Length; steps++)
            {
                if (kinds[at] >= weights.Length)
                    return double.PositiveInfinity;
                double leaves = 1;
                int next = -1;
                bool last = true;
                for (int i = 0; i < 3; i++)
                {
                    Point a = Corner(at, i), b = Corner(at, i + 1);
                    double before = Point.Cross(a, b, from), after = Point.Cross(a, b, to);
                    if (after >= 0 || before - after <= 0)
                        continue;
                    double there = before / (before - after);
                    if (there >= leaves && !last)
                        continue;
                    int over = beside[3 * at + i] == None ? -1 : (int)beside[3 * at + i];
                    if (over >= 0 && over == came && there <= share)
                        continue;
                    leaves = Math.Max(there, share);
                    next = over;
                    last = false;
                }
                cost += weights[kinds[at]] * length * (leaves - share);
                if (last)
                    return cost;
                share = leaves;
                came = at;
                at = next;
            }
            return double.PositiveInfinity;
        }
    }

    /// <summary>The corridor map, which serves every radius: corridors.wlb.</summary>
    public sealed class Corridors
    {
        readonly double[] points, clearances, lengths, least;
        readonly uint[] ends;
        readonly List<int>[] edgesAt;

        public Corridors(byte[] bytes)
        {
            var blob = new Blob(bytes);
            points = blob.Numbers("vertex_points");
            clearances = blob.Numbers("vertex_clearances");
            ends = blob.Indices("edge_vertices");
            lengths = blob.Numbers("edge_lengths");
            least = blob.Numbers("edge_min_clearances");
            bool whole = points.Length == 2 * clearances.Length && ends.Length == 2 * lengths.Length &&
                lengths.Length == least.Length;
            foreach (uint vertex in ends)
                whole = whole && vertex < clearances.Length;
            foreach (double length in lengths)
                whole = whole && length >= 0;
            Blob.Check(whole);
            edgesAt = new List<int>[clearances.Length];
            for (int i = 0; i < edgesAt.Length; i++)
                edgesAt[i] = new List<int>();
            for (int i = 0; i < ends.Length; i++)
                edgesAt[ends[i]].Add(i / 2);
        }

        public int VertexCount
        {
            get { return clearances.Length; }
        }

        public Point Vertex(int index)
        {
            return new Point(points[2 * index], points[2 * index + 1]);
        }

        /// <summary>Distance from a vertex to the nearest wall.</summary>
        public double Clearance(int index)
        {
            return clearances[index];
        }

        /// <summary>The vertices of the shortest connection that a disc fits through; null if there is none.</summary>
        public List<int> FindCorridor(int from, int to, double radius)
        {
            var costs = new double[clearances.Length];
            var before = new int[clearances.Length];
            for (int i = 0; i < costs.Length; i++)
            {
                costs[i] = double.PositiveInfinity;
                before[i] = -1;
            }
            var open = new Heap();
            costs[from] = 0;
            open.Push(0, from);
            double cost;
            int vertex;
            while (open.Pop(out cost, out vertex) && vertex != to)
            {
                if (cost > costs[vertex])
                    continue;
                foreach (int edge in edgesAt[vertex])
                {
                    int next = (int)(ends[2 * edge] == vertex ? ends[2 * edge + 1] : ends[2 * edge]);
                    double reached = cost + lengths[edge];
                    if (least[edge] < radius || reached >= costs[next])
                        continue;
                    costs[next] = reached;
                    before[next] = vertex;
                    open.Push(reached, next);
                }
            }
            if (double.IsInfinity(costs[to]))
                return null;
            var chain = new List<int>();
            for (int i = to; i >= 0; i = before[i])
                chain.Add(i);
            chain.Reverse();
            return chain;
        }
    }

    /// <summary>A binary heap; equal costs come out in any order.</summary>
    sealed class Heap
    {
        readonly List<KeyValuePair<double, int>> entries = new List<KeyValuePair<double, int>>();

        public void Push(double cost, int node)
        {
            int at = entries.Count;
            entries.Add(new KeyValuePair<double, int>(cost, node));
            while (at > 0 && entries[(at - 1) / 2].Key > cost)
            {
                entries[at] = entries[(at - 1) / 2];
                at = (at - 1) / 2;
            }
            entries[at] = new KeyValuePair<double, int>(cost, node);
        }

        public bool Pop(out double cost, out int node)
        {
            cost = 0;
            node = -1;
            if (entries.Count == 0)
                return false;
            cost = entries[0].Key;
            node = entries[0].Value;
            var last = entries[entries.Count - 1];
            entries.RemoveAt(entries.Count - 1);
            int at = 0;
            while (2 * at + 1 < entries.Count)
            {
                int child = 2 * at + 1;
                if (child + 1 < entries.Count && entries[child + 1].Key < entries[child].Key)
                    child++;
                if (entries[child].Key >= last.Key)
                    break;
                entries[at] = entries[child];
                at = child;
            }
            if (entries.Count > 0)
                entries[at] = last;
            return true;
        }
    }
}
