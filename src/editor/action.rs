//! What the parts of the window may ask for. Applied after the frame, in order.

use super::constraint_view::Picked;
use super::docking::Pane;
use super::intention::Request;
use super::playback::Play;
use super::search_watch::WatchAsk;
use super::simulating::SimulationAsk;
use super::situation::SituationAsk;
use super::suggestions::SuggestAsk;
use super::voxel_view::VoxelAsk;
use super::work::JobId;
use super::{Command, Notice};
use crate::base::EntityId;
use crate::document::validate::Problem;
use crate::document::{Edit, Selection, history::MergeKey};
use crate::geometry::Rect;
use crate::nav::corridor::Pinch;
use crate::planner::Slopes;
use crate::planner::bench::Method;

#[derive(Clone, Debug)]
pub enum Action {
    /// Edits as one undo step; with a key, joined to the step before it when that was about the
    /// same field a moment ago.
    Commit {
        label: String,
        edits: Vec<Edit>,
        merge: Option<MergeKey>,
    },
    /// A drag in a widget starts: previews follow, then `Finish` or `Cancel`.
    Begin {
        label: String,
    },
    /// The total change since `Begin`.
    Preview {
        edits: Vec<Edit>,
    },
    Finish,
    Cancel,
    Select(Selection),
    /// Moves the plan view so that this shows whole.
    GoTo(Rect),
    /// What the pointer is over in a list, so that the plan view can show it.
    Hover(Option<EntityId>),
    /// Starts renaming in the outliner.
    Rename(EntityId),
    /// Gives the keyboard to the text of a note, in the inspector.
    Write(EntityId),
    /// New things go to this layer, or to none.
    DrawOnLayer(Option<EntityId>),
    /// To a state of the history: this many undo steps remain behind it.
    Travel {
        undo_steps: usize,
    },
    CancelJob(JobId),
    /// Opens a panel and brings it to the front.
    Reveal(Pane),
    /// A dialog's answer.
    Request(Request),
    Command(Command),
    /// Picks out one planner's path.
    Compare(Option<Method>),
    /// Switches a constraint off for a moment, to see the path without it.
    PlanWithout(Option<Picked>),
    /// How paths go on uneven ground, from now on.
    BendPaths(Slopes),
    /// A search taken step by step.
    Watch(WatchAsk),
    /// Mends problems, as one undo step.
    Fix(Vec<Problem>),
    /// Shows the medial axis for a body of this radius; by clearance, if none.
    ShowBody(Option<f64>),
    /// Picks out a narrow place.
    PickPinch(Option<Pinch>),
    Play(Play),
    /// Runs of agents and crowds.
    Simulate(SimulationAsk),
    Voxels(VoxelAsk),
    /// Annotations that were proposed.
    Suggest(SuggestAsk),
    /// The moment for which paths are planned.
    Situation(SituationAsk),
    Notify(Notice),
}

/// The queue that a frame fills.
#[derive(Debug, Default)]
pub struct Actions {
    queue: Vec<Action>,
}

impl Actions {
    pub fn push(&mut self, action: Action) {
        self.queue.push(action);
    }

    pub fn commit(&mut self, label: impl Into<String>, edits: Vec<Edit>) {
        self.push(Action::Commit {
            label: label.into(),
            edits,
            merge: None,
        });
    }

    /// A commit that joins the one before it when that was about `field` of the same things
    /// within a second: typing and repeated clicks become one undo step.
    pub fn commit_merging(
        &mut self,
        label: impl Into<String>,
        edits: Vec<Edit>,
        field: &'static str,
        subjects: Vec<EntityId>,
    ) {
        self.push(Action::Commit {
            label: label.into(),
            edits,
            merge: Some(MergeKey { field, subjects }),
        });
    }

    pub fn select(&mut self, selection: Selection) {
        self.push(Action::Select(selection));
    }

    pub fn command(&mut self, command: Command) {
        self.push(Action::Command(command));
    }

    #[must_use]
    pub fn take(&mut self) -> Vec<Action> {
        std::mem::take(&mut self.queue)
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.queue.is_empty()
    }
}
