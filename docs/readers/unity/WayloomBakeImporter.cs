// Lets Unity import the tables of `wayloom bake`: copy the folder of the bake and these two scripts into a
// project; this one into a folder called Editor. A .wlb file then is an asset with its bytes:
//
//     public WayloomBakeAsset cells;
//     …
//     var space = new Wayloom.Space(cells.bytes);

using System.IO;
using UnityEngine;
#if UNITY_EDITOR
using UnityEditor.AssetImporters;
#endif

/// <summary>The bytes of a .wlb file.</summary>
public sealed class WayloomBakeAsset : ScriptableObject
{
    [HideInInspector] public byte[] bytes;
}

#if UNITY_EDITOR
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
#endif
