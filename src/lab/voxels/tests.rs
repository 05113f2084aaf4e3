use super::*;
use crate::lab::report::Method;
use crate::nav::voxel::Footing;

#[test]
fn the_labyrinth_has_cells_of_a_quarter_metre_a_border_and_the_detour_of_figure_16() {
    let ctx = JobContext::default();
    let bordered = Subject::of(&TABLE[0], Conduct::AS_PRINTED, &ctx).expect("a scene");
    assert!((bordered.frame.cell - 0.25).abs() < 1e-9);
    let footing = Footing::build(bordered.body(), bordered.built.surfaces());
    assert!(footing.border_count() > 100);
    let free = Conduct {
        border_layers: Some(0),
        ..Conduct::AS_PRINTED
    };
    let free = Subject::of(&TABLE[0], free, &ctx).expect("a scene");
    let length = |subject: &Subject| {
        let (leg, _) = subject.walk().expect("a path");
        assert!(!leg.is_squeezed());
        leg.path_for(&subject.request().expect("a goal"), None, 0)
            .length
    };
    let (around, through) = (length(&bordered), length(&free));
    assert!(
        around > through + 5.0,
        "{around} through B, {through} through A"
    );
}

#[test]
fn rows_with_the_papers_figure_use_the_rules_that_it_prints() {
    let ctx = JobContext::default();
    let rows = table::rows(&TABLE[0], &ctx).expect("rows");
    let report = Report {
        name: String::new(),
        rows,
    };
    assert!(report.unmarked().is_empty(), "{:?}", report.unmarked());
    let of = |method| {
        report
            .rows
            .iter()
            .filter(move |row| row.method == Some(method))
    };
    assert!(of(Method::AsPrinted).any(|row| row.paper.is_some()));
    assert!(of(Method::Ours).count() > 2);
    assert!(of(Method::Ours).all(|row| row.paper.is_none()));
}
