//! `grundy watch`: a match that others play, or one after the other.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use grundy_shared::ids::{MatchId, PlayerId};
use grundy_shared::protocol::ErrorCode;
use grundy_shared::protocol::client::{List, ListStatus};
use grundy_shared::protocol::server::{MatchSummary, Reply};
use grundy_shared::referee::Status;
use grundy_words::Message;
use tokio::time::sleep;

use crate::account::{SignedIn, sign_in};
use crate::confirm::may_record;
use crate::connection::unexpected;
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::match_source::remote::{Manner, attach};
use crate::reading::match_id;
use crate::record;
use crate::session::match_view::{MatchView, Ours};
use crate::session::{Opening, Session};

/// How often to look for the next match.
const LOOK: Duration = Duration::from_secs(2);
/// The newest live matches among which to look for one in which we do not play ourselves.
const LOOKED_AT: u32 = 50;

/// Arguments of `watch`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  grundy watch 7Kq2mVx9Rt
  grundy watch 7Kq2mVx9Rt --follow   and stay for the rematch
  grundy watch --player Ada          what Ada plays now, and what she plays next
  grundy watch --tv                  the newest match on the server, and then the next

While watching, type say TEXT to talk to the other watchers, or help to see what else you can type.")]
pub(crate) struct Arguments {
    /// The match
    #[arg(value_name = "MATCH")]
    match_id: Option<String>,
    /// Watch the matches of this player, one after the other: an id, or a name
    #[arg(long, value_name = "PLAYER", conflicts_with_all = ["match_id", "tv"])]
    player: Option<String>,
    /// Watch the newest match, and when it is over the next
    #[arg(long, conflicts_with = "match_id")]
    tv: bool,
    /// When the match is over, stay for the rematch
    #[arg(long, requires = "match_id")]
    follow: bool,
    /// Write the record of the match to this file at the end
    #[arg(long, value_name = "FILE", requires = "match_id")]
    record: Option<PathBuf>,
}

impl Arguments {
    /// Watches until the match is over, or until Ctrl-C.
    pub(crate) async fn run(self, context: &Context) -> Result<Exit, Failure> {
        if !may_record(&context.output, self.record.as_deref()).await? {
            return Ok(Exit::Done);
        }
        if let Some(named) = &self.match_id {
            let match_id = match_id(named)?;
            let signed_in = sign_in(context, 0).await?;
            let session = match watch(context, signed_in, match_id).await {
                Err(failure) if failure.has_code(ErrorCode::OwnMatch) => {
                    return Err(own_match(context, match_id, failure).await);
                }
                session => session?,
            };
            return session
                .staying(self.follow)
                .recording(self.record)
                .run()
                .await;
        }
        if self.player.is_none() && !self.tv {
            return Err(
                Failure::usage(Message::new("watch-which")).help(Message::new("watch-which-how"))
            );
        }
        let mut seen = None;
        let mut been_there = false;
        loop {
            let found = tokio::select! {
                found = self.find(context, seen, &mut been_there) => found,
                _ = tokio::signal::ctrl_c() => return Ok(Exit::Interrupted),
            };
            let (signed_in, next) = match found {
                Ok(found) => found,
                // A server that is started again is waited for, as within a match.
                Err(failure) if been_there && failure.may_pass() => {
                    tokio::select! {
                        () = sleep(LOOK) => continue,
                        _ = tokio::signal::ctrl_c() => return Ok(Exit::Interrupted),
                    }
                }
                Err(failure) => return Err(failure),
            };
            seen = Some(next);
            let session = watch(context, signed_in, next).await?.leading_on();
            let (exit, over) = session.follow().await?;
            // The user leaves, or wants something else.
            if exit != Exit::Done || !over || context.then.get().is_some() {
                return Ok(exit);
            }
        }
    }
}

impl Arguments {
    /// The next match, and the connection on which it was found.
    async fn find(
        &self,
        context: &Context,
        seen: Option<MatchId>,
        been_there: &mut bool,
    ) -> Result<(SignedIn, MatchId), Failure> {
        let mut signed_in = sign_in(context, 0).await?;
        let us = &signed_in.welcome.player;
        if let Some(player) = &self.player
            && (*player == us.name || *player == us.id.to_string())
        {
            let message = Message::new("watch-own").text("name", player);
            return Err(Failure::told(Exit::Input, "own_match", message)
                .help(Message::new("watch-own-how")));
        }
        *been_there = true;
        let next = next_match(context, &mut signed_in, self.player.as_ref(), seen).await?;
        Ok((signed_in, next))
    }
}

/// A session that watches this match.
async fn watch(
    context: &Context,
    signed_in: SignedIn,
    match_id: MatchId,
) -> Result<Session<'_>, Failure> {
    let now = signed_in.welcome.now;
    let server = context.config.server().clone();
    let patience = context.config.timeout();
    let link = attach(signed_in, server, match_id, Manner::Watching, patience).await?;
    let view = MatchView::new(match_id, Ours::Neither);
    Ok(Session::new(context, link, view, Opening::Attached).at_server_time(now))
}

/// Why a match of our own is not watched, and what to do: if it is over, it is reviewed.
async fn own_match(context: &Context, match_id: MatchId, failure: Failure) -> Failure {
    let Ok(mut signed_in) = sign_in(context, 0).await else {
        return failure;
    };
    let record = record::fetch(&mut signed_in.connection, match_id).await;
    signed_in.connection.close().await;
    match record {
        Ok(record) if record.referee().status() == Status::Over => {
            let message = Message::new("watch-own-over").text("match", match_id);
            let how = Message::new("watch-own-over-how").text("match", match_id);
            Failure::told(failure.exit(), "own_match", message).help(how)
        }
        _ => failure.help(Message::new("watch-own-match-how").text("match", match_id)),
    }
}

/// The newest live match, of this player if one is named, that is not our own and was not seen; waits for it.
async fn next_match(
    context: &Context,
    signed_in: &mut SignedIn,
    player: Option<&String>,
    seen: Option<MatchId>,
) -> Result<MatchId, Failure> {
    let us = signed_in.welcome.player.id;
    let mut told = None;
    loop {
        let list = List {
            status: Some(ListStatus::Live),
            player: player.cloned(),
            limit: Some(LOOKED_AT),
            ..List::default()
        };
        let matches = match signed_in.connection.ask(list).await? {
            Reply::Matches { matches, .. } => matches,
            other => return Err(unexpected(&other)),
        };
        let fits = |summary: &&MatchSummary| Some(summary.match_id) != seen && !plays(summary, us);
        if let Some(summary) = matches.iter().find(fits) {
            return Ok(summary.match_id);
        }
        let only_ours = matches.iter().any(|summary| plays(summary, us));
        let awaited = match player {
            Some(_) => "named",
            None if only_ours => "ours",
            None => "none",
        };
        if told.replace(awaited) != Some(awaited) {
            let message = Message::new("watch-waiting")
                .text("player", awaited)
                .text("name", player.map_or("", String::as_str));
            context.output.talk(&message.said(context.output.words()));
        }
        sleep(LOOK).await;
    }
}

fn plays(summary: &MatchSummary, player: PlayerId) -> bool {
    [&summary.first, &summary.second]
        .into_iter()
        .flatten()
        .any(|seated| seated.id == player)
}
