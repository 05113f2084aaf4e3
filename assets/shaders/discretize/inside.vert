layout(location = 0) in vec3 at;
uniform vec3 scale;
uniform vec3 offset;
uniform vec3 size;
// Unit: layers above the first of this pass.
out float height;

void main() {
    vec3 place = at * scale + offset;
    height = place.z;
    gl_Position = vec4(2.0 * place.xy / size.xy - 1.0, 0.0, 1.0);
}
