// Corners of the blocks in which a site can be nearest.
layout(location = 0) in vec2 corner;   // of the block, pixels from the window's corner
layout(location = 1) in vec2 offset;   // of this vertex from there
layout(location = 2) in vec4 segment;  // both ends, pixels from the block's corner
layout(location = 3) in vec4 colour;

uniform vec2 window;                   // size in pixels

out vec2 place;
flat out vec4 ends;
flat out vec4 ink;

void main() {
    place = offset;
    ends = segment;
    ink = colour;
    gl_Position = vec4((corner + offset) / window * 2.0 - 1.0, 0.0, 1.0);
}
