in float v_height;
in float v_across;
in float v_half;
in vec4 v_colour;

uniform float u_section;
uniform float u_strength;

out vec4 colour;

void main() {
    if (v_height > u_section) {
        discard;
    }
    float cover = clamp(v_half + 0.5 - abs(v_across), 0.0, 1.0);
    colour = vec4(v_colour.rgb, v_colour.a * cover * u_strength);
}
