// How often a closed surface winds around the middle of each cell: a pixel is the middle line of a
// column, and who faces down is entered going up. Four counts to a number, in digits of base 64.
in float height;
out vec4 sum;

void main() {
    float way = gl_FrontFacing ? -1.0 : 1.0;
    vec4 counts = vec4(0.0);
    for (int lane = 0; lane < 4; lane++) {
        float digit = way;
        for (int i = 0; i < 4; i++) {
            float layer = float(4 * lane + i);
            if (layer + 0.5 > height) {
                counts[lane] += digit;
            }
            digit *= 64.0;
        }
    }
    sum = counts;
}
