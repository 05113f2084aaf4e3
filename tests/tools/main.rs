//! Every tool, driven by pointer scripts without a window.

mod desk;
mod drawing;
mod escaping;
mod furnishing;
mod painting;
mod passages;
mod people;
mod picking;
mod random_scripts;
mod route_reach;
mod sculpting;
mod selecting;
mod shapes;
mod snapping;
mod space;
mod transforming;
mod vertex_editing;
mod walls;
