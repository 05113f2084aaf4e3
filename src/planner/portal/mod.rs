//! Planning on portals with nodes that move.
//!
//! Niederberger, Radovic and Gross, "Generic Path Planning for Real-Time Applications", 2004,
//! §6.2–6.3 and §8; the cone of sight (§7.1) is in [`funnel`](super::funnel), the adaptation to
//! slopes (§7.2) in [`slope`](super::slope). A node of the A* search is a whole portal. Its point
//! is set by the path that reaches it: *lazy*, the closest point, while that path moves away from
//! the goal; *greedy*, as close as possible to the straight line to the goal, while it moves
//! towards it. The paper's baselines, with nodes at the centre of portals or of pieces of portals
//! no wider than a third or a tenth of the map, use this search, too.
//!
//! Deviations, and choices that the paper leaves open:
//! - a path moves towards the goal if the goal is ahead of the portal's line as seen from the
//!   path's end;
//! - of two paths to one portal the one with the smaller f = g + h stays, as their points differ
//!   and their g cannot be compared; a node that was expanded keeps its point;
//! - pieces of portals are for the search alone: the path is pulled tight through the whole
//!   portals, which only helps the baselines;
//! - points on portals and corners belong to every adjacent cell.

pub mod search;
pub mod session;

pub use search::{Placing, PortalSearch};
pub use session::{OverPortals, PortalNodes};
