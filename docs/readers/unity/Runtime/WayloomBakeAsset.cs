using UnityEngine;

/// <summary>The bytes of a .wlb file of a bake.</summary>
public sealed class WayloomBakeAsset : ScriptableObject
{
    [HideInInspector] public byte[] bytes;
}
