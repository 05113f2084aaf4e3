// One triangle over the whole view.

out vec2 v_share;

void main() {
    vec2 corner = vec2((gl_VertexID & 1) * 4 - 1, (gl_VertexID >> 1 & 1) * 4 - 1);
    v_share = 0.5 * corner + 0.5;
    gl_Position = vec4(corner, 0.9999, 1.0);
}
