// Answers queries with docs/readers/unity/Runtime/WayloomBake.cs: mono Bake.exe CELLS CORRIDORS TERRAIN, then on
// standard input
//   from_x from_y to_x to_y
using System;
using System.Globalization;
using System.IO;

static class Program
{
    // --links CELLS THINGS PROFILE: the cost of paths through links.
    static void ThroughLinks(string[] words)
    {
        var space = new Wayloom.Space(File.ReadAllBytes(words[1]));
        var links = new Wayloom.Links(File.ReadAllBytes(words[2]));
        Console.WriteLine("LOADED links={0}", links.Count);
        string line;
        while ((line = Console.ReadLine()) != null)
        {
            var n = Array.ConvertAll(line.Split(' '), double.Parse);
            var path = space.FindPath(new Wayloom.Point(n[0], n[1]), new Wayloom.Point(n[2], n[3]), links, long.Parse(words[3]));
            double cost = 0;
            for (int i = 1; path != null && i < path.Points.Count; i++)
                cost += path.Links[i] < 0 ? path.Points[i - 1].DistanceTo(path.Points[i]) : links.Cost(path.Links[i]);
            bool agrees = path == null || Math.Abs(cost - path.Cost) < 1e-6;
            Console.WriteLine("PATH {0} {1:F6} {2}", path != null ? 1 : 0, cost, agrees ? "agrees" : "CONTRADICTS");
        }
    }

    static void Main(string[] words)
    {
        CultureInfo.DefaultThreadCurrentCulture = CultureInfo.InvariantCulture;
        System.Threading.Thread.CurrentThread.CurrentCulture = CultureInfo.InvariantCulture;
        if (words[0] == "--links")
        {
            ThroughLinks(words);
            return;
        }
        var space = new Wayloom.Space(File.ReadAllBytes(words[0]));
        var map = new Wayloom.Corridors(File.ReadAllBytes(words[1]));
        var terrain = new Wayloom.Terrain(File.ReadAllBytes(words[2]));
        var ones = new double[4096];
        for (int i = 0; i < ones.Length; i++)
            ones[i] = 1;
        // What is connected for a thick disc is connected for a thin one, and not longer.
        int far = map.VertexCount - 1;
        if (far > 0 && map.FindCorridor(0, far, 0.3) != null && map.FindCorridor(0, far, 0) == null)
            Console.WriteLine("CONTRADICTS");
        Console.WriteLine("LOADED cells={0} portals={1}", space.CellCount, space.PortalCount);
        string line;
        while ((line = Console.ReadLine()) != null)
        {
            var n = Array.ConvertAll(line.Split(' '), double.Parse);
            var from = new Wayloom.Point(n[0], n[1]);
            var to = new Wayloom.Point(n[2], n[3]);
            var path = space.FindPath(from, to);
            double length = 0;
            for (int i = 1; path != null && i < path.Count; i++)
                length += path[i - 1].DistanceTo(path[i]);
            int cell = space.Locate(from);
            bool agrees = cell < 0 || double.IsInfinity(space.CostField(to)[cell]) == (path == null);
            for (int i = 1; path != null && i < path.Count; i++)
                agrees = agrees && Math.Abs(terrain.LineCost(path[i - 1], path[i], ones) - path[i - 1].DistanceTo(path[i])) < 1e-6;
            Console.WriteLine("PATH {0} {1:F6} {2}", path != null ? 1 : 0, length, agrees ? "agrees" : "CONTRADICTS");
        }
    }
}
