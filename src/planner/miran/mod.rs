//! MIRAN: following an indicative route while minding the terrain; and IRM for comparison.
//!
//! Jaklin, Cook and Geraerts 2013, *Real-time path planning in heterogeneous environments*:
//! Algorithm 1, the reference point of §3.1, the candidates of §3.2, the choice of §3.3, the
//! forces of §3.4, indicative routes computed as in §4. IRM after Karamouzas, Geraerts and
//! Overmars 2009, as §1.2 describes it.
//!
//! Deviations from the paper:
//! - Places are sampled every d along the whole route, not from the beginning of each visible
//!   interval: neighbouring candidates are still at most d apart, and a chosen place stays one
//!   from step to step. The last attraction point is a candidate as long as it is seen. Both are
//!   what Lemma 2 takes for granted. Shadows on the route, and glimpses of it, that fit between
//!   two such places go unnoticed, unless nothing else is seen.
//! - Choices are not made at each step: away from walls and others, up to fourteen steps, which
//!   take 0.2 s, follow one choice, but over no more than a fifth of d and, until it is near, half
//!   of the distance to it; beside walls, two of them. If the attraction point then lies in
//!   another direction, they are undone and half as many are taken. Replays show the moments in
//!   between.
//! - Forces alone neither keep a character out of walls nor bring it to its goal for sure (the
//!   paper's proof assumes motion straight to the attraction point). Every step is checked against
//!   the walls from end to end and slides along what it would enter; it never goes beyond the
//!   attraction point; and while there is no progress, the character walks as in the proof. Where
//!   new stretches of route are lost at once, too, it keeps to the line of one for a while.
//! - Characters are discs: they see and walk in the free space of their radius (§6 leaves this
//!   open).
//! - Computed routes are pulled tight where that costs no more, and run through the free space of
//!   the radius.
//! - A route is entered at the place nearest to the start and left at the place nearest to the
//!   goal, so that an agent with several goals follows it piece by piece.

mod candidates;
mod dual;
mod grid;
mod ground;
mod irm;
mod remembered;
mod route;
mod session;
mod settings;
mod sources;
mod strides;
#[cfg(test)]
mod tests;
mod walk;
mod walker;

pub use candidates::{Chooser, Chosen, Leader};
pub use dual::{DualQuery, DualSearch};
pub use grid::grid_route;
pub use ground::{ExactGround, Eye, Ground, RasterGround};
pub use irm::DiscLeader;
pub use route::{IndicativeRoute, PartKind, RouteFault, RoutePart};
pub use session::{Irm, IrmSession, Miran, MiranSession, costs};
pub use settings::{Choosing, Settings};
pub use sources::{NoRoute, RouteSource, Router};
pub use walker::{Status, Walked, Walker};
