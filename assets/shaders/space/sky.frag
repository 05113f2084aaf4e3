in vec2 v_share;

uniform vec3 u_above;
uniform vec3 u_below;

out vec4 colour;

void main() {
    colour = vec4(mix(u_below, u_above, clamp(v_share.y, 0.0, 1.0)), 1.0);
}
