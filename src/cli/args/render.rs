//! `wayloom render`.

use super::value::seconds;
use crate::base::Backend;
use crate::preview::crowd::ColourBy;
use crate::preview::overlays::{self, Group};
use crate::preview::{Layer, OverlayId};
use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// Draw a level to a picture
///
/// The ending of OUT decides: .svg for a drawing, .png for pixels. No OpenGL is needed.
#[derive(Debug, Args)]
pub(in crate::cli) struct Render {
    /// The level or the recording to draw
    #[arg(value_name = "LEVEL")]
    pub level: PathBuf,
    /// Where to write it
    #[arg(long, short, value_name = "OUT")]
    pub out: PathBuf,
    /// Width and height in pixels
    #[arg(long, value_name = "WxH", default_value = "1600x1200", value_parser = size)]
    pub size: [u32; 2],
    #[arg(long, value_name = "A,B,…", value_delimiter = ',', help = layers_help())]
    pub layers: Option<Vec<LayerName>>,
    /// Show free space, cells and the medial axis for the body of this profile; without it, free
    /// space and cells are those of the smallest body
    #[arg(long, value_name = "NAME")]
    pub profile: Option<String>,
    /// The plan from above, or the level in space
    #[arg(long, value_enum, default_value_t = RenderView::Plan)]
    pub view: RenderView,
    /// In space: where to look from
    #[arg(long, value_enum, default_value_t = From::Corner)]
    pub from: From,
    /// In space: without perspective
    #[arg(long)]
    pub orthographic: bool,
    /// In space: cut away what is higher than this, in metres
    #[arg(long, value_name = "Z", allow_hyphen_values = true)]
    pub section: Option<f64>,
    /// Of voxels, only this storey, counted from 0
    #[arg(long, value_name = "N")]
    pub storey: Option<usize>,
    /// In space: what draws
    #[arg(long, value_enum, default_value_t = BackendName::Auto)]
    pub backend: BackendName,
    /// Only this part of the level
    #[arg(long, value_name = "X0,Y0,X1,Y1", value_parser = area, allow_hyphen_values = true)]
    pub area: Option<[f64; 4]>,
    /// Colours for a dark or a light page
    #[arg(long, value_enum, default_value_t = Look::Light)]
    pub look: Look,
    /// Explain terrains and profiles beside the picture
    #[arg(long)]
    pub legend: bool,
    /// Show people where they are at this time: of a recording, simulated where the level has crowds, else as
    /// planned, with what they see of their routes
    #[arg(long, value_name = "SECONDS", alias = "seconds", value_parser = seconds)]
    pub at: Option<f64>,
    /// Simulate with this model, or `planned` for planned paths
    #[arg(long, value_name = "MODEL")]
    pub model: Option<String>,
    /// Colour people by profile, speed, density, delay, goal or planner
    #[arg(long, value_name = "WHAT", value_parser = colour_by)]
    pub colour_by: Option<ColourBy>,
    /// Leave out the level's name
    #[arg(long)]
    pub no_title: bool,
    /// Overwrite OUT if it exists
    #[arg(long)]
    pub force: bool,
}

fn colour_by(name: &str) -> Result<ColourBy, String> {
    ColourBy::by_name(name).ok_or_else(|| {
        let known = ColourBy::ALL.map(ColourBy::name).join(", ");
        format!("it is one of {known}")
    })
}

/// A part of the level, or an overlay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::cli) enum LayerName {
    Layer(Layer),
    Overlay(OverlayId),
}

impl std::str::FromStr for LayerName {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let layer = Layer::named(name).map(Self::Layer);
        let overlay = || Some(Self::Overlay(overlays::by_name(name)?.id));
        layer.or_else(overlay).ok_or_else(|| {
            let layers = Layer::ALL.iter().map(|layer| layer.name());
            let overlays = overlays::rows().into_iter().map(|row| row.id.0);
            let names: Vec<&str> = layers.chain(overlays).collect();
            format!("it is one of {}", names.join(", "))
        })
    }
}

/// Every layer and overlay by name.
fn layers_help() -> String {
    let names = Layer::ALL.map(Layer::name).join(", ");
    let mut help = format!("Only these layers and overlays: {names}");
    for group in Group::ALL {
        let rows = overlays::rows().into_iter();
        let ids: Vec<&str> = rows
            .filter(|row| row.group == group)
            .map(|row| row.id.0)
            .collect();
        help += &format!("; {}: {}", group.title().to_lowercase(), ids.join(", "));
    }
    help
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum RenderView {
    Plan,
    #[value(name = "3d")]
    Space,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(in crate::cli) enum From {
    Corner,
    Top,
    Front,
    Back,
    Left,
    Right,
}

/// [`Backend`] as it is written on the command line.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(in crate::cli) enum BackendName {
    /// OpenGL where there is one
    Auto,
    Gl,
    Cpu,
}

impl BackendName {
    pub const fn backend(self) -> Backend {
        match self {
            Self::Auto => Backend::Auto,
            Self::Gl => Backend::Gl,
            Self::Cpu => Backend::Cpu,
        }
    }
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(in crate::cli) enum Look {
    Dark,
    Light,
}

fn size(text: &str) -> Result<[u32; 2], String> {
    let parse = |part: &str| part.trim().parse::<u32>().ok().filter(|n| *n > 0);
    text.split_once(['x', 'X', '×'])
        .and_then(|(width, height)| Some([parse(width)?, parse(height)?]))
        .ok_or_else(|| "write it as WIDTHxHEIGHT, for example 1600x1200".to_owned())
}

fn area(text: &str) -> Result<[f64; 4], String> {
    let numbers: Option<Vec<f64>> = text
        .split(',')
        .map(|part| part.trim().parse().ok().filter(|n: &f64| n.is_finite()))
        .collect();
    match numbers.as_deref() {
        Some(&[x0, y0, x1, y1]) if x0 < x1 && y0 < y1 => Ok([x0, y0, x1, y1]),
        _ => Err(
            "write it as X0,Y0,X1,Y1 with X0 < X1 and Y0 < Y1, for example 0,0,50,40".to_owned(),
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_and_areas_are_read_or_explained() {
        assert_eq!(size("800x600"), Ok([800, 600]));
        for bad in ["", "800", "0x5", "-1x5", "axb", "1x2x3"] {
            assert!(size(bad).is_err(), "{bad}");
        }
        assert_eq!(area("-1,0,1.5,2"), Ok([-1.0, 0.0, 1.5, 2.0]));
        for bad in ["1,2,3", "1,2,0,5", "1,2,nan,5", "1,2,3,4,5"] {
            assert!(area(bad).is_err(), "{bad}");
        }
    }
}
