// Answers queries with docs/readers/unity/WayloomBake.cs: mono Bake.exe CELLS, then on standard input
//   from_x from_y to_x to_y
using System;
using System.Globalization;
using System.IO;

static class Program
{
    static void Main(string[] words)
    {
        CultureInfo.DefaultThreadCurrentCulture = CultureInfo.InvariantCulture;
        System.Threading.Thread.CurrentThread.CurrentCulture = CultureInfo.InvariantCulture;
        var space = new Wayloom.Space(File.ReadAllBytes(words[0]));
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
            Console.WriteLine("PATH {0} {1:F6} {2}", path != null ? 1 : 0, length, agrees ? "agrees" : "CONTRADICTS");
        }
    }
}
