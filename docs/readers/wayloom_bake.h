/* Reads what `wayloom bake` wrote, and plans on it: one header, C99, no library but libc and libm.
 *
 *     #define WAYLOOM_BAKE_IMPLEMENTATION     (in one file)
 *     #include "wayloom_bake.h"
 *
 *     wl_space space;                         cells_0300mm.wlb, at an address divisible by 8
 *     if (wl_space_open(&space, bytes, size) != WL_OK) …
 *     double points[2 * 256], length;
 *     int count = wl_path(&space, from, to, points, 256, &length);
 *
 * Nothing is copied: the bytes must stay while the space is in use, so a file can be mapped into memory.
 * Every number in a file is checked when it is opened; whatever the bytes are, nothing outside of them is
 * read. Little-endian machines. Unit: metres. See docs/bake.md for the tables.
 */
#ifndef WAYLOOM_BAKE_H
#define WAYLOOM_BAKE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    WL_OK = 0,
    WL_NOT_A_BLOB = -1,
    WL_TORN = -2,    /* it ends in the middle of a column */
    WL_MISSING = -3, /* a table is not there, or of another type */
    WL_BROKEN = -4,  /* a table points outside of another one */
    WL_NO_MEMORY = -5,
    WL_NO_ROOM = -6 /* more points than there is room for */
};

#define WL_NONE 0xffffffffu

/* Convex cells and portals of one radius. */
typedef struct {
    uint32_t cells, portals, corner_count;
    const double *corners;         /* x, y */
    const uint32_t *sides;         /* portal of each side, or WL_NONE */
    const uint32_t *starts;        /* cells + 1 */
    const uint32_t *components;    /* one for each cell */
    const double *portal_ends;     /* left x, y, right x, y */
    const uint32_t *portal_cells;  /* two for each portal */
} wl_space;

/* The corridor map, which serves every radius. */
typedef struct {
    uint32_t vertices, edges;
    const double *points;        /* x, y */
    const double *clearances;    /* distance to the nearest wall */
    const uint32_t *edge_vertices;
    const double *edge_lengths, *edge_min_clearances;
} wl_corridors;

/* The ground as triangles, each of one kind of terrain or blocked. */
typedef struct {
    uint32_t points, triangles;
    const double *xy;        /* x, y */
    const uint32_t *corners; /* three for each triangle, counter-clockwise */
    const uint32_t *beside;  /* across the side from corner i to the next one, or WL_NONE */
    const uint32_t *kinds;   /* index into `terrain.kinds` of bake.json; WL_NONE is blocked */
} wl_terrain;

/* Links: places that are connected without walking, as by a jump or a lift. */
typedef struct {
    uint32_t count;
    const double *ends;             /* x, y, z of where each begins and of where it ends */
    const double *costs;            /* what going through each adds to a path */
    const uint32_t *both_ways;      /* 0 or 1 */
    const uint32_t *profile_starts; /* count + 1 */
    const uint32_t *profiles;       /* ids of those that may use a link; none for all */
} wl_links;

int wl_space_open(wl_space *space, const void *bytes, size_t size);
int wl_links_open(wl_links *links, const void *bytes, size_t size); /* things.wlb */
int wl_corridors_open(wl_corridors *map, const void *bytes, size_t size);
int wl_terrain_open(wl_terrain *terrain, const void *bytes, size_t size);

/* What a metre costs the profile with this id in each cell, for wl_cost_field; NULL if it is not baked for this
 * radius. */
const double *wl_cell_weights(const void *bytes, size_t size, uint32_t cells, unsigned long profile);

/* The triangle at a place, or WL_NONE. Begins at `near`, which may be any triangle: the one of the last query. */
uint32_t wl_triangle(const wl_terrain *terrain, double x, double y, uint32_t near);

/* What a straight line costs, with the weight of each kind; infinity if it touches blocked ground or leaves the
 * level. */
double wl_line_cost(const wl_terrain *terrain, const double from[2], const double to[2], const double *weights,
                    uint32_t kinds);

/* The cell at a place, or WL_NONE. Linear; an engine would keep a tree. */
uint32_t wl_locate(const wl_space *space, double x, double y);

/* A path of the agent's centre, pulled tight through the portals of the cheapest cells: the number of points
 * written to `points` (x, y each, both ends included), 0 if there is none, or an error. */
int wl_path(const wl_space *space, const double from[2], const double to[2], double *points, int room,
            double *length);

/* The same, through links that the profile with this id may use where that is shorter, or the only path. `used`
 * has room for as many values as there are points: the link that leads to each point, or WL_NONE. Beyond the
 * lengths of its walks, the cost has those of the links. */
int wl_path_with_links(const wl_space *space, const wl_links *links, unsigned long profile, const double from[2],
                       const double to[2], double *points, uint32_t *used, int room, double *cost);

/* For each cell, what it costs to get from there to a place; infinity where that is impossible. `weights` are
 * the costs of a metre in each cell, or NULL for 1. */
int wl_cost_field(const wl_space *space, const double to[2], const double *weights, double *costs);

/* The vertices of the shortest connection of two vertices that a disc fits through: their number, 0 if there is
 * none, or an error. */
int wl_corridor(const wl_corridors *map, uint32_t from, uint32_t to, double radius, uint32_t *vertices, int room,
                double *length);

#ifdef __cplusplus
}
#endif

#ifdef WAYLOOM_BAKE_IMPLEMENTATION

#include <math.h>
#include <stdlib.h>
#include <string.h>

static uint64_t wl__number(const unsigned char *at, int bytes) {
    uint64_t value = 0;
    for (int i = bytes; i-- > 0;) value = value << 8 | at[i];
    return value;
}

/* The values of a column; NULL with an error where it is missing or the blob is not whole. */
static const void *wl__column(const void *bytes, size_t size, const char *wanted, uint32_t type, uint64_t *count,
                              int *error) {
    const unsigned char *data = (const unsigned char *)bytes;
    const void *found = NULL;
    *error = WL_NOT_A_BLOB;
    if (size < 8 || memcmp(data, "WLB1", 4) != 0 || ((uintptr_t)data & 7) != 0) return NULL;
    uint64_t columns = wl__number(data + 4, 4), at = 8;
    *error = WL_TORN;
    for (uint64_t i = 0; i < columns; i++) {
        if (size - at < 16) return NULL;
        uint64_t name = wl__number(data + at, 4), kind = wl__number(data + at + 4, 4);
        uint64_t values = wl__number(data + at + 8, 8), width = kind == 1 ? 8 : 4;
        at += 16;
        uint64_t padded = (name + 7) / 8 * 8;
        if (size - at < padded) return NULL;
        int is_it = strlen(wanted) == name && memcmp(data + at, wanted, (size_t)name) == 0;
        at += padded;
        if ((kind != 1 && kind != 2) || values > (size - at) / width) return NULL;
        uint64_t length = (values * width + 7) / 8 * 8;
        if (size - at < length) return NULL;
        if (is_it && kind == type) {
            found = data + at;
            *count = values;
        }
        at += length;
    }
    *error = found ? WL_OK : WL_MISSING;
    return found;
}

static int wl__all_below(const uint32_t *values, uint64_t count, uint64_t limit, int or_none) {
    for (uint64_t i = 0; i < count; i++)
        if (values[i] >= limit && !(or_none && values[i] == WL_NONE)) return 0;
    return 1;
}

static int wl__all_finite(const double *values, uint64_t count) {
    for (uint64_t i = 0; i < count; i++)
        if (!isfinite(values[i])) return 0;
    return 1;
}

int wl_space_open(wl_space *space, const void *bytes, size_t size) {
    uint64_t corners, sides, starts, components, ends, pairs;
    int error;
    memset(space, 0, sizeof *space);
#define WL__TAKE(field, type, name, kind, count)                                             \
    space->field = (const type *)wl__column(bytes, size, name, kind, &count, &error);        \
    if (error != WL_OK) return error;
    WL__TAKE(corners, double, "corners", 1, corners)
    WL__TAKE(sides, uint32_t, "sides", 2, sides)
    WL__TAKE(starts, uint32_t, "starts", 2, starts)
    WL__TAKE(components, uint32_t, "components", 2, components)
    WL__TAKE(portal_ends, double, "portal_ends", 1, ends)
    WL__TAKE(portal_cells, uint32_t, "portal_cells", 2, pairs)
#undef WL__TAKE
    if (starts != components + 1 || corners != 2 * sides || ends != 2 * pairs || pairs % 2 != 0 ||
        components >= WL_NONE || pairs / 2 >= WL_NONE || sides >= WL_NONE)
        return WL_BROKEN;
    for (uint64_t i = 0; i < components; i++)
        if (space->starts[i] > space->starts[i + 1]) return WL_BROKEN;
    if (space->starts[0] != 0 || space->starts[components] != sides ||
        !wl__all_below(space->portal_cells, pairs, components, 0) ||
        !wl__all_below(space->sides, sides, pairs / 2, 1) || !wl__all_finite(space->corners, corners) ||
        !wl__all_finite(space->portal_ends, ends))
        return WL_BROKEN;
    space->cells = (uint32_t)components;
    space->portals = (uint32_t)(pairs / 2);
    space->corner_count = (uint32_t)sides;
    return WL_OK;
}

int wl_corridors_open(wl_corridors *map, const void *bytes, size_t size) {
    uint64_t points, clearances, pairs, lengths, least;
    int error;
    memset(map, 0, sizeof *map);
#define WL__TAKE(field, type, name, kind, count)                                             \
    map->field = (const type *)wl__column(bytes, size, name, kind, &count, &error);          \
    if (error != WL_OK) return error;
    WL__TAKE(points, double, "vertex_points", 1, points)
    WL__TAKE(clearances, double, "vertex_clearances", 1, clearances)
    WL__TAKE(edge_vertices, uint32_t, "edge_vertices", 2, pairs)
    WL__TAKE(edge_lengths, double, "edge_lengths", 1, lengths)
    WL__TAKE(edge_min_clearances, double, "edge_min_clearances", 1, least)
#undef WL__TAKE
    if (points != 2 * clearances || pairs != 2 * lengths || lengths != least || clearances >= WL_NONE ||
        lengths >= WL_NONE || !wl__all_below(map->edge_vertices, pairs, clearances, 0) ||
        !wl__all_finite(map->points, points) || !wl__all_finite(map->edge_lengths, lengths))
        return WL_BROKEN;
    /* A search along lengths below zero would go round in circles. */
    for (uint64_t i = 0; i < lengths; i++)
        if (map->edge_lengths[i] < 0) return WL_BROKEN;
    map->vertices = (uint32_t)clearances;
    map->edges = (uint32_t)lengths;
    return WL_OK;
}

int wl_links_open(wl_links *links, const void *bytes, size_t size) {
    uint64_t ends, costs, both, starts, profiles;
    int error;
    memset(links, 0, sizeof *links);
#define WL__TAKE(field, type, name, kind, count)                                             \
    links->field = (const type *)wl__column(bytes, size, name, kind, &count, &error);        \
    if (error != WL_OK) return error;
    WL__TAKE(ends, double, "link_ends", 1, ends)
    WL__TAKE(costs, double, "link_costs", 1, costs)
    WL__TAKE(both_ways, uint32_t, "link_both_ways", 2, both)
    WL__TAKE(profile_starts, uint32_t, "link_profile_starts", 2, starts)
    WL__TAKE(profiles, uint32_t, "link_profiles", 2, profiles)
#undef WL__TAKE
    if (ends != 6 * costs || both != costs || starts != costs + 1 || costs >= WL_NONE / 2 ||
        links->profile_starts[0] != 0 || links->profile_starts[costs] != profiles ||
        !wl__all_finite(links->ends, ends) || !wl__all_finite(links->costs, costs))
        return WL_BROKEN;
    for (uint64_t i = 0; i < costs; i++)
        if (links->profile_starts[i] > links->profile_starts[i + 1] || links->costs[i] < 0) return WL_BROKEN;
    links->count = (uint32_t)costs;
    return WL_OK;
}

int wl_terrain_open(wl_terrain *terrain, const void *bytes, size_t size) {
    uint64_t points, corners, beside, kinds;
    int error;
    memset(terrain, 0, sizeof *terrain);
#define WL__TAKE(field, type, name, kind, count)                                             \
    terrain->field = (const type *)wl__column(bytes, size, name, kind, &count, &error);      \
    if (error != WL_OK) return error;
    WL__TAKE(xy, double, "points", 1, points)
    WL__TAKE(corners, uint32_t, "triangles", 2, corners)
    WL__TAKE(beside, uint32_t, "beside", 2, beside)
    WL__TAKE(kinds, uint32_t, "kinds", 2, kinds)
#undef WL__TAKE
    if (points % 2 != 0 || corners != 3 * kinds || beside != corners || kinds >= WL_NONE ||
        !wl__all_below(terrain->corners, corners, points / 2, 0) ||
        !wl__all_below(terrain->beside, beside, kinds, 1) || !wl__all_finite(terrain->xy, points))
        return WL_BROKEN;
    terrain->points = (uint32_t)(points / 2);
    terrain->triangles = (uint32_t)kinds;
    return WL_OK;
}

const double *wl_cell_weights(const void *bytes, size_t size, uint32_t cells, unsigned long profile) {
    char name[40] = "weights_", digits[24];
    int count = 0, error;
    uint64_t values = 0;
    do digits[count++] = (char)('0' + profile % 10);
    while ((profile /= 10) > 0);
    size_t at = strlen(name);
    while (count > 0) name[at++] = digits[--count];
    const double *weights = (const double *)wl__column(bytes, size, name, 1, &values, &error);
    return error == WL_OK && values == cells ? weights : NULL;
}

static double wl__cross(const double *a, const double *b, const double *p) {
    return (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]);
}

static double wl__distance(const double *a, const double *b) { return hypot(b[0] - a[0], b[1] - a[1]); }

uint32_t wl_locate(const wl_space *space, double x, double y) {
    const double p[2] = {x, y};
    for (uint32_t cell = 0; cell < space->cells; cell++) {
        uint32_t first = space->starts[cell], end = space->starts[cell + 1];
        int inside = end > first;
        for (uint32_t i = first; i < end && inside; i++) {
            uint32_t next = i + 1 < end ? i + 1 : first;
            inside = wl__cross(space->corners + 2 * i, space->corners + 2 * next, p) >= -1e-9;
        }
        if (inside) return cell;
    }
    return WL_NONE;
}

static const double *wl__corner(const wl_terrain *terrain, uint32_t triangle, int i) {
    return terrain->xy + 2 * (size_t)terrain->corners[3 * (size_t)triangle + (size_t)(i % 3)];
}

uint32_t wl_triangle(const wl_terrain *terrain, double x, double y, uint32_t near) {
    const double p[2] = {x, y};
    uint32_t at = near < terrain->triangles ? near : 0;
    /* From triangle to triangle towards the place; every other step begins at another side, so that it ends. */
    for (uint32_t steps = 0; terrain->triangles > 0 && steps < terrain->triangles; steps++) {
        uint32_t next = WL_NONE;
        int inside = 1;
        for (int k = 0; k < 3; k++) {
            int i = (k + (int)(steps & 1)) % 3;
            if (wl__cross(wl__corner(terrain, at, i), wl__corner(terrain, at, i + 1), p) >= 0) continue;
            inside = 0;
            next = terrain->beside[3 * (size_t)at + (size_t)i];
            if (next != WL_NONE) break;
        }
        if (inside) return at;
        if (next == WL_NONE) break;
        at = next;
    }
    for (at = 0; at < terrain->triangles; at++) {
        int inside = 1;
        for (int i = 0; i < 3 && inside; i++)
            inside = wl__cross(wl__corner(terrain, at, i), wl__corner(terrain, at, i + 1), p) >= -1e-9;
        if (inside) return at;
    }
    return WL_NONE;
}

double wl_line_cost(const wl_terrain *terrain, const double from[2], const double to[2], const double *weights,
                    uint32_t kinds) {
    uint32_t at = wl_triangle(terrain, from[0], from[1], 0), came = WL_NONE;
    double length = wl__distance(from, to), share = 0, cost = 0;
    for (uint32_t steps = 0; at != WL_NONE && steps <= terrain->triangles; steps++) {
        uint32_t kind = terrain->kinds[at], next = WL_NONE;
        double leaves = 1;
        int is_last = 1;
        if (kind >= kinds) return INFINITY;
        for (int i = 0; i < 3; i++) {
            const double *a = wl__corner(terrain, at, i), *b = wl__corner(terrain, at, i + 1);
            double before = wl__cross(a, b, from), after = wl__cross(a, b, to);
            if (after >= 0 || before - after <= 0) continue;
            double there = before / (before - after);
            if (there < leaves || is_last) {
                uint32_t beside = terrain->beside[3 * (size_t)at + (size_t)i];
                if (beside == came && came != WL_NONE && there <= share) continue;
                leaves = there < share ? share : there;
                next = beside;
                is_last = 0;
            }
        }
        cost += weights[kind] * length * (leaves - share);
        if (is_last) return cost;
        share = leaves;
        came = at;
        at = next;
    }
    return INFINITY;
}

/* A binary heap of nodes by cost; entries that were beaten since are skipped when they come up. */
typedef struct {
    double cost;
    uint32_t node;
} wl__entry;
typedef struct {
    wl__entry *entries;
    size_t count, room;
} wl__heap;

static int wl__push(wl__heap *heap, double cost, uint32_t node) {
    if (heap->count == heap->room) {
        size_t room = heap->room ? 2 * heap->room : 64;
        wl__entry *entries = (wl__entry *)realloc(heap->entries, room * sizeof *entries);
        if (!entries) return 0;
        heap->entries = entries;
        heap->room = room;
    }
    size_t at = heap->count++;
    while (at > 0 && heap->entries[(at - 1) / 2].cost > cost) {
        heap->entries[at] = heap->entries[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    heap->entries[at].cost = cost;
    heap->entries[at].node = node;
    return 1;
}

static wl__entry wl__pop(wl__heap *heap) {
    wl__entry top = heap->entries[0], last = heap->entries[--heap->count];
    size_t at = 0;
    for (;;) {
        size_t child = 2 * at + 1;
        if (child >= heap->count) break;
        if (child + 1 < heap->count && heap->entries[child + 1].cost < heap->entries[child].cost) child++;
        if (heap->entries[child].cost >= last.cost) break;
        heap->entries[at] = heap->entries[child];
        at = child;
    }
    if (heap->count > 0) heap->entries[at] = last;
    return top;
}

/* Where a path from `at` in a cell enters a portal. While the goal lies ahead, as near as possible to the straight
   line to it; else at the nearest point. */
static void wl__place(const wl_space *space, uint32_t portal, uint32_t cell, const double *at, const double *to,
                      double *p) {
    const double *a = space->portal_ends + 4 * (size_t)portal, *b = a + 2;
    double along[2] = {b[0] - a[0], b[1] - a[1]}, wanted[2] = {at[0], at[1]};
    /* The ends are left and right as seen from the first cell. */
    double side = space->portal_cells[2 * (size_t)portal] == cell ? 1 : -1;
    double ahead[2] = {-side * along[1], side * along[0]};
    double to_portal = (a[0] - at[0]) * ahead[0] + (a[1] - at[1]) * ahead[1];
    double to_goal = (to[0] - at[0]) * ahead[0] + (to[1] - at[1]) * ahead[1];
    if (to_goal > 0) {
        double share = to_portal / to_goal;
        if (!(share > 0)) share = 0;
        if (share > 1) share = 1;
        wanted[0] += share * (to[0] - at[0]);
        wanted[1] += share * (to[1] - at[1]);
    }
    double squared = along[0] * along[0] + along[1] * along[1], share = 0;
    if (squared > 0) share = ((wanted[0] - a[0]) * along[0] + (wanted[1] - a[1]) * along[1]) / squared;
    if (!(share > 0)) share = 0;
    if (share > 1) share = 1;
    p[0] = a[0] + share * along[0];
    p[1] = a[1] + share * along[1];
}

static void wl__middle(const wl_space *space, uint32_t portal, double *middle) {
    const double *ends = space->portal_ends + 4 * (size_t)portal;
    middle[0] = (ends[0] + ends[2]) / 2;
    middle[1] = (ends[1] + ends[3]) / 2;
}

/* The portal chain of a path, from its end to its start, as a funnel: left and right, x and y of each. */
static int wl__pull(const wl_space *space, const uint32_t *chain, uint32_t count, uint32_t first_cell,
                    const double *from, const double *to, double *points, int room, double *length) {
    int written = 0;
    *length = 0;
    /* Left and right ends as seen on the way; the goal is a portal without width. */
    double(*sides)[4] = (double(*)[4])malloc(((size_t)count + 1) * sizeof *sides);
    if (!sides) return WL_NO_MEMORY;
    uint32_t cell = first_cell;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t portal = chain[count - 1 - i];
        const double *ends = space->portal_ends + 4 * (size_t)portal;
        const uint32_t *pair = space->portal_cells + 2 * (size_t)portal;
        int forward = pair[0] == cell;
        memcpy(sides[i], ends + (forward ? 0 : 2), 2 * sizeof(double));
        memcpy(sides[i] + 2, ends + (forward ? 2 : 0), 2 * sizeof(double));
        cell = forward ? pair[1] : pair[0];
    }
    memcpy(sides[count], to, 2 * sizeof(double));
    memcpy(sides[count] + 2, to, 2 * sizeof(double));
    double apex[2] = {from[0], from[1]}, left[2], right[2];
    uint32_t left_at = 0, right_at = 0;
    if (room < 2) {
        free(sides);
        return WL_NO_ROOM;
    }
    points[0] = from[0];
    points[1] = from[1];
    written = 1;
    memcpy(left, sides[0], sizeof left);
    memcpy(right, sides[0] + 2, sizeof right);
    for (uint32_t i = 1; i <= count; i++) {
        const double *next_left = sides[i], *next_right = sides[i] + 2;
        const double *turn = NULL;
        uint32_t turn_at = 0;
        if (wl__cross(apex, right, next_right) >= 0) {
            if ((apex[0] == right[0] && apex[1] == right[1]) || wl__cross(apex, left, next_right) <= 0) {
                memcpy(right, next_right, sizeof right);
                right_at = i;
            } else {
                turn = left;
                turn_at = left_at;
            }
        }
        if (!turn && wl__cross(apex, left, next_left) <= 0) {
            if ((apex[0] == left[0] && apex[1] == left[1]) || wl__cross(apex, right, next_left) >= 0) {
                memcpy(left, next_left, sizeof left);
                left_at = i;
            } else {
                turn = right;
                turn_at = right_at;
            }
        }
        if (turn) {
            double corner[2] = {turn[0], turn[1]};
            if (!(points[2 * written - 2] == corner[0] && points[2 * written - 1] == corner[1])) {
                if (written >= room) {
                    free(sides);
                    return WL_NO_ROOM;
                }
                *length += wl__distance(points + 2 * written - 2, corner);
                points[2 * written] = corner[0];
                points[2 * written + 1] = corner[1];
                written++;
            }
            memcpy(apex, corner, sizeof apex);
            i = turn_at;
            left_at = right_at = i;
            memcpy(left, apex, sizeof left);
            memcpy(right, apex, sizeof right);
        }
    }
    free(sides);
    if (points[2 * written - 2] == to[0] && points[2 * written - 1] == to[1]) return written;
    if (written >= room) return WL_NO_ROOM;
    *length += wl__distance(points + 2 * written - 2, to);
    points[2 * written] = to[0];
    points[2 * written + 1] = to[1];
    return written + 1;
}

int wl_path(const wl_space *space, const double from[2], const double to[2], double *points, int room,
            double *length) {
    uint32_t start = wl_locate(space, from[0], from[1]), goal = wl_locate(space, to[0], to[1]);
    *length = 0;
    if (start == WL_NONE || goal == WL_NONE || space->components[start] != space->components[goal]) return 0;
    if (start == goal) return wl__pull(space, NULL, 0, start, from, to, points, room, length);
    /* A node is a portal with the cell that is entered through it. */
    size_t nodes = 2 * (size_t)space->portals;
    double *costs = (double *)malloc((nodes + 1) * sizeof *costs);
    double *places = (double *)malloc((2 * nodes + 1) * sizeof *places);
    uint32_t *before = (uint32_t *)malloc((nodes + 1) * sizeof *before);
    unsigned char *closed = (unsigned char *)calloc(nodes + 1, 1);
    wl__heap heap = {NULL, 0, 0};
    uint32_t node = WL_NONE, cell = start, last = WL_NONE;
    double at[2] = {from[0], from[1]}, cost = 0, best = INFINITY;
    int answer = WL_NO_MEMORY;
    if (!costs || !before || !places || !closed) goto done;
    for (size_t i = 0; i < nodes; i++) costs[i] = INFINITY;
    for (;;) {
        for (uint32_t i = space->starts[cell]; i < space->starts[cell + 1]; i++) {
            uint32_t portal = space->sides[i];
            if (portal == WL_NONE) continue;
            const uint32_t *pair = space->portal_cells + 2 * (size_t)portal;
            if (pair[0] != cell && pair[1] != cell) continue;
            uint32_t next = 2 * portal + (pair[0] == cell);
            double p[2];
            if (closed[next]) continue;
            wl__place(space, portal, cell, at, to, p);
            double reached = cost + wl__distance(at, p);
            /* A portal may be entered elsewhere by another path: what counts is the whole path. */
            if (isinf(costs[next]) ||
                reached + wl__distance(p, to) < costs[next] + wl__distance(places + 2 * (size_t)next, to)) {
                costs[next] = reached;
                places[2 * (size_t)next] = p[0];
                places[2 * (size_t)next + 1] = p[1];
                before[next] = node;
                if (!wl__push(&heap, reached + wl__distance(p, to), next)) goto done;
            }
        }
        for (;;) {
            answer = 0;
            if (heap.count == 0) goto found;
            wl__entry entry = wl__pop(&heap);
            if (entry.cost >= best) goto found;
            node = entry.node;
            if (!closed[node]) break;
        }
        closed[node] = 1;
        memcpy(at, places + 2 * (size_t)node, sizeof at);
        cost = costs[node];
        answer = WL_NO_MEMORY;
        cell = space->portal_cells[2 * (size_t)(node / 2) + (node & 1)];
        if (cell == goal && cost + wl__distance(at, to) < best) {
            best = cost + wl__distance(at, to);
            last = node;
        }
    }
found:
    if (last != WL_NONE) {
        uint32_t count = 0;
        uint32_t *chain = (uint32_t *)malloc(nodes * sizeof *chain);
        answer = WL_NO_MEMORY;
        if (chain) {
            for (uint32_t i = last; i != WL_NONE && count < nodes; i = before[i]) chain[count++] = i / 2;
            answer = wl__pull(space, chain, count, start, from, to, points, room, length);
            free(chain);
        }
    }
done:
    free(costs);
    free(places);
    free(before);
    free(closed);
    free(heap.entries);
    return answer;
}

static int wl__admits(const wl_links *links, uint32_t link, unsigned long profile) {
    uint32_t first = links->profile_starts[link], end = links->profile_starts[link + 1];
    int admitted = first == end;
    for (uint32_t i = first; i < end; i++) admitted = admitted || links->profiles[i] == profile;
    return admitted;
}

/* A hop is a link in one direction: 2 · link, and 1 more for the way back. */
static const double *wl__hop_from(const wl_links *links, uint32_t hop) {
    return links->ends + 6 * (size_t)(hop / 2) + (hop & 1 ? 3 : 0);
}
static const double *wl__hop_to(const wl_links *links, uint32_t hop) {
    return links->ends + 6 * (size_t)(hop / 2) + (hop & 1 ? 0 : 3);
}

int wl_path_with_links(const wl_space *space, const wl_links *links, unsigned long profile, const double from[2],
                       const double to[2], double *points, uint32_t *used, int room, double *cost) {
    uint32_t hops = 2 * links->count, last = WL_NONE, at = WL_NONE, next = WL_NONE;
    double *reached = (double *)malloc(((size_t)hops + 1) * sizeof *reached);
    uint32_t *before = (uint32_t *)malloc(((size_t)hops + 1) * sizeof *before);
    unsigned char *is_done = (unsigned char *)calloc((size_t)hops + 1, 1);
    int answer = WL_NO_MEMORY, written = 0;
    const double *here = from;
    double best = INFINITY, so_far = 0, length;
    *cost = 0;
    if (!reached || !before || !is_done) goto done;
    for (uint32_t i = 0; i < hops; i++) {
        reached[i] = INFINITY;
        if (((i & 1) && !links->both_ways[i / 2]) || !wl__admits(links, i / 2, profile)) is_done[i] = 1;
    }
    answer = wl_path(space, from, to, points, room, &length);
    if (answer < 0) goto done;
    if (answer > 0) best = length;
    /* Dijkstra: the end of the cheapest hop, from where one walks to the goal and to the other hops. Walks are
     * not searched where the straight line is too long already. */
    for (;;) {
        for (uint32_t i = 0; i < hops; i++) {
            if (is_done[i] || (at != WL_NONE && i / 2 == at / 2)) continue;
            double most = reached[i] < best ? reached[i] : best;
            const double *entry = wl__hop_from(links, i);
            if (so_far + wl__distance(here, entry) + links->costs[i / 2] >= most) continue;
            answer = wl_path(space, here, entry, points, room, &length);
            if (answer < 0) goto done;
            double through = so_far + length + links->costs[i / 2];
            if (answer > 0 && through < reached[i]) {
                reached[i] = through;
                before[i] = at;
            }
        }
        at = WL_NONE;
        for (uint32_t i = 0; i < hops; i++)
            if (!is_done[i] && reached[i] < best && (at == WL_NONE || reached[i] < reached[at])) at = i;
        if (at == WL_NONE) break;
        is_done[at] = 1;
        so_far = reached[at];
        here = wl__hop_to(links, at);
        if (so_far + wl__distance(here, to) >= best) continue;
        answer = wl_path(space, here, to, points, room, &length);
        if (answer < 0) goto done;
        if (answer > 0 && so_far + length < best) {
            best = so_far + length;
            last = at;
        }
    }
    answer = 0;
    if (!isfinite(best)) goto done;
    *cost = best;
    /* From the first hop to the last: turn the chain around in place. */
    while (last != WL_NONE) {
        uint32_t earlier = before[last];
        before[last] = next;
        next = last;
        last = earlier;
    }
    here = from;
    for (uint32_t hop = next;; hop = before[hop]) {
        const double *there = hop == WL_NONE ? to : wl__hop_from(links, hop);
        answer = wl_path(space, here, there, points + 2 * written, room - written, &length);
        if (answer <= 0) goto done;
        for (int i = 0; i < answer; i++) used[written + i] = WL_NONE;
        if (written > 0) used[written] = last;
        written += answer;
        if (hop == WL_NONE) break;
        last = hop / 2;
        here = wl__hop_to(links, hop);
    }
    answer = written;
done:
    free(reached);
    free(before);
    free(is_done);
    return answer;
}

int wl_cost_field(const wl_space *space, const double to[2], const double *weights, double *costs) {
    uint32_t goal = wl_locate(space, to[0], to[1]);
    for (uint32_t i = 0; i < space->cells; i++) costs[i] = INFINITY;
    if (goal == WL_NONE) return WL_OK;
    double *portals = (double *)malloc(((size_t)space->portals + 1) * sizeof *portals);
    wl__heap heap = {NULL, 0, 0};
    int answer = portals ? WL_OK : WL_NO_MEMORY;
    for (uint32_t i = 0; portals && i < space->portals; i++) portals[i] = INFINITY;
    double at[2] = {to[0], to[1]}, cost = 0;
    uint32_t cells[2] = {goal, WL_NONE};
    costs[goal] = 0;
    while (answer == WL_OK) {
        for (int k = 0; k < 2; k++) {
            if (cells[k] == WL_NONE) continue;
            double weight = weights ? weights[cells[k]] : 1;
            if (cost < costs[cells[k]]) costs[cells[k]] = cost;
            for (uint32_t i = space->starts[cells[k]]; i < space->starts[cells[k] + 1]; i++) {
                uint32_t portal = space->sides[i];
                if (portal == WL_NONE) continue;
                double middle[2];
                wl__middle(space, portal, middle);
                double reached = cost + weight * wl__distance(at, middle);
                if (reached < portals[portal]) {
                    portals[portal] = reached;
                    if (!wl__push(&heap, reached, portal)) answer = WL_NO_MEMORY;
                }
            }
        }
        uint32_t portal = WL_NONE;
        while (heap.count > 0) {
            wl__entry entry = wl__pop(&heap);
            if (entry.cost <= portals[entry.node]) {
                portal = entry.node;
                cost = entry.cost;
                break;
            }
        }
        if (portal == WL_NONE) break;
        wl__middle(space, portal, at);
        cells[0] = space->portal_cells[2 * (size_t)portal];
        cells[1] = space->portal_cells[2 * (size_t)portal + 1];
    }
    free(portals);
    free(heap.entries);
    return answer;
}

int wl_corridor(const wl_corridors *map, uint32_t from, uint32_t to, double radius, uint32_t *vertices, int room,
                double *length) {
    *length = 0;
    if (from >= map->vertices || to >= map->vertices) return WL_BROKEN;
    size_t count = map->vertices;
    double *costs = (double *)malloc(count * sizeof *costs);
    uint32_t *before = (uint32_t *)malloc(count * sizeof *before);
    /* Edges at each vertex, one list after the other. */
    uint32_t *starts = (uint32_t *)calloc(count + 2, sizeof *starts);
    uint32_t *edges = (uint32_t *)malloc((2 * (size_t)map->edges + 1) * sizeof *edges);
    wl__heap heap = {NULL, 0, 0};
    int answer = WL_NO_MEMORY;
    if (!costs || !before || !starts || !edges) goto done;
    for (uint32_t i = 0; i < 2 * map->edges; i++) starts[map->edge_vertices[i] + 2]++;
    for (size_t i = 2; i < count + 2; i++) starts[i] += starts[i - 1];
    for (uint32_t i = 0; i < 2 * map->edges; i++) edges[starts[map->edge_vertices[i] + 1]++] = i / 2;
    for (size_t i = 0; i < count; i++) {
        costs[i] = INFINITY;
        before[i] = WL_NONE;
    }
    costs[from] = 0;
    if (!wl__push(&heap, 0, from)) goto done;
    while (heap.count > 0) {
        wl__entry entry = wl__pop(&heap);
        if (entry.cost > costs[entry.node]) continue;
        if (entry.node == to) break;
        for (uint32_t k = starts[entry.node]; k < starts[entry.node + 1]; k++) {
            uint32_t edge = edges[k];
            const uint32_t *ends = map->edge_vertices + 2 * (size_t)edge;
            uint32_t next = ends[0] == entry.node ? ends[1] : ends[0];
            double reached = entry.cost + map->edge_lengths[edge];
            if (!(map->edge_min_clearances[edge] >= radius) || !(reached < costs[next])) continue;
            costs[next] = reached;
            before[next] = entry.node;
            if (!wl__push(&heap, reached, next)) goto done;
        }
    }
    answer = 0;
    if (isfinite(costs[to])) {
        *length = costs[to];
        size_t steps = 0;
        for (uint32_t i = to; i != WL_NONE && steps <= count; i = before[i]) steps++;
        answer = WL_NO_ROOM;
        if (steps <= (size_t)room) {
            answer = (int)steps;
            for (uint32_t i = to; steps > 0; i = before[i]) vertices[--steps] = i;
        }
    }
done:
    free(costs);
    free(before);
    free(starts);
    free(edges);
    free(heap.entries);
    return answer;
}

#endif /* WAYLOOM_BAKE_IMPLEMENTATION */
#endif /* WAYLOOM_BAKE_H */
