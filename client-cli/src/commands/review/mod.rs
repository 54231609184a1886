//! `grundy review`: who threw the win away, where, and what would have kept it.

mod asked;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use clap::{Args, ValueEnum};
use grundy_shared::event::PlayerInfo;
use grundy_shared::ids::{MatchId, Seat};
use grundy_shared::protocol::ErrorCode;
use grundy_shared::record::{MAX_BYTES, Record};
use grundy_shared::review::{Mark, Review};
use grundy_shared::solver::reasons;
use grundy_words::{Catalogue, Message};
use serde_json::json;

use super::games::finished::{self, Place};
use super::games::who::not_a_player;
use crate::context::Context;
use crate::duration::duration;
use crate::exit::Exit;
use crate::exploration::Exploration;
use crate::failure::Failure;
use crate::glossary::with_terms;
use crate::misread::Misread;
use crate::record::{check_writable, read, save};
use crate::render::review_page::review_page;
use crate::render::review_picture::picture;
use crate::render::reviewed;
use crate::render::{advice, clean, player_name, practice, short};
use crate::screen;
use crate::thinking::{not_judged, think_until_interrupted};
use crate::written::{self, Kind};

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
    type Err = Misread;

    fn from_str(text: &str) -> Result<Self, Misread> {
        let mark = Mark::ALL.into_iter().find(|mark| mark.as_str() == text);
        mark.map(Self).ok_or_else(|| {
            let all = Mark::ALL.map(Mark::as_str).join(" ");
            let message = Message::new("misread-mark").text("text", text);
            Misread(message.text("names", all))
        })
    }
}

/// What a server gave for a match.
enum Found {
    /// Its review.
    Review(Box<Review>),
    /// Its record, to be reviewed on this computer.
    Record(Box<Record>),
    /// Nothing: the user pressed Ctrl-C.
    Interrupted,
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
  grundy review --screen full          move by move, with the board
  grundy review match.ndjson --side first --fail-on '??'

Marks: ?? gave the win away; ! the only winning move out of three or more; !! the same, and hard \
to see; !? the best and ?! a bad try in a lost position; [] forced.

A match on a server can be reviewed when it is over; until then the exit code is 7. The server stores the reviews of its matches, and its review is \
shown. The match is reviewed on this computer if the server's limits do not suffice, and with --budget, --memory, --ply or --annotate.")]
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
    /// Time limit for the whole match, reviewed on this computer [default: 10s]
    #[arg(long, value_name = "TIME", value_parser = duration)]
    budget: Option<Duration>,
    /// Memory limit, in MiB, for a match reviewed on this computer [default: 1024]
    #[arg(long, value_name = "MIB", value_parser = clap::value_parser!(u64).range(1..=1 << 20))]
    memory: Option<u64>,
}

/// Time limit for a match.
const TIME: Duration = Duration::from_secs(10);
/// Memory limit, in MiB.
const MEMORY_MIB: u64 = 1_024;

impl Arguments {
    /// Reviews.
    pub(crate) async fn run(self, context: &Context) -> Result<Exit, Failure> {
        let reads: Vec<&Path> = self.chosen.file().into_iter().collect();
        for (file, kind) in [(&self.svg, Kind::Svg), (&self.html, Kind::Html)] {
            if let Some(file) = file {
                written::check(file, kind, &reads)?;
            }
        }
        let annotated = self.annotated_file()?;
        if let Some(file) = &annotated {
            check_writable(file)?;
        }
        let record = match finished::place(context, &self.chosen).await? {
            Place::Here(record) => *record,
            Place::Server(match_id) if self.needs_own_solver() => {
                finished::of_server(context, match_id).await?
            }
            Place::Server(match_id) => match self.of_server(context, match_id).await? {
                Found::Review(review) => return self.present(context, *review).await,
                Found::Record(record) => *record,
                Found::Interrupted => return Ok(Exit::Interrupted),
            },
        };
        if let Some(file) = &annotated {
            may_annotate(file, &record)?;
        }
        // A wrong name is found before the work begins.
        self.seat(Seat::BOTH.map(|seat| record.referee().player(seat)))?;
        let at = match self.ply {
            Some(ply) => Some(before_move(&record, ply)?),
            None => None,
        };
        let record = Arc::new(record);
        let Some(review) = self.review_here(context, record.clone()).await? else {
            return Ok(Exit::Interrupted);
        };
        if let Some(at) = at {
            return self.show_move(context, &review, &at).await;
        }
        if let Some(file) = &annotated {
            save(file, &with_notes(&record, &review)?)?;
        }
        self.present(context, review).await
    }

    /// Whether the user asks for what the review of a server does not give.
    fn needs_own_solver(&self) -> bool {
        self.budget.is_some()
            || self.memory.is_some()
            || self.ply.is_some()
            || self.annotate.is_some()
    }

    /// The server's review of a match, or its record where a review on this computer says more.
    async fn of_server(&self, context: &Context, match_id: MatchId) -> Result<Found, Failure> {
        let line = context.output.progress_line();
        let review = asked::review(context, match_id, &line).await;
        drop(line);
        let record = match review {
            Ok(None) => return Ok(Found::Interrupted),
            Ok(Some(review)) if review.is_whole() => return Ok(Found::Review(Box::new(review))),
            Ok(Some(_)) => {
                context
                    .output
                    .detail(&context.output.words().say("reviewed-here"));
                finished::of_server(context, match_id).await?
            }
            // The record says more exactly what is still played.
            Err(failure) if failure.has_code(ErrorCode::NotOver) => {
                finished::of_server(context, match_id).await?
            }
            Err(failure) if asked::is_for_own_solver(&failure) => {
                let why = failure.message();
                context
                    .output
                    .detail(&format!("{why}: reviewing on this computer"));
                finished::of_server(context, match_id).await?
            }
            // A player in a rated match gets no help, also not from a copy of the record.
            Err(failure) if failure.has_code(ErrorCode::RatedMatch) => return Err(failure),
            Err(failure) => finished::instead(context, match_id, failure)?,
        };
        Ok(Found::Record(Box::new(record)))
    }

    /// Reviews on this computer; `None` if the user pressed Ctrl-C.
    async fn review_here(
        &self,
        context: &Context,
        record: Arc<Record>,
    ) -> Result<Option<Review>, Failure> {
        let line = context.output.progress_line();
        let positions = record.referee().moves().len() + 1;
        let words = context.output.words();
        think_until_interrupted(self.time(), self.memory_bytes(), move |budget| {
            Review::with_progress(record.referee(), budget, &|done| {
                let progress = Message::new("reviewed-progress")
                    .text("done", done)
                    .text("positions", positions);
                line.show(&progress.said(words));
            })
        })
        .await
    }

    fn time(&self) -> Duration {
        self.budget.unwrap_or(TIME)
    }

    fn memory_bytes(&self) -> u64 {
        self.memory.unwrap_or(MEMORY_MIB) << 20
    }

    /// Shows a review on the full screen if somebody asked for that; then writes and prints it.
    async fn present(&self, context: &Context, review: Review) -> Result<Exit, Failure> {
        if let Some(signs) = context.output.signs.filter(|_| context.output.full) {
            let shown = for_people(&review, context.output.words());
            match screen::review::show(context.output, signs, &shown).await? {
                Exit::Done => {}
                other => return Ok(other),
            }
        }
        self.show(context, review)
    }

    /// Writes and prints a review.
    fn show(&self, context: &Context, mut review: Review) -> Result<Exit, Failure> {
        let seat = self.seat(Seat::BOTH.map(|seat| review.player(seat)))?;
        if let Some(seat) = seat {
            review.turning_points.retain(|point| point.seat == seat);
        }
        let words = context.output.words();
        let shown = for_people(&review, words);
        if let Some(file) = &self.svg {
            save(file, picture(&shown, words).as_bytes())?;
        }
        if let Some(file) = &self.html {
            save(file, review_page(&shown, words).as_bytes())?;
        }
        if context.output.json {
            context.output.object(&review)?;
        } else {
            let width = context.output.width();
            context
                .output
                .prose(&reviewed::text(&shown, width, words))?;
        }
        let ours = |other: Seat| seat.is_none_or(|seat| seat == other);
        let found = self.fail_on.is_some_and(|Named(mark)| {
            Seat::BOTH
                .into_iter()
                .any(|seat| ours(seat) && review.summary.of(seat).marks.of(mark) > 0)
        });
        let not_judged = not_judged(&review, ours);
        if self.fail_on.is_some() && !found && not_judged > 0 {
            let warning =
                Message::new("review-fail-on").text("why", practice::not_judged(not_judged, words));
            context.output.warn(&warning.said(words));
        }
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
            _ => Err(Failure::usage(Message::new("usage-annotate"))
                .help(Message::new("usage-annotate-how"))),
        }
    }

    /// The player whose moves are shown.
    fn seat(&self, players: [Option<&PlayerInfo>; 2]) -> Result<Option<Seat>, Failure> {
        let Some(name) = &self.player else {
            return Ok(self.side.map(|side| match side {
                Side::First => Seat::First,
                Side::Second => Seat::Second,
            }));
        };
        let names = players.map(|player| player.map(|player| &player.name));
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
                Err(not_a_player(name, &names))
            }
            _ => Err(Failure::usage(Message::new("usage-both-players"))
                .help(Message::new("usage-both-players-how"))),
        }
    }

    /// Shows one move: its mark, and the reasons for it and for the best one.
    async fn show_move(
        &self,
        context: &Context,
        review: &Review,
        at: &Exploration,
    ) -> Result<Exit, Failure> {
        let (Some(mv), Some(reviewed)) = (at.next_played(), review.plies.get(at.ply() + 1)) else {
            return Ok(Exit::Done);
        };
        let (position, to_move, asked) = (at.position().clone(), at.to_move(), mv.clone());
        let thought = think_until_interrupted(self.time(), self.memory_bytes(), move |budget| {
            reasons(&position, to_move, &[asked], budget)
        });
        let Some(reasons) = thought.await? else {
            return Ok(Exit::Interrupted);
        };
        if context.output.json {
            context.output.object(&json!({
                "schema": "grundy/review-move/1",
                "reviewed": reviewed,
                "reasons": reasons,
            }))?;
            return Ok(Exit::Done);
        }
        let player = review.player(at.to_move());
        let who = player.map_or_else(|| at.to_move().to_string(), |player| clean(&player.name));
        let mark = reviewed.mark.map_or("", |mark| mark.as_str());
        let language = context.output.language;
        let head = Message::new("reviewed-one")
            .text("ply", reviewed.ply)
            .text("plies", at.plies())
            .text("name", who)
            .text("move", short(&mv.to_string()))
            .text("mark", mark)
            .said(context.output.words());
        let head = head.trim_end();
        context.output.sentences(&format!(
            "{head}\n\n{}",
            with_terms(&advice::moves(&reasons, language), language)
        ))?;
        Ok(Exit::Done)
    }
}

/// Checks that nothing is lost: a file with other content than this record, with or without notes, is kept.
fn may_annotate(path: &Path, record: &Record) -> Result<(), Failure> {
    let has_content = path.is_file() && path.metadata().is_ok_and(|about| about.len() > 0);
    if !has_content || read(path).is_ok_and(|there| there == *record) {
        return Ok(());
    }
    let message = Message::new("file-other-content").text("file", path.display());
    Err(Failure::told(Exit::Refused, "file_exists", message)
        .help(Message::new("file-other-content-how")))
}

/// The record with the marks and reasons of its review.
fn with_notes(record: &Record, review: &Review) -> Result<Vec<u8>, Failure> {
    let bytes = record.annotated(&review.notes());
    if bytes.len() > MAX_BYTES {
        let message = Message::new("record-notes-too-large")
            .text("bytes", bytes.len())
            .text("most", MAX_BYTES);
        return Err(Failure::told(Exit::Refused, "too_large", message));
    }
    Ok(bytes)
}

/// The match before this move.
fn before_move(record: &Record, ply: u32) -> Result<Exploration, Failure> {
    let mut walk = Exploration::of(record)?;
    let moves = walk.plies();
    if ply == 0 || ply as usize > moves {
        let message = Message::new("usage-no-ply")
            .text("ply", ply)
            .number("moves", moves as u64);
        return Err(Failure::told(Exit::Input, "no_such_ply", message));
    }
    let gone = walk.go(ply as usize - 1);
    gone.map_err(|no| Failure::internal(format!("no ply after {}", no.last)))?;
    Ok(walk)
}

/// The review, with built-in bots named as in matches.
fn for_people(review: &Review, words: &Catalogue) -> Review {
    let mut review = review.clone();
    let players = [&mut review.first, &mut review.second];
    for player in players.into_iter().flatten().filter(|player| player.bot) {
        player.name = player_name(player, words);
    }
    review
}
