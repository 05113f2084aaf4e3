// Loads an MSET file into Detour and answers the queries on standard input, one a line:
//   from_x from_z to_x to_z
// with a line each: whether the path reaches its goal, its length, its points.
// Arguments: the file, then area=cost pairs, then `rounds=N` to ask each query N times in turns and
// to say of each how many microseconds its fastest answer took, before its points.
#include <DetourAlloc.h>
#include <DetourNavMesh.h>
#include <DetourNavMeshQuery.h>
#include <chrono>
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

struct Query {
    float from[3] = {}, to[3] = {};
    bool reached = false;
    double micros = 0;
    std::vector<float> points;
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
    int rounds = 0;
    for (int i = 2; i < count; i++) {
        int area;
        float cost;
        if (sscanf(words[i], "%d=%f", &area, &cost) == 2) filter.setAreaCost(area, cost);
        sscanf(words[i], "rounds=%d", &rounds);
    }
    dtNavMeshQuery* query = dtAllocNavMeshQuery();
    if (dtStatusFailed(query->init(mesh, 65535))) return refused("query");
    const int room = 16384;
    std::vector<dtPolyRef> path(room);
    std::vector<float> points(3 * room);
    const float near[3] = {0.002f, 1000, 0.002f};
    std::vector<Query> queries;
    Query asked;
    while (scanf("%f %f %f %f", &asked.from[0], &asked.from[2], &asked.to[0], &asked.to[2]) == 4)
        queries.push_back(asked);
    for (int round = 0; round < (rounds > 1 ? rounds : 1); round++)
        for (Query& asked : queries) {
            auto began = std::chrono::steady_clock::now();
            float start[3], goal[3];
            dtPolyRef first = 0, last = 0;
            query->findNearestPoly(asked.from, near, &filter, &first, start);
            query->findNearestPoly(asked.to, near, &filter, &last, goal);
            int length = 0, corners = 0;
            dtStatus status = query->findPath(first, last, start, goal, &filter, path.data(), &length, room);
            if (length > 0)
                query->findStraightPath(start, goal, path.data(), length, points.data(), 0, 0, &corners, room);
            std::chrono::duration<double, std::micro> took = std::chrono::steady_clock::now() - began;
            if (round == 0 || took.count() < asked.micros) asked.micros = took.count();
            asked.reached = first && last && dtStatusSucceed(status) &&
                            !dtStatusDetail(status, DT_PARTIAL_RESULT) &&
                            !dtStatusDetail(status, DT_OUT_OF_NODES) && length > 0 &&
                            path[length - 1] == last;
            asked.points.assign(points.begin(), points.begin() + 3 * corners);
        }
    for (const Query& asked : queries) {
        const std::vector<float>& points = asked.points;
        double metres = 0;
        for (size_t i = 3; i < points.size(); i += 3)
            metres += hypot(points[i] - points[i - 3], points[i + 2] - points[i - 1]);
        printf("PATH %d %.6f", asked.reached ? 1 : 0, metres);
        if (rounds > 0) printf(" %.3f", asked.micros);
        for (size_t i = 0; i < points.size(); i += 3) printf(" %.6f,%.6f", points[i], points[i + 2]);
        printf("\n");
    }
    return 0;
}
