//! `grundy review`: who threw the win away, where, and what would have kept it.

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::{Args, ValueEnum};
use grundy_shared::ids::Seat;
use grundy_shared::record::{MAX_BYTES, Record};
use grundy_shared::review::{Mark, Review};
use grundy_shared::solver::reasons;
use serde_json::json;

use super::games::finished;
use crate::context::Context;
use crate::duration::duration;
use crate::exit::Exit;
use crate::exploration::Exploration;
use crate::failure::Failure;
use crate::glossary::with_terms;
use crate::record::{check_writable, read, save};
use crate::render::review_page::review_page;
use crate::render::{clean, count, short};
use crate::thinking::think;

/// A side that the user names.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Side {
    /// The first player.
    First,
    /// The second player.
    Second,
}

/// A mark that the user names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Named(Mark);

impl std::str::FromStr for Named {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mark = Mark::ALL.into_iter().find(|mark| mark.as_str() == text);
        mark.map(Self).ok_or_else(|| {
            let all = Mark::ALL.map(Mark::as_str).join(" ");
            format!("'{text}' is not a mark; the marks are {all}")
        })
    }
}

/// Arguments of `review`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  grundy review                        the last match that you finished
  grundy review 7Kq2mVx9Rt
  grundy review match.ndjson --json
  grundy review 7Kq2mVx9Rt --local
  grundy review nim:3,5,7 A-1 C-7 B-5 A-2
  grundy review --ply 3                why the third move was right or wrong
  grundy review --html review.html     a page for a browser, with the boards and the reasons
  grundy review match.ndjson --side first --fail-on '??'

Marks: ?? gave the win away; ! the only winning move out of three or more; !! the same, and hard \
to see; !? the best and ?! a bad try in a lost position; [] forced.

A match on a server can be reviewed when it is over; until then the exit code is 7.")]
pub(crate) struct Arguments {
    #[command(flatten)]
    chosen: finished::Chosen,
    /// Show only this player's turning points
    #[arg(long, value_name = "SIDE")]
    side: Option<Side>,
    /// The same for the player with this name
    #[arg(long, value_name = "NAME", conflicts_with = "side")]
    player: Option<String>,
    /// Show only this move of the match, and explain it and the best one
    #[arg(long, value_name = "N", conflicts_with_all = ["side", "player", "fail_on"])]
    ply: Option<u32>,
    /// Also write the graph of who holds the win, as a picture
    #[arg(long, value_name = "FILE", conflicts_with = "ply")]
    svg: Option<PathBuf>,
    /// Also write the review as a page for a browser, which needs nothing else
    #[arg(long, value_name = "FILE", conflicts_with = "ply")]
    html: Option<PathBuf>,
    /// Also write the record with the marks and reasons as notes after it into this file [default: the record file that is reviewed]
    #[arg(long, value_name = "OUT", num_args = 0..=1, conflicts_with = "ply")]
    annotate: Option<Option<PathBuf>>,
    /// Exit with 10 if any move (of --side or --player, if given) has this mark
    #[arg(long, value_name = "MARK")]
    fail_on: Option<Named>,
    /// Time limit for the whole match
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = duration)]
    budget: Duration,
    /// Memory limit, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 1024, value_parser = clap::value_parser!(u64).range(1..=1 << 20))]
    memory: u64,
}

impl Arguments {
    /// Reviews.
    pub(crate) async fn run(self, context: &Context) -> Result<Exit, Failure> {
        let files = [&self.svg, &self.html];
        for file in files.into_iter().flatten() {
            check_writable(file)?;
        }
        let annotated = self.annotated_file()?;
        if let Some(file) = &annotated {
            check_writable(file)?;
        }
        let record = finished::record(context, &self.chosen).await?;
        if let Some(file) = &annotated {
            may_annotate(file, &record)?;
        }
        let seat = self.seat(&record)?;
        let at = match self.ply {
            Some(ply) => Some(before_move(&record, ply)?),
            None => None,
        };
        let line = context.output.progress_line();
        let positions = record.referee().moves().len() + 1;
        let mut review = think(self.budget, self.memory << 20, |budget| {
            Review::with_progress(record.referee(), budget, &|done| {
                line.show(&format!("Reviewing: {done} of {positions} positions"));
            })
        });
        drop(line);
        if let Some(at) = at {
            self.show_move(context, &review, &at)?;
            return Ok(Exit::Done);
        }
        if let Some(file) = &annotated {
            save(file, &with_notes(&record, &review)?)?;
        }
        if let Some(seat) = seat {
            review.turning_points.retain(|point| point.seat == seat);
        }
        if let Some(file) = &self.svg {
            save(file, review.svg().as_bytes())?;
        }
        if let Some(file) = &self.html {
            save(file, review_page(&review).as_bytes())?;
        }
        if context.output.json {
            context.output.object(&review)?;
        } else {
            let text = match context.output.width() {
                Some(width) => review.text(width),
                None => review.to_string(),
            };
            context.output.prose(&text)?;
        }
        let ours = |other: Seat| seat.is_none_or(|seat| seat == other);
        let found = self.fail_on.is_some_and(|Named(mark)| {
            Seat::BOTH
                .into_iter()
                .any(|seat| ours(seat) && review.summary.of(seat).marks.of(mark) > 0)
        });
        Ok(if found { Exit::No } else { Exit::Done })
    }

    /// The file that gets the record with notes.
    fn annotated_file(&self) -> Result<Option<PathBuf>, Failure> {
        let named = match &self.annotate {
            None => return Ok(None),
            Some(Some(out)) => Some(out.as_path()),
            Some(None) => self.chosen.file(),
        };
        match named {
            Some(path) if path.as_os_str() != "-" => Ok(Some(path.to_owned())),
            _ => Err(Failure::usage("--annotate needs a file to write")
                .hint("such as: grundy review MATCH --annotate annotated.ndjson")),
        }
    }

    /// The player whose moves are shown.
    fn seat(&self, record: &Record) -> Result<Option<Seat>, Failure> {
        let Some(name) = &self.player else {
            return Ok(self.side.map(|side| match side {
                Side::First => Seat::First,
                Side::Second => Seat::Second,
            }));
        };
        let names = Seat::BOTH.map(|seat| record.referee().player(seat).map(|player| &player.name));
        let is_named = |seat: &Seat| {
            names[seat.index()].is_some_and(|other| other.to_lowercase() == name.to_lowercase())
        };
        match *Seat::BOTH.into_iter().filter(is_named).collect::<Vec<_>>() {
            [seat] => Ok(Some(seat)),
            [] => {
                let names: Vec<String> = names
                    .into_iter()
                    .flatten()
                    .map(|name| clean(name))
                    .collect();
                let words = format!("'{}' did not play in this match", clean(name));
                Err(Failure::new(Exit::Input, "not_a_player", words)
                    .hint(format!("the players were {}", names.join(" and "))))
            }
            _ => Err(Failure::usage("both players have this name")
                .hint("use --side first or --side second")),
        }
    }

    /// Shows one move: its mark, and the reasons for it and for the best one.
    fn show_move(
        &self,
        context: &Context,
        review: &Review,
        at: &Exploration,
    ) -> Result<(), Failure> {
        let (Some(mv), Some(reviewed)) = (at.next_played(), review.plies.get(at.ply() + 1)) else {
            return Ok(());
        };
        let reasons = think(self.budget, self.memory << 20, |budget| {
            reasons(
                at.position(),
                at.to_move(),
                std::slice::from_ref(mv),
                budget,
            )
        });
        if context.output.json {
            return context.output.object(&json!({
                "schema": "grundy/review-move/1",
                "reviewed": reviewed,
                "reasons": reasons,
            }));
        }
        let player = review.player(at.to_move());
        let who = player.map_or_else(|| at.to_move().to_string(), |player| clean(&player.name));
        let mark = reviewed
            .mark
            .map_or(String::new(), |mark| format!(" {}", mark.as_str()));
        let head = format!(
            "Move {} of {}, {who}: {}{mark}",
            reviewed.ply,
            at.plies(),
            short(&mv.to_string())
        );
        context.output.sentences(&format!(
            "{head}\n\n{}",
            with_terms(&reasons.lines.join("\n"))
        ))
    }
}

/// Checks that nothing is lost: a file with other content than this record, with or without notes, is kept.
fn may_annotate(path: &Path, record: &Record) -> Result<(), Failure> {
    let has_content = path.is_file() && path.metadata().is_ok_and(|about| about.len() > 0);
    if !has_content || read(path).is_ok_and(|there| there == *record) {
        return Ok(());
    }
    let words = format!("{} has another content, and is kept", path.display());
    Err(Failure::new(Exit::Refused, "file_exists", words).hint("name a new file: --annotate OUT"))
}

/// The record with the marks and reasons of its review.
fn with_notes(record: &Record, review: &Review) -> Result<Vec<u8>, Failure> {
    let bytes = record.annotated(&review.notes());
    if bytes.len() > MAX_BYTES {
        let words = format!(
            "the record and its notes have {} bytes, and no more than {MAX_BYTES} are read",
            bytes.len()
        );
        return Err(Failure::new(Exit::Refused, "too_large", words));
    }
    Ok(bytes)
}

/// The match before this move.
fn before_move(record: &Record, ply: u32) -> Result<Exploration, Failure> {
    let mut walk = Exploration::of(record)?;
    let moves = walk.plies();
    if ply == 0 || ply as usize > moves {
        let words = format!(
            "--ply: there is no move {ply}, for the match has {}",
            count(moves as u64, "move")
        );
        return Err(Failure::new(Exit::Input, "no_such_ply", words));
    }
    walk.go(ply as usize - 1).map_err(|no| {
        Failure::new(
            Exit::Failed,
            "internal",
            format!("no ply after {}", no.last),
        )
    })?;
    Ok(walk)
}
