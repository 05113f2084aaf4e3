//! Missions as sentences: goals and constraints that people write and read.
//!
//! ```text
//! sentence = clause *( ";" clause )
//! clause   = goals | [ "not" ] region *( weight | hours | flag )
//! goals    = ( "go to" stop | "patrol" target ) *( [ "," ] "then" ( [ "go to" ] stop | "patrol" target ) )
//!            [ [ "," ] "then" ( "repeat" | "back and forth" ) ]
//! stop     = target | "(" number "," number [ "," number ] ")"
//! region   = ( "in" | "near" ) target | place                          a place means: in that region
//! place    = ( "in front of" | "behind" | "left of" | "right of" | "around" | "along" ) name [ reach ]
//!          | "between" name "and" name
//! target   = name
//!          | ( "front of" | "back of" | "left of" | "right of" | "around" | "along"
//!            | "line of sight of" | "personal space of" ) name [ reach ]
//!          | "between" name "and" name
//! reach    = "within" metres [ "and" ( degrees | metres "behind" ) ]
//! weight   = "with weight" number [ "at" time *( "," number "at" time ) ]
//! hours    = "from" time "to" time
//! flag     = "while" [ "not" ] name
//! name     = word [ "(" number ")" ] | quoted [ "(" number ")" ] | "#" id
//! ```
//!
//! Case does not matter. Names stand in quotes where they hold anything but letters and digits, or
//! are a word of the language; `Wall(3)` is the third entity of that name. `not in X` without a
//! weight is hard; with one, `not` turns its sign. [`print()`] of what [`parse`] read parses to the
//! same again, and so does every valid list of constraints.

mod complete;
mod error;
mod names;
mod nearest;
mod parse;
mod phrase;
mod print;
#[cfg(test)]
mod tests;
mod token;

pub use complete::{Completion, Suggestion, complete};
pub use error::SentenceError;
pub use names::Names;
pub use nearest::nearest;
pub use parse::parse;
pub use print::{print, print_constraint, print_lines};
pub use token::is_word_letter;

use super::model::{Constraint, Goal, Mission, Repeat};

/// What a sentence says.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sentence {
    /// `None` if the sentence names no goal.
    pub itinerary: Option<Itinerary>,
    pub constraints: Vec<Constraint>,
}

/// Goals in their order.
#[derive(Clone, Debug, PartialEq)]
pub struct Itinerary {
    pub goals: Vec<Goal>,
    pub repeat: Repeat,
}

impl Sentence {
    /// Everything that a mission says about where to go.
    #[must_use]
    pub fn of(mission: &Mission) -> Self {
        Self {
            itinerary: (!mission.goals.is_empty()).then(|| Itinerary {
                goals: mission.goals.clone(),
                repeat: mission.repeat,
            }),
            constraints: mission.constraints.clone(),
        }
    }

    /// Makes a mission say this. Without an itinerary it has no goals.
    pub fn put_into(self, mission: &mut Mission) {
        match self.itinerary {
            Some(Itinerary { goals, repeat }) => {
                mission.goals = goals;
                mission.repeat = repeat;
            }
            None => mission.goals.clear(),
        }
        mission.constraints = self.constraints;
    }
}
