//! OpenGL passes that return plain grids, and the headless context they run in.
