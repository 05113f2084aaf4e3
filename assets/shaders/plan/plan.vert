// Places the vertices of the plan view: see `preview/mesh` for what they mean.

layout(location = 0) in vec2 position;    // metres from the mesh's origin
layout(location = 1) in vec2 size;        // metres, points
layout(location = 2) in vec2 width;       // metres, points; half of a line's
layout(location = 3) in vec2 along_and_min_scale;
layout(location = 4) in vec2 offset;      // in 4096ths
layout(location = 5) in vec2 normal;      // in 4096ths
layout(location = 6) in vec4 ink;
layout(location = 7) in vec4 texture_ink;
layout(location = 8) in ivec4 code;       // kind, texture, dash, across

uniform vec2 origin;         // of the mesh, from the middle of the view; metres
uniform vec2 half_viewport;  // pixels
uniform float scale;         // pixels per metre
uniform float point;         // pixels per point

out vec2 v_local;            // pixels from a disc's centre
out vec4 v_ink;
#if TILES > 0
out vec2 v_place;            // metres from the mesh's origin
out vec4 v_texture_ink;
#endif
out float v_along;           // points
out float v_across;          // pixels; for rims 0 to 1
out float v_half;            // half a line's width, pixels
out float v_radius;          // pixels
flat out ivec3 v_code;       // kind, texture, dash

const int FILL = 0;
const int RIM = 2;

void main() {
    float radius = max(size.x * scale, size.y * point);
    float half_width = max(width.x * scale, width.y * point);
    float soft = code.x == FILL ? 0.0 : 0.5;
    vec2 moved = offset / 4096.0 * radius + normal / 4096.0 * (half_width + soft);
    vec2 pixels = (position + origin) * scale + moved;

    v_local = moved;
    v_ink = ink;
#if TILES > 0
    v_place = position;
    v_texture_ink = texture_ink;
#endif
    v_along = along_and_min_scale.x * scale / point;
    v_across = code.x == RIM ? float(code.w) : float(code.w) * (half_width + soft);
    v_half = half_width;
    v_radius = radius;
    v_code = code.xyz;

    bool shown = scale / point >= along_and_min_scale.y;
    // What is too small for this scale goes outside, where it costs nothing.
    gl_Position = shown ? vec4(pixels / half_viewport, 0.0, 1.0) : vec4(2.0, 2.0, 2.0, 1.0);
}
