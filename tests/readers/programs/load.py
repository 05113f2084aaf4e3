"""Loads exported files with the libraries of their fields and prints what they hold."""

import pathlib
import sys


def area_of(vertices, faces, up):
    total = 0.0
    axes = [axis for axis in range(3) if axis != up]
    for a, b, c in faces:
        (ax, ay), (bx, by), (cx, cy) = ([v[k] for k in axes] for v in (vertices[a], vertices[b], vertices[c]))
        total += abs((bx - ax) * (cy - ay) - (cx - ax) * (by - ay)) / 2
    return total


def trimesh_of(path):
    import trimesh

    scene = trimesh.load(path, process=False, split_objects=True, group_material=False)
    names = [name for name in scene.geometry if "navmesh" in name]
    assert len(names) == 1, sorted(scene.geometry)
    mesh = scene.geometry[names[0]]
    assert (mesh.face_normals[:, 1] > 0).all(), "faces look down"
    print(f"AREA {area_of(mesh.vertices, mesh.faces, 1):.1f}")


def usd_of(path):
    from pxr import Usd, UsdGeom

    stage = Usd.Stage.Open(str(path))
    assert UsdGeom.GetStageUpAxis(stage) == "Z" and UsdGeom.GetStageMetersPerUnit(stage) == 1
    for prim in stage.Traverse():
        if prim.IsA(UsdGeom.Mesh):
            mesh = UsdGeom.Mesh(prim)
            good, why = UsdGeom.Mesh.ValidateTopology(
                mesh.GetFaceVertexIndicesAttr().Get(),
                mesh.GetFaceVertexCountsAttr().Get(),
                len(mesh.GetPointsAttr().Get()),
            )
            assert good, (prim, why)
    mesh = UsdGeom.Mesh(stage.GetPrimAtPath("/Level/NavMesh"))
    indices = mesh.GetFaceVertexIndicesAttr().Get()
    faces = [indices[i : i + 3] for i in range(0, len(indices), 3)]
    print(f"AREA {area_of(mesh.GetPointsAttr().Get(), faces, 2):.1f}")


def tiled_of(path):
    import pytiled_parser

    read = pytiled_parser.parse_map(pathlib.Path(path))
    objects = [o for layer in read.layers for o in layer.tiled_objects]
    names = sum(len(o.name) for o in objects)
    print(f"OBJECTS {len(objects)} {names} {sorted({o.class_ for o in objects})}")


for name in sys.argv[1:]:
    path = pathlib.Path(name)
    {".glb": trimesh_of, ".obj": trimesh_of, ".usda": usd_of}.get(path.suffix, tiled_of)(path)
