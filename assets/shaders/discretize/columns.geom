// A triangle becomes the rectangle of all columns that it may touch: so a wall, edge-on from above,
// is drawn like everything else.
layout(triangles) in;
layout(triangle_strip, max_vertices = 4) out;

in vec3 place[];
// Columns, rows and layers of the window.
uniform vec3 size;
uniform float slack;
flat out vec3 p;
flat out vec3 q;
flat out vec3 r;

void main() {
    vec3 low = min(place[0], min(place[1], place[2])) - slack;
    vec3 high = max(place[0], max(place[1], place[2])) + slack;
    if (any(greaterThan(low, size)) || any(lessThan(high, vec3(0.0)))) {
        return;
    }
    vec2 from = clamp(ceil(low.xy) - 1.0, vec2(0.0), size.xy);
    vec2 to = clamp(floor(high.xy) + 1.0, vec2(0.0), size.xy);
    for (int corner = 0; corner < 4; corner++) {
        vec2 at = vec2((corner & 1) == 0 ? from.x : to.x, (corner & 2) == 0 ? from.y : to.y);
        p = place[0];
        q = place[1];
        r = place[2];
        gl_Position = vec4(2.0 * at / size.xy - 1.0, 0.0, 1.0);
        EmitVertex();
    }
    EndPrimitive();
}
