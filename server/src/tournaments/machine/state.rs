//! What a tournament holds, and how it takes a step.

use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;

use grundy_shared::chain::{self, Hash};
use grundy_shared::event::{PlayerInfo, TournamentGame};
use grundy_shared::ids::{MatchId, Millis, PlayerId, Seq, TournamentId};
use grundy_shared::tournament::{
    Dated, OpenGame, Pace, Report, Seed, Tournament, TournamentEvent, match_of_game,
};

use super::effect::Effect;
use super::input::{Ask, Ended, Input};
use crate::matches::refusal;
use crate::store::CommitError;

/// Requests that wait for what is being stored; one more is refused.
const WAITING_MAX: usize = 256;
/// Of these, requests of one player: those of all connections that an address may have do not fill the queue.
const WAITING_OF_PLAYER: usize = 12;
/// When something that the store or the server refused is tried again.
pub(super) const RETRY_MS: Millis = Millis(1_000);

/// Something to be decided.
#[derive(Debug)]
pub(super) enum Work<R, D> {
    Ask {
        reply: R,
        player: PlayerInfo,
        ask: Ask,
    },
    Ended(Box<Ended<D>>),
}

/// What is being stored, or decided again once the log was read.
#[derive(Debug)]
pub(super) enum Flight<R, D> {
    Storing {
        /// None: it was due by itself.
        work: Option<Work<R, D>>,
        events: Vec<Dated>,
        then: Box<Tournament>,
    },
    Reading(Option<Work<R, D>>),
}

/// A connection that follows the tournament.
#[derive(Debug)]
pub(super) struct Follower<C> {
    pub(super) connection: C,
    pub(super) player: PlayerId,
    pub(super) play: bool,
}

/// What a tournament begins with: what its log says.
#[derive(Debug)]
pub struct Begun {
    /// Its state; shared with whoever reads it, who keeps nobody waiting.
    pub tournament: Arc<Tournament>,
    /// How many events it has.
    pub seq: Seq,
    /// The head of its hash chain.
    pub head: Hash,
    /// When its newest event happened.
    pub last_at: Millis,
    /// When it was created.
    pub created_at: Millis,
    /// When the entries closed.
    pub began_at: Option<Millis>,
    /// How fast it goes.
    pub pace: Pace,
    /// The seed, which nobody may see before the end.
    pub seed: Seed,
    /// The starts, in the order in which games use them.
    pub starts: Vec<String>,
}

/// One live tournament; see [`super::Input`] for the parameters.
#[derive(Debug)]
pub struct Machine<C, R, D> {
    pub(super) id: TournamentId,
    pub(super) begun: Begun,
    pub(super) followers: Vec<Follower<C>>,
    pub(super) queue: VecDeque<Work<R, D>>,
    pub(super) flight: Option<Flight<R, D>>,
    /// Matches that were asked for, by round, board and game.
    pub(super) asked: BTreeSet<(u32, u32, u32)>,
    /// Those of them that are there.
    pub(super) made: BTreeSet<(u32, u32, u32)>,
    pub(super) retry_at: Option<Millis>,
    /// The log could not be read when the end of a match was to be counted: nothing is decided until that is tried again.
    pub(super) unread: bool,
    pub(super) draining: bool,
    /// The standings after this event.
    pub(super) report: Option<(Seq, Report)>,
    finished: bool,
}

impl<C: Clone + Eq, R, D> Machine<C, R, D> {
    /// A tournament as its log tells it; to be told `Input::Time`, so that it goes on.
    #[must_use]
    pub fn new(id: TournamentId, begun: Begun) -> Self {
        Self {
            id,
            begun,
            followers: Vec::new(),
            queue: VecDeque::new(),
            flight: None,
            asked: BTreeSet::new(),
            made: BTreeSet::new(),
            retry_at: None,
            unread: false,
            draining: false,
            report: None,
            finished: false,
        }
    }

    /// Its state as far as it is stored.
    #[must_use]
    pub fn tournament(&self) -> &Arc<Tournament> {
        &self.begun.tournament
    }

    /// When it wants to be told `Input::Time`.
    #[must_use]
    pub fn wake_at(&self) -> Option<Millis> {
        if self.draining || self.flight.is_some() {
            return None;
        }
        let start = self.tournament().starts_at();
        let start = start.filter(|_| !self.tournament().has_begun());
        let expires = self.expires().map(|(at, _)| at);
        let due = [start, expires].into_iter().flatten().min();
        // While something is put off, nothing else is due.
        self.retry_at.or(due)
    }

    /// Whether one more request of this player may wait.
    fn takes_request_of(&self, player: PlayerId) -> bool {
        let waiting = self.queue.iter().filter_map(|work| match work {
            Work::Ask { player, .. } => Some(player.id),
            Work::Ended(_) => None,
        });
        let (mut all, mut own) = (0, 0);
        for by in waiting {
            all += 1;
            own += usize::from(by == player);
        }
        all < WAITING_MAX && own < WAITING_OF_PLAYER
    }

    /// Takes in what it is told, and puts what follows at the end of `effects`. `now` never goes back.
    ///
    /// Cost: linear in the followers and players, that of pairing a round when one is due, and that of the standings when they are
    /// asked for after a new event.
    pub fn step(&mut self, now: Millis, input: Input<C, R, D>, effects: &mut Vec<Effect<C, R, D>>) {
        match input {
            Input::Ask { reply, player, ask } => {
                if self.unread || !self.takes_request_of(player.id) {
                    let words = match self.unread {
                        true => "the log of the tournament cannot be read now",
                        false => "too much waits for this tournament",
                    };
                    effects.push(Effect::Refuse(reply, refusal::busy(words)));
                } else {
                    self.queue.push_back(Work::Ask { reply, player, ask });
                }
            }
            Input::Ended(ended) => self.queue.push_back(Work::Ended(ended)),
            Input::Show {
                reply,
                player,
                after,
                limit,
            } => {
                let state = self.state_for(now, Some(player), after, limit);
                effects.push(Effect::show(reply, state));
            }
            Input::Follow {
                reply,
                connection,
                player,
                play,
            } => self.follow(now, reply, connection, player, play, effects),
            Input::Unfollow(connection) => self
                .followers
                .retain(|follower| follower.connection != connection),
            Input::Committed(outcome) => self.committed(now, outcome, effects),
            Input::Tail(read) => self.read_tail(now, read, effects),
            Input::Opened(game, outcome) => self.opened(now, game, outcome.is_ok(), effects),
            Input::Look => self.look(effects),
            Input::Time => {}
            Input::Drain => self.draining = true,
        }
        self.go_on(now, effects);
    }

    /// Decides one thing after another until something has to be stored, or nothing is left.
    fn go_on(&mut self, now: Millis, effects: &mut Vec<Effect<C, R, D>>) {
        if self.retry_at.is_some_and(|at| at <= now) {
            self.retry_at = None;
            self.unread = false;
        }
        while self.flight.is_none() && !self.unread {
            match self.queue.pop_front() {
                Some(work) => self.decide(now, work, effects),
                None => match self.due(now) {
                    Some((event, then)) => {
                        let at_ms = now.max(self.begun.last_at);
                        self.store(None, vec![Dated { at_ms, event }], then, effects);
                    }
                    None => break,
                },
            }
        }
        self.open_games(effects);
        if self.tournament().is_over() && self.flight.is_none() && !self.finished {
            self.finished = true;
            effects.push(Effect::Finished);
        }
    }

    /// Takes over events that are stored, and tells everybody.
    pub(super) fn publish(&mut self, events: Vec<Dated>, effects: &mut Vec<Effect<C, R, D>>) {
        for dated in events {
            let seq = self.begun.seq.next();
            let (frame, body) = crate::matches::Frame::of_tournament(self.id, seq, &dated);
            self.begun.seq = seq;
            self.begun.head = chain::link(&self.begun.head, &body);
            self.begun.last_at = dated.at_ms;
            self.begun.pace.note(&dated);
            for follower in &self.followers {
                effects.push(Effect::Send(follower.connection.clone(), frame.clone()));
            }
            match &dated.event {
                TournamentEvent::EntriesClosed {} => self.begun.began_at = Some(dated.at_ms),
                TournamentEvent::GameEnded {
                    round, board, game, ..
                } => {
                    self.asked.remove(&(*round, *board, *game));
                    self.made.remove(&(*round, *board, *game));
                }
                TournamentEvent::RoundPaired { round, pairs, byes } => {
                    self.ring(dated.at_ms, *round, (pairs, byes), effects);
                }
                TournamentEvent::Withdrew { .. } => self.stop_games_of_withdrawn(effects),
                TournamentEvent::Cancelled { .. } => self.stop_all_games(effects),
                _ => {}
            }
        }
    }

    /// The game as its match knows it.
    pub(super) fn game_of(&self, open: &OpenGame) -> TournamentGame {
        let rules = self.tournament().rules();
        TournamentGame {
            id: self.id,
            round: open.round,
            board: open.board,
            game: open.game,
            start_ms: rules.start_ms,
            away_ms: rules.away_ms,
        }
    }

    /// The match of a game.
    pub(super) fn match_of(&self, round: u32, board: u32, game: u32) -> MatchId {
        match_of_game(self.id, round, board, game)
    }

    pub(super) fn put_off(&mut self, now: Millis) {
        self.retry_at = Some(now.plus(RETRY_MS));
    }

    /// Whether this conflict is one of the tournament's own log.
    pub(super) fn is_own(&self, error: &CommitError) -> bool {
        let own = crate::store::StreamId::Tournament(self.id);
        matches!(error, CommitError::Conflict { stream, .. } if *stream == own)
    }
}
