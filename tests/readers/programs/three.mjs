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
const finder = new Pathfinding();
const zone = Pathfinding.createZone(mesh.geometry);
finder.setZoneData('level', zone);
console.log(`LOADED groups=${zone.groups.length} polygons=${mesh.geometry.index.count / 3} extras=${JSON.stringify(mesh.userData.kind)}`);
const nodes = zone.groups.flatMap((group, g) => group.map((node) => [node, g]));
// The library rounds the mesh to centimetres: where free space is narrower than that, or right beside
// a wall, a place is in none of its triangles, and it finds no path. So a place is moved onto the
// rounded mesh first, as one does with an agent; not farther than rounding can have moved a wall.
const MOVED = 0.02;
const nearest = (p) => {
    let best = null, least = MOVED;
    for (const [node] of nodes) {
        const corners = node.vertexIds.map((id) => zone.vertices[id]);
        const [a, b, c] = corners;
        const area = Math.abs((b.x - a.x) * (c.z - a.z) - (b.z - a.z) * (c.x - a.x));
        if (area < 1e-4) continue;
        const middle = { x: (a.x + b.x + c.x) / 3, z: (a.z + b.z + c.z) / 3 };
        const side = (u, v) => (v.x - u.x) * (p.z - u.z) - (v.z - u.z) * (p.x - u.x);
        const sides = [side(a, b), side(b, c), side(c, a)];
        if (sides.every((s) => s > 1e-6) || sides.every((s) => s < -1e-6)) return p;
        for (let i = 0; i < 3; i++) {
            const u = corners[i], v = corners[(i + 1) % 3];
            const length = (v.x - u.x) ** 2 + (v.z - u.z) ** 2;
            const along = Math.min(1, Math.max(0, ((p.x - u.x) * (v.x - u.x) + (p.z - u.z) * (v.z - u.z)) / (length || 1)));
            const q = { x: u.x + along * (v.x - u.x), z: u.z + along * (v.z - u.z) };
            const away = Math.hypot(q.x - p.x, q.z - p.z);
            if (away >= least) continue;
            least = away;
            const inwards = Math.min(1, 0.001 / (Math.hypot(middle.x - q.x, middle.z - q.z) || 1));
            best = new THREE.Vector3(q.x + inwards * (middle.x - q.x), 0, q.z + inwards * (middle.z - q.z));
        }
    }
    return best ?? p;
};
// The group of the triangle that contains a point; the library takes the nearest centre, which may
// be on the other side of a wall.
const groupOf = (p) => {
    for (const [node, g] of nodes) {
        const [a, b, c] = node.vertexIds.map((id) => zone.vertices[id]);
        const side = (u, v) => (v.x - u.x) * (p.z - u.z) - (v.z - u.z) * (p.x - u.x);
        const sides = [side(a, b), side(b, c), side(c, a)];
        if (sides.every((s) => s >= -1e-4) || sides.every((s) => s <= 1e-4)) return g;
    }
    return null;
};
for (const line of readFileSync(0, 'utf8').split('\n')) {
    const [x0, z0, x1, z1] = line.trim().split(/\s+/).map(Number);
    if (z1 === undefined) continue;
    const from = nearest(new THREE.Vector3(x0, 0, z0)), to = nearest(new THREE.Vector3(x1, 0, z1));
    const group = groupOf(from);
    const path = group === null ? null : finder.findPath(from, to, 'level', group);
    const reached = path !== null && groupOf(to) === group;
    const points = [from, ...(path ?? [])];
    let length = 0;
    for (let i = 1; i < points.length; i++)
        length += Math.hypot(points[i].x - points[i - 1].x, points[i].z - points[i - 1].z);
    console.log(`PATH ${reached ? 1 : 0} ${length.toFixed(6)} ${points.map((p) => `${p.x.toFixed(6)},${p.z.toFixed(6)}`).join(' ')}`);
}
