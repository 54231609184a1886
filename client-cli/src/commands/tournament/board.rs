//! A tournament on the full screen: its tables while it is played.

use std::collections::VecDeque;
use std::pin::pin;
use std::time::Duration;

use grundy_shared::event::Outcome;
use grundy_shared::ids::{MatchId, Seq};
use grundy_shared::protocol::tournament::{LoggedEvent, TournamentState, WatchTournament};
use grundy_shared::tournament::{Dated, Tournament, TournamentEvent};
use grundy_words::Message;
use tokio::sync::watch;
use tokio::time::{Instant, sleep, timeout_at};

use super::state::{state_of, whole_state};
use super::{log, show};
use crate::account::sign_in;
use crate::connection::{Connection, Incoming};
use crate::context::{Context, Then};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::Signs;
use crate::render::contest;
use crate::screen::{Desk, Heard, Purpose, Sheet};

/// Between two attempts to come back.
const AGAIN: Duration = Duration::from_millis(500);
/// Between two pictures: many games may end at once.
const GATHER: Duration = Duration::from_secs(1);
/// Games that have ended which are listed.
const LISTED: usize = 500;

/// A game that has ended.
#[derive(Clone, Debug)]
pub(super) struct Game {
    match_id: MatchId,
    round: u32,
    /// The names of the players, the one who moved first before the other.
    names: [String; 2],
    outcome: Outcome,
}

/// What is shown.
#[derive(Clone, Default, Debug)]
struct Shown {
    title: String,
    about: String,
    sheets: Vec<Sheet>,
    /// The state in words, as it is printed when the user leaves.
    state: Option<Box<TournamentState>>,
    /// Why the server cannot be reached, if it cannot.
    lost: Option<String>,
}

/// Shows a tournament until the user leaves. Then it is printed.
///
/// # Errors
/// The terminal cannot be used, there is no such tournament, or the server refuses.
pub(super) async fn show_tables(
    context: &Context,
    signs: Signs,
    tournament: String,
) -> Result<Exit, Failure> {
    let (sender, mut news) = watch::channel(Shown::default());
    let mut follower = Follower {
        context,
        id: tournament,
        seq: Seq(0),
        tournament: None,
        games: VecDeque::new(),
    };
    let words = context.output.words();
    let mut desk = Desk::open(&context.output, signs, Purpose::Tables)?;
    desk.note(words.say("screen-connecting"), false);
    let mut following = pin!(follower.follow_on(&sender));
    let exit = loop {
        tokio::select! {
            heard = desk.next() => match heard? {
                Heard::Interrupted | Heard::Ended => break Exit::Interrupted,
                Heard::Line(line) => match line.split_once(' ') {
                    Some((command, id)) => {
                        let arguments = vec![command.to_owned(), id.to_owned()];
                        // One screen leads to one command.
                        let _ = context.then.set(Then(arguments));
                        break Exit::Done;
                    }
                    None => break Exit::Done,
                },
            },
            _ = news.changed() => {
                let shown = news.borrow_and_update().clone();
                desk.title(shown.title);
                desk.about(&shown.about);
                desk.sheets(shown.sheets);
                match shown.lost {
                    Some(why) => {
                        let lost = Message::new("lobby-lost").text("why", why);
                        desk.note(lost.said(words), true);
                    }
                    None => desk.note(String::new(), false),
                }
            }
            ended = &mut following => return Err(ended),
        }
    };
    drop(desk);
    let state = news.borrow().state.clone();
    match state {
        Some(state) => show::print(context, &state, None).map(|()| exit),
        None => Ok(exit),
    }
}

/// What has been heard of the tournament.
struct Follower<'c> {
    context: &'c Context,
    id: String,
    /// The newest event that was heard.
    seq: Seq,
    tournament: Option<Tournament>,
    /// The games that have ended, the latest first.
    games: VecDeque<Game>,
}

impl Follower<'_> {
    /// Hears of everything, and comes back to a server that was gone. Ends with what cannot be helped.
    async fn follow_on(&mut self, sender: &watch::Sender<Shown>) -> Failure {
        loop {
            let lost = match self.follow(sender).await {
                Err(failure) if failure.may_pass() && self.seq > Seq(0) => failure,
                Err(failure) => return failure,
                Ok(never) => match never {},
            };
            let why = lost.message_in(self.context.output.words());
            sender.send_modify(|shown| shown.lost = Some(why));
            sleep(AGAIN).await;
        }
    }

    async fn follow(
        &mut self,
        sender: &watch::Sender<Shown>,
    ) -> Result<std::convert::Infallible, Failure> {
        let mut signed_in = sign_in(self.context, 0).await?;
        let connection = &mut signed_in.connection;
        let request = WatchTournament {
            tournament: self.id.clone(),
            play: false,
        };
        let upto = state_of(connection, request).await?.seq;
        self.catch_up(connection, upto).await?;
        loop {
            let state = whole_state(connection, &self.id).await?;
            sender.send_replace(self.shown(state));
            // Then what happens, as much as there is in a while.
            let (seq, dated) = loop {
                if let Incoming::Tournament(seq, dated) = connection.receive().await? {
                    break (seq, dated);
                }
            };
            self.hear(seq, &dated);
            let until = Instant::now() + GATHER;
            while let Ok(heard) = timeout_at(until, connection.receive()).await {
                if let Incoming::Tournament(seq, dated) = heard? {
                    self.hear(seq, &dated);
                }
            }
            // What came too fast to be sent is in the log.
            let newest = state_of(
                connection,
                WatchTournament {
                    tournament: self.id.clone(),
                    play: false,
                },
            );
            let upto = newest.await?.seq;
            self.catch_up(connection, upto).await?;
        }
    }

    /// Reads the log up to an event.
    async fn catch_up(&mut self, connection: &mut Connection, upto: Seq) -> Result<(), Failure> {
        while self.seq < upto {
            let events = log::events_after(connection, &self.id, self.seq).await?;
            if events.is_empty() {
                return Ok(());
            }
            for LoggedEvent { seq, body, .. } in events {
                self.hear(seq, &body);
            }
        }
        Ok(())
    }

    /// Takes the next event; one that was heard before changes nothing.
    fn hear(&mut self, seq: Seq, dated: &Dated) {
        if seq != self.seq.next() {
            return;
        }
        self.seq = seq;
        if let TournamentEvent::GameEnded {
            round,
            board,
            game,
            match_id,
            outcome,
            ..
        } = &dated.event
        {
            let ended = Game {
                match_id: *match_id,
                round: *round,
                names: self.names(*board, *game),
                outcome: *outcome,
            };
            if self.games.len() == LISTED {
                self.games.pop_back();
            }
            self.games.push_front(ended);
        }
        self.tournament = match self.tournament.take() {
            None => Tournament::created(&dated.event).ok(),
            // A newer server may have events that we do not know; the standings are its own.
            Some(mut tournament) => tournament.apply(&dated.event).is_ok().then_some(tournament),
        };
    }

    /// The names at a board of the running round, the one who moves first in this game before the other.
    fn names(&self, board: u32, game: u32) -> [String; 2] {
        let name = |number: u32| {
            let player = self.tournament.as_ref()?.player(number)?;
            Some(player.name.clone())
        };
        let pairs = self.tournament.as_ref().and_then(Tournament::running_round);
        let place = (board as usize).checked_sub(1);
        let pair =
            place.and_then(|place| pairs.and_then(|(_, pairs, _)| pairs.get(place).copied()));
        let Some((one, other)) = pair else {
            return Default::default();
        };
        let players = match game % 2 {
            1 => [one, other],
            _ => [other, one],
        };
        players.map(|number| name(number).unwrap_or_default())
    }

    fn shown(&self, state: Box<TournamentState>) -> Shown {
        let words = self.context.output.words();
        let games = self.games.iter().map(|game| contest::Ended {
            match_id: game.match_id,
            round: game.round,
            names: &game.names,
            outcome: game.outcome,
        });
        let mut sheets = vec![contest::standings(&state, words)];
        if let Some(tournament) = &self.tournament {
            let order: Vec<u32> = state.standings.iter().map(|row| row.player).collect();
            sheets.push(contest::grid(tournament, &order, words));
            sheets.push(contest::now(state.tournament, tournament, words));
        }
        sheets.push(contest::ended(games, words));
        Shown {
            title: state.name.clone(),
            about: contest::about(&state, words),
            sheets,
            state: Some(state),
            lost: None,
        }
    }
}
