//! From a file's coordinates to metres in the level.

use super::{DrawingOptions, ImportError};
use crate::exchange::options::Choice;
use crate::geometry::{MAX_COORDINATE, Rect};
use glam::DVec2;

/// What the numbers in a file mean.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Coordinates {
    /// The format's custom. GeoJSON: degrees, unless the file says metres or spans more than a
    /// degree. All others: plane.
    #[default]
    Auto,
    /// Metres, or other units by the scale, x to the right and y upwards.
    Plane,
    /// Longitude and latitude on WGS 84. Unit: degrees.
    Degrees,
}

impl Coordinates {
    pub const ALL: [Self; 3] = [Self::Auto, Self::Plane, Self::Degrees];

    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Plane => "plane",
            Self::Degrees => "degrees",
        }
    }

    pub const CHOICES: &'static [Choice] = &[
        Choice::new(
            "auto",
            "Detect automatically",
            "By the format and the extent of the drawing",
        ),
        Choice::new(
            "plane",
            "Plane",
            "x to the right and y upwards, in units of the scale",
        ),
        Choice::new("degrees", "Degrees", "Longitude and latitude on WGS 84"),
    ];

    /// `Auto` for what is no id.
    #[must_use]
    pub fn named(id: &str) -> Self {
        let mut all = Self::ALL.into_iter();
        all.find(|one| one.id() == id).unwrap_or_default()
    }
}

/// WGS 84: equatorial radius and first eccentricity squared. Unit: metres.
const EQUATOR: f64 = 6_378_137.0;
const ECCENTRICITY_SQUARED: f64 = 0.006_694_379_990_14;

/// An affine map from file to level.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Projection {
    /// The point of the file that becomes the origin.
    origin: DVec2,
    scale: DVec2,
}

impl Projection {
    pub fn new(bounds: &Rect, degrees: bool, options: &DrawingOptions) -> Self {
        if degrees {
            // Radii of curvature at the middle latitude: right to a few millimetres per
            // kilometre over a town.
            let centre = bounds.centre();
            let latitude = centre.y.clamp(-89.9, 89.9).to_radians();
            let w = 1.0 - ECCENTRICITY_SQUARED * latitude.sin().powi(2);
            let per_degree = DVec2::new(
                EQUATOR / w.sqrt() * latitude.cos(),
                EQUATOR * (1.0 - ECCENTRICITY_SQUARED) / w.powf(1.5),
            ) * 1.0_f64.to_radians();
            return Self {
                origin: centre,
                scale: per_degree * options.scale,
            };
        }
        Self {
            origin: if options.recentre {
                bounds.centre()
            } else {
                DVec2::ZERO
            },
            scale: DVec2::splat(options.scale),
        }
    }

    /// The place in the level.
    pub fn place(&self, p: DVec2) -> DVec2 {
        (p - self.origin) * self.scale
    }

    /// Refuses drawings that would not fit a level, once for all of their points.
    pub fn check(&self, bounds: &Rect, file: &str) -> Result<(), ImportError> {
        let corners = [self.place(bounds.min), self.place(bounds.max)];
        let furthest = corners
            .iter()
            .flat_map(DVec2::to_array)
            .max_by(|a, b| a.abs().total_cmp(&b.abs()))
            .unwrap_or(0.0);
        if furthest.abs() <= MAX_COORDINATE {
            return Ok(());
        }
        let size = (corners[1] - corners[0]).max_element();
        let remedy = if size <= MAX_COORDINATE {
            "import with --recentre to move the drawing to the origin"
        } else {
            "import with a smaller --scale"
        };
        Err(ImportError::within(
            file,
            format!(
                "a coordinate lies at {furthest:.0} m; a level reaches to ±{MAX_COORDINATE:.0} m — \
                 {remedy}"
            ),
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn degrees_become_metres_around_the_middle() {
        // One minute of latitude is a nautical mile, to some metres.
        let bounds = Rect::new(DVec2::new(13.0, 52.0), DVec2::new(13.0, 52.0 + 1.0 / 60.0));
        let projection = Projection::new(&bounds, true, &DrawingOptions::default());
        let height = projection.place(bounds.max).y - projection.place(bounds.min).y;
        assert!((height - 1854.0).abs() < 2.0, "{height}");
        assert_eq!(projection.place(bounds.centre()), DVec2::ZERO);
        // A degree of longitude at 60° is half of one at the equator.
        let at = |latitude: f64| {
            let bounds = Rect::new(DVec2::new(0.0, latitude), DVec2::new(1.0, latitude));
            let projection = Projection::new(&bounds, true, &DrawingOptions::default());
            projection.place(bounds.max).x - projection.place(bounds.min).x
        };
        assert!((at(0.0) - 111_319.5).abs() < 0.1);
        assert!((at(60.0) / at(0.0) - 0.501).abs() < 0.001);
    }

    #[test]
    fn what_lies_too_far_away_is_refused_with_a_remedy() {
        let utm = Rect::new(DVec2::new(4e5, 5.6e6), DVec2::new(4.001e5, 5.6001e6));
        let mut options = DrawingOptions::default();
        let refused = Projection::new(&utm, false, &options)
            .check(&utm, "plan.wkt")
            .expect_err("too far");
        assert_eq!(
            refused.to_string(),
            "plan.wkt: a coordinate lies at 5600100 m; a level reaches to ±1000000 m — import with \
             --recentre to move the drawing to the origin"
        );
        options.recentre = true;
        let projection = Projection::new(&utm, false, &options);
        assert_eq!(projection.check(&utm, "plan.wkt"), Ok(()));
        assert_eq!(projection.place(utm.max), DVec2::splat(50.0));
    }
}
