//! How often distances interpolated between pixels lead to the same choice as exact lines. The paper's
//! own pixels, Bresenham's lines over colours, are coarser; they are not here.

use super::super::{Better, LabError, Row};
use super::subject::Subject;
use crate::jobs::JobContext;
use crate::nav::terrain::fine_raster::FineRaster;
use crate::planner::miran::{
    Chooser, Chosen, ExactGround, Eye, Ground, IndicativeRoute, Leader, RasterGround, Settings,
    Status, Walked, Walker,
};

/// Pixels along the side of the pictures that the raster variant reads.
const RESOLUTIONS: [u32; 4] = [256, 512, 1024, 2048];

/// Candidates are at most d apart; two that are this near to each other are the same one, as a
/// share of d: where a visible interval ends, pixels are a little off.
const SAME_CANDIDATE: f64 = 0.1;

/// Chooses exactly, and looks what pixels would have chosen.
struct Both<'a> {
    exact: Chooser,
    by_pixels: Chooser,
    raster: RasterGround<'a>,
    same: usize,
    steps: usize,
}

impl Leader for Both<'_> {
    fn lead<G: Ground>(
        &mut self,
        ground: &G,
        route: &IndicativeRoute,
        eye: &Eye,
        reference: f64,
        last: f64,
    ) -> Option<Chosen> {
        let exact = self.exact.lead(ground, route, eye, reference, last)?;
        let by_pixels = self
            .by_pixels
            .lead(&self.raster, route, eye, reference, last);
        self.steps += 1;
        let near = SAME_CANDIDATE * route.sample_step();
        let is_same = by_pixels.is_some_and(|other| (other.along - exact.along).abs() <= near);
        self.same += usize::from(is_same);
        Some(exact)
    }
}

/// Who draws a picture, if it can be drawn.
type Draw = fn(&Subject, u32) -> Option<FineRaster>;

pub(super) fn agreement(
    subjects: &[&Subject],
    ctx: &JobContext,
    rows: &mut Vec<Row>,
) -> Result<(), LabError> {
    let share = |draw: Draw, resolution: u32| {
        let (mut same, mut steps) = (0, 0);
        for subject in subjects {
            ctx.checkpoint()?;
            if let Some(raster) = draw(subject, resolution) {
                let counted = compared(subject, &raster);
                same += counted[0];
                steps += counted[1];
            }
        }
        Ok::<_, LabError>((steps > 0).then(|| 100.0 * same as f64 / steps as f64))
    };
    for resolution in RESOLUTIONS {
        let share = share(by_processor, resolution)?.unwrap_or(0.0);
        let what = format!("steps with the same choice by interpolated distances, {resolution}²");
        let row = Row::new(what, "%", share);
        rows.push(if resolution == 1024 {
            row.goal(95.0, Better::Higher)
        } else {
            row
        });
    }
    #[cfg(feature = "gl")]
    if let Some(share) = share(by_card, 1024)? {
        let what = "the same, drawn by OpenGL, 1024²";
        rows.push(Row::new(what, "%", share).goal(95.0, Better::Higher));
    }
    Ok(())
}

fn pixel(subject: &Subject, resolution: u32) -> f64 {
    let bounds = subject.level.settings().bounds;
    bounds.size().max_element() / f64::from(resolution)
}

/// The picture with so many pixels along its longer side.
pub(super) fn by_processor(subject: &Subject, resolution: u32) -> Option<FineRaster> {
    let input = subject.nav.shared().drawing();
    let free = &subject.nav.free().areas;
    FineRaster::within(input, free, pixel(subject, resolution)).ok()
}

/// Drawn by the graphics card; `None` where there is none.
#[cfg(feature = "gl")]
fn by_card(subject: &Subject, resolution: u32) -> Option<FineRaster> {
    use crate::nav::terrain::{FreeTerrain, raster::TerrainRaster};
    let input = subject.nav.shared().drawing();
    let free = &subject.nav.free().areas;
    let asked = FreeTerrain {
        scale: 1.0,
        by_terrain: true,
        rim: 0.0,
        cuts: [Vec::new(), Vec::new()],
    };
    let ctx = JobContext::default();
    let mesh = subject.nav.free_terrain(&asked, &ctx).ok()?;
    let context = crate::gpu::HeadlessContext::new().ok()?;
    let picture = TerrainRaster::drawn(context.gl(), &mesh, pixel(subject, resolution)).ok()?;
    Some(FineRaster::of(picture, input, free))
}

/// In how many steps pixels choose the same, and of how many.
pub(super) fn compared(subject: &Subject, raster: &FineRaster) -> [usize; 2] {
    let Subject { nav, request, .. } = subject;
    let terrain = nav.shared().terrain();
    let (weights, _) = terrain.weights(&request.profile);
    let ground = ExactGround::new(terrain, &weights, Some(nav.cells()));
    let eye = ground.eye(nav.placed(request.start.truncate()));
    let (Some(route), Some(eye)) = (subject.route(&weights), eye) else {
        return [0, 0];
    };
    let settings = Settings::of(&request.profile, nav.free().radius);
    let mut walker = Walker::new(settings, eye);
    let mut both = Both {
        exact: Chooser::default(),
        by_pixels: Chooser::default(),
        raster: RasterGround::new(raster, terrain, &weights),
        same: 0,
        steps: 0,
    };
    let mut log = Walked::default();
    while walker.step(&ground, &route, &mut both, &[], &mut log) == Status::Walking {}
    [both.same, both.steps]
}
