// Colours for the nearest obstacle of each pixel, and lines of equal distance.
in vec2 place;

uniform sampler2D owners;
uniform highp sampler2D depths;
uniform vec2 used;                     // part of the textures that spans the view
uniform vec2 drawn;                    // part of the textures that was drawn into
uniform vec2 texel;                    // size of one, in texture coordinates
uniform float reach;                   // distance at depth 1, in metres
uniform float pixel;                   // size of a pixel of the window, in metres
uniform float spacing;                 // between lines of equal distance, in metres
uniform float regions;                 // how strongly regions show, 0 to 1
uniform float distances;               // how strongly distances show, 0 to 1
uniform float body;                    // radius of a body that needs room, in metres; none below 0
uniform vec2 blocked_red_green;        // ink of where it has none
uniform float blocked_blue;
uniform float is_light;
uniform vec2 near_red_green;           // ink of lines and of what is near a wall
uniform float near_blue;

out vec4 ink;

vec3 hue(float turn) {
    vec3 lanes = abs(fract(turn + vec3(0.0, 2.0 / 3.0, 1.0 / 3.0)) * 6.0 - 3.0) - 1.0;
    return clamp(lanes, 0.0, 1.0);
}

// Neighbouring numbers get colours far apart; the same number always the same one.
vec3 region(vec4 owner) {
    vec4 bytes = floor(owner * 255.0 + 0.5);
    float number = bytes.x + bytes.y * 256.0 + bytes.z * 65536.0;
    float turn = fract(number * 0.6180339887);
    float shade = fract(number * 0.7548776662);
    vec3 full = hue(turn);
    float grey = dot(full, vec3(0.299, 0.587, 0.114));
    vec3 even = mix(full, vec3(grey), 0.25) + (0.5 - grey) * 0.55;
    return clamp(even * mix(0.8, 1.15, shade), 0.0, 1.0);
}

void main() {
    vec2 at = place * used;
    vec4 owner = texture(owners, at);
    if (owner == vec4(1.0)) {
        discard;
    }
    float metres = texture(depths, at).r * reach;
    vec4 sum = vec4(0.0);
    if (regions > 0.0) {
        vec2 last = drawn - texel * 0.5;
        bool is_border = texture(owners, min(at + vec2(texel.x, 0.0), last)) != owner
            || texture(owners, min(at + vec2(0.0, texel.y), last)) != owner;
        float strength = regions * mix(0.30, 0.36, is_light);
        vec3 colour = region(owner);
        if (is_border) {
            colour = mix(vec3(1.0), vec3(0.08), is_light);
            strength = regions * 0.6;
        }
        sum = vec4(colour * strength, strength);
    }
    if (distances > 0.0) {
        vec3 near = vec3(near_red_green, near_blue);
        float close = exp(-metres / (2.0 * spacing));
        float off = abs(fract(metres / spacing + 0.5) - 0.5) * spacing / pixel;
        float line = metres > 0.5 * spacing ? 1.0 - smoothstep(0.5, 1.3, off) : 0.0;
        float strength = distances * max(0.55 * close, 0.55 * line);
        vec4 over = vec4(near * strength, strength);
        sum = over + sum * (1.0 - strength);
    }
    if (body >= 0.0) {
        float edge = 1.0 - smoothstep(0.6, 1.4, abs(metres - body) / pixel);
        float strength = max(metres < body ? 0.34 : 0.0, 0.9 * edge);
        vec4 over = vec4(vec3(blocked_red_green, blocked_blue) * strength, strength);
        sum = over + sum * (1.0 - strength);
    }
    ink = sum;
}
