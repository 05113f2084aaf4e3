//! The flags of `import`, `export` and `bake`, taken from the options of the formats.

use crate::exchange::options::{OptionKind, OptionSpec, OptionValue, Options};
use crate::exchange::registry::{self, FormatRow};
use clap::{Arg, ArgAction, ArgMatches, Args, Command, Error, FromArgMatches};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::marker::PhantomData;

/// Which options a command takes.
pub(super) trait Side: std::fmt::Debug + Clone {
    /// Every format with its defaults.
    fn options() -> Vec<(&'static FormatRow, Options)>;
}

#[derive(Clone, Debug)]
pub(super) enum Reading {}
#[derive(Clone, Debug)]
pub(super) enum Writing {}
#[derive(Clone, Debug)]
pub(super) enum Baking {}

impl Side for Reading {
    fn options() -> Vec<(&'static FormatRow, Options)> {
        let rows = registry::rows().into_iter();
        rows.filter_map(|row| Some((row, row.import_options()?)))
            .collect()
    }
}

impl Side for Writing {
    fn options() -> Vec<(&'static FormatRow, Options)> {
        let rows = registry::rows().into_iter();
        rows.filter_map(|row| Some((row, row.export_options()?)))
            .collect()
    }
}

impl Side for Baking {
    fn options() -> Vec<(&'static FormatRow, Options)> {
        let options = registry::BAKE.export_options();
        options
            .map(|options| (&registry::BAKE, options))
            .into_iter()
            .collect()
    }
}

/// Flags as they were given: what they mean is for the format to say.
#[derive(Clone, Debug)]
pub(super) struct FormatFlags<S> {
    given: BTreeMap<&'static str, Vec<String>>,
    side: PhantomData<S>,
}

impl<S> FormatFlags<S> {
    /// Sets what was given and what the options know; adds the keys of both to `used`.
    pub(super) fn apply(
        &self,
        options: &mut Options,
        used: &mut BTreeSet<&'static str>,
    ) -> anyhow::Result<()> {
        for spec in options.specs() {
            if let Some(texts) = self.given.get(spec.key) {
                options.set(spec.key, spec.parse(texts)?)?;
                used.insert(spec.key);
            }
        }
        options.check()?;
        Ok(())
    }

    /// A sentence for each flag that no format has a use for.
    pub(super) fn ignored(&self, used: &BTreeSet<&'static str>, formats: &str) -> Vec<String> {
        let ignored = self.given.keys().filter(|key| !used.contains(**key));
        ignored
            .map(|key| format!("--{key} is not an option of {formats} and was ignored"))
            .collect()
    }
}

fn flag(spec: &OptionSpec) -> Arg {
    let arg = Arg::new(spec.key).long(spec.key);
    if !spec.takes_value() {
        return arg.action(ArgAction::SetTrue);
    }
    let arg = arg.action(ArgAction::Append).value_name(spec.value_name());
    match spec.kind {
        OptionKind::Number { .. } => arg.allow_negative_numbers(true),
        _ => arg,
    }
}

/// What is said of a flag: its help, the values it takes, and its default where that says something.
fn help(spec: &OptionSpec, options: &Options) -> String {
    let choices = match spec.kind {
        OptionKind::Choice(choices) => {
            let ids: Vec<&str> = choices.iter().map(|choice| choice.id).collect();
            format!(": {}", ids.join(", "))
        }
        _ => String::new(),
    };
    let unset = match options.get(spec.key) {
        None | Some(OptionValue::Automatic | OptionValue::Switch(_)) => String::new(),
        Some(value) => format!(" [default: {value}]"),
    };
    format!("{}{choices}{unset}", spec.help)
}

/// The flags of each format; formats with the same ones stand together.
fn by_format(all: &[(&'static FormatRow, Options)]) -> String {
    let mut groups: Vec<(Vec<&str>, &Options)> = Vec::new();
    for (row, options) in all {
        if options.specs().is_empty() {
            continue;
        }
        match groups.iter_mut().find(|(_, known)| known.is_like(options)) {
            Some((ids, _)) => ids.push(row.id),
            None => groups.push((vec![row.id], options)),
        }
    }
    let mut text = String::from("Options by format:");
    for (ids, options) in groups {
        let _ = write!(text, "\n\n  {}", ids.join(", "));
        for spec in options.specs() {
            let flag = format!("--{} {}", spec.key, spec.value_name());
            let _ = write!(text, "\n    {flag:22}  {}", help(spec, options));
        }
    }
    text
}

impl<S: Side> Args for FormatFlags<S> {
    fn augment_args(mut command: Command) -> Command {
        let all = S::options();
        let is_single = all.len() == 1;
        let mut known = BTreeSet::new();
        for (row, options) in &all {
            for spec in options.specs() {
                if known.insert(spec.key) {
                    let arg = flag(spec).help(help(spec, options)).hide(!is_single);
                    command = command.arg(arg.help_heading(row.title));
                }
            }
        }
        if is_single {
            command
        } else {
            command.after_help(by_format(&all))
        }
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl<S: Side> FromArgMatches for FormatFlags<S> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        let mut given = BTreeMap::new();
        for (_, options) in S::options() {
            for spec in options.specs() {
                let texts: Option<Vec<String>> = if spec.takes_value() {
                    let texts = matches.get_many::<String>(spec.key);
                    texts.map(|texts| texts.cloned().collect())
                } else {
                    matches.get_flag(spec.key).then(Vec::new)
                };
                if let Some(texts) = texts {
                    given.insert(spec.key, texts);
                }
            }
        }
        Ok(Self {
            given,
            side: PhantomData,
        })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}
