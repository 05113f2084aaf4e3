//! Planning on portals with nodes that move.
//!
//! Niederberger, Radovic and Gross, "Generic Path Planning for Real-Time Applications", 2004,
//! §6.2–6.3 and §8; the cone of sight (§7.1) is in [`funnel`](super::funnel), the adaptation to
//! slopes (§7.2) in [`slope`](super::slope). A node of the A* search is a whole portal. Its point
//! is set by the way that reaches it: *lazy*, the closest point, while that way moves away from
//! the goal; *greedy*, as close as possible to the straight line to the goal, while it moves
//! towards it. The paper's baselines, with nodes in the middle of portals or of pieces of portals
//! no wider than a third or a tenth of the map, run on the same search.
//!
//! Where the paper leaves it open, and where we differ:
//! - a way moves towards the goal if the goal is ahead of the portal's line as seen from where
//!   the way stands;
//! - of two ways to one portal the one with the smaller f = g + h stays, as their points differ
//!   and their g cannot be compared; a node that was expanded keeps its point;
//! - pieces of portals are for the search alone: the path is pulled tight through the whole
//!   portals, which only helps the baselines;
//! - places on portals and corners belong to every cell there.

pub mod engine;
pub mod graph;

pub use engine::{Placing, PortalEngine};
pub use graph::PortalGraph;
