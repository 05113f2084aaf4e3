layout(location = 0) in vec3 at;
// From the drawing's units to cells, counted from the window's lowest corner.
uniform vec3 scale;
uniform vec3 offset;
out vec3 place;

void main() {
    place = at * scale + offset;
    gl_Position = vec4(place, 1.0);
}
