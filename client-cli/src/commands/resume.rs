//! `grundy resume`: back into a match that is still running, from any terminal and after any restart; also into one played here.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use grundy_shared::ids::{MatchId, Millis, Seat};
use grundy_shared::protocol::PAGE_MAX;
use grundy_shared::protocol::client::List;
use grundy_shared::protocol::server::Reply;
use grundy_shared::record::Record;
use grundy_words::Message;

use crate::account::{SignedIn, identities, sign_in_as};
use crate::confirm::may_record;
use crate::connection::unexpected;
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::library::Library;
use crate::library::keeper::Keeper;
use crate::match_source::local::{self, Players};
use crate::match_source::remote::{Manner, attach};
use crate::reading::match_id;
use crate::session::match_view::{MatchView, Ours};
use crate::session::{Opening, Session};

/// Other running matches that are named.
pub(super) const NAMED: usize = 10;

/// A side that the user names.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum WantedSeat {
    /// The first player's.
    First,
    /// The second player's.
    Second,
}

impl WantedSeat {
    fn seat(self) -> Seat {
        match self {
            Self::First => Seat::First,
            Self::Second => Seat::Second,
        }
    }
}

/// Arguments of `resume`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  grundy resume                 your newest match in which it is your move, else the newest
  grundy resume 7Kq2mVx9Rt

A match of 'grundy play --local' that you left unfinished is resumed on this computer: the one named, \
or the newest if you have no running match on a server.")]
pub(crate) struct Arguments {
    /// The match [default: the newest in which it is your move, else the newest]
    #[arg(value_name = "MATCH")]
    match_id: Option<String>,
    /// Which seat to take if both are yours [default: the one that is not connected]
    #[arg(long, value_name = "SIDE")]
    side: Option<WantedSeat>,
    /// Write the record of the match to this file at the end
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
}

/// A seat of ours in a running match.
#[derive(Debug)]
struct Candidate {
    /// Which of the identities that are signed in.
    who: usize,
    match_id: MatchId,
    seat: Seat,
    to_move: bool,
    /// Whether a terminal of ours sits there already.
    connected: bool,
    created_at: Millis,
}

impl Arguments {
    /// Finds the match and plays on.
    pub(crate) async fn run(self, context: &Context) -> Result<Exit, Failure> {
        if !may_record(&context.output, self.record.as_deref()).await? {
            return Ok(Exit::Done);
        }
        let wanted = self.match_id.as_deref().map(match_id).transpose()?;
        if wanted.is_some()
            && let Some(record) = Library::open()?.unfinished(wanted)?
        {
            return self.here(context, &record).await;
        }
        let there = running(context).await;
        let found_there = there.as_ref().is_ok_and(|(_, found)| !found.is_empty());
        if wanted.is_none()
            && !found_there
            && let Some(record) = Library::open()?.unfinished(None)?
        {
            return self.here(context, &record).await;
        }
        let (mut signed_in, mut candidates) = there?;
        if let Some(wanted) = wanted {
            candidates.retain(|candidate| candidate.match_id == wanted);
        }
        if let Some(side) = self.side {
            candidates.retain(|candidate| candidate.seat == side.seat());
        }
        candidates.sort_by_key(|candidate| {
            (
                candidate.connected,
                !candidate.to_move,
                std::cmp::Reverse(candidate.created_at),
            )
        });
        let (who, chosen) = match (candidates.first(), wanted) {
            (Some(best), _) => (best.who, best.match_id),
            // Not running any more, or not ours: the server says which.
            (None, Some(wanted)) if !signed_in.is_empty() => (0, wanted),
            _ => return Err(nothing_to_resume(context, wanted)),
        };
        if wanted.is_none() {
            name_the_others(context, &candidates, chosen);
        }
        let me = signed_in.swap_remove(who);
        for other in signed_in {
            other.connection.close().await;
        }
        let now = me.welcome.now;
        let ours = Ours::Player(me.welcome.player.id);
        let server = context.config.server().clone();
        let patience = context.config.timeout();
        let link = attach(me, server, chosen, Manner::Playing, patience).await?;
        Session::new(
            context,
            link,
            MatchView::new(chosen, ours),
            Opening::Attached,
        )
        .at_server_time(now)
        .recording(self.record)
        .run()
        .await
    }
}

impl Arguments {
    /// Plays on in a match of this computer.
    async fn here(self, context: &Context, record: &Record) -> Result<Exit, Failure> {
        let match_id = record.match_id();
        let library = Library::open()?;
        let position = record.referee().position();
        let hints = library.hints(match_id, &position.to_string());
        let keeper = Keeper::resume(library, record)?;
        let (link, players) = local::resume(record, keeper)?;
        let ours = match players {
            Players::Bot(seat, _) => Ours::Seat(seat),
            Players::Two => Ours::Both,
        };
        let view = MatchView::local(match_id, ours);
        Session::new(context, link, view, Opening::Attached)
            .recording(self.record)
            .hinted(position, hints)
            .run()
            .await
    }
}

/// Our running matches on the server, each once.
///
/// # Errors
/// The server cannot be reached, or refuses.
pub(super) async fn our_matches(context: &Context) -> Result<Vec<MatchId>, Failure> {
    let (signed_in, candidates) = running(context).await?;
    for one in signed_in {
        one.connection.close().await;
    }
    let mut matches = Vec::new();
    for candidate in candidates {
        if !matches.contains(&candidate.match_id) {
            matches.push(candidate.match_id);
        }
    }
    Ok(matches)
}

/// Signs in as each identity of ours, and collects their running matches.
async fn running(context: &Context) -> Result<(Vec<SignedIn>, Vec<Candidate>), Failure> {
    let (mut all, mut candidates) = (Vec::new(), Vec::new());
    let (ours, connection) = identities(context).await?;
    let mut connection = Some(connection);
    for identity in ours {
        let signed_in = sign_in_as(context, identity, connection.take()).await?;
        let Some(mut signed_in) = signed_in else {
            continue;
        };
        let request = List {
            mine: true,
            limit: Some(PAGE_MAX),
            ..List::default()
        };
        let matches = match signed_in.connection.ask(request).await? {
            Reply::Matches { matches, .. } => matches,
            other => return Err(unexpected(&other)),
        };
        for obligation in &signed_in.welcome.obligations {
            let summary = matches
                .iter()
                .find(|summary| summary.match_id == obligation.match_id);
            candidates.push(Candidate {
                who: all.len(),
                match_id: obligation.match_id,
                seat: obligation.seat,
                to_move: obligation.to_move && !summary.is_some_and(|summary| summary.adjourned),
                connected: obligation.connected,
                created_at: summary.map_or(Millis(0), |summary| summary.created_at_ms),
            });
        }
        all.push(signed_in);
    }
    Ok((all, candidates))
}

fn nothing_to_resume(context: &Context, wanted: Option<MatchId>) -> Failure {
    let server = context.config.server();
    let profile = context.config.profile();
    let message = match wanted {
        Some(id) => Message::new("resume-not-yours").text("match", id),
        None => Message::new("resume-nothing"),
    };
    let message = message.text("server", server).text("profile", profile);
    Failure::told(Exit::NotFound, "no_such_match", message).help(Message::new("resume-nothing-how"))
}

/// Says which other matches are running.
fn name_the_others(context: &Context, candidates: &[Candidate], chosen: MatchId) {
    let words = context.output.words();
    let mut named: Vec<MatchId> = vec![chosen];
    for candidate in candidates {
        if named.contains(&candidate.match_id) {
            continue;
        }
        if named.len() == 1 {
            let others = Message::new("resume-others").text("match", chosen);
            context.output.talk(&others.said(words));
        }
        if named.len() > NAMED {
            let more = Message::new("resume-more").text("command", "grundy games list --mine");
            context.output.talk(&format!("  {}", more.said(words)));
            return;
        }
        named.push(candidate.match_id);
        let turn = match candidate.to_move {
            true => format!("   {}", words.say("resume-your-move")),
            false => String::new(),
        };
        context
            .output
            .talk(&format!("  grundy resume {}{turn}", candidate.match_id));
    }
}
