/* Answers queries with docs/readers/wayloom_bake.h: cells.wlb corridors.wlb terrain.wlb, then on standard input
 *   from_x from_y to_x to_y
 * With a fourth argument, reads that many damaged copies of all three instead. As `--links cells.wlb things.wlb PROFILE`,
 * answers with the cost of paths through links. */
#define WAYLOOM_BAKE_IMPLEMENTATION
#include "wayloom_bake.h"

#include <stdio.h>

static unsigned char *whole(const char *path, size_t *size) {
    FILE *file = fopen(path, "rb");
    if (!file) exit(2);
    fseek(file, 0, SEEK_END);
    *size = (size_t)ftell(file);
    rewind(file);
    unsigned char *bytes = (unsigned char *)malloc(*size + 1);
    if (!bytes || fread(bytes, 1, *size, file) != *size) exit(2);
    fclose(file);
    return bytes;
}

static uint64_t seed = 1;
static uint64_t dice(uint64_t sides) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (seed >> 33) % sides;
}

static int damaged(const unsigned char *bytes, size_t size, int which) {
    size_t kept = dice(3) == 0 ? dice(size + 1) : size;
    /* Exactly as large as it is, so that reading beyond it is noticed. */
    unsigned char *copy = (unsigned char *)malloc(kept ? kept : 1);
    if (!copy) exit(2);
    memcpy(copy, bytes, kept);
    for (uint64_t i = dice(6); kept > 0 && i > 0; i--) copy[dice(dice(2) ? kept : kept < 200 ? kept : 200)] = (unsigned char)dice(256);
    int opened;
    double points[64], length;
    if (which == 2) {
        wl_terrain terrain;
        opened = wl_terrain_open(&terrain, copy, kept) == WL_OK;
        if (opened && terrain.points > 1) {
            const double weights[2] = {1, 2};
            wl_line_cost(&terrain, terrain.xy, terrain.xy + 2 * (terrain.points - 1), weights, 2);
        }
    } else if (which == 1) {
        wl_space space;
        opened = wl_space_open(&space, copy, kept) == WL_OK;
        if (opened && space.corner_count > 0) {
            const double a[2] = {space.corners[0], space.corners[1]};
            const double b[2] = {space.corners[space.corner_count], space.corners[space.corner_count + 1]};
            wl_path(&space, a, b, points, 32, &length);
        }
    } else {
        wl_corridors map;
        uint32_t vertices[32];
        opened = wl_corridors_open(&map, copy, kept) == WL_OK;
        if (opened && map.vertices > 0) wl_corridor(&map, 0, map.vertices - 1, 0.1, vertices, 32, &length);
    }
    free(copy);
    return opened;
}

static int through_links(char **words) {
    size_t size, things_size;
    unsigned char *bytes = whole(words[0], &size), *things = whole(words[1], &things_size);
    wl_space space;
    wl_links links;
    int error = wl_space_open(&space, bytes, size);
    if (error == WL_OK) error = wl_links_open(&links, things, things_size);
    if (error != WL_OK) {
        printf("REFUSED %d\n", error);
        return 2;
    }
    printf("LOADED links=%u\n", links.count);
    static double points[2 * 8192];
    static uint32_t used[8192];
    double from[2], to[2], cost;
    while (scanf("%lf %lf %lf %lf", from, from + 1, to, to + 1) == 4) {
        int found = wl_path_with_links(&space, &links, strtoul(words[2], NULL, 10), from, to, points, used, 8192, &cost);
        double walked = 0;
        /* What it costs is what is walked and what the links cost. */
        for (int i = 1; i < found; i++)
            walked += used[i] == WL_NONE ? wl__distance(points + 2 * i - 2, points + 2 * i) : links.costs[used[i]];
        int agrees = found <= 0 || fabs(walked - cost) < 1e-6;
        printf("PATH %d %.6f %s\n", found > 0, cost, agrees ? "agrees" : "CONTRADICTS");
    }
    /* Damaged tables are refused or answered, and nothing else is read. */
    for (int i = 0; i < 500; i++) {
        size_t kept = dice(3) == 0 ? dice(things_size + 1) : things_size;
        unsigned char *copy = (unsigned char *)malloc(kept ? kept : 1);
        if (!copy) exit(2);
        memcpy(copy, things, kept);
        for (uint64_t k = dice(6); kept > 0 && k > 0; k--) copy[dice(kept)] = (unsigned char)dice(256);
        if (wl_links_open(&links, copy, kept) == WL_OK)
            wl_path_with_links(&space, &links, 1, space.corners, space.corners + 2, points, used, 8192, &cost);
        free(copy);
    }
    free(bytes);
    free(things);
    return 0;
}

int main(int count, char **words) {
    if (count == 5 && strcmp(words[1], "--links") == 0) return through_links(words + 2);
    if (count < 4) return 1;
    size_t size, map_size, ground_size;
    unsigned char *bytes = whole(words[1], &size), *map_bytes = whole(words[2], &map_size);
    unsigned char *ground = whole(words[3], &ground_size);
    if (count > 4) {
        int opened = 0, cases = atoi(words[4]);
        for (int i = 0; i < cases; i++)
            opened += damaged(i % 3 == 1 ? bytes : i % 3 ? ground : map_bytes,
                              i % 3 == 1 ? size : i % 3 ? ground_size : map_size, i % 3);
        printf("SURVIVED %d %d\n", cases, opened);
        free(bytes);
        free(map_bytes);
        free(ground);
        return 0;
    }
    wl_space space;
    wl_corridors map;
    wl_terrain terrain;
    int error = wl_space_open(&space, bytes, size);
    if (error == WL_OK) error = wl_corridors_open(&map, map_bytes, map_size);
    if (error == WL_OK) error = wl_terrain_open(&terrain, ground, ground_size);
    if (error != WL_OK) {
        printf("REFUSED %d\n", error);
        return 2;
    }
    printf("LOADED cells=%u portals=%u vertices=%u edges=%u\n", space.cells, space.portals, map.vertices, map.edges);
    double *field = (double *)malloc((space.cells + 1) * sizeof *field);
    static double points[2 * 8192], ones[4096];
    for (int i = 0; i < 4096; i++) ones[i] = 1;
    double from[2], to[2], length;
    while (field && scanf("%lf %lf %lf %lf", from, from + 1, to, to + 1) == 4) {
        int found = wl_path(&space, from, to, points, 8192, &length);
        wl_cost_field(&space, to, NULL, field);
        uint32_t cell = wl_locate(&space, from[0], from[1]);
        int agrees = cell == WL_NONE || (found > 0) == (isfinite(field[cell]) != 0);
        /* No piece of a path crosses blocked ground; where a metre costs 1, it costs what it is long. */
        for (int i = 1; i < found && agrees; i++) {
            double cost = wl_line_cost(&terrain, points + 2 * i - 2, points + 2 * i, ones, 4096);
            agrees = fabs(cost - wl__distance(points + 2 * i - 2, points + 2 * i)) < 1e-6;
        }
        printf("PATH %d %.6f %s\n", found > 0, length, agrees ? "agrees" : "CONTRADICTS");
    }
    free(field);
    free(bytes);
    free(map_bytes);
    free(ground);
    return 0;
}
