//! `grundy stats player`: all matches of a player together.

mod gather;
mod long_table;

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::{Args, ValueEnum};
use grundy_shared::career::PeriodLength;
use grundy_shared::ids::Millis;
use grundy_words::Message;

use self::gather::{Needed, Sources, Thought, Wanted, gather};
use super::super::games::who::{Who, family};
use crate::account::has_identity;
use crate::context::Context;
use crate::duration::duration;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::moment::moment;
use crate::record::save;
use crate::render;
use crate::written::{self, Kind};

/// Arguments of `stats player`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  grundy stats player
  grundy stats player Ada --family nim --since 90d
  grundy stats player --vs perfect --last 50
  grundy stats player Ada --from matches/ --from more.ndjson --json
  grundy stats player --local --online --csv stats.csv --svg stats.svg

Only finished matches count. A decision is a move in a won position in which some moves keep the win and others do \
not. Shares have 95 % intervals (Wilson 1927).")]
pub(super) struct Arguments {
    /// The player: a name or an id [default: you]
    #[arg(value_name = "NAME")]
    name: Option<String>,
    /// Read the matches of the library on this computer [default: those, and those of the server if you have played there]
    #[arg(long)]
    local: bool,
    /// Read the matches of the server
    #[arg(long)]
    online: bool,
    /// Read records from this file, or from the NDJSON files of this directory; '-' for stdin. Can be given several times
    #[arg(long, value_name = "PATH")]
    from: Vec<PathBuf>,
    /// Count only matches of this game; 'sum' stands for sums of several games
    #[arg(long, visible_alias = "game", value_name = "GAME")]
    family: Option<String>,
    /// Count only matches against this player: a name or an id
    #[arg(long, visible_alias = "opponent", value_name = "PLAYER")]
    vs: Option<String>,
    /// Count only matches created at this time or later: a day such as 2026-11-30 (UTC), a time, or how long ago, such as 30d
    #[arg(long, value_name = "TIME", value_parser = moment)]
    since: Option<Millis>,
    /// Count only matches created before this time
    #[arg(long, value_name = "TIME", value_parser = moment)]
    until: Option<Millis>,
    /// Count only the newest N of these matches
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    last: Option<u32>,
    /// The length of the periods of the trend [default: the shortest with at most 24 periods]
    #[arg(long, value_name = "LENGTH")]
    by: Option<Length>,
    /// The largest number of missed positions, openings and opponents to list
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    rows: u32,
    /// Also write all figures as one table for a spreadsheet: section, row, key, figure, value
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Also write the trend and the mistakes by move as a picture
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Time limit for each match
    #[arg(long, value_name = "TIME", default_value = "2s", value_parser = duration)]
    budget: Duration,
    /// Memory limit, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 1024, value_parser = clap::value_parser!(u64).range(1..=1 << 20))]
    memory: u64,
}

/// The length of a period.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Length {
    /// Days in UTC.
    Day,
    /// Weeks from Monday.
    Week,
    /// Months.
    Month,
    /// Years.
    Year,
}

impl From<Length> for PeriodLength {
    fn from(length: Length) -> Self {
        match length {
            Length::Day => Self::Day,
            Length::Week => Self::Week,
            Length::Month => Self::Month,
            Length::Year => Self::Year,
        }
    }
}

impl Arguments {
    /// Whether it never talks to a server.
    pub(super) fn is_local(&self) -> bool {
        !self.online && !self.names_no_place()
    }

    /// Whether all places are read, because none is named.
    fn names_no_place(&self) -> bool {
        !self.local && !self.online && self.from.is_empty()
    }

    pub(super) async fn run(self, context: &Context) -> Result<Exit, Failure> {
        let reads: Vec<&Path> = self.from.iter().map(PathBuf::as_path).collect();
        for (file, kind) in [(&self.csv, Kind::PlayerTable), (&self.svg, Kind::Svg)] {
            if let Some(file) = file {
                written::check(file, kind, &reads)?;
            }
        }
        let by = self.by.map(PeriodLength::from);
        let wanted = Wanted {
            who: match &self.name {
                Some(name) => Who::Named(name.clone()),
                None => Who::mine(context)?,
            },
            opponent: self.vs.clone().map(Who::Named),
            family: self
                .family
                .as_deref()
                .map(|name| family(&name.to_ascii_lowercase()))
                .transpose()?,
            since: self.since,
            until: self.until,
        };
        // Users without a server play on this computer only.
        let server = match self.names_no_place() {
            true if has_identity(context)? => Some(Needed::IfThere),
            _ => self.online.then_some(Needed::Always),
        };
        let mut sources = Sources {
            library: self.local || self.names_no_place(),
            paths: self.from.clone(),
            server,
        };
        let thought = Thought {
            time: self.budget,
            memory_bytes: self.memory << 20,
        };
        let last = self.last.map(|last| last as usize);
        let career = gather(context, &mut sources, wanted, thought, last).await?;
        let report = career.report(self.name.as_deref(), self.rows as usize, by);
        if report.total.matches == 0 {
            return Err(self.nothing(&sources));
        }
        if let Some(file) = &self.csv {
            save(file, long_table::csv(&report)?.as_bytes())?;
        }
        if let Some(file) = &self.svg {
            save(file, report.svg().as_bytes())?;
        }
        match context.output.json {
            true => context.output.object(&report)?,
            false => {
                let output = &context.output;
                let page = render::career::page(&report, output.width(), output.words());
                output.text(&page)?;
            }
        }
        Ok(Exit::Done)
    }

    /// No match was found: says where, and what to do.
    fn nothing(&self, sources: &Sources) -> Failure {
        let mut places = Vec::new();
        if sources.library {
            places.push(Message::new("career-place-library"));
        }
        let paths = sources.paths.iter();
        places.extend(
            paths.map(|path| Message::new("career-place-path").text("path", path.display())),
        );
        if sources.server.is_some() {
            places.push(Message::new("career-place-server"));
        }
        let places = places.into_iter().rev().reduce(|rest, place| {
            Message::new("career-places")
                .messages("first", vec![place])
                .messages("rest", vec![rest])
        });
        let filtered = self.family.is_some()
            || self.vs.is_some()
            || self.since.is_some()
            || self.until.is_some();
        let name = self.name.as_deref().map(render::short);
        let message = Message::new("career-nothing")
            .text("who", if name.is_some() { "name" } else { "you" })
            .text("name", name.unwrap_or_default())
            .whether("filtered", filtered)
            .messages("places", places.into_iter().collect());
        Failure::told(Exit::NotFound, "no_such_match", message)
            .help(Message::new("career-nothing-how").whether("filtered", filtered))
    }
}
