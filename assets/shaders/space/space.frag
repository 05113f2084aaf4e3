// Faces of bodies: lit from above and one side, cut open at a height.

in vec3 v_world;
in vec4 v_colour;

uniform vec3 u_eye;
uniform vec3 u_back;
uniform int u_flat_view;
uniform float u_section;
uniform int u_manner;
uniform int u_mirrored;
uniform vec3 u_cut;
uniform vec4 u_area;
uniform sampler2D u_ground;
uniform float u_strength;

out vec4 colour;

// The same numbers as in raster.rs.
const vec3 SUN = vec3(-0.2800, -0.6400, 0.7155);

void main() {
    if (u_manner == 3) {
        colour = vec4(u_cut, 1.0);
        return;
    }
    if (v_world.z > u_section) {
        discard;
    }
    vec3 across = cross(dFdx(v_world), dFdy(v_world));
    vec3 normal = across / max(length(across), 1e-20);
    vec3 to_eye = u_flat_view == 1 ? u_back : normalize(u_eye - v_world);
    if (dot(normal, to_eye) < 0.0) {
        normal = -normal;
    }
    bool outside = gl_FrontFacing != (u_mirrored == 1);
    vec3 own = v_colour.rgb;
    if (u_manner == 2) {
        own = texture(u_ground, (v_world.xy - u_area.xy) / u_area.zw).rgb;
        if (!outside) {
            own *= 0.55;
        }
    }
    float light = 0.44 + 0.13 * (1.0 + normal.z) + 0.46 * max(dot(normal, SUN), 0.0);
    colour = vec4(own * min(light, 1.12), v_colour.a * u_strength);
}
