//! `grundy tournament play`: a person enters a tournament and plays all games in it, one after another.

use std::time::Duration;

use clap::Args;
use grundy_shared::ids::MatchId;
use grundy_shared::protocol::server::Notice;
use grundy_shared::protocol::tournament::{JoinTournament, TournamentState, WatchTournament};
use grundy_shared::tournament::TournamentEvent;
use grundy_words::Message;
use tokio::time::{Instant, sleep};

use super::show;
use super::state::state_of;
use crate::account::{SignedIn, sign_in};
use crate::connection::Incoming;
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::match_source::remote::{GIVE_UP, Manner, attach};
use crate::render;
use crate::session::match_view::{MatchView, Ours};
use crate::session::{Opening, Session};

/// Between two attempts to come back.
const AGAIN: Duration = Duration::from_millis(500);

/// Arguments of `tournament play`.
#[derive(Debug, Args)]
#[command(after_help = "\
Each of your games opens here as soon as it begins. 'quit' leaves a game that goes on, with its clock running: the same command \
takes you back to it.")]
pub(super) struct Arguments {
    /// The tournament
    #[arg(value_name = "TOURNAMENT")]
    tournament: String,
}

/// What comes next.
enum Next {
    /// This game.
    Game(MatchId),
    /// The tournament is over.
    Over,
    /// The user has had enough.
    Interrupted,
}

impl Arguments {
    pub(super) async fn run(self, context: &Context) -> Result<Exit, Failure> {
        let mut left: Option<MatchId> = None;
        let mut lost_at: Option<Instant> = None;
        loop {
            let next = match self.next(context).await {
                Err(failure) if failure.exit() == Exit::Unreachable && left.is_some() => {
                    let since = *lost_at.get_or_insert_with(Instant::now);
                    if since.elapsed() > GIVE_UP {
                        return Err(failure);
                    }
                    sleep(AGAIN).await;
                    continue;
                }
                next => next?,
            };
            lost_at = None;
            match next {
                Next::Over => return Ok(Exit::Done),
                Next::Interrupted => return Ok(Exit::Interrupted),
                Next::Game(match_id) if left == Some(match_id) => {
                    let goes_on = Message::new("tournament-goes-on")
                        .text("match", match_id)
                        .text("tournament", &self.tournament);
                    context.output.talk(&goes_on.said(context.output.words()));
                    return Ok(Exit::Done);
                }
                Next::Game(match_id) => {
                    let exit = play(context, match_id).await?;
                    if exit != Exit::Done {
                        return Ok(exit);
                    }
                    left = Some(match_id);
                }
            }
        }
    }

    /// Enters, if that is still to be done, and waits for a game.
    async fn next(&self, context: &Context) -> Result<Next, Failure> {
        let mut signed_in = sign_in(context, 0).await?;
        let join = JoinTournament {
            tournament: self.tournament.clone(),
        };
        state_of(&mut signed_in.connection, join).await?;
        let watch = WatchTournament {
            tournament: self.tournament.clone(),
            play: false,
        };
        let state = state_of(&mut signed_in.connection, watch).await?;
        let next = tokio::select! {
            next = self.wait(context, &mut signed_in, *state) => next?,
            _ = tokio::signal::ctrl_c() => Next::Interrupted,
        };
        signed_in.connection.close().await;
        Ok(next)
    }

    async fn wait(
        &self,
        context: &Context,
        signed_in: &mut SignedIn,
        state: TournamentState,
    ) -> Result<Next, Failure> {
        if state.seed.is_some() {
            show::print(context, &state, None)?;
            return Ok(Next::Over);
        }
        if let Some(match_id) = state.matches.first() {
            return Ok(Next::Game(*match_id));
        }
        let waiting = Message::new("tournament-waiting").text("name", render::clean(&state.name));
        context.output.talk(&waiting.said(context.output.words()));
        loop {
            match signed_in.connection.receive().await? {
                Incoming::Notice(Notice::TournamentMatch { match_id, .. }) => {
                    return Ok(Next::Game(match_id));
                }
                Incoming::Tournament(_, dated) => {
                    if matches!(dated.event, TournamentEvent::SeedOpened { .. }) {
                        let request = grundy_shared::protocol::tournament::ShowTournament {
                            tournament: self.tournament.clone(),
                            after: 0,
                            limit: Some(grundy_shared::protocol::PAGE_MAX),
                        };
                        let state = state_of(&mut signed_in.connection, request).await?;
                        show::print(context, &state, None)?;
                        return Ok(Next::Over);
                    }
                }
                _ => {}
            }
        }
    }
}

/// Plays one game to its end, or until the user leaves it.
async fn play(context: &Context, match_id: MatchId) -> Result<Exit, Failure> {
    let me = sign_in(context, 0).await?;
    let (now, ours) = (me.welcome.now, Ours::Player(me.welcome.player.id));
    let server = context.config.server().clone();
    let patience = context.config.timeout();
    let link = attach(me, server, match_id, Manner::Playing, patience).await?;
    let view = MatchView::new(match_id, ours);
    Session::new(context, link, view, Opening::Attached)
        .at_server_time(now)
        .run()
        .await
}
