//! The matches of a player from all places where they are, one at a time.

use std::collections::{BTreeSet, HashSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use grundy_shared::Position;
use grundy_shared::career::Career;
use grundy_shared::ids::{MatchId, Millis, Seat};
use grundy_shared::protocol::client::{ListOnly, ListStatus};
use grundy_shared::protocol::server::MatchSummary;
use grundy_shared::rated::Family;
use grundy_shared::record::Record;
use grundy_shared::review::Review;
use grundy_words::Message;
use tokio::task::spawn_blocking;

use crate::commands::games::chunks::{Piece, each_record};
use crate::commands::games::fetch::warning;
use crate::commands::games::local;
use crate::commands::games::of_server::OfServer;
use crate::commands::games::who::{Who, sits};
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::library::Library;
use crate::output::Output;
use crate::record;
use crate::thinking::think;

/// Where the matches are.
#[derive(Debug)]
pub(super) struct Sources {
    /// In the library on this computer.
    pub(super) library: bool,
    /// In these files, and in the NDJSON files of these directories.
    pub(super) paths: Vec<PathBuf>,
    /// On the server.
    pub(super) server: Option<Needed>,
}

/// Whether the matches of the server are needed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Needed {
    Always,
    /// If the server cannot be reached, a warning says that its matches are missing.
    IfThere,
}

/// What may be spent on one match.
#[derive(Clone, Copy, Debug)]
pub(super) struct Thought {
    pub(super) time: Duration,
    pub(super) memory_bytes: u64,
}

/// Which matches are counted.
#[derive(Debug)]
pub(super) struct Wanted {
    pub(super) who: Who,
    pub(super) opponent: Option<Who>,
    pub(super) family: Option<Family>,
    pub(super) since: Option<Millis>,
    pub(super) until: Option<Millis>,
}

impl Wanted {
    /// The seats of the player, if the match is one of those wanted: none otherwise.
    fn seats(&self, summary: &MatchSummary) -> Vec<Seat> {
        let created = summary.created_at_ms;
        let is_wanted = summary.status == ListStatus::Over
            && self.since.is_none_or(|since| created >= since)
            && self.until.is_none_or(|until| created < until)
            && self.family.is_none_or(|family| {
                let start = Position::parse(&summary.position);
                start.is_ok_and(|start| Family::of(&start) == family)
            });
        let counts = |seat: &Seat| {
            let against = |who: &Who| sits(summary, seat.other(), who);
            sits(summary, *seat, &self.who) && self.opponent.as_ref().is_none_or(against)
        };
        match is_wanted {
            true => Seat::BOTH.into_iter().filter(counts).collect(),
            false => Vec::new(),
        }
    }
}

/// Counts all matches that are wanted, each once, wherever it is found; with `last` only the newest.
///
/// A damaged record in the library, in a directory or on the server is named on stderr and left out.
///
/// # Errors
/// A place cannot be read, or a named file has a record that is not valid.
/// If the server is optional and cannot be reached, it is removed from `sources`.
pub(super) async fn gather(
    context: &Context,
    sources: &mut Sources,
    wanted: Wanted,
    thought: Thought,
    last: Option<usize>,
) -> Result<Career, Failure> {
    let mut gatherer = Gatherer {
        output: context.output,
        wanted,
        thought,
        career: Career::default(),
        seen: HashSet::new(),
        newest: last.map(|most| Newest {
            most,
            chosen: BTreeSet::new(),
        }),
        is_choosing: last.is_some(),
    };
    if last.is_some() && sources.paths.iter().any(|path| path == Path::new("-")) {
        let message = Message::new("career-stdin-once");
        return Err(Failure::told(Exit::Usage, "usage", message)
            .help(Message::new("career-stdin-once-how")));
    }
    let mut server = match sources.server {
        None => None,
        Some(needed) => match listed(context, &mut gatherer.wanted).await {
            Ok(listed) => Some(listed),
            Err(failure) if needed == Needed::IfThere && failure.may_pass() => {
                sources.server = None;
                let words = context.output.words();
                let warning = warning(&failure, "career-only-here", words);
                context.output.warn(&warning);
                None
            }
            Err(failure) => return Err(failure),
        },
    };
    if gatherer.is_choosing {
        gatherer.read_files(sources)?;
        let listed = server.iter().flat_map(OfServer::matches);
        listed.for_each(|summary| gatherer.choose(summary));
        gatherer.is_choosing = false;
    }
    gatherer.read_files(sources)?;
    if let Some(server) = &mut server {
        gatherer.read_server(server).await?;
    }
    if let Some(server) = server {
        server.close().await;
    }
    Ok(gatherer.career)
}

/// The newest matches, as many as are wanted.
struct Newest {
    most: usize,
    chosen: BTreeSet<(Millis, MatchId)>,
}

struct Gatherer {
    output: Output,
    wanted: Wanted,
    thought: Thought,
    career: Career,
    /// The matches counted so far.
    seen: HashSet<MatchId>,
    newest: Option<Newest>,
    /// Whether the matches are only looked at, to know which are the newest.
    is_choosing: bool,
}

impl Gatherer {
    /// Notes that there is this match, when the newest are looked for.
    fn choose(&mut self, summary: &MatchSummary) {
        if self.wanted.seats(summary).is_empty() {
            return;
        }
        if let Some(newest) = &mut self.newest {
            newest
                .chosen
                .insert((summary.created_at_ms, summary.match_id));
            if newest.chosen.len() > newest.most {
                newest.chosen.pop_first();
            }
        }
    }

    /// The seats of the player in a match that is to be counted now.
    fn counted(&mut self, summary: &MatchSummary) -> Vec<Seat> {
        let key = (summary.created_at_ms, summary.match_id);
        let newest = self.newest.as_ref();
        if newest.is_some_and(|newest| !newest.chosen.contains(&key)) {
            return Vec::new();
        }
        let seats = self.wanted.seats(summary);
        match !seats.is_empty() && self.seen.insert(summary.match_id) {
            true => seats,
            false => Vec::new(),
        }
    }

    fn take(&mut self, record: &Record) {
        let summary = local::summary(record);
        if self.is_choosing {
            self.choose(&summary);
            return;
        }
        let seats = self.counted(&summary);
        if !seats.is_empty() {
            count(&mut self.career, record, &seats, self.thought);
        }
    }

    /// Warns of something that is left out: once, if the matches are read twice.
    fn leave_out(&self, warning: &str) {
        if self.is_choosing || self.newest.is_none() {
            self.output.warn(warning);
        }
    }

    /// Reads the records on this computer.
    fn read_files(&mut self, sources: &Sources) -> Result<(), Failure> {
        if sources.library {
            for record in Library::open()?.records(false)? {
                match record {
                    Ok(record) => self.take(&record),
                    Err(failure) => self.leave_out(&failure.as_warning(self.output.words())),
                }
            }
        }
        for path in &sources.paths {
            if !path.is_dir() {
                self.read_file(path)?;
                continue;
            }
            for file in files_of(path).map_err(|error| record::about(path, &error))? {
                let read = record::check_regular(&file).and_then(|()| self.read_file(&file));
                if let Err(failure) = read {
                    self.leave_out(&failure.as_warning(self.output.words()));
                }
            }
        }
        Ok(())
    }

    fn read_file(&mut self, path: &Path) -> Result<(), Failure> {
        each_record(path, |piece| {
            match piece {
                Piece::Record(record) => self.take(&record),
                Piece::CutOff(warning) => self.leave_out(&warning.said(self.output.words())),
            }
            Ok(())
        })
    }

    /// Reads the records on the server.
    async fn read_server(&mut self, server: &mut OfServer) -> Result<(), Failure> {
        for summary in server.take_matches() {
            let seats = self.counted(&summary);
            if seats.is_empty() {
                continue;
            }
            let Some(record) = server.record(self.output, summary.match_id).await? else {
                continue;
            };
            // The connection is served meanwhile.
            let (mut career, thought) = (std::mem::take(&mut self.career), self.thought);
            let counting = spawn_blocking(move || {
                count(&mut career, &record, &seats, thought);
                career
            });
            self.career = counting.await.map_err(io::Error::from)?;
        }
        Ok(())
    }
}

/// Asks a server for the matches that are wanted.
async fn listed(context: &Context, wanted: &mut Wanted) -> Result<OfServer, Failure> {
    let only = ListOnly {
        game: wanted.family.map(|family| family.name().to_owned()),
        since_ms: wanted.since,
        until_ms: wanted.until,
        ..ListOnly::default()
    };
    OfServer::listed(context, &mut wanted.who, only).await
}

fn count(career: &mut Career, record: &Record, seats: &[Seat], thought: Thought) {
    think(thought.time, thought.memory_bytes, |budget| {
        let review = Review::outline(record.referee(), budget);
        career.add(record.referee(), &review, seats, budget);
    });
}

/// The NDJSON files of a directory, in the order of their names.
fn files_of(directory: &Path) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(directory)? {
        let path = entry?.path();
        if path.extension().is_some_and(|ending| ending == "ndjson") {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}
