// The part of the view that the level covers.
layout(location = 0) in vec2 corner;   // 0 to 1

uniform vec2 low;                      // of that part, from -1 to 1
uniform vec2 high;

out vec2 place;                        // in the view, 0 to 1

void main() {
    vec2 at = mix(low, high, corner);
    place = at * 0.5 + 0.5;
    gl_Position = vec4(at, 0.0, 1.0);
}
