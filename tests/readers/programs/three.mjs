// Loads a GLB with three.js and answers the queries on standard input with three-pathfinding:
//   from_x from_z to_x to_z
import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
const require = createRequire(process.cwd() + '/');
const load = (name) => import(pathToFileURL(require.resolve(name)).href);
globalThis.self ??= globalThis;
const THREE = await load('three');
const { GLTFLoader } = await load('three/addons/loaders/GLTFLoader.js');
const { Pathfinding } = await load('three-pathfinding');
const bytes = readFileSync(process.argv[2]);
const gltf = await new GLTFLoader().parseAsync(
    bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength), '');
let mesh;
gltf.scene.traverse((object) => {
    if (object.isMesh && object.name.endsWith('-navmesh')) mesh ??= object;
});
if (!mesh) {
    console.log('REFUSED no navmesh');
    process.exit(2);
}
// The library rounds coordinates to two decimals: in centimetres that is a tenth of a millimetre, in metres
// it would close gaps and open walls. It is the plan that matters; heights stay.
const PER_METRE = 100;
mesh.geometry.scale(PER_METRE, 1, PER_METRE);
const finder = new Pathfinding();
const zone = Pathfinding.createZone(mesh.geometry);
finder.setZoneData('level', zone);
console.log(`LOADED groups=${zone.groups.length} polygons=${mesh.geometry.index.count / 3} extras=${JSON.stringify(mesh.userData.kind)}`);
const nodes = zone.groups.flatMap((group, g) => group.map((node) => [node, g]));
// Lifts a point onto the triangle that contains it, and tells its group; the library takes the nearest centre,
// which may be on the other side of a wall.
const groupOf = (p) => {
    for (const [node, g] of nodes) {
        const [a, b, c] = node.vertexIds.map((id) => zone.vertices[id]);
        const side = (u, v) => (v.x - u.x) * (p.z - u.z) - (v.z - u.z) * (p.x - u.x);
        const sides = [side(a, b), side(b, c), side(c, a)];
        if (sides.every((s) => s >= 0) || sides.every((s) => s <= 0)) {
            const area = sides[0] + sides[1] + sides[2];
            if (area !== 0) p.y = (a.y * sides[1] + b.y * sides[2] + c.y * sides[0]) / area;
            return g;
        }
    }
    return null;
};
for (const line of readFileSync(0, 'utf8').split('\n')) {
    const [x0, z0, x1, z1] = line.trim().split(/\s+/).map((word) => Number(word) * PER_METRE);
    if (z1 === undefined) continue;
    const from = new THREE.Vector3(x0, 0, z0), to = new THREE.Vector3(x1, 0, z1);
    const group = groupOf(from), there = groupOf(to);
    const path = group === null ? null : finder.findPath(from, to, 'level', group);
    const reached = path !== null && there === group;
    const points = [from, ...(path ?? [])];
    let length = 0;
    for (let i = 1; i < points.length; i++)
        length += Math.hypot(points[i].x - points[i - 1].x, points[i].z - points[i - 1].z) / PER_METRE;
    console.log(`PATH ${reached ? 1 : 0} ${length.toFixed(6)} ${points.map((p) => `${p.x / PER_METRE},${p.z / PER_METRE}`).join(' ')}`);
}
