// People: each instance a place, a heading, a size, a gait and a colour; boxes of body, head and limbs and a shadow
// made here. The numbers are those of figure.rs.

layout(location = 0) in vec3 a_foot;
layout(location = 1) in vec4 a_body; // heading, height, radius, phase
layout(location = 2) in float a_stride;
layout(location = 3) in vec4 a_colour;

uniform mat4 u_model;
uniform mat4 u_view;
uniform mat4 u_projection;
uniform float u_least;

out vec3 v_world;
out vec4 v_colour;

const int CORNERS[36] = int[36](
    0, 2, 3, 0, 3, 1,
    4, 5, 7, 4, 7, 6,
    0, 1, 5, 0, 5, 4,
    2, 6, 7, 2, 7, 3,
    0, 4, 6, 0, 6, 2,
    1, 3, 7, 1, 7, 5
);
const vec2 SHADOW = vec2(0.3913, 0.8945);
const vec3 SKIN = vec3(0.85, 0.72, 0.61);

void main() {
    float height = a_body.y;
    float radius = a_body.z;
    vec2 ahead = vec2(cos(a_body.x), sin(a_body.x));
    vec2 left = vec2(-ahead.y, ahead.x);
    vec4 colour = a_colour;
    vec3 at;
    int part = gl_VertexID / 36;
    if (part == 6) {
        // On the ground, away from the sun.
        int corner = int[6](0, 1, 2, 0, 2, 3)[gl_VertexID - 216];
        float far = corner >= 2 ? 1.0 : 0.0;
        float side = (corner == 0 || corner == 3) ? -1.0 : 1.0;
        vec2 across = normalize(vec2(-SHADOW.y, SHADOW.x));
        vec2 flat_at = SHADOW * height * 0.8 * far + across * side * radius * mix(0.85, 0.6, far);
        at = vec3(flat_at, 0.015);
        colour = vec4(0.0, 0.0, 0.0, 0.26 * a_colour.a);
    } else {
        int corner = CORNERS[gl_VertexID % 36];
        vec3 side = vec3(
            (corner & 1) == 0 ? -1.0 : 1.0,
            (corner & 2) == 0 ? -1.0 : 1.0,
            (corner & 4) == 0 ? -1.0 : 1.0
        );
        float shoulder = min(radius, 0.19 * height);
        float swing = sin(a_body.w) * a_stride;
        vec3 half_size;
        vec3 joint = vec3(0.0);
        vec3 centre;
        float turn = 0.0;
        if (part == 0) {
            half_size = vec3(0.07 * height, shoulder, 0.175 * height);
            centre = vec3(0.0, 0.0, 0.645 * height);
        } else if (part == 1) {
            half_size = vec3(0.062 * height, 0.055 * height, 0.075 * height);
            centre = vec3(0.01 * height, 0.0, 0.915 * height);
            colour.rgb = mix(a_colour.rgb, SKIN, 0.8);
        } else {
            float aside = (part & 1) == 0 ? 1.0 : -1.0;
            bool is_leg = part < 4;
            turn = swing * aside * (is_leg ? 0.55 : -0.5);
            float reach = is_leg ? 0.235 : 0.17;
            half_size = is_leg
                ? vec3(0.05 * height, min(shoulder * 0.45, 0.06 * height), reach * height)
                : vec3(0.036 * height, 0.034 * height, reach * height);
            joint = is_leg
                ? vec3(0.0, aside * shoulder * 0.5, 0.47 * height)
                : vec3(0.0, aside * (shoulder + 0.03 * height), 0.80 * height);
            centre = vec3(0.0, 0.0, -reach * height);
            colour.rgb *= is_leg ? 0.5 : 0.85;
        }
        vec3 own = centre + half_size * side;
        float c = cos(turn);
        float s = sin(turn);
        own = joint + vec3(own.x * c - own.z * s, own.y, own.x * s + own.z * c);
        // It leans into its walk.
        own.x += 0.03 * a_stride * own.z;
        at = vec3(ahead * own.x + left * own.y, own.z);
    }
    vec4 world = u_model * vec4(a_foot + at, 1.0);
    vec4 clip = u_projection * u_view * world;
    // From afar limbs are not to be seen: a body and a head are enough.
    float tall = u_projection[1][1] * height / max(abs(clip.w), 1e-6);
    if (part >= 2 && part < 6 && tall < u_least) {
        clip = vec4(2.0, 2.0, 2.0, 1.0);
    }
    if (part == 0 && tall < u_least) {
        // The body reaches to the ground then.
        float drop = at.z < 0.6 * height ? at.z : 0.0;
        world = u_model * vec4(a_foot + at - vec3(0.0, 0.0, drop), 1.0);
        clip = u_projection * u_view * world;
    }
    v_world = world.xyz;
    v_colour = colour;
    gl_Position = clip;
}
