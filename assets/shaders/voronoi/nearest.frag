// Height of a site's distance mesh: a tent along the segment, a cone around either end.
in vec2 place;
flat in vec4 ends;
flat in vec4 ink;

uniform float reach;                   // distance at depth 1, in pixels
uniform float is_outside;              // 0 for the inside of obstacles, which is at no distance

out vec4 colour;

void main() {
    vec2 along = ends.zw - ends.xy;
    vec2 from = place - ends.xy;
    float squared = dot(along, along);
    float share = squared > 0.0 ? clamp(dot(from, along) / squared, 0.0, 1.0) : 0.0;
    gl_FragDepth = min(length(from - along * share) / reach, 1.0) * is_outside;
    colour = ink;
}
