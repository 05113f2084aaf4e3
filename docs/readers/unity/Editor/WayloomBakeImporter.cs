// Lets Unity import the tables of `wayloom bake`. Add this folder as a package (Window > Package Manager > Add
// package from disk), and copy the folder of a bake into the project's Assets. A .wlb file then is an asset:
//
//     public WayloomBakeAsset cells;
//     …
//     var space = new Wayloom.Space(cells.bytes);

using System.IO;
using UnityEditor.AssetImporters;
using UnityEngine;

[ScriptedImporter(1, "wlb")]
public sealed class WayloomBakeImporter : ScriptedImporter
{
    public override void OnImportAsset(AssetImportContext context)
    {
        var asset = ScriptableObject.CreateInstance<WayloomBakeAsset>();
        asset.bytes = File.ReadAllBytes(context.assetPath);
        // A damaged file is told at once, not by the first query.
        new Wayloom.Blob(asset.bytes);
        context.AddObjectToAsset("tables", asset);
        context.SetMainObject(asset);
    }
}
