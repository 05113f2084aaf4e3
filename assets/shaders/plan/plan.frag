// Colours the plan view: textures, dashes, round and soft edges.
//
// TILES is how many sizes of the pattern's tile are seen: none where nothing has a pattern, two
// while zooming fades from one to the other. Renderers without branches pay for every sample.

in vec2 v_local;
in vec4 v_ink;
#if TILES > 0
in vec2 v_place;
in vec4 v_texture_ink;
#endif
in float v_along;
in float v_across;
in float v_half;
in float v_radius;
flat in ivec3 v_code;

uniform float point;
#if TILES > 0
uniform sampler2DArray patterns;
uniform vec2 tile;           // metres
uniform vec2 phase_first;    // of the mesh's origin, in tiles
#endif
#if TILES > 1
uniform vec2 phase_second;
uniform float second;        // how much of it is seen
#endif

out vec4 colour;

const int STROKE = 1;
const int RIM = 2;
const int DISC = 3;
const int RING = 4;
const int DASHED = 1;
const int DOTTED = 2;

float coverage(float distance_to_edge) {
    return clamp(distance_to_edge + 0.5, 0.0, 1.0);
}

float stroke_coverage() {
    if (v_code.z == DOTTED) {
        float from_dot = (fract(v_along / 5.0 + 0.5) - 0.5) * 5.0 * point;
        return coverage(v_half - length(vec2(from_dot, v_across)));
    }
    float covered = coverage(v_half - abs(v_across));
    if (v_code.z == DASHED) {
        float in_dash = mod(v_along, 10.0);
        covered *= coverage(min(in_dash, 6.0 - in_dash) * point);
    }
    return covered;
}

#if TILES > 0
float inked_at(vec2 at) {
    // Tiles are drawn with y down.
    return texture(patterns, vec3(at.x, -at.y, float(v_code.y)), -0.5).r;
}

float pattern() {
    float first = inked_at(v_place / tile.x + phase_first);
#if TILES > 1
    return mix(first, inked_at(v_place / tile.y + phase_second), second);
#else
    return first;
#endif
}
#endif

void main() {
    vec4 premultiplied = vec4(v_ink.rgb * v_ink.a, v_ink.a);
    if (v_code.x == STROKE) {
        premultiplied *= stroke_coverage();
    } else if (v_code.x == RIM) {
        premultiplied *= 1.0 - v_across;
    } else if (v_code.x == DISC) {
        premultiplied *= coverage(v_radius - length(v_local));
    } else if (v_code.x == RING) {
        premultiplied *= coverage(v_half - abs(length(v_local) - v_radius));
    }
#if TILES > 0
    else if (v_code.y > 0) {
        float inked = pattern() * v_texture_ink.a;
        premultiplied = premultiplied * (1.0 - inked) + vec4(v_texture_ink.rgb * inked, inked);
    }
#endif
    colour = premultiplied;
}
