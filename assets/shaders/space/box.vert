// Boxes: each instance a centre, half an extent and a colour; 36 corners made here.

layout(location = 0) in vec3 a_centre;
layout(location = 1) in vec3 a_half;
layout(location = 2) in vec4 a_colour;

uniform mat4 u_model;
uniform mat4 u_view;
uniform mat4 u_projection;

out vec3 v_world;
out vec4 v_colour;

// Corners by bits (x, y, z), two triangles a face, counter-clockwise seen from outside.
const int CORNERS[36] = int[36](
    0, 2, 3, 0, 3, 1,
    4, 5, 7, 4, 7, 6,
    0, 1, 5, 0, 5, 4,
    2, 6, 7, 2, 7, 3,
    0, 4, 6, 0, 6, 2,
    1, 3, 7, 1, 7, 5
);

void main() {
    int corner = CORNERS[gl_VertexID % 36];
    vec3 side = vec3(
        (corner & 1) == 0 ? -1.0 : 1.0,
        (corner & 2) == 0 ? -1.0 : 1.0,
        (corner & 4) == 0 ? -1.0 : 1.0
    );
    vec4 world = u_model * vec4(a_centre + a_half * side, 1.0);
    v_world = world.xyz;
    v_colour = a_colour;
    gl_Position = u_projection * u_view * world;
}
