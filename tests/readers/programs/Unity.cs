// As much of Unity as the package in docs/readers/unity uses, so that it can be compiled and run without Unity, and
// a program that imports a table as Unity would and answers queries with it:
//   mono Unity.exe CELLS.wlb, then on standard input  from_x from_y to_x to_y
using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;

namespace UnityEngine
{
    public class Object
    {
    }

    public class ScriptableObject : Object
    {
        public static T CreateInstance<T>() where T : ScriptableObject, new()
        {
            return new T();
        }
    }

    [AttributeUsage(AttributeTargets.Field)]
    public sealed class HideInInspector : Attribute
    {
    }
}

namespace UnityEditor.AssetImporters
{
    [AttributeUsage(AttributeTargets.Class)]
    public sealed class ScriptedImporterAttribute : Attribute
    {
        public readonly int version;
        public readonly string[] extensions;

        public ScriptedImporterAttribute(int version, string extension)
        {
            this.version = version;
            extensions = new[] { extension };
        }
    }

    public abstract class ScriptedImporter : UnityEngine.Object
    {
        public abstract void OnImportAsset(AssetImportContext context);
    }

    public class AssetImportContext
    {
        public readonly string assetPath;
        public readonly Dictionary<string, UnityEngine.Object> objects = new Dictionary<string, UnityEngine.Object>();

        public UnityEngine.Object mainObject { get; private set; }

        public AssetImportContext(string path)
        {
            assetPath = path;
        }

        public void AddObjectToAsset(string identifier, UnityEngine.Object asset)
        {
            objects.Add(identifier, asset);
        }

        public void SetMainObject(UnityEngine.Object asset)
        {
            if (!objects.ContainsValue(asset))
                throw new InvalidOperationException("the main object must be added first");
            mainObject = asset;
        }
    }
}

static class Program
{
    static void Main(string[] words)
    {
        System.Threading.Thread.CurrentThread.CurrentCulture = CultureInfo.InvariantCulture;
        var attribute = (UnityEditor.AssetImporters.ScriptedImporterAttribute)Attribute.GetCustomAttribute(
            typeof(WayloomBakeImporter), typeof(UnityEditor.AssetImporters.ScriptedImporterAttribute));
        if (attribute == null || "." + attribute.extensions[0] != Path.GetExtension(words[0]))
        {
            Console.WriteLine("REFUSED the importer is not for this file");
            return;
        }
        var context = new UnityEditor.AssetImporters.AssetImportContext(words[0]);
        new WayloomBakeImporter().OnImportAsset(context);
        var asset = (WayloomBakeAsset)context.mainObject;
        // A damaged file is refused by the import, not by the first query.
        string torn = words[0] + ".torn.wlb";
        var half = new byte[asset.bytes.Length / 2];
        Array.Copy(asset.bytes, half, half.Length);
        File.WriteAllBytes(torn, half);
        try
        {
            new WayloomBakeImporter().OnImportAsset(new UnityEditor.AssetImporters.AssetImportContext(torn));
            Console.WriteLine("CONTRADICTS half of a file was imported");
        }
        catch (InvalidDataException)
        {
        }
        File.Delete(torn);
        var space = new Wayloom.Space(asset.bytes);
        Console.WriteLine("LOADED cells={0}", space.CellCount);
        string line;
        while ((line = Console.ReadLine()) != null)
        {
            var n = Array.ConvertAll(line.Split(' '), double.Parse);
            var path = space.FindPath(new Wayloom.Point(n[0], n[1]), new Wayloom.Point(n[2], n[3]));
            double length = 0;
            for (int i = 1; path != null && i < path.Count; i++)
                length += path[i - 1].DistanceTo(path[i]);
            Console.WriteLine("PATH {0} {1:F6}", path != null ? 1 : 0, length);
        }
    }
}
