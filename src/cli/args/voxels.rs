//! How space is cut into cells, for human motion.

use super::value::side;
use crate::document::{Metric, Neighbours, Smoothing};
use clap::Args;

/// How space is cut into cells, for human motion
#[derive(Debug, Args)]
#[command(next_help_heading = "Cells for human motion")]
pub(in crate::cli) struct Voxels {
    /// Exactly so many cells along x, y and z, as in the paper's Table 1
    #[arg(long, value_name = "XxYxZ", value_parser = grid, conflicts_with_all = ["voxel", "layer"])]
    pub grid: Option<[u32; 3]>,
    /// Side of a cell in plan, in metres; one that suits the level's size if not given
    #[arg(long, value_name = "S", value_parser = side)]
    pub voxel: Option<f64>,
    /// Height of a cell, in metres
    #[arg(long, value_name = "S", value_parser = side)]
    pub layer: Option<f64>,
    /// Sub-columns along each side of a cell that tell how much of it is there, from 2 to 8
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=8))]
    pub samples: u32,
    /// Put a foot only on cells of which so much is there, from 0 to 1; counted in 4 sub-columns a
    /// side if nothing else is said. As in the level if not given
    #[arg(long, value_name = "SHARE", value_parser = share)]
    pub threshold: Option<f64>,
    /// Layers of border that keep people off walls; as in the level if not given: by default as wide
    /// as the body
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(0..=15))]
    pub border: Option<u8>,
    /// Cells have four neighbours or eight; as in the level if not given
    #[arg(long, value_name = "N", value_parser = neighbours)]
    pub neighbours: Option<Neighbours>,
    /// Sides by which the border is found: four, or eight with the corners; as in the level if not
    /// given
    #[arg(long, value_name = "N", value_parser = neighbours)]
    pub border_neighbours: Option<Neighbours>,
    /// What a search counts: `cells`, in which a diagonal move is as long as a straight one, or
    /// `length`; as in the level if not given
    #[arg(long, value_name = "METRIC", value_parser = metric)]
    pub metric: Option<Metric>,
    /// What becomes of the cells of a path: `none`, `junctions` as in the paper, `full` over all
    /// cells, or `taut`, pulled tight; as in the level if not given
    #[arg(long, value_name = "HOW", value_parser = smoothing)]
    pub smoothing: Option<Smoothing>,
}

fn metric(text: &str) -> Result<Metric, String> {
    match text {
        "cells" => Ok(Metric::Cells),
        "length" => Ok(Metric::Length),
        _ => Err("it is cells or length".to_owned()),
    }
}

fn smoothing(text: &str) -> Result<Smoothing, String> {
    Smoothing::by_id(text).ok_or_else(|| "it is none, junctions, full or taut".to_owned())
}

fn grid(text: &str) -> Result<[u32; 3], String> {
    let parts: Option<Vec<u32>> = text
        .split(['x', 'X', '×'])
        .map(|part| part.trim().parse().ok().filter(|n: &u32| *n > 0))
        .collect();
    match parts.as_deref() {
        Some(&[x, y, z]) => Ok([x, y, z]),
        _ => Err("write it as three whole numbers with z up, for example 53x91x102".to_owned()),
    }
}

fn share(text: &str) -> Result<f64, String> {
    let number = text.parse().ok();
    number
        .filter(|n: &f64| (0.0..=1.0).contains(n))
        .ok_or_else(|| "a share is a number from 0 to 1, for example 0.5".to_owned())
}

fn neighbours(text: &str) -> Result<Neighbours, String> {
    match text {
        "4" => Ok(Neighbours::Four),
        "8" => Ok(Neighbours::Eight),
        _ => Err("it is 4 or 8".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grids_are_read_or_explained() {
        assert_eq!(grid("53x91x102"), Ok([53, 91, 102]));
        for bad in ["", "53", "53x91", "0x1x2", "1x2x3x4", "axbxc", "-1x2x3"] {
            assert!(grid(bad).is_err(), "{bad}");
        }
        assert_eq!((side("0.25"), share("0.5")), (Ok(0.25), Ok(0.5)));
        for bad in ["0", "-1", "nan", "x"] {
            assert!(side(bad).is_err(), "{bad}");
        }
        for bad in ["-0.1", "1.1", "nan", "x"] {
            assert!(share(bad).is_err(), "{bad}");
        }
    }
}
