// Lines as wide on the screen wherever they are: each instance a segment, six corners made here.

layout(location = 0) in vec3 a_from;
layout(location = 1) in vec3 a_to;
layout(location = 2) in vec4 a_colour;
layout(location = 3) in float a_width;

uniform mat4 u_model;
uniform mat4 u_view;
uniform mat4 u_projection;
uniform vec2 u_viewport;
uniform float u_pixels_per_point;
uniform int u_flat_view;
uniform float u_nearer;
uniform float u_near;

out float v_height;
out float v_across;
out float v_half;
out vec4 v_colour;

void main() {
    vec4 world_from = u_model * vec4(a_from, 1.0);
    vec4 world_to = u_model * vec4(a_to, 1.0);
    vec3 from = (u_view * world_from).xyz;
    vec3 to = (u_view * world_to).xyz;
    // What reaches behind the eye is cut off before it.
    float height_from = world_from.z;
    float height_to = world_to.z;
    if (u_flat_view == 0) {
        if (from.z > -u_near && to.z > -u_near) {
            gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
            return;
        }
        float share = (-u_near - from.z) / (to.z - from.z);
        if (from.z > -u_near) {
            from = mix(from, to, share);
            height_from = mix(height_from, height_to, share);
        } else if (to.z > -u_near) {
            to = mix(from, to, share);
            height_to = mix(height_from, height_to, share);
        }
        // A little nearer to the eye than the face it lies on, at the same place on the screen.
        from *= 1.0 - u_nearer;
        to *= 1.0 - u_nearer;
    } else {
        from.z += u_nearer;
        to.z += u_nearer;
    }
    vec4 clip_from = u_projection * vec4(from, 1.0);
    vec4 clip_to = u_projection * vec4(to, 1.0);
    vec2 half_view = 0.5 * u_viewport;
    vec2 along = (clip_to.xy / clip_to.w - clip_from.xy / clip_from.w) * half_view;
    float length_on_screen = length(along);
    along = length_on_screen > 1e-6 ? along / length_on_screen : vec2(1.0, 0.0);
    vec2 normal = vec2(-along.y, along.x);

    int corner = gl_VertexID % 6;
    bool at_end = corner == 1 || corner == 2 || corner == 4;
    float side = (corner == 0 || corner == 1 || corner == 3) ? -1.0 : 1.0;
    float reach = 0.5 * a_width * u_pixels_per_point;
    vec4 clip = at_end ? clip_to : clip_from;
    vec2 offset = normal * side * (reach + 0.5);
    gl_Position = clip + vec4(offset / half_view * clip.w, 0.0, 0.0);
    v_height = at_end ? height_to : height_from;
    v_across = side * (reach + 0.5);
    v_half = reach;
    v_colour = a_colour;
}
