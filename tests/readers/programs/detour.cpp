// Loads an MSET file into Detour and answers the queries on standard input, one a line:
//   from_x from_z to_x to_z
// with a line each: whether the path reaches its goal, its length, its points.
// Arguments: the file, then area=cost pairs.
#include <DetourAlloc.h>
#include <DetourNavMesh.h>
#include <DetourNavMeshQuery.h>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

struct SetHeader {
    int magic, version, tiles;
    dtNavMeshParams params;
};
struct TileHeader {
    dtTileRef ref;
    int size;
};

static int refused(const char* what) {
    printf("REFUSED %s\n", what);
    return 2;
}

int main(int count, char** words) {
    if (count < 2) return 1;
    FILE* file = fopen(words[1], "rb");
    if (!file) return refused("no file");
    SetHeader set;
    if (fread(&set, sizeof set, 1, file) != 1) return refused("header");
    if (set.magic != ('M' << 24 | 'S' << 16 | 'E' << 8 | 'T') || set.version != 1)
        return refused("magic");
    dtNavMesh* mesh = dtAllocNavMesh();
    if (dtStatusFailed(mesh->init(&set.params))) return refused("init");
    int polygons = 0;
    for (int i = 0; i < set.tiles; i++) {
        TileHeader tile;
        if (fread(&tile, sizeof tile, 1, file) != 1 || tile.size <= 0) return refused("tile");
        unsigned char* data = (unsigned char*)dtAlloc(tile.size, DT_ALLOC_PERM);
        if (fread(data, tile.size, 1, file) != 1) return refused("data");
        dtTileRef got = 0;
        dtStatus status = mesh->addTile(data, tile.size, DT_TILE_FREE_DATA, tile.ref, &got);
        if (dtStatusFailed(status) || got != tile.ref) return refused("addTile");
        polygons += ((dtMeshHeader*)data)->polyCount;
    }
    if (fgetc(file) != EOF) return refused("more bytes than tiles");
    printf("LOADED tiles=%d polygons=%d\n", set.tiles, polygons);
    dtQueryFilter filter;
    filter.setIncludeFlags(0xffff);
    filter.setExcludeFlags(0);
    for (int i = 2; i < count; i++) {
        int area;
        float cost;
        if (sscanf(words[i], "%d=%f", &area, &cost) == 2) filter.setAreaCost(area, cost);
    }
    dtNavMeshQuery* query = dtAllocNavMeshQuery();
    if (dtStatusFailed(query->init(mesh, 65535))) return refused("query");
    const int room = 16384;
    std::vector<dtPolyRef> path(room);
    std::vector<float> points(3 * room);
    const float near[3] = {0.002f, 1000, 0.002f};
    float from_x, from_z, to_x, to_z;
    while (scanf("%f %f %f %f", &from_x, &from_z, &to_x, &to_z) == 4) {
        float from[3] = {from_x, 0, from_z}, to[3] = {to_x, 0, to_z}, start[3], goal[3];
        dtPolyRef first = 0, last = 0;
        query->findNearestPoly(from, near, &filter, &first, start);
        query->findNearestPoly(to, near, &filter, &last, goal);
        int length = 0, corners = 0;
        dtStatus status = query->findPath(first, last, start, goal, &filter, path.data(), &length, room);
        bool reached = first && last && dtStatusSucceed(status) &&
                       !dtStatusDetail(status, DT_PARTIAL_RESULT) &&
                       !dtStatusDetail(status, DT_OUT_OF_NODES) && length > 0 &&
                       path[length - 1] == last;
        if (length > 0)
            query->findStraightPath(start, goal, path.data(), length, points.data(), 0, 0, &corners, room);
        double metres = 0;
        for (int i = 1; i < corners; i++)
            metres += hypot(points[3 * i] - points[3 * i - 3], points[3 * i + 2] - points[3 * i - 1]);
        printf("PATH %d %.6f", reached ? 1 : 0, metres);
        for (int i = 0; i < corners; i++) printf(" %.6f,%.6f", points[3 * i], points[3 * i + 2]);
        printf("\n");
    }
    return 0;
}
