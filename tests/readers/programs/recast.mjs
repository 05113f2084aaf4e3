// Loads an MSET file with recast-navigation and answers the queries on standard input:
//   from_x from_z to_x to_z
import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
const require = createRequire(process.cwd() + '/');
const { init, importNavMesh, NavMeshQuery } = await import(pathToFileURL(require.resolve('recast-navigation')).href);
await init();
const { navMesh } = importNavMesh(new Uint8Array(readFileSync(process.argv[2])));
let polygons = 0;
for (let i = 0; i < navMesh.getMaxTiles(); i++) {
    const header = navMesh.getTile(i).header();
    if (header) polygons += header.polyCount();
}
console.log(`LOADED polygons=${polygons}`);
const query = new NavMeshQuery(navMesh, { maxNodes: 65535 });
const halfExtents = { x: 0.002, y: 1000, z: 0.002 };
for (const line of readFileSync(0, 'utf8').split('\n')) {
    const [x0, z0, x1, z1] = line.trim().split(/\s+/).map(Number);
    if (z1 === undefined) continue;
    const answer = query.computePath({ x: x0, y: 0, z: z0 }, { x: x1, y: 0, z: z1 },
        { halfExtents, maxPathPolys: 16384, maxStraightPathPoints: 16384 });
    const path = answer.path;
    const end = path[path.length - 1];
    const reached = answer.success && end && Math.hypot(end.x - x1, end.z - z1) < 0.01;
    let length = 0;
    for (let i = 1; i < path.length; i++)
        length += Math.hypot(path[i].x - path[i - 1].x, path[i].z - path[i - 1].z);
    console.log(`PATH ${reached ? 1 : 0} ${length.toFixed(6)} ${path.map((p) => `${p.x.toFixed(6)},${p.z.toFixed(6)}`).join(' ')}`);
}
process.exit(0);
