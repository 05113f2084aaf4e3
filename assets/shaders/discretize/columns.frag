// The layers of one column that a triangle touches: the separating axis test, solved for
// the column as a whole. All is reckoned from the corner p, where small numbers are exact.
flat in vec3 p;
flat in vec3 q;
flat in vec3 r;
uniform vec3 size;
uniform float slack;
// A lane for each layer.
layout(location = 0) out vec4 marks[8];

// lo <= a * u + b * v <= hi holds for the cells at (u, v) that the axis across an edge does not separate.
struct Strip {
    float a;
    float b;
    float lo;
    float hi;
};

Strip across(vec2 from, vec2 to, vec2 third) {
    Strip s;
    s.a = from.y - to.y;
    s.b = to.x - from.x;
    float edge = s.a * from.x + s.b * from.y;
    float corner = s.a * third.x + s.b * third.y;
    float reach = slack * (abs(s.a) + abs(s.b));
    s.lo = min(edge, corner) - max(s.a, 0.0) - max(s.b, 0.0) - reach;
    s.hi = max(edge, corner) - min(s.a, 0.0) - min(s.b, 0.0) + reach;
    return s;
}

bool holds(Strip s, vec2 at) {
    float value = s.a * at.x + s.b * at.y;
    return value >= s.lo && value <= s.hi;
}

// The part of a range where v may lie for a given u.
void narrow(Strip s, float u, inout vec2 range) {
    float lo = s.lo - s.a * u;
    float hi = s.hi - s.a * u;
    if (s.b > 0.0) {
        range = vec2(max(range.x, lo / s.b), min(range.y, hi / s.b));
    } else if (s.b < 0.0) {
        range = vec2(max(range.x, hi / s.b), min(range.y, lo / s.b));
    } else if (lo > 0.0 || hi < 0.0) {
        range.y = -1e30;
    }
}

void main() {
    vec2 at = floor(gl_FragCoord.xy) - p.xy;
    vec3 b = q - p;
    vec3 c = r - p;
    vec3 o = vec3(0.0);
    float low = min(p.z, min(q.z, r.z)) - slack;
    float high = max(p.z, max(q.z, r.z)) + slack;
    vec2 range = vec2(ceil(low) - 1.0, floor(high)) - p.z;
    if (!holds(across(o.xy, b.xy, c.xy), at) || !holds(across(b.xy, c.xy, o.xy), at)
        || !holds(across(c.xy, o.xy, b.xy), at)) {
        discard;
    }
    narrow(across(o.xz, b.xz, c.xz), at.x, range);
    narrow(across(b.xz, c.xz, o.xz), at.x, range);
    narrow(across(c.xz, o.xz, b.xz), at.x, range);
    narrow(across(o.yz, b.yz, c.yz), at.y, range);
    narrow(across(b.yz, c.yz, o.yz), at.y, range);
    narrow(across(c.yz, o.yz, b.yz), at.y, range);
    vec3 normal = cross(b, c);
    // Of a thin triangle the normal is nothing but rounding: it must separate nothing.
    float length_ = length(b) + length(c);
    float reach = slack * (abs(normal.x) + abs(normal.y) + abs(normal.z)
        + 0.3 * length_ * (length_ + 3.0));
    vec3 over = max(normal, o);
    vec3 under = min(normal, o);
    Strip plane;
    plane.a = 0.0;
    plane.b = normal.z;
    float level = normal.x * at.x + normal.y * at.y;
    plane.lo = -(over.x + over.y + over.z) - reach - level;
    plane.hi = -(under.x + under.y + under.z) + reach - level;
    narrow(plane, 0.0, range);
    float first = max(ceil(range.x + p.z - slack), 0.0);
    float last = min(floor(range.y + p.z + slack), size.z - 1.0);
    if (first > last) {
        discard;
    }
    for (int picture = 0; picture < 8; picture++) {
        vec4 layer = float(4 * picture) + vec4(0.0, 1.0, 2.0, 3.0);
        marks[picture] = vec4(greaterThanEqual(layer, vec4(first)))
            * vec4(lessThanEqual(layer, vec4(last)));
    }
}
